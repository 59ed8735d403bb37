"""Every exit code of a command is on the list, and comes with a one-line reason."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from told import Airlag

from airlag.cli import LEAST_BYTES, exit_code

PACKAGE = Path(__file__).resolve().parents[3] / "python" / "airlag"
AIRLAG = [sys.executable, "-m", "airlag"]


def ended(
    *arguments: str | bytes, pythonpath: Path | None = None, shell: str = "", **environment: str
) -> subprocess.CompletedProcess[str]:
    """A command line in a process of its own; ``shell`` redirects its streams."""
    plain = {key: value for key, value in os.environ.items() if key != "AIRLAG_DEBUG"}
    if pythonpath is not None:
        environment["PYTHONPATH"] = str(pythonpath)
    return subprocess.run(
        ["/bin/sh", "-c", f'"$@" {shell}', "sh", *AIRLAG, *arguments],
        capture_output=True,
        text=True,
        errors="surrogateescape",
        env=plain | environment,
        timeout=60,
        check=False,
    )


def one_line(told: subprocess.CompletedProcess[str]) -> str:
    assert told.stderr.startswith("airlag: ")
    assert told.stderr.count("\n") == 1
    return told.stderr


def in_place_of_commands(folder: Path, program: str) -> Path:
    """A copy of the package in which every command line runs this program instead."""
    shutil.copytree(
        PACKAGE, folder / "airlag", ignore=shutil.ignore_patterns("*.so", "__pycache__")
    )
    (folder / "airlag" / "cli" / "app.py").write_text(f"def execute(arguments):\n {program}\n")
    return folder


@pytest.mark.parametrize(
    ("program", "says"),
    [
        ("raise TypeError('size')", "internal error at app.py:2 (TypeError: size); please"),
        ("return {}['key']", "KeyError: 'key'"),
        (
            "import os\n os.write(2, b\"thread 'main' panicked\")\n raise BaseException('index 7')",
            "BaseException: index 7",
        ),
        ("import sys\n sys.exit(66)", ""),
    ],
)
def test_a_fault_of_ours_is_one_line_and_exit_code_3(
    program: str, says: str, tmp_path: Path
) -> None:
    told = ended("links", pythonpath=in_place_of_commands(tmp_path, program))
    assert (told.returncode, told.stdout) == (exit_code.FAULT, "")
    if says:
        assert says in one_line(told)


def test_the_traceback_of_a_fault_is_shown_on_request(tmp_path: Path) -> None:
    program = "import os\n os.write(2, b'what a library prints')\n raise TypeError('size')"
    told = ended("links", pythonpath=in_place_of_commands(tmp_path, program), AIRLAG_DEBUG="1")
    assert told.returncode == exit_code.FAULT
    assert "what a library prints" in told.stderr
    assert "Traceback (most recent call last)" in told.stderr


def test_too_little_memory_is_the_inputs_doing(tmp_path: Path) -> None:
    told = ended("links", pythonpath=in_place_of_commands(tmp_path, "raise MemoryError"))
    assert told.returncode == exit_code.UNUSABLE
    assert "not enough memory" in one_line(told)


@pytest.mark.parametrize(
    "says", ["can't start new thread", "failed to spawn thread: Os { code: 11"]
)
def test_no_room_for_a_thread_is_no_fault(says: str, tmp_path: Path) -> None:
    program = f"raise RuntimeError({says!r})"
    told = ended("links", pythonpath=in_place_of_commands(tmp_path, program))
    assert told.returncode == exit_code.UNUSABLE
    assert "ulimit -u" in one_line(told)


@pytest.mark.parametrize("words", [["links"], ["run", "nrf24-2m", "--count", "5"]])
def test_a_limit_on_memory_is_refused_or_suffices(words: list[str]) -> None:
    for limit_kib in (60_000, 100_000, 200_000, 250_000, 400_000, LEAST_BYTES >> 10):
        told = subprocess.run(
            ["sh", "-c", 'ulimit -v "$0" && exec "$@"', str(limit_kib), *AIRLAG, *words],
            capture_output=True,
            text=True,
            check=False,
        )
        if limit_kib << 10 >= LEAST_BYTES:
            assert (told.returncode, told.stderr) == (0, "")
        else:
            assert told.returncode == exit_code.UNUSABLE
            assert str(limit_kib) in one_line(told)


@pytest.mark.parametrize(
    ("module", "broken"),
    [
        ("typer", "import nothing_of_this_name"),
        ("rich", "1 +"),
        ("numpy", "raise OSError(13, 'no')"),
    ],
)
def test_a_broken_dependency_is_one_line_and_exit_code_3(
    module: str, broken: str, tmp_path: Path
) -> None:
    (tmp_path / f"{module}.py").write_text(broken)
    told = ended("analyze", "none.csv", pythonpath=tmp_path)
    assert told.returncode == exit_code.FAULT
    one_line(told)


@pytest.mark.parametrize("content", [b"", b"no extension at all", None])
def test_a_damaged_extension_is_one_line_and_exit_code_3(
    content: bytes | None, tmp_path: Path
) -> None:
    shutil.copytree(
        PACKAGE, tmp_path / "airlag", ignore=shutil.ignore_patterns("*.so", "__pycache__")
    )
    if content is not None:
        (tmp_path / "airlag" / "_airlag.abi3.so").write_bytes(content)
    told = ended("links", pythonpath=tmp_path)
    assert told.returncode == exit_code.FAULT
    assert "install airlag again" in one_line(told)


@pytest.mark.parametrize("arguments", [["analyze"], ["analyze", "--json"]])
@pytest.mark.parametrize(
    ("shell", "why"),
    [(">&-", "Bad file descriptor"), (">/dev/full", "No space left on device")],
)
def test_results_that_cannot_be_written_are_exit_code_2(
    arguments: list[str], shell: str, why: str, capture: Path
) -> None:
    told = ended(*arguments, str(capture), shell=shell)
    assert told.returncode == exit_code.UNUSABLE
    assert f"standard output cannot be written ({why})" in one_line(told)


@pytest.mark.parametrize("shell", ["2>&-", "2>/dev/full", ">&- 2>&- <&-"])
def test_complaints_that_cannot_be_written_do_not_change_how_it_ends(shell: str) -> None:
    told = ended("analyze", "absent.csv", shell=shell)
    assert (told.returncode, told.stdout, told.stderr) == (exit_code.UNUSABLE, "", "")


def test_no_file_takes_the_place_of_a_closed_stream(capture: Path) -> None:
    told = ended("analyze", str(capture), "-o", "run.parquet", shell=">&- 2>&- <&-")
    assert told.returncode == exit_code.UNUSABLE
    assert ended("analyze", "run.parquet").returncode == exit_code.DONE


@pytest.mark.parametrize(
    ("arguments", "environment"),
    [
        (["analyze"], {"PYTHONIOENCODING": "ascii"}),
        (["analyze"], {"PYTHONIOENCODING": "latin-1"}),
        (["analyze"], {"LC_ALL": "C"}),
        (["analyze", "--json"], {"PYTHONIOENCODING": "ascii"}),
        (["convert", "--json"], {"PYTHONIOENCODING": "latin-1"}),
    ],
)
def test_an_encoding_without_our_characters_is_no_obstacle(
    arguments: list[str], environment: dict[str, str], capture: Path, folder: Path
) -> None:
    odd = folder / "µ → \N{RIGHT-TO-LEFT OVERRIDE}.csv"
    capture.rename(odd)
    target = ["out.vcd"] if arguments[0] == "convert" else []
    told = ended(*arguments, str(odd), *target, **environment)
    assert (told.returncode, told.stderr) == (exit_code.DONE, "")


def test_a_reader_that_goes_away_does_not_change_what_was_found(capture: Path) -> None:
    with subprocess.Popen(
        [*AIRLAG, "analyze", str(capture), "--fail-on", "lost-transfers"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(timeout=60) == exit_code.FOUND


ODD = {
    "no UTF-8": b"\xff\xfe.csv",
    "a control": b"\x01.csv",
    "a second control": "\x85.csv".encode(),
    "a direction": "\N{RIGHT-TO-LEFT OVERRIDE}.csv".encode(),
    "a new line": b"a\nb.csv",
}


@pytest.mark.parametrize("odd", sorted(ODD))
@pytest.mark.parametrize(
    "arguments",
    [
        ["analyze", "-o", "run.parquet"],
        ["analyze", "--json"],
        ["report", "-o", "report.html"],
        ["report", "-o", "report.svg"],
        ["report", "-o", "report.png"],
    ],
    ids=" ".join,
)
def test_a_file_name_of_any_bytes_is_a_file_name(
    arguments: list[str], odd: str, airlag: Airlag, capture: Path
) -> None:
    path = os.fsdecode(ODD[odd])
    capture.rename(path)
    told = airlag(*arguments, path)
    assert (told.code, told.err) == (exit_code.DONE, "")
    assert told.out.replace("\n", "").isprintable()


@pytest.mark.parametrize(
    "arguments",
    [
        ["links", "\udcff"],
        ["analyze", "good.csv", "--trigger", "\udcff"],
        ["run", "uart-9600-irq", "--set", "\udcff=1"],
        ["\udcff"],
    ],
)
def test_text_that_is_no_utf_8_is_exit_code_2(
    arguments: list[str], airlag: Airlag, capture: Path
) -> None:
    assert capture.exists()
    told = airlag(*arguments)
    assert told.code == exit_code.UNUSABLE
    assert told.err.count("\n") == 1
    assert "\udcff" not in told.err


def test_a_name_as_long_as_a_file_is_shortened(airlag: Airlag, folder: Path) -> None:
    (folder / "long.csv").write_text(f"Time [s],{'a' * 900},b\n0.0,0,0\n0.1,1,0\n0.2,1,1\n")
    told = airlag("convert", "long.csv", "long.vcd")
    assert told.code == exit_code.DONE
    assert max(map(len, told.out.splitlines())) < 200
    refused = airlag("analyze", "long.csv", "--trigger", "c")
    assert len(refused.err) < 1100
