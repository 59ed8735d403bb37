"""``airlag record`` from simulated instruments: after any failure, the recorded data is kept."""

from __future__ import annotations

import json
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

import jsonschema
import numpy as np
import pytest
from told import Airlag

import airlag as package
import peers
from airlag._airlag import Trace
from airlag.core.schemas import schema
from airlag.questions import record as recording
from airlag.questions.instruments import logic2 as driver
from airlag.questions.instruments.instrument import Recorded
from instruments import STOP, Board, Logic2, rows_of, serving

AIRLAG = [sys.executable, "-m", "airlag"]


@pytest.fixture(scope="module")
def trace() -> Trace:
    """What instruments record here: a run on the virtual bench."""
    found = package.run("nrf24-2m", count=40).trace
    assert found is not None
    return found


@pytest.fixture
def logic(trace: Trace) -> Iterator[tuple[Logic2, str]]:
    fake = Logic2(trace)
    with serving(fake) as address:
        yield fake, address


def same_edges(file: Path, trace: Trace) -> None:
    kept = package.read(file)
    for channel in (0, 1):
        np.testing.assert_array_equal(kept.edges_ns(channel, 0), trace.edges_ns(channel, 0))


def interrupted(words: list[str], ready: object) -> subprocess.CompletedProcess[str]:
    """Runs a record, and ends it with Ctrl-C once ``ready``."""
    process = subprocess.Popen(
        [*AIRLAG, "record", *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert ready.wait(20)  # type: ignore[attr-defined]
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=20)
    return subprocess.CompletedProcess(words, process.returncode, out, err)


def test_logic_2_gives_every_edge(
    airlag: Airlag, folder: Path, trace: Trace, logic: tuple[Logic2, str]
) -> None:
    fake, address = logic
    options = ("--channels", "0,1", "--rate", "10MHz", "--for", "2s", "--threshold", "1.8")
    told = airlag("record", address, *options, "-o", "run.parquet", "--json")
    assert (told.code, told.err.count("\n")) == (0, 1)
    answer = json.loads(told.out)
    jsonschema.Draft202012Validator(schema("record")).validate(answer)
    assert (answer["triggers"], answer["source"]) == (40, address)
    same_edges(folder / "run.parquet", trace)
    assert fake.calls == ["start", "wait", "export", "close"]
    device = fake.started.logic_device_configuration
    assert list(device.logic_channels.digital_channels) == [0, 1]
    assert (device.digital_sample_rate, device.digital_threshold_volts) == (10_000_000, 1.8)
    assert fake.started.capture_configuration.timed_capture_mode.duration_seconds == 2.0


def test_what_logic_2_recorded_before_it_was_unplugged_is_kept(
    airlag: Airlag, folder: Path, trace: Trace, logic: tuple[Logic2, str]
) -> None:
    fake, address = logic
    fake.wait_error = "21: device disconnected"
    told = airlag("record", address, "--channels", "0,1", "--for", "2s", "-o", "run.parquet")
    assert (told.code, told.err.count("\n")) == (2, 1)
    same_edges(folder / "run.parquet", trace)
    assert fake.calls == ["start", "wait", "stop", "export", "close"]


def test_logic_2_that_hangs_is_stopped(
    airlag: Airlag,
    folder: Path,
    trace: Trace,
    logic: tuple[Logic2, str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    fake, address = logic
    fake.hangs = True
    # gRPC rounds deadlines to seconds.
    monkeypatch.setattr(driver, "CALL_S", 3.0)
    told = airlag("record", address, "--channels", "0,1", "--for", "100ms", "-o", "run.parquet")
    assert (told.code, told.err.count("\n")) == (2, 1)
    same_edges(folder / "run.parquet", trace)
    assert fake.calls[-3:] == ["stop", "export", "close"]


@pytest.mark.real_time
def test_ctrl_c_keeps_what_logic_2_recorded(
    folder: Path, trace: Trace, logic: tuple[Logic2, str]
) -> None:
    fake, address = logic
    fake.hangs = True
    words = [address, "--channels", "0,1", "--for", "100s", "-o", "run.parquet"]
    ended = interrupted(words, fake.waits)
    assert (ended.returncode, ended.stderr.count("\n")) == (130, 1)
    same_edges(folder / "run.parquet", trace)
    assert fake.calls == ["start", "wait", "stop", "export", "close"]


def test_a_capture_that_cannot_be_exported_stays_open_in_logic_2(
    airlag: Airlag, logic: tuple[Logic2, str]
) -> None:
    fake, address = logic
    fake.export_error = "11: no space left on device"
    told = airlag("record", address, "--channels", "0,1", "--for", "2s", "-o", "run.parquet")
    assert (told.code, told.err.count("\n")) == (2, 1)
    assert fake.calls == ["start", "wait", "export"]


def test_another_version_of_logic_2_and_none_at_all(
    airlag: Airlag, trace: Trace, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serving(Logic2(trace, major=9)) as address:
        told = airlag("record", address, "--channels", "0,1", "--for", "2s")
        assert (told.code, told.err.count("\n"), told.out) == (2, 1, "")
    monkeypatch.setattr(driver, "CONNECT_S", 0.1)
    told = airlag("record", "logic2://127.0.0.1:1", "--channels", "0,1", "--for", "2s")
    assert (told.code, told.err.count("\n")) == (2, 1)
    told = airlag("record", "logic2:", "--channels", "D0", "--for", "2s")
    assert (told.code, told.err.count("\n")) == (2, 1)


@pytest.fixture
def board(trace: Trace) -> Iterator[Board]:
    made = Board(rows_of(trace))
    yield made
    made.close()


def test_a_board_gives_every_edge(airlag: Airlag, folder: Path, trace: Trace, board: Board) -> None:
    lasting = f"{trace.end_ns - trace.begin_ns}ns"
    address = f"board:{board.device}?baud=57600"
    told = airlag("record", address, "--for", lasting, "-o", "run.parquet")
    assert (told.code, told.err) == (0, "")
    same_edges(folder / "run.parquet", trace)
    assert board.heard_all().endswith(STOP)


def test_a_board_that_falls_silent_or_is_unplugged_leaves_what_it_sent(
    airlag: Airlag, folder: Path, trace: Trace, board: Board
) -> None:
    told = airlag("record", f"board:{board.device}", "--for", "100s", "-o", "silent.parquet")
    assert (told.code, told.err.count("\n")) == (2, 1)
    same_edges(folder / "silent.parquet", trace)
    assert board.heard_all().endswith(STOP)
    gone = Board(rows_of(trace))
    gone.unplugs = True
    told = airlag("record", f"board:{gone.device}", "--for", "100s", "-o", "gone.parquet")
    assert (told.code, told.err.count("\n")) == (2, 1)
    same_edges(folder / "gone.parquet", trace)


def test_a_board_of_another_version_or_none_is_refused(airlag: Airlag, trace: Trace) -> None:
    other = Board(rows_of(trace), version=1)
    silent = Board(rows_of(trace))
    silent.answers = False
    for device in (other.device, silent.device, "/dev/null", "/nowhere", ""):
        told = airlag("record", f"board:{device}", "--for", "1s", "-o", "run.parquet")
        assert (told.code, told.err.count("\n"), told.out) == (2, 1, "")
        assert not Path("run.parquet").exists()
    other.close()
    silent.close()


def test_edges_beyond_the_memory_limit_end_the_record(
    airlag: Airlag, folder: Path, board: Board
) -> None:
    board.rows = [(8 * n, n % 4) for n in range(200_000)]
    address = f"board:{board.device}"
    told = airlag("record", address, "--memory", "1MiB", "-o", "run.parquet")
    assert (told.code, told.err.count("\n")) == (2, 1)
    assert 0 < len(package.read(folder / "run.parquet").edges_ns(0, 0)) < 200_000


@pytest.mark.real_time
def test_ctrl_c_keeps_what_a_board_sent(folder: Path, trace: Trace, board: Board) -> None:
    words = [f"board:{board.device}", "-o", "run.parquet"]
    ended = interrupted(words, board.has_sent)
    # Without --for, Ctrl-C is how it ends.
    assert (ended.returncode, ended.stderr) == (0, "")
    same_edges(folder / "run.parquet", trace)
    assert board.heard_all().endswith(STOP)


def test_a_setup_file_has_the_options(
    airlag: Airlag, folder: Path, trace: Trace, board: Board
) -> None:
    setup = folder / "bench.toml"
    lasting = f"{trace.end_ns - trace.begin_ns}ns"
    setup.write_text(
        f'[record]\ninstrument = "board:{board.device}"\nfor = "100s"\n'
        'trigger = "0"\ncompletion = 1\ninvert = []\nlink = "nrf24-2m"\nsize = 128\n'
    )
    told = airlag("record", "--setup", setup, "--for", lasting, "-o", "run.parquet", "--json")
    assert told.code == 0
    answer = json.loads(told.out)
    assert (answer["triggers"], answer["link"], answer["size"]) == (40, "nrf24-2m", 128)
    for wrong in ("", "[record]\nspeed = 1\n", '[record]\nrate = "fast"\n', "record = 1\n"):
        setup.write_text(wrong)
        told = airlag("record", "--setup", setup)
        assert (told.code, told.err.count("\n"), told.out) == (2, 1, "")


def test_nothing_is_recorded_where_it_cannot_be_kept(airlag: Airlag, board: Board) -> None:
    Path("there.parquet").write_text("other")
    for place in ("there.parquet", "nowhere/run.parquet", "run.csv"):
        told = airlag("record", f"board:{board.device}", "-o", place)
        assert (told.code, told.err.count("\n")) == (2, 1)
    assert not board.heard


def test_a_full_disk_costs_no_record(
    airlag: Airlag, trace: Trace, board: Board, monkeypatch: pytest.MonkeyPatch
) -> None:
    from airlag.questions import store

    save = store.save

    def full(run: package.Run, path: Path, *, force: bool = False) -> None:
        if path == Path("run.parquet"):
            raise OSError(28, "No space left on device")
        save(run, path, force=force)

    monkeypatch.setattr(store, "save", full)
    lasting = f"{trace.end_ns - trace.begin_ns}ns"
    told = airlag("record", f"board:{board.device}", "--for", lasting, "-o", "run.parquet")
    assert told.code == 2
    spare = Path(told.out.split()[-1])
    assert not Path("run.parquet").exists()
    same_edges(spare, trace)


@pytest.mark.peers
def test_the_demo_device_of_sigrok_gives_its_pattern(airlag: Airlag, folder: Path) -> None:
    peers.program("sigrok-cli", "sigrok-cli")
    options = ("--channels", "D0,D1", "--rate", "100kHz", "--for", "50ms")
    told = airlag("record", "sigrok:demo", *options, "-o", "run.parquet")
    assert told.code == 0
    trace = package.read(folder / "run.parquet")
    assert trace.names == ["D0", "D1"]
    # 5000 samples; the pattern repeats every 64, on a grid of 10 us.
    assert trace.end_ns - trace.begin_ns == 50_000_000
    edges = trace.edges_ns(0, 0)
    assert len(edges) > 1_000
    assert not (edges % 10_000).any()
    np.testing.assert_array_equal(
        edges[edges < 30_000_000] + 64 * 10_000, edges[(edges >= 640_000) & (edges < 30_640_000)]
    )
    for wrong in (("sigrok:nonsense",), ("sigrok:",), ("sigrok:demo", "--channels", "D9")):
        told = airlag("record", *wrong, "--rate", "100kHz", "--for", "50ms")
        assert (told.code, told.err.count("\n"), told.out) == (2, 1, "")


def oscilloscope(folder: Path, waves: dict[str, list[float]], preamble: str) -> str:
    """An oscilloscope of PyVISA-sim, and where it is."""

    def block(volts: list[float]) -> str:
        text = ",".join(f"{each:.3e}" for each in volts)
        return f"#{len(str(len(text)))}{len(text)}{text}"

    device = {
        "eom": {"TCPIP INSTR": {"q": "\n", "r": "\n"}},
        "error": "ERROR",
        "dialogues": [
            {"q": "*IDN?", "r": "a stand-in"},
            {"q": ":STOP"},
            {"q": ":RUN"},
            {"q": ":WAVeform:FORMat ASCii"},
            {"q": ":WAVeform:PREamble?", "r": preamble},
        ],
        "properties": {
            "selected_channel": {
                "default": "1",
                "setter": {"q": ":WAVeform:SOURce CHANnel{:s}"},
                "specs": {"type": "str"},
            }
        },
        "channels": {
            f"channel {name}": {
                "ids": [name],
                "can_select": "False",
                "dialogues": [{"q": ":WAVeform:DATA?", "r": block(volts)}],
            }
            for name, volts in waves.items()
        },
    }
    resources = {"TCPIP0::scope::inst0::INSTR": {"device": "scope"}}
    file = folder / "scope.yaml"
    # JSON is YAML.
    file.write_text(
        json.dumps({"spec": "1.1", "devices": {"scope": device}, "resources": resources})
    )
    return f"visa:TCPIP0::scope::inst0::INSTR?backend={file}@sim"


def test_an_oscilloscope_gives_the_edges_of_its_screen(airlag: Airlag, folder: Path) -> None:
    count, step_ns = 6_000, 2_000
    triggers = [100 + 1_000 * nth for nth in range(5)]
    strobes = [at + 37 * (nth + 1) for nth, at in enumerate(triggers)]

    def wave(rises: list[int]) -> list[float]:
        # Noise of a twentieth of the span, and an edge over three samples.
        volts = [0.05 * (at % 3) for at in range(count)]
        for rise in rises:
            volts[rise - 1] = 1.7
            volts[rise : rise + 20] = [3.3] * 20
        return volts

    address = oscilloscope(
        folder,
        {"1": wave(triggers), "2": wave(strobes)},
        f"4,0,{count},1,{step_ns * 1e-9},-0.006,0,0.1,0,0",
    )
    told = airlag("record", address, "--channels", "1,2", "-o", "run.parquet", "--json")
    assert (told.code, json.loads(told.out)["delivered"]) == (0, 5)
    trace = package.read(folder / "run.parquet")
    for channel, rises in ((0, triggers), (1, strobes)):
        edges = trace.edges_ns(channel, 0)
        assert (edges[::2] // step_ns).tolist() == rises
        assert (edges[1::2] // step_ns).tolist() == [rise + 20 for rise in rises]
    assert trace.sample_rate_hz == pytest.approx(5e5)


class Scope:
    """An oscilloscope behind a socket, and the commands that it was sent."""

    def __init__(self, answers: Mapping[str, str]) -> None:
        self.answers, self.commands = answers, list[str]()
        self.listens = socket.create_server(("127.0.0.1", 0))
        self.serves = threading.Thread(target=self._serve)
        self.serves.start()
        self.address = f"visa:TCPIP::127.0.0.1::{self.listens.getsockname()[1]}::SOCKET"

    def _serve(self) -> None:
        connection, _ = self.listens.accept()
        with connection, connection.makefile("rw", newline="\n") as lines:
            for line in lines:
                self.commands.append(line.strip())
                if line.strip().endswith("?"):
                    lines.write(self.answers[line.strip()] + "\n")
                    lines.flush()

    def ended(self) -> list[str]:
        """All commands, once the connection is closed."""
        self.serves.join(20)
        self.listens.close()
        return self.commands


@pytest.mark.parametrize(
    ("preamble", "code"), [("4,0,6,1,1e-6,0,0,0.1,0,0", 0), ("not one of a waveform", 2)]
)
def test_an_oscilloscope_runs_on_after_it_was_read(
    airlag: Airlag, preamble: str, code: int
) -> None:
    scope = Scope(
        {
            "*IDN?": "SCOPE",
            ":WAVeform:PREamble?": preamble,
            ":WAVeform:DATA?": "0,0,3.3,3.3,0,0",
        }
    )
    told = airlag("record", scope.address, "--channels", "1,2", "--json")
    assert told.code == code, told.err
    commands = scope.ended()
    assert commands.index(":STOP") < commands.index(":WAVeform:SOURce CHANnel1")
    assert commands[-1] == ":RUN"


def test_the_first_two_channels_are_paired_whatever_they_are_called(
    monkeypatch: pytest.MonkeyPatch, trace: Trace
) -> None:
    parts = [
        [(*part, trace.edges_ns(channel, nth)) for nth, part in enumerate(trace.segments(channel))]
        for channel in (0, 1)
    ]
    for names in (["1", "2"], ["1", "0"]):
        made = Trace.from_edges(names, parts)
        recorded = Recorded(made, None, None)
        monkeypatch.setattr(recording, "_record", lambda *_, given=recorded: given)
        run = package.record("board:/dev/null").run
        assert run.channels == (names[0], names[1])
        assert run.count(package.Outcome.DELIVERED) > 30
        named = package.record("board:/dev/null", completion=names[0]).run
        assert named.channels == (names[1], names[0])


def test_what_is_no_oscilloscope_is_refused(airlag: Airlag, folder: Path) -> None:
    other = oscilloscope(folder, {"1": [0.0, 1.0]}, "no preamble")
    nowhere = other.replace("scope::inst0", "nowhere::inst0")
    for address in (other, nowhere, "visa:", "visa:nonsense", "visa:ASRL1::INSTR?speed=1"):
        told = airlag("record", address, "--channels", "1", "-o", "run.parquet")
        assert (told.code, told.err.count("\n"), told.out) == (2, 1, "")
    assert not Path("run.parquet").exists()


class Grows:
    """Waits until a file in a folder below grows, as an event does.

    A program that has only created its file may not answer signals yet.
    """

    def __init__(self, folder: Path, pattern: str) -> None:
        self.folder, self.pattern = folder, pattern

    def wait(self, seconds: float) -> bool:
        until, seen = time.monotonic() + seconds, set[int]()
        while len(seen) < 2 and time.monotonic() < until:
            seen |= {each.stat().st_size for each in self.folder.glob(self.pattern)}
            time.sleep(0.02)
        return len(seen) > 1


@pytest.mark.peers
@pytest.mark.real_time
@pytest.mark.parametrize("lasting", [["--for", "100s"], []])
def test_ctrl_c_keeps_what_sigrok_recorded(
    folder: Path, lasting: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    peers.program("sigrok-cli", "sigrok-cli")
    monkeypatch.setenv("TMPDIR", str(folder))
    words = ["sigrok:demo", "--channels", "D0,D1", "--rate", "100kHz", "-o", "run.parquet"]
    ended = interrupted([*words, *lasting], Grows(folder, "airlag-record-*/capture.sr"))
    assert ended.returncode == (130 if lasting else 0)
    assert ended.stderr.count("\n") == len(lasting) // 2
    trace = package.read(folder / "run.parquet")
    assert 0 < trace.end_ns - trace.begin_ns < 100 * 10**9
    # Its files are gone with it.
    assert [each.name for each in folder.iterdir()] == ["run.parquet"]


@pytest.mark.peers
def test_a_full_disk_ends_a_record_of_sigrok_with_a_word(
    airlag: Airlag, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    peers.program("sigrok-cli", "sigrok-cli")
    peers.root()
    small = folder / "small"
    small.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=20k", "tmpfs", str(small)]
    subprocess.run(mount, check=True)
    try:
        monkeypatch.setattr(tempfile, "tempdir", str(small))
        words = ("sigrok:demo", "--channels", "D0,D1", "--rate", "1MHz", "--for", "1s")
        told = airlag("record", *words, "-o", "run.parquet")
    finally:
        subprocess.run(["umount", str(small)], check=True)
    assert (told.code, told.err.count("\n")) == (2, 1)
    trace = package.read(folder / "run.parquet")
    assert 0 < trace.end_ns - trace.begin_ns < 10**9
