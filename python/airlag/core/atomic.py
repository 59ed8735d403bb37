"""Atomic replacement of output files."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from airlag._airlag import Draft


@contextmanager
def replacing(path: Path, *, force: bool = False) -> Iterator[BinaryIO]:
    """Yields a temporary file that replaces ``path`` on success.

    An existing file keeps its mode. Symbolic links are followed. Devices and pipes are written to
    directly. Raises :class:`FileExistsError` if ``path`` has other content and ``force`` is false,
    and :class:`OSError` if ``path`` cannot be written. After an error, ``path`` is unchanged.
    """
    draft = Draft(path)
    try:
        with os.fdopen(draft.descriptor(), "wb") as file:
            yield file
        draft.keep(force)
    finally:
        draft.discard()
