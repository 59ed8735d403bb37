"""Parallel execution of Rust work that releases the interpreter lock."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from os import cpu_count
from typing import TypeVar

from airlag._airlag import Interrupt

T = TypeVar("T")
R = TypeVar("R")
E = TypeVar("E", bound=Exception)

#: Polling interval for signals, s, because a library's handler may not wake the main thread.
POLL_S = 0.03


def side_by_side(work: Callable[[T], R], items: Sequence[T], expected: type[E]) -> Iterator[R | E]:
    """Yields the result or ``expected`` error of ``work`` for each item, in the order given.

    Closing the generator, as Ctrl-C does, stops work in progress.
    """
    interrupt = Interrupt()
    pool = ThreadPoolExecutor(max_workers=cpu_count(), initializer=interrupt.adopt)
    try:
        for future in [pool.submit(work, item) for item in items]:
            while not future.done():
                wait([future], timeout=POLL_S)
            error = future.exception()
            yield error if isinstance(error, expected) else future.result()
    finally:
        interrupt.request()
        pool.shutdown(wait=False, cancel_futures=True)
