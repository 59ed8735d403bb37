"""Payload sizes of runs. Boards without a link have no messages, hence no payload."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from airlag import _airlag
from airlag._airlag import LinkError


def of(link: str | None, size: int | None) -> int | None:
    """Returns the payload, bytes; ``None`` for a link without messages."""
    if size is None or link is None or link not in _airlag.links():
        return size
    (payload,) = _airlag.payloads(link, [size])
    return payload


def of_each(
    links: Iterable[str], sizes: Sequence[int] | None, usual: Sequence[int]
) -> dict[str, list[int | None]]:
    """Returns the payload sizes of each link, bytes. The default of ``sizes`` is ``usual``.

    The list of a link without messages is ``[None]``. An unknown link name is not an error here.
    Raises :class:`LinkError` if sizes are given and no link has messages.
    """
    known = set(_airlag.links())
    wanted = usual if sizes is None else sizes
    found: dict[str, list[int | None]] = {
        link: _airlag.payloads(link, wanted) if link in known else [*wanted] for link in links
    }
    if sizes is not None and found and all(each == [None] for each in found.values()):
        raise LinkError(f"{', '.join(found)}: no messages, hence no payload; omit the size")
    return found


def words(link: str, size: int | None) -> list[str]:
    """Words for a run: its link and, if it has one, its payload."""
    return [link] if size is None else [link, f"{size} B"]
