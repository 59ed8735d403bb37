"""A central's end of a link on the virtual bench: no adapter, no clock but the bench's own."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

from airlag._airlag import RpcBench

#: How far a central looks ahead that waits for nothing in particular, ns.
AHEAD_NS = 1_000_000_000


class Virtual:
    """A peripheral on the virtual bench; the same seed gives the same bytes at the same times.

    Time passes only while the client waits for a container, which it does once every task that
    could run has run: whatever they call then rides in the same connection event.

    Parameters
    ----------
    link
        Name of a link profile that goes both ways.
    seed
        Of everything that chance decides.
    settings
        Constants of the link that differ from its profile, each as it is written after ``--set``.

    Raises
    ------
    LinkError
        When there is no such link, or no such setting.
    """

    #: It is another peripheral with each seed.
    address = None

    def __init__(self, link: str, seed: int = 1, settings: Mapping[str, str] | None = None) -> None:
        self._bench = RpcBench(link, seed, dict(settings or {}))
        self._seed = seed

    @property
    def mtu(self) -> int:
        """MTU of the attribute protocol, bytes."""
        return self._bench.mtu

    def now_ns(self) -> int:
        """Virtual time, ns."""
        return self._bench.now_ns()

    def entropy(self) -> bytes:
        """32 bytes of the seed: on a bench nobody has secrets."""
        return hashlib.sha256(f"airlag rpc central {self._seed}".encode()).digest()

    async def write(self, container: bytes) -> None:
        """Hands over a container; it is sent when time passes."""
        self._bench.write(container)

    async def receive(self, timeout_ns: int | None) -> bytes | None:
        """The next container that comes within a virtual time."""
        return self._bench.receive(AHEAD_NS if timeout_ns is None else timeout_ns)

    async def close(self) -> None:
        """Nothing is left of a bench."""
