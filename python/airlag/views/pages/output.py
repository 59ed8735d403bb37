"""Pages and pictures as files that tell who drew them, and so may be drawn again.

A page says it in its head, an SVG in a comment, a PNG in the chunk ``Software``
(https://www.w3.org/TR/png-3/#11keywords).
"""

from __future__ import annotations

import struct
import zlib
from pathlib import Path

from airlag.core import paths
from airlag.core.atomic import replacing

#: By the ending of the name: what stands near the beginning of a file that airlag drew.
MARKS = {
    ".html": b'<meta name="generator" content="airlag',
    ".svg": b"<!-- airlag -->",
    ".png": b"tEXtSoftware\x00airlag",
}
#: Where it is looked for, bytes.
_HEAD = 4096
#: Signature and header of a PNG, bytes; both have a fixed length.
_PNG_HEAD = 8 + 25


def write(path: Path, content: bytes, *, force: bool) -> None:
    """Writes a page or a picture; its ending is one of :data:`MARKS`.

    A file is replaced when airlag drew it, as a file of this kind, or with ``force``.

    Raises
    ------
    FileExistsError
        When it may not be replaced.
    OSError
        When it cannot be written.
    """
    kind = path.suffix.lower()
    force = force or _is_ours(path, kind)
    with replacing(path, force=force) as file:
        file.write(_signed(content, kind))


def _is_ours(path: Path, kind: str) -> bool:
    if not paths.is_file(path):
        return False
    with path.open("rb") as file:
        return MARKS[kind] in file.read(_HEAD)


def _signed(content: bytes, kind: str) -> bytes:
    mark = MARKS[kind]
    if kind == ".svg":
        head, end, rest = content.partition(b">")
        return head + end + mark + rest
    if kind == ".png":
        chunk = struct.pack(">I", len(mark) - 4) + mark + struct.pack(">I", zlib.crc32(mark))
        return content[:_PNG_HEAD] + chunk + content[_PNG_HEAD:]
    return content
