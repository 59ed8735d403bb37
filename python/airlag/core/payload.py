"""How long messages are. A board by itself has no message, and what is run there no payload."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from airlag import _airlag
from airlag._airlag import LinkError


def of(link: str | None, size: int | None) -> int | None:
    """The payload of a run, bytes: ``size``, but ``None`` where its link has no message."""
    if size is None or link is None or link not in _airlag.links():
        return size
    (payload,) = _airlag.payloads(link, [size])
    return payload


def of_each(
    links: Iterable[str], sizes: Sequence[int] | None, usual: Sequence[int]
) -> dict[str, list[int | None]]:
    """The payloads of each link, bytes: ``sizes``, or ``usual`` where that is ``None``.

    Those of a link that has no message are ``None``, once. A name that is wrong is no error before
    it is run. Raises :class:`LinkError` when sizes are asked for and no link has a message.
    """
    known = set(_airlag.links())
    wanted = usual if sizes is None else sizes
    found: dict[str, list[int | None]] = {
        link: _airlag.payloads(link, wanted) if link in known else [*wanted] for link in links
    }
    if sizes is not None and found and all(each == [None] for each in found.values()):
        raise LinkError(
            f"{', '.join(found)}: no message, so no payload to choose; leave the size out"
        )
    return found


def words(link: str, size: int | None) -> list[str]:
    """What a run is of, word by word: its link and, where it has one, its payload."""
    return [link] if size is None else [link, f"{size} B"]
