"""Interrupted commands: they end at once, keep finished results, and leave nothing else behind."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from told import Airlag

from airlag.questions import store
from traces import link, logic2_csv

AIRLAG = [sys.executable, "-m", "airlag"]
#: Each takes minutes, or as long as nobody writes to the pipe.
LONG = {
    "run": ["run", "nrf24-2m", "--size", "12", "--count", "9000000"],
    "sniff": ["run", "nrf24-2m", "--size", "12", "--count", "9000000", "--sniff", "air.pcapng"],
    "recommend": [
        "recommend",
        "--deadline",
        "20ms",
        "--percentile",
        "99.99",
        "--max-loss",
        "0.01%",
        "--range",
        "60m",
        "--environment",
        "office",
        "--neighbour",
        "wifi:30%@ch6",
        "--budget",
        "600s",
    ],
    "match": ["match", "long.csv"],
    "analyze": ["analyze", "silent.csv", "-o", "run.parquet"],
    "convert": ["convert", "silent.csv", "made.vcd"],
    "report": ["report", "silent.csv"],
}
BOTH = [signal.SIGINT, signal.SIGTERM]


def interrupted(
    arguments: list[str], number: signal.Signals, after: float, asleep_s: float = 0.0
) -> tuple[int, bytes, bytes]:
    """Exit code and output of a command that a signal ends, read so much later."""
    with subprocess.Popen(
        [*AIRLAG, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        time.sleep(after)
        process.send_signal(number)
        time.sleep(asleep_s)
        # A bound on "does not hang", wide enough for a busy machine.
        out, err = process.communicate(timeout=10)
        return process.returncode, out, err


def interrupted_late(
    arguments: list[str], number: signal.Signals, asleep_s: float = 0.0, above: int = 0
) -> tuple[int, bytes, bytes]:
    """The same, with more than ``above`` bytes of output, however busy the machine is."""
    for after in (2.0, 4.0, 8.0, 16.0):
        code, out, err = interrupted(arguments, number, after, asleep_s)
        if len(out) > above:
            break
    return code, out, err


@pytest.mark.parametrize("number", BOTH)
@pytest.mark.parametrize("name", LONG)
def test_every_command_ends_when_asked_to(name: str, number: signal.Signals, folder: Path) -> None:
    os.mkfifo(folder / "silent.csv")
    logic2_csv(folder / "long.csv", link(count=3000, lost=range(0, 3000, 7)))
    before = sorted(path.name for path in folder.iterdir())
    code, _, err = interrupted(LONG[name], number, 1.5)
    assert code == 128 + number, err
    assert b"Traceback" not in err
    assert sorted(path.name for path in folder.iterdir()) == before


@pytest.mark.parametrize("number", BOTH)
def test_runs_that_are_finished_are_kept_and_shown(number: signal.Signals, folder: Path) -> None:
    # The first is done in no time, the second never.
    quick = "[[runs]]\nlinks = ['gpio-stm32-ll-o3']\ncount = 20\n"
    slow = "[[runs]]\nlinks = ['nrf24-2m']\nsizes = [12]\ncount = 9000000\n"
    (folder / "long.toml").write_text(quick + slow)
    code, out, err = interrupted_late(
        ["campaign", "long.toml", "--keep", "--json", "-o", "out"], number
    )
    assert code == 128 + number
    assert [run["link"] for run in json.loads(out)] == ["gpio-stm32-ll-o3"]
    assert err.decode().splitlines()[-1] == "airlag: interrupted; 1 of 2 runs are finished"
    (kept,) = (folder / "out" / "long").iterdir()
    assert store.load(kept).link == "gpio-stm32-ll-o3"


@pytest.mark.parametrize("number", BOTH)
def test_of_a_span_only_whole_runs_are_kept_at_any_moment(
    number: signal.Signals, folder: Path
) -> None:
    channels = ",".join(str(channel) for channel in range(120))
    asked = ["run", "nrf24-2m", "--size", "12,128", "--count", "2000"]
    asked += ["--set", f"channel={channels}", "--json", "-o"]
    moments = random.Random(int(number))
    for nth in range(4):
        out = folder / f"kept-{nth}"
        with subprocess.Popen(
            [*AIRLAG, *asked, f"{out}/"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
        ) as process:
            # However busy the machine is: some runs are there, and more are on their way.
            while process.poll() is None and not (out.is_dir() and any(out.glob("nrf24*"))):
                time.sleep(0.01)
            time.sleep(moments.uniform(0.0, 0.3))
            process.send_signal(number)
            said, err = process.communicate(timeout=60)
        assert process.returncode == 128 + number, err
        files = sorted(out.iterdir())
        assert 0 < len(files) < 240
        assert all(store.load(path).size in (12, 128) for path in files)
        # Where a run was being written for too long, nothing is shown: what is, is there.
        if said:
            shown = len(json.loads(said))
            # All that is shown is there; the run at hand may be there and not be shown yet.
            assert shown in (len(files), len(files) - 1)
            told = f"airlag: interrupted; {shown} of 240 runs are finished"
            assert err.decode().splitlines()[-1] == told


#: A command that a signal reaches in the third run of a span, in a process of its own: a signal
#: that was answered once ends all that the process goes on to do.
IN_THE_THIRD = """
import signal, sys
from importlib import import_module
from airlag.cli import command_line
from airlag.cli.signals import Interrupted

name, attribute, *arguments = sys.argv[1:]
module = import_module(name)
carried, made = getattr(module, attribute), []

def until_the_third(*given, **options):
    if len(made) == 2:
        raise Interrupted(signal.SIGINT)
    made.append(carried(*given, **options))
    return made[-1]

setattr(module, attribute, until_the_third)
sys.exit(command_line(arguments))
"""


@pytest.mark.parametrize(
    ("command", "module", "attribute"),
    [
        ("goodput", "airlag.questions.load", "saturated"),
        ("load", "airlag.questions.load", "load"),
        ("run --traffic back-to-back", "airlag.questions.trains", "burst"),
    ],
)
def test_of_a_span_that_is_not_kept_what_is_finished_is_shown(
    command: str, module: str, attribute: str
) -> None:
    asked = ["nrf24-2m", "--size", "12", "--count", "50", "--set", "channel=3,4,5,6,7", "--json"]
    told = subprocess.run(
        [sys.executable, "-c", IN_THE_THIRD, module, attribute, *command.split(), *asked],
        capture_output=True,
        check=False,
    )
    assert told.returncode == 130, told.stderr
    settings = [each["settings"] for each in json.loads(told.stdout)]
    assert settings == [{"channel": "3"}, {"channel": "4"}]
    assert told.stderr == b"airlag: interrupted; 2 of 5 are finished\n"


def test_links_that_are_judged_are_recommended(folder: Path) -> None:
    del folder
    # More than fits into a pipe, whose reader takes longer than a signal waits for an answer.
    asked = ["recommend", "--deadline", "20ms", "--percentile", "99.99", "--max-loss", "0.01%"]
    asked += ["--budget", "600s", "--json"]
    code, out, err = interrupted_late(asked, signal.SIGINT, asleep_s=1.5, above=65_536)
    assert len(out) > 65_536
    assert code == 130
    told = json.loads(out)
    decided = [each for each in told["candidates"] if each["verdict"] != "undecided"]
    assert len(told["candidates"]) == told["contenders"]
    assert err.decode().startswith(f"airlag: interrupted; {len(decided)} of ")


#: A command with a signal during an import, whose failure is reported as another error. The numpy
#: crate, in Rust, panics.
IN_AN_IMPORT = """
import os, signal, sys
from airlag import _airlag
from airlag.cli import command_line, signals

signals.listen()
paired = _airlag.pair

def interrupted_import(*given, **options):
    try:
        os.kill(os.getpid(), int(sys.argv[1]))
        signal.sigtimedwait([], 5)
    except BaseException as interruption:
        raise SystemError("numpy is not importable") from interruption

_airlag.pair = interrupted_import
sys.exit(command_line(sys.argv[2:]))
"""


@pytest.mark.parametrize("number", BOTH)
def test_an_error_that_an_interruption_caused_is_an_interruption(
    number: signal.Signals, folder: Path
) -> None:
    logic2_csv(folder / "short.csv", link(count=10))
    asked = [str(int(number)), "convert", "short.csv", "made.parquet"]
    told = subprocess.run(
        [sys.executable, "-c", IN_AN_IMPORT, *asked], capture_output=True, check=False
    )
    assert (told.returncode, told.stderr) == (128 + number, b"")


@pytest.mark.parametrize("number", BOTH)
def test_a_command_that_writes_leaves_the_old_file_or_the_new_one(
    number: signal.Signals, airlag: Airlag, folder: Path
) -> None:
    logic2_csv(folder / "long.csv", link(count=100_000))
    for made in ("made.vcd", "made.parquet"):
        assert airlag("convert", "long.csv", f"whole-{made}").code == 0
        whole = (folder / f"whole-{made}").read_bytes()
        moments = random.Random(int(number))
        for _ in range(5):
            (folder / made).write_bytes(b"old")
            code, _, err = interrupted(
                ["convert", "long.csv", made, "--force"], number, moments.uniform(0.5, 1.2)
            )
            # A signal before it listens ends it as it ends any program.
            assert code in (0, 128 + number, -number), err
            assert (folder / made).read_bytes() in (b"old", whole)
    assert sorted(path.name for path in folder.iterdir()) == [
        "long.csv",
        "made.parquet",
        "made.vcd",
        "whole-made.parquet",
        "whole-made.vcd",
    ]


def test_of_two_commands_with_one_target_one_leaves_a_whole_run(folder: Path) -> None:
    for name, count in (("one", 2000), ("two", 3000)):
        logic2_csv(folder / f"{name}.csv", link(count=count))
    for _ in range(3):
        both = [
            subprocess.Popen(
                [*AIRLAG, "analyze", f"{name}.csv", "-o", "o.parquet", "--force"],
                stdout=subprocess.DEVNULL,
            )
            for name in ("one", "two")
        ]
        assert [process.wait(timeout=60) for process in both] == [0, 0]
        assert store.load(folder / "o.parquet").source in ("one.csv", "two.csv")
    assert sorted(path.name for path in folder.iterdir()) == ["o.parquet", "one.csv", "two.csv"]


def test_a_full_device_is_told_in_one_line(airlag: Airlag, capture: Path, folder: Path) -> None:
    commands = {
        "full.parquet": ["analyze", capture, "-o"],
        "full.csv": ["convert", capture],
        "full.vcd": ["convert", capture],
        "full.html": ["report", capture, "-o"],
        "full.png": ["report", capture, "-o"],
    }
    for name, arguments in commands.items():
        (folder / name).symlink_to("/dev/full")
        told = airlag(*arguments, name)
        assert told.code == 2, name
        (line,) = told.err.splitlines()
        assert line.startswith(f"airlag: {name}: ")
        assert "No space left on device" in line
        assert (folder / name).is_symlink()


#: Sends a signal to itself where Python drops exceptions, and then would wait.
IN_A_DESTRUCTOR = """
import os, signal, sys, time
from airlag.cli import signals
import airlag._airlag

class Owner:
    def __del__(self):
        os.kill(os.getpid(), int(sys.argv[1]))
        time.sleep(5)

signals.listen()
Owner()
time.sleep(60)
"""


@pytest.mark.parametrize("number", BOTH)
def test_a_signal_in_a_destructor_ends_the_command(number: signal.Signals) -> None:
    command = [sys.executable, "-c", IN_A_DESTRUCTOR, str(int(number))]
    ended = subprocess.run(command, capture_output=True, timeout=30)
    assert ended.returncode == 128 + number
    assert ended.stderr == b""
