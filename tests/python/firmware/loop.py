"""Two emulated Picos with a radio each: images as they are flashed, and pins as a capture."""

from __future__ import annotations

import csv
import os
import statistics
import subprocess
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import peers

from .pico import EMULATOR, FOLDER, ROOT

BUILT = "thumbv6m-none-eabi/release"
#: Images by message size: 12 B unless set, and the size that ``make emulator`` builds besides.
IMAGES = {12: FOLDER / "target" / BUILT, 128: FOLDER / "target/size-128"}
#: As in the Makefile: a wheel's profile is not that of the tests.
PROFILE = os.environ.get("BUILD_PROFILE", "release").replace("release", "debug")
LOCKSTEP = ROOT / os.environ.get("CARGO_TARGET_DIR", "target") / PROFILE / "airlag-lockstep"


def node() -> str:
    """Node, with the emulator installed."""
    found = peers.program("node", "nodejs")
    if not (EMULATOR / "node_modules/rp2040js").is_dir():
        peers.absent("no rp2040js; install it with make emulator")
    return found


def image(name: str, size: int = 12) -> Path:
    """An image for the Pico."""
    path = IMAGES[size] / name
    if not path.is_file():
        peers.absent(f"no image {name} for {size} B; build it with make firmware emulator")
    return path


def emulate(
    link: str,
    capture: Path,
    triggers: int,
    size: int = 12,
    radio: str = "nrf24",
    period_ns: int = 10_013_107,
    **settings: object,
) -> None:
    """Runs both boards until ``capture`` has that many triggers.

    Parameters
    ----------
    link
        Profile of the radios and their air.
    size
        Message size, bytes. The receiver accepts any.
    radio
        Radio of both boards, as link.js names it.
    period_ns
        Time between two triggers, ns.
    settings
        Changes of its constants.
    """
    boards = [image(f"{radio}-sender", size), image(f"{radio}-receiver")]
    numbers = [str(triggers), str(period_ns)]
    command = [node(), EMULATOR / "link.js", radio, *boards, capture, *numbers]
    assert in_lock_step(link, settings, command) == ""


def in_lock_step(link: str, settings: dict[str, object], command: Sequence[str | Path]) -> str:
    """Runs an emulator with the radios of a link, and returns what it prints on standard error."""
    if not LOCKSTEP.is_file():
        peers.absent("no airlag-lockstep; build it with make emulator")
    changes = [word for name, value in settings.items() for word in ("--set", f"{name}={value}")]
    done = subprocess.run(
        [LOCKSTEP, link, *changes, "--", *command],
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stderr


@dataclass(frozen=True)
class Transfer:
    """Instants of one transfer, ns since its trigger; lists have one entry per SPI transaction."""

    #: CE of the sender rises.
    enabled: int
    #: IRQ of the receiver's radio falls, and that of the sender's.
    arrived: int
    acknowledged: int
    #: Strobe rises.
    strobe: int
    #: Select line of the sender, and of the receiver: falling and rising edges.
    sender: list[tuple[int, int]]
    receiver: list[tuple[int, int]]


def edges(capture: Path) -> dict[str, list[tuple[int, int]]]:
    """Edges of each channel: time, ns, and the new level."""
    with capture.open(newline="") as file:
        rows = list(csv.reader(file))
    names = rows[0][1:]
    found: dict[str, list[tuple[int, int]]] = {name: [] for name in names}
    for before, row in pairwise(rows[1:]):
        at = round(float(row[0]) * 1e9)
        for name, was, level in zip(names, before[1:], row[1:], strict=True):
            if was != level:
                found[name].append((at, int(level)))
    return found


def transfers(capture: Path) -> list[Transfer]:
    """Transfers of a capture in which each message is one frame and none is lost."""
    found = edges(capture)
    starts = [at for at, level in found["trigger"] if level == 1]
    ends = [*starts[1:], 1 << 62]

    def within(name: str, level: int, start: int, end: int) -> list[int]:
        return [at - start for at, to in found[name] if to == level and start <= at < end]

    def one(name: str, level: int, start: int, end: int) -> int:
        (only,) = within(name, level, start, end)
        return only

    def selected(name: str, start: int, end: int) -> list[tuple[int, int]]:
        falls, rises = within(name, 0, start, end), within(name, 1, start, end)
        return list(zip(falls, rises, strict=True))

    return [
        Transfer(
            one("sender CE", 1, start, end),
            one("receiver IRQ", 0, start, end),
            one("sender IRQ", 0, start, end),
            one("strobe", 1, start, end),
            selected("sender CSN", start, end),
            selected("receiver CSN", start, end),
        )
        for start, end in zip(starts, ends, strict=True)
    ]


def constants(measured: list[Transfer]) -> dict[str, str]:
    """This board's constants of a bench, in ns, from the pins of its transfers.

    The receiver clears the interrupt with 2 bytes and reads the payload with 33. Two lengths give
    the time per byte, and the distance of the two transactions the rest of one.
    """

    def median(values: Iterable[float]) -> int:
        return round(statistics.median(values))

    clears, reads = ([each.receiver[nth] for each in measured] for nth in (0, 1))
    short, long = (median(rise - fall for fall, rise in every) for every in (clears, reads))
    byte = round((long - short) / 31)
    apart = median(read[1] - clear[1] for clear, read in zip(clears, reads, strict=True))
    transaction = apart - 33 * byte
    found = {
        "spi_byte": byte,
        "spi_transaction": transaction,
        "trigger_entry": median(each.enabled - apart for each in measured),
        "interrupt_entry": median(each.receiver[0][1] - each.arrived for each in measured)
        - (transaction + 2 * byte),
        "receive_per_byte": median((each.strobe - each.receiver[1][1]) / 32 for each in measured),
    }
    absent = ("trigger_jitter", "interrupt_jitter", "send_overhead", "rearm", "rearm_jitter")
    return {name: f"{value}ns" for name, value in {**found, **dict.fromkeys(absent, 0)}.items()}
