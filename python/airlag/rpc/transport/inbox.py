"""What transports in real time share: notifications until they are received, clock and errors."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections import deque

from airlag.rpc.errors import Disconnected, NotInstalled

#: The extra that installs a package. Bumble is apart: it asks for libusb, which is under the LGPL.
_EXTRAS = {"bleak": "ble", "bumble": "bumble"}

#: Containers that wait at most. A call takes them as they come, so more wait only where a
#: peripheral sends what nobody asked for.
MOST_WAITING = 16_384


class Inbox:
    """Containers in the order they came in, and the end of the connection after them."""

    def __init__(self) -> None:
        self._containers: deque[bytes] = deque()
        self._something = asyncio.Event()
        self._ended: str | None = None

    def put(self, container: bytes) -> None:
        """Takes in a container; one too many ends the connection."""
        if len(self._containers) >= MOST_WAITING:
            self.end(f"the peripheral sent {MOST_WAITING} packets that nobody asked for")
            return
        self._containers.append(bytes(container))
        self._something.set()

    def end(self, why: str) -> None:
        """Takes note that nothing comes any more; the first reason counts."""
        self._ended = self._ended or why
        self._something.set()

    def check(self) -> None:
        """Raises :class:`~airlag.rpc.errors.Disconnected` when the connection is over."""
        if self._ended is not None:
            raise Disconnected(self._ended)

    async def get(self, timeout_ns: int | None) -> bytes | None:
        """The next container; ``None``: none came within a time.

        Raises
        ------
        Disconnected
            When there is none, and the connection is over.
        """
        try:
            async with asyncio.timeout(None if timeout_ns is None else timeout_ns / 1e9):
                # Without another wait between them: whoever is cancelled here has taken nothing.
                await self._something.wait()
        except TimeoutError:
            return None
        if not self._containers:
            self.check()
        container = self._containers.popleft()
        if not self._containers and self._ended is None:
            self._something.clear()
        return container


class Notified:
    """What transports in real time share: their clock, and notifications that come to an inbox."""

    def __init__(self, inbox: Inbox) -> None:
        self._inbox = inbox

    def now_ns(self) -> int:
        """The computer's monotonic clock, ns."""
        return wall_ns()

    def entropy(self) -> bytes:
        """32 bytes from the operating system."""
        return secrets.token_bytes(32)

    async def receive(self, timeout_ns: int | None) -> bytes | None:
        """The next container that comes within a time."""
        return await self._inbox.get(timeout_ns)


def wall_ns() -> int:
    """The clock of transports in real time: since an arbitrary instant, ns."""
    return time.monotonic_ns()


def why(error: BaseException) -> str:
    """The first line of an error that may have several."""
    return (str(error) or type(error).__name__).splitlines()[0]


def missing(package: str, error: ImportError) -> NotInstalled:
    """The error of a transport that is made of a ``package``, which cannot be loaded."""
    name = (error.name or package).partition(".")[0]
    lacking = package if name == package else f"{package} needs {name}, which"
    return NotInstalled(f"{lacking} is not installed; pip install 'airlag[{_EXTRAS[package]}]'")
