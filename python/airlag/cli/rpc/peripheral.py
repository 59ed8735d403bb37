"""Which peripheral is called, and over what: options, and a client of it."""

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
#: What the bench has to know of calls in the clear.
PLAIN = {"call_sealing": "plain"}


def _transport(text: str) -> str:
    if text.startswith("bumble:") and len(text) > len("bumble:"):
        return text
    return one_of("transport", (VIRTUAL, "bumble", "bumble:HCI", "bleak"), text)


def here() -> RpcPlatform:
    """What comes nearest to this computer."""
    return "macos" if sys.platform == "darwin" else "linux"


@dataclass(frozen=True, slots=True)
class Peripheral:
    """A peripheral, and how it is reached.

    Attributes
    ----------
    over
        Transport, as on the command line.
    platform, named
        Platform and link that were chosen.
    link, seed, settings
        Of the virtual bench.
    address
        Of a peripheral on the air.
    encryption
        Whether calls are encrypted; where off, a peripheral that could is not asked to.
    """

    over: str
    platform: RpcPlatform | None
    named: str | None
    link: str
    seed: int
    settings: Mapping[str, str]
    address: str | None
    encryption: Encryption

    @asynccontextmanager
    async def called(self) -> AsyncIterator[Benchmark]:
        """A client of the benchmark service."""
        from airlag.rpc import Trust, connect

        # Two virtual devices make up who they are each time.
        trust = None if self.over == "bumble" else Trust.of_user()
        transport = await self.transport()
        async with connect(transport, trust=trust, encryption=self.encryption) as client:
            yield client

    async def transport(self) -> Transport:
        """The connection to it."""
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
    """The peripheral that options name; refuses those that do not go together."""
    over = over or VIRTUAL
    if over != VIRTUAL and (link, seed, settings) != (None, None, None):
        terminal.refuse(
            f"--link, --set and --seed are of the virtual bench; leave them out with {over}"
        )
    if over in (VIRTUAL, "bumble") and address is not None:
        terminal.refuse(f"--address is of a peripheral on the air; leave it out with {over}")
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


#: A peripheral, of the options that name it.
Chosen = Annotated[Peripheral, Group(_chosen)]


def run(work: Coroutine[Any, Any, None]) -> None:
    """Runs a coroutine to its end.

    What it opened has all the time it needs to close after a signal; a second one ends the process.

    Raises
    ------
    Interrupted
        When a signal came, wherever in the loop it came.
    """
    stopped: list[signals.Interrupted] = []

    async def watched() -> None:
        task = asyncio.current_task()

        def fault(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
            error = context.get("exception")
            if isinstance(error, signals.Interrupted) and task is not None:
                # It was raised in a callback, which has nobody to raise it to.
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
    """Keeps to themselves what libraries log of a failure that we tell in one line."""
    before = logging.root.manager.disable
    if not streams.debugging():
        logging.disable(logging.CRITICAL)
    try:
        yield
    finally:
        logging.disable(before)
