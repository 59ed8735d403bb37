"""Images of an nRF52840 DK on an emulated chip: control protocol, probes, frames, their times."""

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import pairwise

import pytest

from boards import (
    FIXTURE,
    READ,
    RECEIVER,
    REFUSED,
    RESPONDER,
    ROUND_TRIP,
    RUNNING,
    SENDER,
    SET,
    STOPPED,
)
from instruments import on_line
from peers import absent

from .conftest import IMAGES
from .nrf52840 import Nrf52840
from .nrf_bench import (
    ESB_TURNAROUND,
    IEEE_TURNAROUND,
    LIGHT,
    MARK,
    Bench,
    damaged,
    ieee,
    nrf24,
)
from .probe import asked, received_ns

pytestmark = pytest.mark.peers

RADIOS = ("dk-esb", "dk-ieee802154")

Boot = Callable[[str], Bench]


@pytest.fixture
def bench() -> Boot:
    """Boots an image. Without images, tests are skipped, and fail where peers are required."""

    def start(name: str) -> Bench:
        image = IMAGES / name
        if not image.is_file():
            absent(f"no image {name}; build it with make firmware")
        return Bench(Nrf52840(image))

    return start


def data(sequence: int, payload: bytes, ack: bool = True, source: int = 2, to: int = 3) -> bytes:
    """A data frame of IEEE 802.15.4 in PAN 7, without its check sequence."""
    control = 0x8861 if ack else 0x8841
    header = control.to_bytes(2, "little") + bytes([sequence, 7, 0])
    return header + to.to_bytes(2, "little") + source.to_bytes(2, "little") + payload


@pytest.mark.parametrize("image", RADIOS)
def test_it_boots_as_a_receiver_and_is_identified(bench: Boot, image: str) -> None:
    one = bench(image)
    assert one.port.identity() == (RUNNING, 9, 5, "nrf52840-dk", image.removeprefix("dk-"))
    assert (one.board.output(LIGHT), one.strobes()) == (1, 0)
    values = {item.name: item.value for item in one.port.items()}
    assert (values["role"], values["size"], values["count"], values["period"]) == (
        RECEIVER,
        12,
        0,
        0,
    )


@pytest.mark.parametrize("image", RADIOS)
def test_settings_are_refused_while_it_runs_or_out_of_their_bounds(bench: Boot, image: str) -> None:
    port = bench(image).port
    size = bytes([[item.name for item in port.items()].index("size")])
    assert port.ask(SET, size + (128).to_bytes(8, "big")) == (REFUSED, bytes([SET, 0]))
    port.run(starts=False)
    assert port.ask(SET, size + (2_049).to_bytes(8, "big")) == (REFUSED, bytes([SET, 2]))
    assert port.ask(READ, bytes([14])) == (REFUSED, bytes([READ, 1]))
    port.set(size=128)


@pytest.mark.parametrize("image", RADIOS)
def test_garbage_and_another_version_do_not_disturb_it(bench: Boot, image: str) -> None:
    rng, port = random.Random(1), bench(image).port
    for _ in range(20):
        port.write(rng.randbytes(rng.randrange(1, 200)))
        port.write(on_line(READ, b"\0")[:-2] + b"\0")
        assert port.identity(version=rng.choice([0, 1, 9]))[3] == "nrf52840-dk"
    assert port.reply() is None


@pytest.mark.parametrize("image", RADIOS)
def test_a_probe_is_reflected(bench: Boot, image: str) -> None:
    one = bench(image)
    one.board.advance(100_000)
    one.port.write(asked())
    line = one.port.line()
    assert line is not None
    # The board's clock has a resolution of 30.5 us.
    assert abs(received_ns(line) - one.board.time.now) < 31_000


@pytest.mark.parametrize("image", RADIOS)
def test_a_fixture_raises_its_strobe_without_the_radio(bench: Boot, image: str) -> None:
    one = bench(image)
    one.start(role=FIXTURE, count=3)
    for strobes in (1, 2, 3):
        one.trigger()
        assert one.strobes() == strobes
    assert one.port.counters() == (STOPPED, [0, 0, 3, 0, 0])
    one.trigger()
    assert (one.strobes(), one.board.radio.sent) == (3, [])


def test_esb_sends_the_packet_of_an_nrf24(bench: Boot, messages: list[bytes]) -> None:
    one = bench("dk-esb")
    one.start(role=SENDER)
    one.answer(nrf24(b"", 0), ESB_TURNAROUND, times=2)
    for message, identity in zip(messages[:2], (1, 2), strict=True):
        one.trigger()
        sent = one.board.radio.sent[-1]
        assert sent.bits == nrf24(message, identity)
        assert (sent.frequency, sent.end - sent.begin) == (76, 500 * len(sent.bits))
    assert len(one.board.radio.sent) == 2
    assert one.port.counters() == (RUNNING, [2, 0, 0, 0, 0])


def test_esb_at_1_mbit_on_another_channel(bench: Boot, messages: list[bytes]) -> None:
    one = bench("dk-esb")
    one.start(role=SENDER, rate=1_000, channel=2, acknowledge=0)
    one.trigger()
    [sent] = one.board.radio.sent
    assert sent.bits == nrf24(messages[0], 1, no_ack=True)
    assert (sent.frequency, sent.end - sent.begin) == (2, 1_000 * len(sent.bits))


def test_esb_repeats_after_the_delay_to_the_microsecond(bench: Boot) -> None:
    one = bench("dk-esb")
    one.start(role=SENDER, retransmissions=3, retransmit_delay=750)
    one.trigger()
    sent = one.board.radio.sent
    assert len({frame.bits for frame in sent}) == 1
    gaps = [after.begin - before.end for before, after in pairwise(sent)]
    assert len(gaps) == 3
    # The timer counts whole microseconds.
    assert all(0 <= 750_000 - gap < 1_000 for gap in gaps)
    assert one.port.counters() == (RUNNING, [1, 1, 0, 0, 0])


def test_esb_acknowledges_an_nrf24_in_time(bench: Boot, messages: list[bytes]) -> None:
    one = bench("dk-esb")
    packet = nrf24(messages[0], 3)
    begin = one.board.time.now + 1_000
    one.hear(packet)
    [ack] = one.board.radio.sent
    assert ack.bits == nrf24(b"", 3)
    end = begin + 500 * len(packet)
    assert 0 <= end + ESB_TURNAROUND - ack.begin < 1_000
    assert one.strobes() == 1
    # Its acknowledgement was lost: the packet is acknowledged again, and dropped.
    one.hear(packet)
    assert (len(one.board.radio.sent), one.strobes()) == (2, 1)
    one.hear(nrf24(messages[1], 0))
    assert one.port.counters() == (RUNNING, [0, 0, 2, 0, 0])


def test_esb_ignores_damaged_packets_and_those_that_request_no_acknowledgement(
    bench: Boot, messages: list[bytes]
) -> None:
    one = bench("dk-esb")
    one.hear(damaged(nrf24(messages[0], 1)))
    assert (one.board.radio.sent, one.strobes()) == ([], 0)
    one.hear(nrf24(messages[0], 1, no_ack=True))
    assert (one.board.radio.sent, one.strobes()) == ([], 1)


def test_messages_of_several_packets(bench: Boot) -> None:
    one = bench("dk-esb")
    one.start(role=SENDER, size=128)
    one.answer(nrf24(b"", 0), ESB_TURNAROUND, times=4)
    one.trigger()
    assert [frame.bits[32:38] for frame in one.board.radio.sent] == [(1, 0, 0, 0, 0, 0)] * 4
    # The same packets make the message of another board.
    other = bench("dk-esb")
    for frame in one.board.radio.sent:
        other.hear(frame.bits)
    assert other.port.counters() == (RUNNING, [0, 0, 1, 0, 0])


def test_a_round_trip_raises_the_strobe_for_the_return(bench: Boot, messages: list[bytes]) -> None:
    one = bench("dk-esb")
    one.start(role=ROUND_TRIP, count=1)
    one.answer(nrf24(b"", 1), ESB_TURNAROUND)
    one.trigger(us=400)
    assert one.strobes() == 0
    one.hear(nrf24(messages[0], 1))
    assert one.strobes() == 1
    assert one.port.counters() == (STOPPED, [1, 0, 1, 0, 0])


def test_a_responder_returns_the_message_when_its_peer_listens(
    bench: Boot, messages: list[bytes]
) -> None:
    one = bench("dk-esb")
    one.start(role=RESPONDER)
    one.hear(nrf24(messages[0], 1), us=300)
    one.answer(nrf24(b"", 1), ESB_TURNAROUND)
    one.board.advance(2_000)
    ack, returned = one.board.radio.sent
    assert (ack.bits, returned.bits) == (nrf24(b"", 1), nrf24(messages[0], 1))
    assert returned.begin - ack.end > 2 * ESB_TURNAROUND


def test_a_period_is_kept_and_marked(bench: Boot) -> None:
    one = bench("dk-esb")
    one.start(role=SENDER, period=10_000, count=5, acknowledge=0)
    one.board.advance(100_000)
    marks = one.board.rises(MARK)
    assert len(marks) == len(one.board.radio.sent) == 5
    # To a tick of the time base, 30.5 us.
    gaps = [after - before for before, after in pairwise(marks)]
    assert all(abs(gap - 10_000_000) <= 30_518 for gap in gaps)
    assert one.port.counters() == (STOPPED, [5, 0, 0, 0, 0])


def test_ieee802154_sends_blind_frames(bench: Boot, messages: list[bytes]) -> None:
    one = bench("dk-ieee802154")
    one.start(role=SENDER, acknowledge=0, channel=26)
    for sequence, message in enumerate(messages[:2], start=1):
        one.trigger()
        sent = one.board.radio.sent[-1]
        assert sent.bits == ieee(data(sequence, message, ack=False))
        # 23 octets of PSDU: 160 us of preamble and delimiter, and 32 us per octet.
        assert (sent.frequency, sent.end - sent.begin) == (80, 160_000 + 24 * 32_000)
    assert one.port.counters() == (RUNNING, [2, 0, 0, 0, 0])


def test_ieee802154_awaits_its_acknowledgement(bench: Boot) -> None:
    one = bench("dk-ieee802154")
    one.start(role=SENDER, retries=2)
    one.answer(ieee(bytes([2, 0, 1])), IEEE_TURNAROUND)
    one.trigger()
    assert len(one.board.radio.sent) == 1
    assert one.port.counters() == (RUNNING, [1, 0, 0, 0, 0])
    # The acknowledgement of another frame does not count, and then there is none.
    one.answer(ieee(bytes([2, 0, 9])), IEEE_TURNAROUND)
    one.trigger()
    assert len({frame.bits for frame in one.board.radio.sent[1:]}) == 1
    assert len(one.board.radio.sent) == 1 + 3
    assert one.port.counters() == (RUNNING, [2, 1, 0, 0, 0])


def test_ieee802154_acknowledges_after_12_symbols(bench: Boot, messages: list[bytes]) -> None:
    one = bench("dk-ieee802154")
    frame = ieee(data(0xCB, messages[0]))
    begin = one.board.time.now + 1_000
    one.hear(frame, us=3_000)
    [ack] = one.board.radio.sent
    # As sniffed from an ESP32-C6.
    assert ack.bits == ieee(bytes([2, 0, 0xCB]))
    assert ack.bits[-16:] == tuple(int(bit) for byte in (0x67, 0xCD) for bit in f"{byte:08b}"[::-1])
    end = begin + 4_000 * len(frame)
    assert 0 <= end + IEEE_TURNAROUND - ack.begin < 1_000
    assert one.strobes() == 1
    one.hear(frame, us=3_000)
    assert (len(one.board.radio.sent), one.strobes()) == (2, 1)


def test_ieee802154_ignores_damaged_frames_and_those_of_others(
    bench: Boot, messages: list[bytes]
) -> None:
    one = bench("dk-ieee802154")
    for frame in (damaged(ieee(data(1, messages[0]))), ieee(data(1, messages[0], to=5))):
        one.hear(frame, us=3_000)
    assert (one.board.radio.sent, one.strobes()) == ([], 0)
    assert one.port.counters() == (RUNNING, [0, 0, 0, 0, 0])


@pytest.mark.parametrize("image", ["dongle-esb", "dongle-ieee802154"])
def test_a_dongle_receives_without_a_host(image: str, messages: list[bytes]) -> None:
    """Its USB port is without power, so that nothing of it runs. The boot loader is not there."""
    path = IMAGES / image
    if not path.is_file():
        absent(f"no image {image}; build it with make firmware")
    one = Bench(Nrf52840(path, start=0x1000))
    assert one.board.output("P0.06") == 1
    is_esb = image == "dongle-esb"
    one.hear(nrf24(messages[0], 1) if is_esb else ieee(data(1, messages[0])), us=3_000)
    [ack] = one.board.radio.sent
    assert ack.bits == (nrf24(b"", 1) if is_esb else ieee(bytes([2, 0, 1])))
    assert len(one.board.rises("P0.17")) == 1
