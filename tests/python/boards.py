"""A board on a pseudo terminal that speaks the control protocol, as in ``docs/boards.md``.

It shares no code with airlag, so that a mistake in both ends of the Rust code is detected.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping

from instruments import OnTerminal, on_line, unframed

IDENTIFY, READ, SET, RUN, COUNT = range(0xE5, 0xEA)
IDENTITY, ITEM, COUNTERS, REFUSED = range(0xEA, 0xEE)
STOPPED, RUNNING, FAILED, STARTING = range(4)
SENDER, RECEIVER, RESPONDER, ROUND_TRIP, FIXTURE = range(5)
#: Settings of an end of a link: value, lowest, highest, unit.
SETTINGS = {
    "role": (0, 0, 1, ""),
    "size": (12, 7, 2048, "B"),
    "count": (0, 0, 2**32 - 1, ""),
    "period": (0, 0, 3_600_000_000, "us"),
    "channel": (76, 0, 125, ""),
}


class ControlledBoard(OnTerminal):
    """A board whose run is over at once.

    Parameters
    ----------
    image
        Name of the image.
    settings
        As :data:`SETTINGS`.
    """

    def __init__(
        self, image: str, settings: Mapping[str, tuple[int, int, int, str]] = SETTINGS
    ) -> None:
        self.image = image
        self.bounds = settings
        self.values = {name: value for name, (value, *_) in settings.items()}
        self.state = RUNNING
        self.counters = {"sent": 0, "received": 0} if settings else {}
        #: Messages that it does not send.
        self.misses = 0
        #: Values of the settings at each start.
        self.runs: list[dict[str, int]] = []
        #: Changes what is sent, as a defect would.
        self.defect: Callable[[bytes], bytes] = lambda line: line
        super().__init__()

    @property
    def sent(self) -> list[tuple[int, int]]:
        """Runs as a sender, as (size, count)."""
        return [(run["size"], run["count"]) for run in self.runs if run["role"] == 0]

    def play(self) -> None:
        """Answers each request."""
        line = b""
        while True:
            line += os.read(self.controller, 256)
            *frames, line = line.split(b"\0")
            for frame in filter(None, frames):
                reply = self._reply(*unframed(frame))
                os.write(self.controller, self.defect(on_line(*reply)))

    def _reply(self, kind: int, body: bytes) -> tuple[int, bytes]:
        if kind == IDENTIFY:
            counts = bytes([len(self.values), len(self.counters)])
            names = b"\4pico" + self.image.encode()
            return IDENTITY, b"\1" + bytes([self.state]) + counts + b"\0\1\2" + names
        if kind == SET and self.state == RUNNING:
            return REFUSED, bytes([SET, 0])
        if kind == SET:
            name = list(self.values)[body[0]]
            self.values[name] = int.from_bytes(body[1:], "big")
        if kind in (READ, SET):
            return ITEM, body[:1] + self._item(body[0])
        if kind == RUN:
            self._run_or_stop(bool(body[0]))
        values = b"".join(value.to_bytes(4, "big") for value in self.counters.values())
        return COUNTERS, bytes([self.state]) + values

    def _run_or_stop(self, starts: bool) -> None:
        self.state = STOPPED
        if starts:
            self.runs.append(dict(self.values))
            sent = 0 if self.values["role"] else self.values["count"] - self.misses
            self.counters["sent"] = sent
            # A receiver runs until it is stopped.
            self.state = RUNNING if self.values["role"] else STOPPED

    def _item(self, number: int) -> bytes:
        name = [*self.values, *self.counters][number]
        _, lowest, highest, unit = self.bounds.get(name, (0, 0, 2**32 - 1, ""))
        value = self.values.get(name, self.counters.get(name, 0))
        numbers = b"".join(each.to_bytes(8, "big") for each in (value, lowest, highest))
        return numbers + bytes([len(name)]) + name.encode() + unit.encode()
