"""``airlag record`` from current meters: a PPK2 on a pseudo terminal, and Joulescope files."""

from __future__ import annotations

import json
import pickle
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import jsonschema
import numpy as np
import pyjls
import pytest
from told import Airlag

import airlag as package
from airlag.core.schemas import schema
from instruments import Ppk2

#: Messages of the sender supplied by the PPK2: period and latency in samples, and count.
PERIOD, LATENCY, MESSAGES = 2_000, 130, 20
#: Current when idle and for the 300 samples of a message, uA.
IDLE_UA, SENDING_UA = 3, 9_003


def draws() -> list[tuple[int, int]]:
    """Returns currents and levels of D0, the trigger, and D1, the completion, every 20 ms."""
    samples = [(IDLE_UA, 0)] * 5_000
    for _ in range(MESSAGES):
        for nth in range(PERIOD):
            levels = (nth < 10) | (LATENCY <= nth < LATENCY + 10) << 1
            samples.append((SENDING_UA if nth < 300 else IDLE_UA, levels))
    return samples


@pytest.fixture
def ppk2() -> Iterator[Ppk2]:
    made = Ppk2(draws())
    yield made
    made.close()


def test_a_ppk2_gives_every_edge_and_the_charge_of_a_message(
    airlag: Airlag, folder: Path, ppk2: Ppk2
) -> None:
    words = (f"ppk2:{ppk2.device}", "--channels", "D0,D1", "--for", "450ms", "-o", "run.parquet")
    told = airlag("record", *words, "--json")
    assert (told.code, told.err) == (0, "airlag: wrote run.parquet\n")
    assert ppk2.heard_all().endswith(ppk2.STOPPED)
    answer = json.loads(told.out)
    jsonschema.Draft202012Validator(schema("record")).validate(answer)
    kept = package.read(folder / "run.parquet")
    rises = 50_000_000 + 20_000_000 * np.arange(MESSAGES)
    np.testing.assert_array_equal(kept.edges_ns(0, 0)[::2], rises)
    np.testing.assert_array_equal(kept.edges_ns(1, 0)[::2], rises + LATENCY * 10_000)
    sender = answer["charge"]["sender"]
    # 9 mA for 3 ms are 27 uC. The precision depends on the digits of the calibration.
    assert sender["marginal_nc"] == pytest.approx(27_000, rel=1e-6)
    assert sender["idle_na"] == pytest.approx(3_000, rel=1e-6)
    assert sender["peak_na"] == pytest.approx(9_003_000, rel=1e-6)
    assert sender["elapsed_ns"] == 450_000_000
    # The run contains the current: another pairing gives another charge.
    (again,) = json.loads(airlag("analyze", "run.parquet", "--json").out)
    assert again["charge"] == answer["charge"]
    said = " ".join(airlag("analyze", "run.parquet").out.split())
    assert "sender 27.00 uC per message (95 % " in said
    turned = ("--trigger", "D1", "--completion", "D0")
    (other,) = json.loads(airlag("analyze", "run.parquet", *turned, "--json").out)
    assert other["charge"]["sender"]["marginal_nc"] != sender["marginal_nc"]
    run = pickle.loads(pickle.dumps(package.analyze(folder / "run.parquet", keep_edges=True)))
    package.save(run, folder / "copy.parquet")
    assert package.analyze(folder / "copy.parquet").charge == answer["charge"]


def test_lost_samples_of_a_ppk2_are_reported_and_are_a_gap(airlag: Airlag, ppk2: Ppk2) -> None:
    ppk2.missing = range(5_100, 5_120)
    words = (f"ppk2:{ppk2.device}?end=receiver", "--channels", "0,1", "--for", "450ms")
    told = airlag("record", *words, "--json")
    assert (told.code, told.err.count("\n")) == (0, 1)
    assert "20 samples are missing" in told.err
    answer = json.loads(told.out)
    assert (answer["delivered"], answer["censored"]) == (MESSAGES - 1, 1)
    assert answer["charge"]["receiver"]["marginal_nc"] == pytest.approx(27_000, rel=1e-6)


def test_samples_before_a_ppk2_stops_or_is_unplugged_are_kept(
    airlag: Airlag, folder: Path, ppk2: Ppk2
) -> None:
    gone = Ppk2(draws())
    gone.unplugs = True
    for instrument, file in ((ppk2, "silent.parquet"), (gone, "gone.parquet")):
        told = airlag("record", f"ppk2:{instrument.device}", "--for", "100s", "-o", file)
        assert (told.code, told.err.count("\n")) == (2, 1)
        assert package.analyze(folder / file).charge is not None
        assert len(package.read(folder / file).edges_ns(0, 0)) == 2 * MESSAGES
    assert ppk2.heard_all().endswith(ppk2.STOPPED)


def test_other_devices_than_a_ppk2_are_refused(airlag: Airlag) -> None:
    other = Ppk2(draws(), metadata="Calibrated: 0\nEND")
    silent = Ppk2(draws(), metadata="")
    devices = (other.device, silent.device, "/dev/null", "/nowhere", "")
    for address in (*devices, f"{silent.device}?voltage=12", f"{silent.device}?baud=9600"):
        told = airlag("record", f"ppk2:{address}", "--for", "1s", "-o", "run.parquet")
        assert (told.code, told.err.count("\n"), told.out) == (2, 1, "")
    told = airlag("record", f"ppk2:{silent.device}", "--channels", "D8")
    assert (told.code, told.err.count("\n")) == (2, 1)
    assert not Path("run.parquet").exists()
    other.close()
    silent.close()


@pytest.mark.real_time
def test_ctrl_c_keeps_the_samples_of_a_ppk2(folder: Path, ppk2: Ppk2) -> None:
    words = [sys.executable, "-m", "airlag", "record", f"ppk2:{ppk2.device}", "-o", "run.parquet"]
    process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert ppk2.has_sent.wait(20)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=20)
    assert (process.returncode, err) == (0, "")
    assert len(package.read(folder / "run.parquet").edges_ns(0, 0)) > MESSAGES
    assert ppk2.heard_all().endswith(ppk2.STOPPED)


def jls(path: Path, *, inputs: int = 2) -> None:
    """Writes :func:`draws` as the Joulescope UI records it, with inputs at twice the rate."""
    samples = draws()
    with pyjls.Writer(str(path)) as file:
        about = {"vendor": "Jetperch", "model": "JS220", "version": "1", "serial_number": "1"}
        file.source_def(source_id=1, name="JS220", **about)
        for nth, name in enumerate(["current", "gpi[0]", "gpi[1]"][: inputs + 1]):
            file.signal_def(
                signal_id=nth + 1,
                source_id=1,
                signal_type=pyjls.SignalType.FSR,
                data_type=pyjls.DataType.U1 if nth else pyjls.DataType.F32,
                sample_rate=200_000 if nth else 100_000,
                name=name,
                units="" if nth else "A",
            )
        file.fsr(1, 0, np.array([ua * 1e-6 for ua, _ in samples], np.float32))
        for nth in range(inputs):
            bits = np.repeat([levels >> nth & 1 for _, levels in samples], 2).astype(np.uint8)
            file.fsr(nth + 2, 0, np.packbits(bits, bitorder="little"))


def test_a_file_of_a_joulescope_gives_edges_and_charge(airlag: Airlag, folder: Path) -> None:
    jls(folder / "capture.jls")
    told = airlag("record", "joulescope:capture.jls", "-o", "run.parquet", "--json")
    assert (told.code, told.err) == (0, "airlag: wrote run.parquet\n")
    answer = json.loads(told.out)
    assert (answer["channels"], answer["delivered"]) == (["gpi[0]", "gpi[1]"], MESSAGES)
    kept = package.read(folder / "run.parquet")
    rises = 50_000_000 + 20_000_000 * np.arange(MESSAGES)
    np.testing.assert_array_equal(kept.edges_ns(0, 0)[::2], rises)
    np.testing.assert_array_equal(kept.edges_ns(1, 0)[::2], rises + LATENCY * 10_000)
    sender = answer["charge"]["sender"]
    assert sender["marginal_nc"] == pytest.approx(27_000, rel=1e-5)
    assert sender["idle_na"] == pytest.approx(3_000, rel=1e-5)
    told = airlag("record", "joulescope:capture.jls?end=receiver", "--json")
    assert json.loads(told.out)["charge"].keys() == {"receiver"}


def test_other_files_than_those_of_a_joulescope_are_refused(airlag: Airlag, folder: Path) -> None:
    jls(folder / "bare.jls", inputs=0)
    (folder / "other.jls").write_text("time,current\n")
    for address in ("bare.jls", "other.jls", "nowhere.jls", "", "bare.jls?end=middle"):
        told = airlag("record", f"joulescope:{address}", "-o", "run.parquet")
        assert (told.code, told.err.count("\n"), told.out) == (2, 1, "")
    assert not Path("run.parquet").exists()
