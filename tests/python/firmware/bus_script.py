"""A radio chip that is only a script: ``crates/drivers/tests/bus``, which the drivers' own tests
read too. The files say how they are written.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from .stm32f429 import Stm32f429


@dataclass(frozen=True)
class Section:
    name: str


@dataclass(frozen=True)
class Transaction:
    sent: bytes
    answer: bytes

    def __repr__(self) -> str:
        return f"spi {self.sent.hex(' ')}"


@dataclass(frozen=True)
class PinChange:
    pin: str
    level: int
    by_chip: bool


Line = Section | Transaction | PinChange


def parse(path: Path) -> list[Line]:
    lines: list[Line] = []
    for text in path.read_text(encoding="ascii").splitlines():
        text = text.partition("#")[0].strip()
        if text.startswith("["):
            lines.append(Section(text.strip("[]")))
        elif text.startswith("spi "):
            sent, _, answer = text.removeprefix("spi ").partition("->")
            data = _bytes(sent)
            lines.append(Transaction(data, _bytes(answer).ljust(len(data), b"\0")))
        elif text:
            pin, level = text.removeprefix("-> ").split()
            lines.append(PinChange(pin, int(level == "high"), text.startswith("-> ")))
    return lines


def _bytes(text: str) -> bytes:
    data = bytearray()
    for word in text.split():
        byte, _, times = word.partition("*")
        data += bytes.fromhex(byte) * int(times or 1)
    return bytes(data)


class ScriptedChip:
    """Answers on SPI and on its pins as ``script`` says, and writes down what the board does.

    ``pins`` maps the names of the script to pins of the board.
    """

    def __init__(
        self, board: Stm32f429, script: list[Line], select: str, pins: dict[str, str]
    ) -> None:
        self.seen: list[Line] = []
        self._board, self._script, self._pins = board, script, pins
        self._select = select
        self._names = {pin: name for name, pin in pins.items()}
        self._sent: bytearray | None = None
        board.spi.peer = self._exchange
        board.watchers.append(self._changed)
        self._own_turn()

    def remaining(self) -> list[Line]:
        """What has not happened yet. Raises at the first thing the board did otherwise."""
        for at, (seen, line) in enumerate(zip(self.seen, self._script, strict=False)):
            assert seen == line, f"line {at} of the script: {seen} instead of {line}"
        extra = self.seen[len(self._script) :]
        assert not extra, f"behind the end of the script: {extra}"
        return self._script[len(self.seen) :]

    def _next(self) -> Line | None:
        return self._script[len(self.seen)] if len(self.seen) < len(self._script) else None

    def _own_turn(self) -> None:
        """Sections are passed, and the chip moves its pins, as soon as it is their turn."""
        while True:
            line = self._next()
            if isinstance(line, PinChange) and line.by_chip:
                self._board.drive(self._pins[line.pin], line.level)
            elif not isinstance(line, Section):
                return
            self.seen.append(line)

    def _exchange(self, byte: int) -> int:
        assert self._sent is not None, f"{byte:#04x} was sent to a chip that is not selected"
        line, at = self._next(), len(self._sent)
        self._sent.append(byte)
        answers = line.answer if isinstance(line, Transaction) else b""
        return answers[at] if at < len(answers) else 0

    def _changed(self, pin: str, level: int) -> None:
        if pin == self._select and level == 0:
            self._sent = bytearray()
        elif pin == self._select and self._sent is not None:
            line, sent = self._next(), bytes(self._sent)
            answer = line.answer if isinstance(line, Transaction) else b""
            self._sent = None
            self.seen.append(Transaction(sent, answer))
            self._own_turn()
        elif pin in self._names:
            self.seen.append(PinChange(self._names[pin], level, by_chip=False))
            self._own_turn()
