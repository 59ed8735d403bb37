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

    The target keeps its mode, and symbolic links are followed. Special files are written to
    directly. Raises :class:`FileExistsError` if ``path`` has different content, unless ``force`` is
    set, and :class:`OSError` if it cannot be written. On errors, the target is unchanged.
    """
    draft = Draft(path)
    try:
        with os.fdopen(draft.descriptor(), "wb") as file:
            yield file
        draft.keep(force)
    finally:
        draft.discard()
