"""Firmware in the loop: the images of both ends, as they are flashed, with radios of the bench."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

import airlag

from .loop import EMULATOR, Transfer, constants, emulate, image, node, transfers

pytestmark = pytest.mark.peers

TRIGGERS = 50
#: As the images are set up; the firmware behind the profile flushes its FIFO.
LINK, IMAGE = "nrf24-2m", {"flush_after_read": "false"}
#: No variation between frames: every duration of the chip is one number.
EXACT = {"late_frames": 0, "frame_jitter": 0}

#: Cycles of each instruction that the image repeats. Cortex-M0+ Technical Reference Manual r0p1
#: (Arm DDI 0484C), table 3.1; RP2040 data sheet, section 2.1.3, for the bridge to the peripherals.
CYCLES = {
    "ADDS": 1,
    "MULS": 1,
    "B": 2,
    "BL and BX": 3 + 2,
    "LDR": 2,
    "STR": 2,
    "LDR from SIO": 1,
    "LDR from a peripheral": 1 + 3,
    "STR to a peripheral": 1 + 4,
    "PUSH and POP of four": 5 + 5,
    "DMB": 3,
    "MRS": 3,
}


@pytest.fixture(scope="module")
def capture(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Pins of both boards during 50 transfers."""
    path = tmp_path_factory.mktemp("loop") / "loop.csv"
    emulate(LINK, path, TRIGGERS, **EXACT)
    return path


@pytest.fixture(scope="module")
def measured(capture: Path) -> list[Transfer]:
    return transfers(capture)


def analysed(capture: Path, size: int = 12) -> airlag.Run:
    return airlag.analyze(capture, trigger="trigger", completion="strobe", size=size, link=LINK)


def test_instructions_take_the_cycles_of_the_manuals() -> None:
    command = [node(), EMULATOR / "cycles.js", image("cycles"), str(2 * len(CYCLES))]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)
    widths = json.loads(done.stdout)
    extra = [more - fewer for fewer, more in zip(widths[::2], widths[1::2], strict=True)]
    assert dict(zip(CYCLES, extra, strict=True)) == {
        name: 100 * cycles for name, cycles in CYCLES.items()
    }


def test_every_message_arrives_and_its_capture_is_analysed(capture: Path) -> None:
    run = analysed(capture)
    assert (len(run.outcome), run.count(airlag.Outcome.DELIVERED)) == (TRIGGERS, TRIGGERS)


def test_the_radio_takes_what_its_data_sheet_says_to_the_nanosecond(
    measured: list[Transfer],
) -> None:
    # nRF24L01+ v1.0: preamble, address of 3 bytes, packet control field, CRC of 2 bytes (7.3) at
    # 2 Mbit/s; settling (6.1.7); end of a packet to IRQ (7.7).
    bits = 8 + 24 + 9 + 16
    frame, acknowledgement, settle, irq = (bits + 256) * 500, bits * 500, 130_000, 6_000
    there = settle + frame + irq
    assert {each.arrived - each.enabled for each in measured} == {there}
    back = settle + acknowledgement + irq
    assert {each.acknowledged - each.arrived for each in measured} == {back}


def test_the_bench_predicts_the_median(capture: Path, measured: list[Transfer]) -> None:
    run = analysed(capture)
    settings = {**IMAGE, **EXACT, **constants(measured)}
    bench = airlag.run(LINK, size=12, count=200, settings=settings)
    assert run.latency["p50"] == pytest.approx(bench.latency["p50"], rel=0.05)


def test_the_bench_predicts_the_median_of_a_longer_message(
    tmp_path: Path, measured: list[Transfer]
) -> None:
    path = tmp_path / "longer.csv"
    emulate(LINK, path, TRIGGERS, size=128, **EXACT)
    run = analysed(path, 128)
    assert run.count(airlag.Outcome.DELIVERED) == TRIGGERS
    settings = {**IMAGE, **EXACT, **constants(measured)}
    bench = airlag.run(LINK, size=128, count=200, settings=settings)
    assert run.latency["p50"] == pytest.approx(bench.latency["p50"], rel=0.05)


def test_the_bench_predicts_what_retries_add(tmp_path: Path, measured: list[Transfer]) -> None:
    losses = {**EXACT, "frame_loss": 0.25}
    path = tmp_path / "lossy.csv"
    emulate(LINK, path, 100, **losses)
    bench = airlag.run(
        LINK, size=12, count=400, settings={**IMAGE, **losses, **constants(measured)}
    )

    def delays(run: airlag.Run) -> NDArray[np.int64]:
        """What is added to the shortest latency, ns; each once."""
        return np.unique(run.latency_ns - run.latency_ns.min())

    found = delays(analysed(path))
    nearest = np.abs(found[:, None] - delays(bench)).min(axis=1)
    assert nearest.max() <= 1_000
    assert found.max() > 2_000_000
