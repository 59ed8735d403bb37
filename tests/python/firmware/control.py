"""The host's end of the control protocol, transcribed from its description in ``docs/boards.md``.

It shares no code with airlag, so that a mistake in both ends of the Rust code is detected.
"""

from __future__ import annotations

import os
import pty
import select
import struct
import subprocess
import tty
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from types import TracebackType
from typing import Protocol, Self

import peers
from boards import COUNT, COUNTERS, IDENTIFY, IDENTITY, ITEM, READ, RUN, RUNNING, SET, STOPPED
from instruments import on_line, unframed

from .loop import LOCKSTEP, image, node
from .pico import EMULATOR

#: Time allowed for a reply and for a change of the state, s.
PATIENCE = 60.0


@dataclass(frozen=True)
class Item:
    """A setting or a counter."""

    name: str
    unit: str
    value: int
    lowest: int
    highest: int


class Port:
    """The serial port of a board."""

    def __init__(self, terminal: int) -> None:
        self._terminal = terminal
        self._received = b""

    def write(self, line: bytes) -> None:
        """Sends bytes."""
        os.write(self._terminal, line)

    def line(self, patience: float = PATIENCE) -> bytes | None:
        """The next frame as it is on the line, without its zero; ``None`` if none comes."""
        until = monotonic() + patience
        while b"\0" not in self._received:
            ready, _, _ = select.select([self._terminal], [], [], max(0, until - monotonic()))
            if not ready:
                return None
            self._received += os.read(self._terminal, 4096)
        line, _, self._received = self._received.partition(b"\0")
        return line

    def reply(self, patience: float = PATIENCE) -> tuple[int, bytes] | None:
        """Kind and body of the next frame; ``None`` if none comes."""
        line = self.line(patience)
        return None if line is None else unframed(line)

    def ask(self, kind: int, body: bytes = b"") -> tuple[int, bytes]:
        """Sends a request and returns the reply."""
        self.write(on_line(kind, body))
        answer = self.reply()
        assert answer is not None
        return answer

    def identity(self, version: int = 1) -> tuple[int, int, int, str, str]:
        """State, numbers of settings and counters, board and image."""
        kind, body = self.ask(IDENTIFY, bytes([version]))
        assert (kind, body[0]) == (IDENTITY, 1)
        names, length = body[8:].decode("ascii"), body[7]
        return body[1], body[2], body[3], names[:length], names[length:]

    def items(self) -> list[Item]:
        """All settings, then all counters."""
        _, settings, counters, _, _ = self.identity()
        return [self.item(READ, number) for number in range(settings + counters)]

    def item(self, kind: int, number: int, value: int | None = None) -> Item:
        """Reads or sets an item."""
        more = b"" if value is None else value.to_bytes(8, "big")
        answer, body = self.ask(kind, bytes([number]) + more)
        assert (answer, body[0]) == (ITEM, number)
        value, lowest, highest, length = struct.unpack_from(">QQQB", body, 1)
        texts = body[26:].decode("ascii")
        return Item(texts[:length], texts[length:], value, lowest, highest)

    def set(self, **settings: int) -> None:
        """Sets values by name."""
        names = [item.name for item in self.items()]
        for name, value in settings.items():
            assert self.item(SET, names.index(name), value).value == value

    def counters(self, kind: int = COUNT, body: bytes = b"") -> tuple[int, list[int]]:
        """State and counters, perhaps after a start or a stop."""
        answer, found = self.ask(kind, body)
        assert answer == COUNTERS
        return found[0], [number for (number,) in struct.iter_unpack(">I", found[1:])]

    def run(self, starts: bool) -> None:
        """Starts or stops the board, and waits until it has."""
        self.counters(RUN, bytes([starts]))
        self.wait(RUNNING if starts else STOPPED)

    def wait(self, state: int) -> list[int]:
        """Waits for a state, and returns the counters in it."""
        until = monotonic() + PATIENCE
        while monotonic() < until:
            found, counters = self.counters()
            if found == state:
                return counters
        raise AssertionError(f"state {found} instead of {state}")


class Uart(Protocol):
    """A serial port of an emulated chip."""

    sent: bytearray

    def receive(self, data: bytes) -> None: ...


class Wire(Port):
    """The serial port of an emulated board, without a terminal.

    ``settle`` runs the board until it has done what the received bytes ask for.
    """

    def __init__(self, uart: Uart, settle: Callable[[], None]) -> None:
        self._uart, self._settle = uart, settle
        self._taken = len(uart.sent)

    def write(self, line: bytes) -> None:
        self._uart.receive(line)
        self._settle()

    def line(self, patience: float = 0.0) -> bytes | None:
        """The next line. Whatever the patience, it has come by now or not at all."""
        del patience
        line, end, _ = bytes(self._uart.sent[self._taken :]).partition(b"\0")
        if not end:
            return None
        self._taken += len(line) + 1
        return line


class Pair:
    """A sender and a receiver with the radios of the bench, each on a port of its own."""

    def __init__(self, capture: Path) -> None:
        if not LOCKSTEP.is_file():
            peers.absent("no airlag-lockstep; build it with make emulator")
        self._open = ExitStack()
        pairs = [pty.openpty() for _ in range(2)]
        for _, terminal in pairs:
            tty.setraw(terminal)
            self._open.callback(os.close, terminal)
        self.devices = [os.ttyname(terminal) for _, terminal in pairs]
        self.sender, self.receiver = (Port(terminal) for _, terminal in pairs)
        controllers = [controller for controller, _ in pairs]
        boards = [image("nrf24-sender"), image("nrf24-receiver")]
        script: list[str | Path] = [node(), EMULATOR / "control.js", "nrf24", *boards]
        script += [*map(str, controllers), capture]
        self._process = subprocess.Popen(
            [LOCKSTEP, "nrf24-2m", "--", *script],
            stderr=subprocess.PIPE,
            text=True,
            pass_fds=controllers,
        )
        for controller in controllers:
            os.close(controller)
        assert self._process.stderr is not None
        assert self._process.stderr.readline() == "connected\n"

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        raised: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        # Closed terminals end the emulation, which then writes its capture.
        self._open.close()
        try:
            self._process.communicate(timeout=60)
        except subprocess.TimeoutExpired:
            self._process.kill()
            raise
