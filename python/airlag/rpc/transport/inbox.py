"""Parts shared by the real-time transports: received containers, clock and errors."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections import deque

from airlag.rpc.errors import Disconnected, NotInstalled

#: Extra that installs each package. Bumble is separate, because its libusb is under the LGPL.
_EXTRAS = {"bleak": "ble", "bumble": "bumble"}

#: Header bytes of an attribute PDU.
ATT_HEADER = 3
#: Maximum queued containers. Calls read them as they arrive, so more are queued only if a
#: peripheral sends unsolicited ones.
MOST_WAITING = 16_384


class Inbox:
    """Received containers in order, followed by the end of the connection."""

    def __init__(self) -> None:
        self._containers: deque[bytes] = deque()
        self._something = asyncio.Event()
        self._ended: str | None = None

    def put(self, container: bytes) -> None:
        """Queues a container; a full queue ends the connection."""
        if len(self._containers) >= MOST_WAITING:
            self.end(f"the peripheral sent {MOST_WAITING} unsolicited packets")
            return
        self._containers.append(bytes(container))
        self._something.set()

    def end(self, why: str) -> None:
        """Marks the end of the connection; if called again, the first reason is kept."""
        self._ended = self._ended or why
        self._something.set()

    def check(self) -> None:
        """Raises :class:`~airlag.rpc.errors.Disconnected` if the connection has ended."""
        if self._ended is not None:
            raise Disconnected(self._ended)

    async def get(self, timeout_ns: int | None) -> bytes | None:
        """Returns the next container; ``None`` after the timeout.

        Raises :class:`Disconnected` if no container is left and the connection has ended.
        """
        try:
            async with asyncio.timeout(None if timeout_ns is None else timeout_ns / 1e9):
                # No await after the removal, so that cancellation cannot lose a container.
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
    """Base of real-time transports: monotonic clock, and notifications through an inbox."""

    def __init__(self, inbox: Inbox) -> None:
        self._inbox = inbox

    def now_ns(self) -> int:
        """Monotonic clock of the computer, ns."""
        return wall_ns()

    def entropy(self) -> bytes:
        """32 bytes from the operating system."""
        return secrets.token_bytes(32)

    async def receive(self, timeout_ns: int | None) -> bytes | None:
        """Returns the next container; ``None`` after the timeout."""
        return await self._inbox.get(timeout_ns)


def wall_ns() -> int:
    """Monotonic time since an arbitrary instant, ns."""
    return time.monotonic_ns()


def why(error: BaseException) -> str:
    """First line of an error message."""
    return (str(error) or type(error).__name__).splitlines()[0]


def missing(package: str, error: ImportError) -> NotInstalled:
    """Error for a transport's ``package`` that cannot be imported."""
    name = (error.name or package).partition(".")[0]
    lacking = package if name == package else f"{package} needs {name}, which"
    return NotInstalled(f"{lacking} is not installed; pip install 'airlag[{_EXTRAS[package]}]'")
