"""Images of a Pico as ends of a link: identified, set up and started over their emulated USB."""

from __future__ import annotations

import json
import os
import random
from pathlib import Path

import numpy as np
import pytest

import airlag
from airlag._airlag import Trigger
from airlag.cli import command_line
from boards import (
    FAILED,
    FIXTURE,
    READ,
    REFUSED,
    RESPONDER,
    ROUND_TRIP,
    RUN,
    RUNNING,
    SET,
    STARTING,
    STOPPED,
)
from instruments import on_line

from .control import Pair, Port
from .loop import image
from .pico import Pico, Plugged
from .pico import plugged as plugged
from .probe import asked, received_ns

pytestmark = pytest.mark.peers

#: Pin of the trigger.
TRIGGER = 14


def test_size_count_and_period_are_set_without_another_image(tmp_path: Path) -> None:
    capture = tmp_path / "capture.csv"
    with Pair(capture) as pair:
        for port, name in ((pair.sender, "nrf24-sender"), (pair.receiver, "nrf24-receiver")):
            assert port.identity() == (RUNNING, 7, 5, "pico", name)
            port.run(starts=False)
        for size, count in ((12, 20), (128, 10)):
            pair.sender.set(size=size, count=count, period=10_000)
            pair.receiver.set(count=count)
            pair.receiver.run(starts=True)
            pair.sender.run(starts=True)
            # Both stop by themselves, and their counters remain.
            assert pair.sender.wait(STOPPED) == [count, 0, 0, 0, 0]
            assert pair.receiver.wait(STOPPED) == [0, 0, count, 0, 0]
    run = airlag.analyze(capture, trigger="trigger", completion="strobe")
    assert run.count(airlag.Outcome.DELIVERED) == 30
    shorter, longer = np.split(run.latency_ns, [20])
    # Four frames more, of 32 bytes at 2 Mbit/s and with an acknowledgement each, take 1.4 ms.
    assert shorter.max() + 1_200_000 < longer.min()


def test_the_command_line_sets_up_and_starts_boards(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with Pair(tmp_path / "capture.csv") as pair:
        assert command_line(["boards", *pair.devices, "--json"]) == 0
        found = json.loads(capsys.readouterr().out)
        names = [(each["image"], each["role"], each["state"]) for each in found]
        assert names == [
            ("nrf24-sender", "sender", "running"),
            ("nrf24-receiver", "receiver", "running"),
        ]
        assert all(each["protocol"] == 1 for each in found)
        sender = pair.devices[0]
        settings = ["--set", "size=128", "--set", "count=5", "--set", "period=10000"]
        assert command_line(["boards", sender, *settings, "--stop"]) == 0
        assert command_line(["boards", sender, "--start"]) == 0
        capsys.readouterr()
        assert pair.sender.wait(STOPPED) == [5, 0, 0, 0, 0]
        assert command_line(["boards", sender]) == 0
        shown = capsys.readouterr().out
        assert "pico, nrf24-sender" in shown
        assert "counters: sent 5, lost 0, received 0" in shown
        # The last of the range, and one above it.
        assert command_line(["boards", sender, "--set", "channel=125"]) == 0
        assert command_line(["boards", sender, "--set", "channel=126"]) == 2
        error = capsys.readouterr().err
        assert error == f"airlag: {sender}: channel=126 is out of range; expected 0 to 125\n"


def test_a_trigger_of_a_real_bench_sets_up_both_boards_between_runs(tmp_path: Path) -> None:
    capture = tmp_path / "capture.csv"
    with Pair(capture) as pair:
        trigger = Trigger(None, None, 10**10, *pair.devices)
        for size, count in ((12, 20), (128, 10)):
            run = {"size": size, "count": count, "period": 10_000, "channel": 3}
            trigger.prepare([], [], run)
            trigger.start(None, [], 0, 10**10)
            # The trigger uses the line of the sender until it has started.
            while pair.receiver.counters()[1] != [0, 0, count, 0, 0]:
                pass
            assert pair.sender.wait(STOPPED) == [count, 0, 0, 0, 0]
            counters = trigger.finish()
            assert counters["sender"]["sent"] == counters["receiver"]["received"] == count
            assert counters["receiver"]["damaged"] == 0
            assert pair.receiver.identity()[0] == STOPPED
    run = airlag.analyze(capture, trigger="trigger", completion="strobe")
    assert run.count(airlag.Outcome.DELIVERED) == 30


def test_roles_and_channels_are_settings(tmp_path: Path) -> None:
    with Pair(tmp_path / "capture.csv") as pair:
        for port in (pair.sender, pair.receiver):
            port.run(starts=False)
        # The other way round.
        pair.sender.set(role=1, channel=3)
        pair.receiver.set(role=0, channel=3, count=5, period=10_000)
        pair.sender.run(starts=True)
        pair.receiver.run(starts=True)
        assert pair.receiver.wait(STOPPED) == [5, 0, 0, 0, 0]
        assert pair.sender.counters() == (RUNNING, [0, 0, 5, 0, 0])
        # On another channel nobody acknowledges, after two retransmissions.
        pair.receiver.set(channel=80, retransmissions=2)
        pair.receiver.run(starts=True)
        assert pair.receiver.wait(STOPPED) == [5, 5, 0, 0, 0]


def test_a_message_comes_back_from_a_responder(tmp_path: Path) -> None:
    with Pair(tmp_path / "capture.csv") as pair:
        for port in (pair.sender, pair.receiver):
            port.run(starts=False)
        pair.receiver.set(role=RESPONDER, count=5)
        pair.receiver.run(starts=True)
        # Of two frames each, so that the direction changes after the last one only.
        pair.sender.set(role=ROUND_TRIP, size=40, count=5, period=20_000)
        pair.sender.run(starts=True)
        assert pair.sender.wait(STOPPED) == [5, 0, 5, 0, 0]
        assert pair.receiver.wait(STOPPED) == [0, 0, 5, 0, 0]


def test_what_is_out_of_bounds_or_comes_while_it_runs_is_refused(tmp_path: Path) -> None:
    with Pair(tmp_path / "capture.csv") as pair:
        port = pair.sender
        names = [item.name for item in port.items()]
        size = bytes([names.index("size")])
        large = size + (2_049).to_bytes(8, "big")
        assert port.ask(SET, large) == (REFUSED, bytes([SET, 0]))
        port.run(starts=False)
        assert port.ask(SET, large) == (REFUSED, bytes([SET, 2]))
        assert port.ask(SET, bytes([12]) + bytes(8)) == (REFUSED, bytes([SET, 1]))
        assert port.ask(READ, bytes([12])) == (REFUSED, bytes([READ, 1]))
        assert port.items()[names.index("size")].value == 12


def test_garbage_and_another_version_do_not_disturb_it(tmp_path: Path) -> None:
    rng = random.Random(1)
    with Pair(tmp_path / "capture.csv") as pair:
        port = pair.sender
        for _ in range(20):
            port.write(rng.randbytes(rng.randrange(1, 200)))
            # Half a request, which the zero ends.
            port.write(on_line(READ, b"\0")[:-2] + b"\0")
            assert port.identity(version=rng.choice([0, 1, 9]))[3:] == ("pico", "nrf24-sender")
        assert port.reply(0.2) is None


def test_a_board_without_a_radio_says_so(plugged: Plugged) -> None:
    pico = plugged(image=image("nrf24-sender"))
    port = Port(os.open(pico.device, os.O_RDWR | os.O_NOCTTY))
    assert port.identity()[0] in (STARTING, FAILED)
    assert port.wait(FAILED) == [0, 0, 0, 0, 0]
    port.set(size=128)


def test_a_fixture_needs_no_radio(plugged: Plugged) -> None:
    # Three pulses of 20 us at the trigger, later than the board is set up.
    edges = [(2e8 + number * 1e7 + at, TRIGGER) for number in range(3) for at in (0, 2e4)]
    pico = plugged(edges, image=image("nrf24-sender"))
    port = Port(os.open(pico.device, os.O_RDWR | os.O_NOCTTY))
    port.wait(FAILED)
    port.set(role=FIXTURE, count=3)
    port.run(starts=True)
    assert port.wait(STOPPED) == [0, 0, 3, 0, 0]


def test_a_probe_is_reflected(plugged: Plugged) -> None:
    pico = plugged(image=image("nrf24-receiver"))
    port = Port(os.open(pico.device, os.O_RDWR | os.O_NOCTTY))
    port.wait(FAILED)
    port.write(asked())
    # The empty frame before it is not answered. The board started a moment ago.
    line = port.line()
    assert line is not None
    assert 0 < received_ns(line) < 10_000_000_000


def test_the_instrument_is_identified(plugged: Plugged) -> None:
    pico: Pico = plugged()
    port = Port(os.open(pico.device, os.O_RDWR | os.O_NOCTTY))
    assert port.identity() == (STOPPED, 0, 0, "pico", "instrument")
    assert port.ask(RUN, b"\1") == (REFUSED, bytes([RUN, 3]))
