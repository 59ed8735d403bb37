"""Transport on the virtual bench, in virtual time."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

from airlag._airlag import RpcBench

#: Look-ahead of a central without a deadline, ns.
AHEAD_NS = 1_000_000_000


class Virtual:
    """A peripheral on the virtual bench. With equal seeds, it sends equal bytes at equal times.

    Virtual time advances only while the client waits for a packet from the peripheral and no other
    task is ready. Calls of several tasks can therefore share one connection event.

    Parameters
    ----------
    link
        Bidirectional link profile.
    seed
        Random seed.
    settings
        Changed constants of the link, with values as text in the format of ``--set``.

    Raises
    ------
    LinkError
        If the link or a setting is unknown.
    """

    #: No stable address: each seed is a different peripheral.
    address = None

    def __init__(self, link: str, seed: int = 1, settings: Mapping[str, str] | None = None) -> None:
        self._bench = RpcBench(link, seed, dict(settings or {}))
        self._seed = seed

    @property
    def mtu(self) -> int:
        """ATT MTU, bytes."""
        return self._bench.mtu

    def now_ns(self) -> int:
        """Virtual time, ns."""
        return self._bench.now_ns()

    def entropy(self) -> bytes:
        """32 bytes derived from the seed. A simulated peripheral needs no real entropy."""
        return hashlib.sha256(f"airlag rpc central {self._seed}".encode()).digest()

    async def write(self, container: bytes) -> None:
        """Queues a container; it is sent when time advances."""
        self._bench.write(container)

    async def receive(self, timeout_ns: int | None) -> bytes | None:
        """Returns the next container; ``None`` after the timeout in virtual time."""
        return self._bench.receive(AHEAD_NS if timeout_ns is None else timeout_ns)

    async def close(self) -> None:
        """Does nothing."""
