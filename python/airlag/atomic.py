"""Output files that appear whole or not at all."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """A path beside ``path`` to write to; it takes the place of ``path`` when all went well.

    It has the same ending, by which some writers tell the format.
    """
    unfinished = path.with_name(f".{path.stem}.unfinished{path.suffix}")
    # Some writers report a folder that is not there in words of their own; this one knows errno.
    unfinished.touch()
    try:
        yield unfinished
        unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)
