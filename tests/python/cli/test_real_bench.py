"""``airlag run LINK --setup`` on pseudo terminals: one board sends, another one timestamps."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import jsonschema
import pytest
from told import Airlag

import airlag as package
from airlag.core.schemas import schema
from boards import RUNNING, SETTINGS, STOPPED, ControlledBoard
from instruments import START, OnTerminal, leb128, on_line, rows_of


class Sender(OnTerminal):
    """A board that accepts ``size N`` and ``go N``, and rejects payloads above 128 bytes."""

    def __init__(self) -> None:
        self.orders: list[str] = []
        self.size = 0
        #: Requested messages, as (payload, count).
        self.sent: list[tuple[int, int]] = []
        super().__init__()

    def play(self) -> None:
        """Answers each line."""
        text = ""
        while True:
            text += os.read(self.controller, 256).decode()
            *lines, text = text.split("\n")
            for line in lines:
                self.orders.append(line)
                word, *rest = line.split()
                if word == "size" and int(rest[0]) <= 128:
                    self.size = int(rest[0])
                elif word == "go":
                    self.sent.append((self.size, int(rest[0])))
                else:
                    os.write(self.controller, b"error: no such size\r\n")
                    continue
                os.write(self.controller, b"debug: heard\r\nok\r\n")


class Stamps(OnTerminal):
    """A board that timestamps the edges of a virtual run for each requested run."""

    def __init__(self, sender: Sender | ControlledBoard) -> None:
        self.sender = sender
        #: Set once the edges of a run are on the line.
        self.has_stamped = threading.Event()
        super().__init__()

    def play(self) -> None:
        """Timestamps each requested run, until the host stops it."""
        while True:
            del self.heard[:]
            self.hear(START)
            before = len(self.sender.sent)
            hello = bytes([2, 2]) + (1_000).to_bytes(4, "big") + b"\0"
            os.write(self.controller, on_line(0xE3, hello))
            self._rows([(0, 0)], 0)
            while len(self.sender.sent) == before:
                time.sleep(0.005)
            size, many = self.sender.sent[-1]
            trace = package.run(
                "nrf24-2m", size, count=many, period="5ms", seed=len(self.sender.sent)
            ).trace
            assert trace is not None
            rows = [(100_000_000 + at, levels) for at, levels in rows_of(trace)]
            sequence = self._rows(rows, 1)
            # An idle board reports the time of its clock.
            self._rows([(20_000_000_000, 0)], sequence)
            self.has_stamped.set()

    def _rows(self, rows: list[tuple[int, int]], sequence: int) -> int:
        for nth in range(0, len(rows), 15):
            (at, levels), *rest = rows[nth : nth + 15]
            body = bytes([sequence % 256]) + bytes(4) + at.to_bytes(8, "big") + bytes([levels])
            for tick, its in rest:
                body += leb128(tick - at) + bytes([its])
                at = tick
            os.write(self.controller, on_line(0xE4, body))
            sequence += 1
        return sequence


#: Sender, receiver, setup and instrument.
Controlled = tuple[ControlledBoard, ControlledBoard, Path, Stamps]


@pytest.fixture
def sender() -> Iterator[Sender]:
    made = Sender()
    yield made
    made.close()


@pytest.fixture
def setup(folder: Path, sender: Sender) -> Iterator[Path]:
    stamps = Stamps(sender)
    file = folder / "bench.toml"
    file.write_text(f"""
        [record]
        instrument = "board:{stamps.device}"
        [trigger]
        serial = "{sender.device}"
        setup = "size {{size}}"
        go = "go {{count}} {{period_ms}}"
        answer = "ok"
        timeout = "1s"
        [campaign]
        link = "nrf24-2m"
        sizes = [12, 128]
        count = 60
        period = "5ms"
        repetitions = 2
        lead = "100ms"
        drain = "200ms"
    """)
    yield file
    stamps.close()


def test_runs_of_a_real_bench_are_compared_with_the_virtual_bench(
    airlag: Airlag, folder: Path, setup: Path, sender: Sender
) -> None:
    told = airlag("run", "nrf24-2m", "--setup", setup, "-o", "runs/", "--json")
    assert told.code == 0, told.err
    answer = json.loads(told.out)
    jsonschema.Draft202012Validator(schema("run")).validate(answer)
    names = [f"nrf24-2m-{size}B-{nth}" for size in (12, 128) for nth in (1, 2)]
    assert [each["name"] for each in answer] == names
    assert [each["triggers"] for each in answer] == [60] * 4
    assert all(each["match"]["explains"] for each in answer)
    assert sorted(path.stem for path in (folder / "runs").iterdir()) == sorted(names)
    assert sorted(sender.sent) == [(12, 60), (12, 60), (128, 60), (128, 60)]
    # The order follows the seed, and each run is prepared before it is triggered.
    assert sender.orders[::2] == [f"size {size}" for size, _ in sender.sent]
    # A second call makes only the missing run.
    (folder / "runs" / f"{names[3]}.parquet").unlink()
    told = airlag("run", "nrf24-2m", "--setup", setup, "-o", "runs/")
    assert (told.code, len(sender.sent)) == (0, 5)
    assert told.out.count("as predicted") == 4
    other = airlag("run", "nrf24-2m", "--setup", setup, "--count", "10", "-o", "runs/")
    assert (other.code, other.err.count("\n")) == (2, 4)
    assert "holds another run" in other.err


def test_a_failed_run_is_reported_and_the_others_continue(
    airlag: Airlag, setup: Path, sender: Sender
) -> None:
    told = airlag("run", "nrf24-2m", "--setup", setup, "--size", "12,256", "--json")
    assert told.code == 2
    assert [each["name"] for each in json.loads(told.out)] == ["nrf24-2m-12B-1", "nrf24-2m-12B-2"]
    lines = told.err.strip().splitlines()
    assert len(lines) == 2
    assert all("-256B-" in line and "s was `error: no such size`" in line for line in lines)
    assert sorted(sender.sent) == [(12, 60), (12, 60)]


def test_another_link_differs_from_the_prediction(airlag: Airlag, setup: Path) -> None:
    setup.write_text(setup.read_text().replace('link = "nrf24-2m"', ""))
    told = airlag("run", "nrf24-250k", "--setup", setup, "--size", "128", "--json")
    assert told.code == 0
    found = json.loads(told.out)
    assert not any(each["match"]["explains"] for each in found)
    assert all(each["match"]["contradiction"] for each in found)


@pytest.fixture
def controlled(folder: Path) -> Iterator[Controlled]:
    """A sender and a receiver with images of airlag, a setup with them, and the instrument."""
    ends = ControlledBoard("nrf24-sender"), ControlledBoard("nrf24-receiver")
    stamps = Stamps(ends[0])
    file = folder / "bench.toml"
    file.write_text(f"""
        [record]
        instrument = "board:{stamps.device}"
        [trigger]
        sender = "{ends[0].device}"
        receiver = "{ends[1].device}"
        settings = {{ channel = 80 }}
        [campaign]
        sizes = [12, 128]
        count = 60
        period = "5ms"
        lead = "100ms"
        drain = "200ms"
    """)
    yield *ends, file, stamps
    for each in (*ends, stamps):
        each.close()


def test_boards_are_set_up_and_started_by_their_protocol(
    airlag: Airlag, controlled: Controlled
) -> None:
    sender, receiver, setup, _ = controlled
    told = airlag("run", "nrf24-2m", "--setup", setup, "-o", "runs/", "--json")
    assert told.code == 0, told.err
    answer = json.loads(told.out)
    jsonschema.Draft202012Validator(schema("run")).validate(answer)
    assert [(each["size"], each["triggers"]) for each in answer] == [(12, 60), (128, 60)]
    assert all(each["match"]["explains"] for each in answer)
    assert all(each["counters"]["sender"] == {"sent": 60, "received": 0} for each in answer)
    assert all(set(each["counters"]) == {"sender", "receiver"} for each in answer)
    assert sorted(sender.sent) == [(12, 60), (128, 60)]
    assert [run["size"] for run in receiver.runs] == [size for size, _ in sender.sent]
    assert all((run["period"], run["channel"]) == (5_000, 80) for run in sender.runs)
    assert all((run["role"], run["count"], run["channel"]) == (1, 0, 80) for run in receiver.runs)
    assert (sender.state, receiver.state) == (STOPPED, STOPPED)
    # Saved runs contain their counters.
    again = json.loads(airlag("run", "nrf24-2m", "--setup", setup, "-o", "runs/", "--json").out)
    assert [each["counters"] for each in again] == [each["counters"] for each in answer]
    assert len(sender.sent) == 2


def test_a_board_that_refuses_or_miscounts_fails_its_run(
    airlag: Airlag, controlled: Controlled
) -> None:
    sender, _, setup, _ = controlled
    sender.bounds = {**SETTINGS, "size": (12, 7, 100, "B")}
    told = airlag("run", "nrf24-2m", "--setup", setup, "--json")
    assert (told.code, told.err.count("\n")) == (2, 1)
    assert "nrf24-2m-128B-1: " in told.err
    assert "size=128 is out of range; expected 7 to 100" in told.err
    assert [each["size"] for each in json.loads(told.out)] == [12]
    sender.misses = 3
    told = airlag("run", "nrf24-2m", "--setup", setup, "--size", "12", "--json")
    assert (told.code, told.err.count("\n")) == (2, 1)
    assert "the board counted 57 sent messages; expected 60" in told.err


def test_commands_prepare_and_trigger(
    airlag: Airlag, folder: Path, setup: Path, sender: Sender
) -> None:
    flash = folder / "flash"
    flash.write_text(
        f'#!/bin/sh\n[ "$1" = 128 ] && echo "no such chip" >&2 && exit 3\n'
        f'echo "$1" >> {folder}/flashed\n'
    )
    flash.chmod(0o755)
    go = folder / "go"
    go.write_text(f"#!/bin/sh\nprintf 'size %s\\ngo %s\\n' $1 $2 > {sender.device}\n")
    go.chmod(0o755)
    text = setup.read_text().replace('go = "go {count} {period_ms}"', "").replace("answer", "#")
    text = text.replace(
        'setup = "size {size}"',
        f'prepare = ["{flash}", "{{size}}"]\ncommand = ["{go}", "{{size}}", "{{count}}"]',
    )
    setup.write_text(text)
    told = airlag("run", "nrf24-2m", "--setup", setup, "--json")
    assert told.code == 2
    assert [each["size"] for each in json.loads(told.out)] == [12, 12]
    lines = told.err.strip().splitlines()
    assert len(lines) == 2
    assert all("exit status: 3: no such chip" in line for line in lines)
    assert (folder / "flashed").read_text().split() in (["12"], ["12", "12"])


@pytest.mark.real_time
def test_ctrl_c_keeps_what_is_finished(folder: Path, setup: Path) -> None:
    words = [sys.executable, "-m", "airlag", "run", "nrf24-2m", "--setup", str(setup)]
    process = subprocess.Popen(
        [*words, "-o", "runs/"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    until = time.monotonic() + 60
    while len(list(folder.glob("runs/*.parquet"))) < 2 and time.monotonic() < until:
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=30)
    assert process.returncode == 130, err
    assert "of 4 runs are finished" in err
    assert "as predicted" in out
    assert 1 <= len(list(folder.glob("runs/*.parquet"))) < 4


@pytest.mark.real_time
def test_ctrl_c_stops_the_boards_and_keeps_what_was_received(
    folder: Path, controlled: Controlled
) -> None:
    sender, receiver, setup, stamps = controlled
    # The record lasts for a minute after the last edge.
    setup.write_text(setup.read_text().replace('drain = "200ms"', 'drain = "60s"'))
    words = [sys.executable, "-m", "airlag", "run", "nrf24-2m", "--setup", str(setup)]
    process = subprocess.Popen(
        [*words, "-o", "runs/", "--json"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert stamps.has_stamped.wait(60)
    # The host reads the line, and the boards have not been stopped yet.
    time.sleep(0.3)
    sender.state = RUNNING
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=30)
    assert (process.returncode, err.splitlines()[-1:]) == (
        130,
        ["airlag: interrupted; 0 of 2 runs are finished"],
    )
    assert (sender.state, receiver.state) == (STOPPED, STOPPED)
    answer = json.loads(out)
    jsonschema.Draft202012Validator(schema("run")).validate(answer)
    ((size, _),) = sender.sent
    name = f"nrf24-2m-{size}B-1-interrupted"
    assert [(each["name"], each["interrupted"]) for each in answer] == [(name, True)]
    assert [(each["triggers"], each["match"]) for each in answer] == [(60, None)]
    # It does not take the place of a complete run.
    assert [path.stem for path in folder.glob("runs/*.parquet")] == [name]
    assert len(package.load(folder / f"runs/{name}.parquet").outcome) == 60


def test_a_setup_that_cannot_be_used_is_one_line(airlag: Airlag, setup: Path) -> None:
    text = setup.read_text()
    for wrong in ("", "[trigger]\n", text.replace("go =", "goes ="), text.replace("[record]", "")):
        setup.write_text(wrong)
        told = airlag("run", "nrf24-2m", "--setup", setup)
        assert (told.code, told.err.count("\n"), told.out) == (2, 1, "")
    setup.write_text(text)
    for more in (("--phase", "frozen"), ("--set", "rate=250,1000"), ("--traffic", "echo")):
        told = airlag("run", "nrf24-2m", "--setup", setup, *more)
        assert (told.code, told.err.count("\n"), told.out) == (2, 1, "")
    told = airlag("run", "espnow", "--setup", setup)
    assert (told.code, told.err.count("\n"), told.out) == (2, 1, "")
