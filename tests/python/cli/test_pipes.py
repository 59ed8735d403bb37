"""Behaviour of output by receiver: a terminal, a pipe, or none."""

from __future__ import annotations

import os
import pty
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from traces import link, logic2_csv

AIRLAG = [sys.executable, "-m", "airlag"]


def on_a_terminal(*command: str, width: int = 80, **environment: str) -> str:
    """What a command writes to a terminal of this width."""
    ours, theirs = pty.openpty()
    plain = {key: value for key, value in os.environ.items() if key not in ("NO_COLOR", "CI")}
    process = subprocess.Popen(
        command,
        stdout=theirs,
        stderr=theirs,
        env=plain | {"TERM": "xterm-256color", "COLUMNS": str(width)} | environment,
    )
    os.close(theirs)
    said = b""
    while True:
        try:
            part = os.read(ours, 65536)
        except OSError:
            break
        if not part:
            break
        said += part
    os.close(ours)
    assert process.wait(timeout=60) == 0, said
    return said.decode()


def test_a_pipe_gets_no_colours_and_a_terminal_does(capture: Path) -> None:
    piped = subprocess.run(
        [*AIRLAG, "analyze", capture], capture_output=True, text=True, check=True
    )
    assert "\x1b" not in piped.stdout + piped.stderr
    assert "\x1b[1m" in on_a_terminal(*AIRLAG, "analyze", str(capture))


def test_no_color_is_respected_on_a_terminal(capture: Path) -> None:
    said = on_a_terminal(*AIRLAG, "analyze", str(capture), NO_COLOR="1")
    assert "\x1b[3" not in said


@pytest.mark.parametrize("width", [40, 60, 80, 120])
def test_no_line_is_wider_than_the_terminal(width: int, capture: Path) -> None:
    said = on_a_terminal(*AIRLAG, "analyze", str(capture), width=width)
    lines = re.sub(r"\x1b\[[0-9;]*m|\r", "", said).splitlines()
    assert max(len(line.rstrip()) for line in lines) <= width


def test_a_reader_that_goes_away_ends_it_quietly(folder: Path) -> None:
    for index in range(60):
        logic2_csv(folder / f"{index}.csv", link(count=12, lost=[5]))
    names = sorted(path.name for path in folder.glob("*.csv"))
    for extra in ([], ["--json"]):
        with subprocess.Popen(
            [*AIRLAG, "analyze", *extra, *names], stdout=subprocess.PIPE, stderr=subprocess.PIPE
        ) as process:
            assert process.stdout is not None
            assert process.stderr is not None
            process.stdout.close()
            assert process.stderr.read() == b""
            assert process.wait(timeout=60) == 0


def test_ctrl_c_ends_it_quietly(folder: Path) -> None:
    # A pipe that nobody writes to: the reader waits until it is interrupted.
    os.mkfifo(folder / "silent.csv")
    with subprocess.Popen(
        [*AIRLAG, "analyze", "silent.csv"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        time.sleep(1.5)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert (out, err) == (b"", b"")
    assert process.returncode == 128 + signal.SIGINT


def working(seconds: float) -> list[str]:
    """A program that works this long under a progress bar."""
    program = (
        "import time; from airlag.cli.terminal import progress\n"
        f"with progress('working', 3) as step: step(); time.sleep({seconds})"
    )
    return [sys.executable, "-c", program]


def test_a_progress_bar_appears_on_a_terminal_after_a_second() -> None:
    assert "working" in on_a_terminal(*working(1.6))
    assert on_a_terminal(*working(0.1)) == ""


def test_a_pipe_never_sees_a_progress_bar() -> None:
    told = subprocess.run(working(1.6), capture_output=True, text=True, check=True)
    assert (told.stdout, told.stderr) == ("", "")


def test_text_and_binary_exports_come_through_a_pipe(capture: Path, tmp_path: Path) -> None:
    straight = subprocess.run(
        [*AIRLAG, "analyze", "--json", capture], capture_output=True, text=True, check=True
    )
    dump = tmp_path / "capture.vcd"
    subprocess.run([*AIRLAG, "convert", capture, dump], capture_output=True, check=True)
    for path in (capture, dump):
        piped = subprocess.run(
            [*AIRLAG, "analyze", "--json", "-", "-o", tmp_path / "kept.parquet"],
            input=path.read_bytes(),
            capture_output=True,
            check=True,
        )
        said = piped.stdout.decode().replace('"source": "-"', f'"source": "{capture.name}"')
        assert said == straight.stdout
    kept = subprocess.run(
        [*AIRLAG, "analyze", "--json", tmp_path / "kept.parquet"], capture_output=True, check=True
    )
    assert kept.stdout == piped.stdout


def test_a_named_pipe_is_read_as_a_file_is(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with subprocess.Popen([*AIRLAG, "analyze", pipe], stdout=subprocess.PIPE) as process:
        pipe.write_text("latency_us\n5\n6\n7\n")
        assert process.stdout is not None
        assert b"3 latencies from a table" in process.stdout.read()
    assert process.returncode == 0


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (b"PK\x03\x04 and more", "an archive cannot be read from a pipe"),
        (b"PAR1 and more", "a saved run cannot be read from a pipe"),
        (b"", "the file is empty"),
        (b"\x00\x01\x02", "unknown capture format"),
    ],
)
def test_what_cannot_come_through_a_pipe_is_told_in_one_line(given: bytes, told: str) -> None:
    ended = subprocess.run([*AIRLAG, "analyze", "-"], input=given, capture_output=True, check=False)
    assert (ended.returncode, ended.stdout) == (2, b"")
    assert ended.stderr.startswith(b"airlag: -: ")
    assert told.encode() in ended.stderr
    assert ended.stderr.count(b"\n") == 1
