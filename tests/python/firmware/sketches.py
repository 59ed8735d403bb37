"""Two emulated Arduino Unos with a radio each: sketches with RF24, and pins as a capture."""

from __future__ import annotations

import statistics
from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import peers

from .conftest import ROOT
from .loop import edges, in_lock_step

FOLDER = ROOT / "firmware/avr"
EMULATOR = FOLDER / "emulator"
#: Bytes of a message as the radio carries it, and of the command before it.
PADDED, COMMAND = 32, 1
#: Constants of a bench that these pins do not show.
ABSENT = ("trigger_jitter", "send_overhead", "receive_per_byte", "rearm", "rearm_jitter")
#: An SPI transaction that lasts longer than this has a payload, ns.
PAYLOAD_NS = 40_000


def node() -> str:
    """Node, with the emulator installed."""
    found = peers.program("node", "nodejs")
    if not (EMULATOR / "node_modules/avr8js").is_dir():
        peers.absent("no avr8js; install it with make emulator")
    return found


def image(name: str) -> Path:
    """An image for the Uno."""
    path = FOLDER / "target" / f"{name}.elf"
    if not path.is_file():
        peers.absent(f"no image {name}; build it with make sketches")
    return path


def emulate(
    link: str, capture: Path, seconds: float, variant: str = "", **settings: object
) -> None:
    """Runs sender and receiver from power-on.

    Parameters
    ----------
    link
        Profile of the radios and their air.
    seconds
        Length of the capture.
    variant
        Suffix of both images: how their sketches differ from the library's defaults.
    settings
        Changes of the profile.
    """
    boards = [image(f"{end}{variant}") for end in ("sender", "receiver")]
    command = [node(), EMULATOR / "link.js", *boards, capture, str(seconds)]
    # A sketch prints only if its radio does not answer.
    assert in_lock_step(link, settings, command) == ""


#: Start and end of an SPI transaction: select line low.
Transaction = tuple[int, int]


@dataclass(frozen=True)
class Transfer:
    """Instants of one transfer, ns since its trigger."""

    #: The sender writes the payload, and raises CE.
    write: Transaction
    enabled: int
    #: IRQ of the receiver's radio falls.
    arrived: int
    #: The receiver's poll that finds the payload, the next transaction, which reads it, and the one
    #: that clears the interrupt.
    poll: Transaction
    read: Transaction
    clear: Transaction
    #: Strobe rises.
    strobe: int


def transfers(capture: Path) -> list[Transfer]:
    """Transfers of a capture in which no frame is lost, without one that its end cuts off."""
    found = edges(capture)

    def times(name: str, level: int) -> list[int]:
        return [at for at, to in found[name] if to == level]

    def transactions(name: str) -> list[Transaction]:
        rises = times(name, 1)
        return [
            (fall, rises[bisect_left(rises, fall)]) for fall in times(name, 0) if fall < rises[-1]
        ]

    sender, receiver = (transactions(f"{end} CSN") for end in ("sender", "receiver"))
    starts, strobes = times("trigger", 1), times("strobe", 1)
    enables, arrivals = times("sender CE", 1), times("receiver IRQ", 0)

    def after(instants: list[int], at: int) -> int:
        return instants[bisect_right(instants, at)]

    measured = []
    for start in starts:
        if start >= strobes[-1]:
            break
        enabled, arrived = after(enables, start), after(arrivals, start)
        write = sender[bisect_left(sender, (enabled, 0)) - 1]
        (nth,) = (
            nth
            for nth, (fall, rise) in enumerate(receiver)
            if arrived < rise < after(strobes, start) and rise - fall > PAYLOAD_NS
        )
        instants = (
            *write,
            enabled,
            arrived,
            *(at for one in receiver[nth - 1 : nth + 2] for at in one),
        )
        write_0, write_1, enabled, arrived, *rest = (at - start for at in instants)
        poll, read, clear = zip(rest[::2], rest[1::2], strict=True)
        measured.append(
            Transfer(
                (write_0, write_1),
                enabled,
                arrived,
                poll,
                read,
                clear,
                after(strobes, start) - start,
            )
        )
    return measured


def median(values: Iterable[float]) -> int:
    return round(statistics.median(values))


def constants(measured: list[Transfer]) -> dict[str, int]:
    """This board's constants of a bench, ns, from the pins of its transfers.

    The library polls, while the bench's driver is interrupted. From the radio's interrupt to the
    end of the poll that finds it, time is uniform over one period of the polls: `interrupt_entry`
    and `interrupt_jitter`. `interrupt_entry` also has what follows the last transaction. Medians
    leave out the interrupts of the timer behind ``millis``.
    """
    polls = [each.poll for each in measured]
    short = median(end - begin for begin, end in polls)
    long = median(each.read[1] - each.read[0] for each in measured)
    # The poll has 2 bytes.
    byte = round((long - short) / (COMMAND + PADDED - 2))
    apart = median(each.read[1] - each.poll[1] for each in measured)
    waits = [each.poll[1] - each.arrived for each in measured]
    rest = median(each.strobe - each.clear[1] for each in measured)
    return {
        "spi_byte": byte,
        "spi_transaction": apart - (COMMAND + PADDED) * byte,
        "trigger_entry": median(each.enabled for each in measured) - apart,
        "interrupt_entry": min(waits) + rest,
        "interrupt_jitter": 2 * (median(waits) - min(waits)),
        **dict.fromkeys(ABSENT, 0),
    }
