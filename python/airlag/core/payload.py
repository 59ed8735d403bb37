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
    """What each link is run with.

    Raises :class:`LinkError` when payloads are asked for and no link has a message.

    Parameters
    ----------
    links
        Names of link profiles; what is wrong with a name is told when it is run.
    sizes
        Payloads that are asked for, bytes; they are of the links that have a message. ``None``:
        nobody asked.
    usual
        Payloads where nobody asked, bytes.

    Returns
    -------
    dict
        By link, its payloads; once ``None`` where there is no message.
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
