"""Firmware in the loop: both ends of a LoRa link, with modems of the bench."""

from __future__ import annotations

from pathlib import Path

import pytest

import airlag

from .loop import constants, edges, emulate, transfers

pytestmark = pytest.mark.peers

TRIGGERS = 20
#: As the images are set up.
LINK = "lora-sf7-250k"
#: No variation of a frame's start and end: every duration of the modem is one number.
EXACT = {"send_grid": 0, "receive_grid": 0}
#: Preamble of 8 + 4.25 symbols, and 28 of header, 12 B and CRC at a rate of 4/5 (SX1276 rev. 7,
#: 4.1.1.6 and 4.1.1.7), of 2^7 chips at 250 kHz each.
AIRTIME_NS = round(40.25 * 512_000)


@pytest.fixture(scope="module")
def capture(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Pins of both boards during 20 transfers of one frame each."""
    path = tmp_path_factory.mktemp("loop") / "lora.csv"
    emulate(LINK, path, TRIGGERS, radio="sx127x", period_ns=101_013_107, **EXACT)
    return path


def constant(name: str) -> int:
    """A constant of the profile, ns."""
    value = airlag.links()[LINK].parameters[name]["value"]
    assert isinstance(value, int)
    return value


def analysed(capture: Path) -> airlag.Run:
    return airlag.analyze(capture, trigger="trigger", completion="strobe", size=12, link=LINK)


def test_every_message_arrives(capture: Path) -> None:
    run = analysed(capture)
    assert (len(run.outcome), run.count(airlag.Outcome.DELIVERED)) == (TRIGGERS, TRIGGERS)


def test_the_modem_takes_what_its_data_sheet_says_to_the_nanosecond(capture: Path) -> None:
    found = edges(capture)
    sent = [at for at, level in found["sender DIO0"] if level == 1]
    heard = [at for at, level in found["receiver DIO0"] if level == 1]
    # The last transaction before TxDone orders the transmission.
    orders = [max(at for at, level in found["sender CSN"] if level and at < end) for end in sent]
    assert len(sent) == len(heard) == TRIGGERS
    on_air = constant("transmit") + AIRTIME_NS
    assert {end - order for order, end in zip(orders, sent, strict=True)} == {on_air}
    decoded = constant("decode") * 512 + constant("decode_offset")
    assert {end - order for order, end in zip(orders, heard, strict=True)} == {on_air + decoded}


def test_the_bench_predicts_it_with_constants_that_another_radio_showed(
    capture: Path, tmp_path: Path
) -> None:
    # The constants are those of the board: its bus, its interrupts, its program.
    other = tmp_path / "nrf24.csv"
    emulate("nrf24-2m", other, TRIGGERS, late_frames=0, frame_jitter=0)
    known = airlag.links()[LINK].parameters
    board = {name: value for name, value in constants(transfers(other)).items() if name in known}
    bench = airlag.run(LINK, size=12, count=50, settings={**EXACT, **board})
    # Without the frame, which is 96 % of it.
    spent, predicted = (run.latency["p50"] - AIRTIME_NS for run in (analysed(capture), bench))
    assert spent == pytest.approx(predicted, rel=0.05)
