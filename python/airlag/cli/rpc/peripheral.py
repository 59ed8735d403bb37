"""Options that select a peripheral and its transport, and a client for it."""

from __future__ import annotations

import asyncio
import logging
import sys
from collections.abc import AsyncIterator, Coroutine, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

from airlag.cli import signals, streams, terminal
from airlag.cli.parameters import Group, one_of
from airlag.cli.run import Seed
from airlag.cli.settings import Settings, pairs_of
from airlag.core.types import RpcPlatform

if TYPE_CHECKING:
    from airlag.rpc import Encryption, Transport
    from airlag.rpc.benchmark import Benchmark

VIRTUAL = "virtual"
#: Settings of the virtual bench for unencrypted calls.
PLAIN = {"call_sealing": "plain"}


def _transport(text: str) -> str:
    if text.startswith("bumble:") and len(text) > len("bumble:"):
        return text
    return one_of("transport", (VIRTUAL, "bumble", "bumble:HCI", "bleak"), text)


def nearest_platform() -> RpcPlatform:
    """Returns the platform closest to this computer."""
    return "macos" if sys.platform == "darwin" else "linux"


@dataclass(frozen=True, slots=True)
class Peripheral:
    """A peripheral and its transport."""

    #: Transport, as on the command line.
    over: str
    #: Selected platform and link.
    platform: RpcPlatform | None
    named: str | None
    #: Options of the virtual bench.
    link: str
    seed: int
    settings: Mapping[str, str]
    #: Address of a real peripheral.
    address: str | None
    #: Whether calls are encrypted if the peripheral supports it.
    encryption: Encryption

    @asynccontextmanager
    async def called(self) -> AsyncIterator[Benchmark]:
        """Yields a client of the benchmark service."""
        from airlag.rpc import Trust, connect

        # Two virtual devices create new identities every time.
        trust = None if self.over == "bumble" else Trust.of_user()
        transport = await self.transport()
        async with connect(transport, trust=trust, encryption=self.encryption) as client:
            yield client

    async def transport(self) -> Transport:
        """Yields the connection."""
        if self.over == "bleak":
            from airlag.rpc.transport.bleak import Bleak

            return await Bleak.open(self.address)
        if self.over == "bumble":
            from airlag.rpc.transport import bumble_pair

            return await bumble_pair.connected(encryption=self.encryption)
        if self.over != VIRTUAL:
            from airlag.rpc.transport.bumble import Bumble

            return await Bumble.open(self.over.removeprefix("bumble:"), self.address)
        from airlag.rpc.transport.virtual import Virtual

        return Virtual(self.link, self.seed, self.settings)


def _chosen(
    over: Annotated[str | None, _transport] = None,
    platform: RpcPlatform | None = None,
    link: str | None = None,
    address: str | None = None,
    plain: bool = False,
    settings: Settings = None,
    seed: Seed = None,
) -> Peripheral:
    """Builds the peripheral from options; rejects invalid combinations."""
    over = over or VIRTUAL
    if over != VIRTUAL and (link, seed, settings) != (None, None, None):
        terminal.refuse(
            f"--link, --set and --seed apply to the virtual bench; omit them with {over}"
        )
    if over in (VIRTUAL, "bumble") and address is not None:
        terminal.refuse(f"--address applies to a real peripheral; omit it with {over}")
    return Peripheral(
        over=over,
        platform=platform,
        named=link,
        link=link or f"rpc-{platform or 'macos'}",
        seed=1 if seed is None else seed,
        settings=pairs_of(settings) | ({} if not plain else PLAIN),
        address=address,
        encryption="off" if plain else "require",
    )


#: Peripheral built from command-line options.
Chosen = Annotated[Peripheral, Group(_chosen)]


def run(work: Coroutine[Any, Any, None]) -> None:
    """Runs a coroutine to its end.

    After a signal, the coroutine cleans up without time limit. A second signal ends the process.

    Raises
    ------
    Interrupted
        If a signal arrives, even in a callback of the event loop.
    """
    stopped: list[signals.Interrupted] = []

    async def watched() -> None:
        task = asyncio.current_task()

        def fault(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
            error = context.get("exception")
            if isinstance(error, signals.Interrupted) and task is not None:
                # Raised in a callback, which has no caller to propagate to.
                stopped.append(error)
                task.cancel()
            else:
                loop.default_exception_handler(context)

        asyncio.get_running_loop().set_exception_handler(fault)
        await work

    with signals.answered(), _quiet():
        try:
            asyncio.run(watched())
        except asyncio.CancelledError:
            if stopped:
                raise stopped[0] from None
            raise


@contextmanager
def _quiet() -> Iterator[None]:
    """Suppresses library logs of failures that airlag reports in one line."""
    before = logging.root.manager.disable
    if not streams.debugging():
        logging.disable(logging.CRITICAL)
    try:
        yield
    finally:
        logging.disable(before)
