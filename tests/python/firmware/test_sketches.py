"""Firmware of others in the loop: sketches with the stock RF24 library, and radios of the bench."""

from __future__ import annotations

import json
import subprocess
from bisect import bisect_left
from collections.abc import Callable
from pathlib import Path

import pytest

import airlag

from .loop import edges
from .sketches import EMULATOR, Transfer, constants, emulate, image, median, node, transfers

# Each variant is emulated once, by one worker.
pytestmark = [pytest.mark.peers, pytest.mark.xdist_group("sketches")]

LINK, SIZE = "nrf24-2m", 12
#: Defaults of RF24, as its documentation of ``begin`` lists them.
DEFAULTS = {
    "rate": 1000,
    "address_width": 5,
    "retransmit_delay": "1500us",
    "retransmit_count": 15,
    "flush_after_read": "false",
}
#: No variation between frames: every duration of the chip is one number.
EXACT = {"late_frames": 0, "frame_jitter": 0}
#: About 55 transfers.
SECONDS = 0.7

#: Cycles of what the image repeats. ATmega328P data sheet (DS40002061A), instruction set summary.
CYCLES = {
    "RCALL and RET": 3 + 4,
    "CALL and RET": 4 + 4,
    "ADD": 1,
    "MUL": 2,
    "ADIW": 2,
    "BRNE, not taken": 1,
    "BREQ, taken": 2,
    "RJMP": 2,
    "LD": 2,
    "ST": 2,
    "LDS": 2,
    "STS": 2,
    "LPM": 3,
    "PUSH and POP": 2 + 2,
    "IN": 1,
    "SBI": 2,
    "CBI": 2,
    "SBRC over one word": 2,
    "SBRC over two words": 3,
    # OUT, NOP, four rounds of IN, SBRS and RJMP, IN, SBRS over RJMP, IN: a byte of 16 cycles is
    # over in the fifth round.
    "byte on SPI": 1 + 1 + 4 * 4 + 1 + 2 + 1,
    # SBI, CBI and two NOP; entry of the interrupt (section 7.7.1), JMP in its vector, RETI.
    "external interrupt": 2 + 2 + 2 + 4 + 3 + 4,
}
#: Timer 0 overflows after 256 counts of 64 cycles.
OVERFLOW = 256 * 64


@pytest.fixture(scope="module")
def captured(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """Pins of both boards with the sketches of a variant; each is emulated once."""
    folder, made = tmp_path_factory.mktemp("sketches"), set()

    def capture(variant: str = "") -> Path:
        path = folder / f"loop{variant}.csv"
        if variant not in made:
            emulate(LINK, path, SECONDS, variant, **EXACT)
            made.add(variant)
        return path

    return capture


@pytest.fixture(scope="module")
def measured(captured: Callable[[str], Path]) -> list[Transfer]:
    return transfers(captured(""))


def analysed(capture: Path) -> airlag.Run:
    return airlag.analyze(capture, trigger="trigger", completion="strobe", size=SIZE, link=LINK)


def settings(measured: list[Transfer], **changes: int) -> dict[str, object]:
    """Settings of a bench with this board's constants, ns, and with changes of them."""
    found = {**constants(measured)}
    for name, change in changes.items():
        found[name] += change
    return {**DEFAULTS, **EXACT, **{name: f"{value}ns" for name, value in found.items()}}


def test_instructions_take_the_cycles_of_the_data_sheet() -> None:
    command = [node(), EMULATOR / "cycles.js", image("cycles"), str(2 * len(CYCLES) + 2)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)
    *widths, first, second = json.loads(done.stdout)
    extra = [more - fewer for fewer, more in zip(widths[::2], widths[1::2], strict=True)]
    assert dict(zip(CYCLES, extra, strict=True)) == {
        name: 100 * cycles for name, cycles in CYCLES.items()
    }
    assert (first, second) == (OVERFLOW, OVERFLOW)


def test_every_message_arrives_and_its_capture_has_no_false_finding(
    captured: Callable[[str], Path],
) -> None:
    run = analysed(captured(""))
    assert len(run.outcome) > 50
    assert run.count(airlag.Outcome.DELIVERED) == len(run.outcome)
    assert {finding.name for finding in run.findings} <= {"few-samples"}


def test_the_radio_takes_what_its_data_sheet_says(measured: list[Transfer]) -> None:
    # nRF24L01+ v1.0: preamble, address of 5 bytes, packet control field, payload, CRC of 2 bytes
    # (7.3) at 1 Mbit/s; settling (6.1.7); end of a packet to IRQ (7.7). A cycle of 62.5 ns is
    # rounded up to the next nanosecond.
    frame = (8 + 40 + 9 + 256 + 16) * 1000
    expected = 130_000 + frame + 8_200
    assert {each.arrived - each.enabled - expected for each in measured} <= {0, 1}


def test_the_bench_explains_the_capture(
    captured: Callable[[str], Path], measured: list[Transfer]
) -> None:
    found = airlag.match(analysed(captured("")), link=LINK, size=SIZE, settings=settings(measured))
    assert found.explains


def test_explain_predicts_the_gain_of_its_advice(
    captured: Callable[[str], Path], measured: list[Transfer]
) -> None:
    explained = airlag.explain(LINK, size=SIZE, aim="median", settings=settings(measured))
    assert explained.advice is not None
    first = explained.advice.single[0]
    assert first.settings == {"payload": "dynamic"}
    before, after = (analysed(captured(each)).latency["p50"] for each in ("", "-dynamic"))
    predicted = first.answer["p50_ns"]["difference"]
    assert after - before == pytest.approx(predicted, rel=0.05)


def test_the_bench_predicts_what_the_delays_of_the_select_line_cost(
    captured: Callable[[str], Path], measured: list[Transfer]
) -> None:
    without = transfers(captured("-no-delay"))
    # The library waits after both edges of the select line. During a poll, it waits once.
    saved = median(each.poll[1] - each.poll[0] for each in measured) - median(
        each.poll[1] - each.poll[0] for each in without
    )
    assert 3_500 < saved < 5_000
    changed = settings(
        measured,
        spi_transaction=-2 * saved,
        interrupt_jitter=-2 * saved,
        interrupt_entry=-saved,
    )
    benches = [
        airlag.run(LINK, size=SIZE, count=400, settings=each)
        for each in (settings(measured), changed)
    ]
    predicted = benches[1].latency["p50"] - benches[0].latency["p50"]
    before, after = (analysed(captured(each)).latency["p50"] for each in ("", "-no-delay"))
    # A median of 55 transfers with this spread has a standard error of 1.3 us.
    assert after - before == pytest.approx(predicted, abs=6_000)


def test_an_interrupt_replaces_the_wait_for_a_poll(captured: Callable[[str], Path]) -> None:
    found = edges(captured("-interrupt"))
    falls = [at for at, level in found["receiver CSN"] if level == 0]
    arrivals = [at for at, level in found["receiver IRQ"] if level == 0]
    entries = [falls[bisect_left(falls, at)] - at for at in arrivals]
    assert len(entries) > 50
    # Input synchroniser, interrupt entry and its jump, at least.
    assert min(entries) > (0.5 + 4 + 3) * 62.5
    # The interrupt behind millis takes 100 cycles, and the longest instruction four.
    assert max(entries) - min(entries) < (100 + 4 + 8) * 62.5
    polled, interrupted = (analysed(captured(each)).latency["p50"] for each in ("", "-interrupt"))
    assert interrupted < polled
