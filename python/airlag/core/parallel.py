"""Work in Rust, without the interpreter lock, on as many cores as there are."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from os import cpu_count
from typing import TypeVar

from airlag._airlag import Interrupt

T = TypeVar("T")
R = TypeVar("R")
E = TypeVar("E", bound=Exception)

#: How often the main thread looks for signals, s: a library's handler may not wake it.
TURN_S = 0.03


def side_by_side(work: Callable[[T], R], items: Sequence[T], expected: type[E]) -> Iterator[R | E]:
    """Yields what ``work`` gives, or the ``expected`` error that it raises, as ``items`` come.

    Work under way ends when the caller stops asking, as on Ctrl-C.
    """
    interrupt = Interrupt()
    pool = ThreadPoolExecutor(max_workers=cpu_count(), initializer=interrupt.adopt)
    try:
        for future in [pool.submit(work, item) for item in items]:
            while not future.done():
                wait([future], timeout=TURN_S)
            error = future.exception()
            yield error if isinstance(error, expected) else future.result()
    finally:
        interrupt.request()
        pool.shutdown(wait=False, cancel_futures=True)
