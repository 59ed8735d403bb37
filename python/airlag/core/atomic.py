"""Output files that appear whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from airlag._airlag import Draft


@contextmanager
def replacing(path: Path, *, force: bool = False) -> Iterator[BinaryIO]:
    """A file to write to, which takes the place of ``path`` when all went well.

    The target keeps its mode, and stays a link where it is one; what is no regular file is written
    to as it is. Raises :class:`FileExistsError` when ``path`` holds anything but the same bytes,
    unless ``force``; :class:`OSError` when it cannot be written, and nothing is changed.
    """
    draft = Draft(path)
    try:
        with os.fdopen(draft.descriptor(), "wb") as file:
            yield file
        draft.keep(force)
    finally:
        draft.discard()
