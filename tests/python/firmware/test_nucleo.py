"""Images of a Nucleo-F429ZI as ends of a link: the control protocol over the debug probe, probes,
and roles. What the images send over a wire or to a radio is in the other files.
"""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from boards import (
    COUNTERS,
    FAILED,
    FIXTURE,
    IDENTIFY,
    READ,
    RECEIVER,
    REFUSED,
    RESPONDER,
    ROUND_TRIP,
    RUN,
    RUNNING,
    SENDER,
    SET,
    STOPPED,
)
from instruments import on_line

from .nucleo import MARK, RED, STROBE, TRIGGER, control, pulse
from .probe import asked, received_ns
from .stm32f429 import Stm32f429, Timer

WIRES = ("uart-poll", "uart-irq", "uart-dma")
#: Images with the role in which they start.
RADIOS = {
    f"{radio}-{end}": role
    for radio in ("nrf24", "sx127x")
    for end, role in (("sender", SENDER), ("receiver", RECEIVER))
}
IMAGES = {**dict.fromkeys(WIRES, RECEIVER), **RADIOS}

Boot = Callable[[str], Stm32f429]


@pytest.fixture(params=IMAGES)
def fixture(request: pytest.FixtureRequest, boot: Boot) -> Stm32f429:
    """A board in the role of the fixture, without a radio."""
    board = boot(request.param)
    board.settle()
    control(board, role=FIXTURE)
    return board


@pytest.mark.parametrize("image", IMAGES)
def test_it_boots_in_its_role_and_is_identified(boot: Boot, image: str) -> None:
    board = boot(image)
    board.settle()
    port = control(board)
    # No radio is connected.
    state, settings = (RUNNING, 5) if image in WIRES else (FAILED, 7)
    assert port.identity() == (state, settings, 5, "nucleo-f429zi", image)
    items = {item.name: item for item in port.items()}
    expected = {"role": IMAGES[image], "size": 12, "count": 0, "period": 0}
    assert {name: items[name].value for name in expected} == expected
    if image in WIRES:
        baud = items["baud"]
        assert (baud.unit, baud.value, baud.lowest, baud.highest) == (
            "baud",
            115_200,
            1_200,
            2_625_000,
        )


def test_the_port_of_the_host_runs_at_115200_baud(boot: Boot) -> None:
    board = boot("uart-irq")
    board.settle()
    # BRR in sixteenths: 42 MHz over 115200 is 364.6 clocks a bit.
    assert board.host.read(0x08) == 365


@pytest.mark.parametrize("image", IMAGES)
def test_settings_are_refused_while_it_runs_or_out_of_their_bounds(boot: Boot, image: str) -> None:
    board = boot(image)
    board.settle()
    port = control(board, role=FIXTURE)
    size = bytes([[item.name for item in port.items()].index("size")])
    assert port.ask(SET, size + (128).to_bytes(8, "big")) == (REFUSED, bytes([SET, 0]))
    port.run(starts=False)
    assert port.ask(SET, size + (2_049).to_bytes(8, "big")) == (REFUSED, bytes([SET, 2]))
    beyond = port.identity()[1] + port.identity()[2]
    assert port.ask(READ, bytes([beyond])) == (REFUSED, bytes([READ, 1]))
    port.set(size=128)


@pytest.mark.parametrize("image", IMAGES)
def test_garbage_and_partial_frames_do_not_disturb_it(boot: Boot, image: str) -> None:
    board = boot(image)
    board.settle()
    rng, port = random.Random(1), control(board)
    for _ in range(20):
        port.write(rng.randbytes(rng.randrange(1, 200)))
        port.write(on_line(READ, b"\0")[:-2] + b"\0")
        assert port.identity(version=rng.choice([0, 1, 9]))[3] == "nucleo-f429zi"
    half = on_line(IDENTIFY, b"\1")
    port.write(half[: len(half) // 2])
    assert port.reply() is None
    port.write(half[len(half) // 2 :])
    reply = port.reply()
    assert reply is not None
    assert port.reply() is None


def test_a_probe_is_reflected(boot: Boot) -> None:
    board = boot("uart-irq")
    board.settle()
    port = control(board)
    port.write(asked())
    line = port.line()
    assert line is not None
    tick_us = (board.timer.read(Timer.PSC) + 1) / 84
    assert received_ns(line) == round(board.timer.read(Timer.CNT) * tick_us * 1_000)


def test_a_fixture_answers_every_rising_edge_once(fixture: Stm32f429) -> None:
    assert fixture.output(RED) == 0
    assert fixture.pulses(STROBE) == 0
    for answered in (1, 2, 3):
        fixture.drive(TRIGGER, 1)
        fixture.settle()
        assert fixture.pulses(STROBE) == answered
        fixture.drive(TRIGGER, 0)
        fixture.settle()
        assert fixture.pulses(STROBE) == answered
    assert control(fixture).counters() == (RUNNING, [0, 0, 3, 0, 0])


def test_another_pin_is_not_the_trigger(fixture: Stm32f429) -> None:
    for pin in ("PB0", "PA1", "PE0"):
        fixture.drive(pin, 1)
        fixture.settle()
    assert fixture.pulses(STROBE) == 0


@pytest.mark.parametrize("image", WIRES)
def test_it_boots_with_its_light_on_until_it_is_set_up(boot: Boot, image: str) -> None:
    board = boot(image)
    board.settle()
    levels = [level for pin, level in board.changes if pin == RED]
    assert levels == [1, 0]
    assert board.pulses(STROBE) == 0


@pytest.mark.parametrize("image", WIRES)
def test_a_sender_sends_messages_of_the_set_size(boot: Boot, image: str) -> None:
    sizes = (7, 128, 2_048)
    board = boot(image)
    board.settle()
    for size in sizes:
        port = control(board, role=SENDER, size=size, count=2)
        before = len(board.uart.sent)
        for _ in range(3):
            pulse(board)
        assert len(board.uart.sent) - before == 2 * size
        assert port.counters() == (STOPPED, [2, 0, 0, 0, 0])
    assert board.pulses(STROBE) == 0


@pytest.mark.parametrize("image", WIRES)
def test_the_rate_of_the_port_is_a_setting(boot: Boot, image: str, messages: list[bytes]) -> None:
    board = boot(image)
    board.settle()
    # 42 MHz over each of them, in clocks of a bit.
    for baud, clocks in ((9_600, 4_375), (57_600, 729), (2_625_000, 16)):
        port = control(board, baud=baud)
        assert board.uart.read(0x08) == clocks
        # The port that has the new rate receives.
        board.uart.receive(messages[0])
        board.settle()
        assert port.counters() == (RUNNING, [0, 0, 1, 0, 0])
    assert board.output(RED) == 0


@pytest.mark.parametrize("image", WIRES)
def test_bytes_from_before_a_start_are_dropped(
    boot: Boot, image: str, messages: list[bytes]
) -> None:
    board = boot(image)
    board.settle()
    port = control(board)
    port.run(starts=False)
    board.uart.receive(messages[0][:1])
    board.settle()
    port.run(starts=True)
    board.uart.receive(messages[1])
    board.settle()
    assert port.counters() == (RUNNING, [0, 0, 1, 0, 0])
    assert board.output(RED) == 0


@pytest.mark.parametrize("image", WIRES)
def test_a_responder_returns_each_message(boot: Boot, image: str, messages: list[bytes]) -> None:
    board = boot(image)
    board.settle()
    port = control(board, role=RESPONDER)
    for count, message in enumerate(messages, start=1):
        board.uart.receive(message)
        board.settle()
        assert bytes(board.uart.sent) == b"".join(messages[:count])
    damaged = messages[0][:-1] + bytes([messages[0][-1] ^ 1])
    board.uart.receive(damaged)
    board.settle()
    assert bytes(board.uart.sent) == b"".join(messages)
    assert port.counters() == (RUNNING, [0, 0, len(messages), 1, 0])


#: A ring of 32 B is read only after the message has been sent.
LOOPED = [(image, size) for image in WIRES for size in (12, 31, 128, 2_048)]


@pytest.mark.parametrize(("image", "size"), LOOPED)
def test_a_looped_wire_returns_each_message(boot: Boot, image: str, size: int) -> None:
    board = boot(image)
    board.settle()
    board.uart.loops = True
    port = control(board, role=ROUND_TRIP, size=size, count=3)
    for _ in range(3):
        pulse(board)
    if image == "uart-dma" and size > 32:
        _, counters = port.counters()
        assert counters[2] == 0
        assert counters[4] > 0
        return
    assert (board.pulses(STROBE), board.uart.overruns) == (3, 0)
    assert port.counters() == (STOPPED, [3, 0, 3, 0, 0])


def test_a_period_sends_and_marks_messages(boot: Boot) -> None:
    board = boot("uart-irq")
    board.settle()
    port = control(board, role=SENDER, period=10_000, count=5)
    board.settle()
    assert (board.pulses(MARK), len(board.uart.sent)) == (5, 5 * 12)
    assert port.counters() == (STOPPED, [5, 0, 0, 0, 0])


def test_a_stop_and_a_start_are_answered_with_counters(boot: Boot) -> None:
    board = boot("uart-dma")
    board.settle()
    port = control(board)
    for starts, state in ((0, STOPPED), (1, RUNNING)):
        kind, _ = port.ask(RUN, bytes([starts]))
        assert kind == COUNTERS
        assert port.counters()[0] == state
