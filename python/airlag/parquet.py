"""What a Parquet file unpacks to, told before anything is unpacked.

Runs of equal values take a few bytes in the file and eight each in memory: 300 KB may be 2 GB.
Counts in the footer are claims, so the pages themselves are walked: the header of each says how
many values it holds and how long it is, unpacked. Only headers are read, never a page.

Thrift's compact protocol and the structures are those of the Apache Parquet format,
parquet.thrift 2.10; no light library reads them by themselves.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

MAGIC = b"PAR1"
#: Longest footer and longest header of a page, bytes; airlag's are of 2 kB and 100 B.
_LONGEST_FOOTER = 64 << 20
_LONGEST_HEADER = 64 << 10
#: Structures in structures; the format has 6.
_DEEPEST = 16
_LENGTHS = {7: 8, 13: 16}


class DamagedError(Exception):
    """The file contradicts itself."""


@dataclass(frozen=True, slots=True)
class Unpacked:
    """What columns unpack to.

    Attributes
    ----------
    values
        Values of all pages; those of lists one by one.
    page_bytes
        Length of all pages, unpacked.
    """

    values: int
    page_bytes: int


def unpacked(path: Path, columns: Collection[str]) -> Unpacked:
    """Adds up the pages of these columns.

    Raises
    ------
    DamagedError
        When footer or pages are not what the format says.
    OSError
        When the file cannot be read.
    """
    values = page_bytes = 0
    with path.open("rb") as file:
        size = file.seek(0, 2)
        footer = _footer(file, size)
        for group in _list(footer, 4):
            for chunk in _list(group, 1):
                about = _table(chunk, 3)
                if not _list(about, 3) or _list(about, 3)[0].decode("utf-8", "replace") in columns:
                    of_chunk = _pages(file, about, size)
                    values += of_chunk.values
                    page_bytes += of_chunk.page_bytes
    return Unpacked(values, page_bytes)


def _footer(file: BinaryIO, size: int) -> dict[int, Any]:
    file.seek(max(size - 8, 0))
    tail = file.read(8)
    length = int.from_bytes(tail[:4], "little")
    if tail[4:] != MAGIC or length > min(size - 12, _LONGEST_FOOTER):
        raise DamagedError
    file.seek(size - 8 - length)
    return _Compact(file.read(length)).structure()


def _pages(file: BinaryIO, about: dict[int, Any], size: int) -> Unpacked:
    """The pages of one column chunk."""
    at = min(_whole(about, 9), about.get(11, size) or size)
    end = at + _whole(about, 7)
    if end > size:
        raise DamagedError
    values = page_bytes = 0
    while at < end:
        file.seek(at)
        header = _Compact(file.read(min(_LONGEST_HEADER, end - at)))
        page = header.structure()
        # A dictionary's values are not the column's.
        held = page.get(5) or page.get(8)
        if held is not None:
            values += _whole(held, 1)
        page_bytes += _whole(page, 2)
        at += header.at + _whole(page, 3)
    return Unpacked(values, page_bytes)


def _whole(structure: Any, field: int) -> int:
    value = structure.get(field) if isinstance(structure, dict) else None
    if type(value) is not int or value < 0:
        raise DamagedError
    return value


def _table(structure: dict[int, Any], field: int) -> dict[int, Any]:
    value = structure.get(field)
    if not isinstance(value, dict):
        raise DamagedError
    return value


def _list(structure: Any, field: int) -> list[Any]:
    value = structure.get(field) if isinstance(structure, dict) else None
    if not isinstance(value, list):
        raise DamagedError
    return value


class _Compact:
    """Thrift's compact protocol: structures by the numbers of their fields."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self.at = 0

    def _take(self, length: int) -> bytes:
        taken = self._data[self.at : self.at + length]
        if len(taken) != length:
            raise DamagedError
        self.at += length
        return taken

    def _varint(self) -> int:
        value = shift = 0
        while shift < 64:
            byte = self._take(1)[0]
            value |= (byte & 0x7F) << shift
            if byte < 0x80:
                return value
            shift += 7
        raise DamagedError

    def _zigzag(self) -> int:
        value = self._varint()
        return (value >> 1) ^ -(value & 1)

    def structure(self, deep: int = 0) -> dict[int, Any]:
        """Reads one structure."""
        fields: dict[int, Any] = {}
        number = 0
        while (head := self._take(1)[0]) != 0:
            number = number + (head >> 4) if head >> 4 else self._zigzag()
            kind = head & 15
            fields[number] = kind == 1 if kind in (1, 2) else self._value(kind, deep)
        return fields

    def _value(self, kind: int, deep: int) -> Any:
        if deep > _DEEPEST:
            raise DamagedError
        if kind in (1, 2, 3):
            return self._take(1)[0]
        if kind in (4, 5, 6):
            return self._zigzag()
        if kind in _LENGTHS:
            return self._take(_LENGTHS[kind])
        if kind == 8:
            return self._take(self._varint())
        if kind in (9, 10):
            head = self._take(1)[0]
            length = head >> 4 if head >> 4 < 15 else self._varint()
            # Every value takes a byte at least.
            if length > len(self._data) - self.at:
                raise DamagedError
            return [self._value(head & 15, deep + 1) for _ in range(length)]
        if kind == 12:
            return self.structure(deep + 1)
        raise DamagedError
