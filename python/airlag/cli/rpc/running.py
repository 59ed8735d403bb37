"""Coroutines that a signal ends as it ends everything else."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from typing import Any

from airlag.cli import signals, streams


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
