"""Options and outputs shared by ``airlag tune`` and ``airlag indices``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from airlag import _airlag
from airlag.cli.explain import SIZE
from airlag.cli.options import whole
from airlag.core import payload
from airlag.core.arguments import MOST_TRIGGERS
from airlag.core.types import Region
from airlag.views.table import Column, word

Count = Annotated[int | None, whole("number of messages", 1, MOST_TRIGGERS, 1000)]


def words(text: str) -> tuple[str, ...]:
    """Splits text at commas."""
    return tuple(word.strip() for word in text.split(",")) if text.strip() else ()


def scope(
    link: str,
    size: int | None,
    over: Sequence[str] | None,
    changes: Mapping[str, str],
    region: Region | None,
    messages: int | None,
    period: int | None,
    seed: int | None,
) -> dict[str, Any]:
    """Builds the :class:`~airlag.questions.tuning.objective.Scope` of both commands.

    Raises :class:`LinkError` with what is expected.
    """
    (known,) = payload.of_each([link], None if size is None else [size], [SIZE])[link]
    return {
        "link": link,
        "size": known,
        "over": dict(_airlag.tune_clauses(",".join(over))) if over else {},
        "settings": dict(changes),
        "region": region,
        "count": messages or 1000,
        "period_ns": period,
        "seed": 1 if seed is None else seed,
    }


def bounded(head: str, key: str, interval: str | None = None, **more: Any) -> list[Column]:
    """Columns of a number and its 95 % interval, whose ends have their own columns in files."""
    return [
        Column(head, key=key, **more),
        word("95 % interval", interval, style="dim"),
        *(Column(end, key=f"{key}_{end}", hidden=True) for end in ("low", "high")),
    ]
