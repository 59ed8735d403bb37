"""Link profiles, links that never wait, and links under load."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from airlag.core.quantity import count, number, percent
from airlag.questions.identity import with_units
from airlag.questions.links import Profile
from airlag.questions.load import Goodput, Loaded, sized
from airlag.views.notebook import Showing, drawn_by, framed, many, named, time

if TYPE_CHECKING:
    import polars as pl


def profile(told: Profile) -> Showing:
    """One profile; a row of the frame is a constant."""
    where = "a board by itself" if told.medium is None else f"over {told.medium}"
    # Values as text, as each has a unit of its own.
    values = {
        name: str(one["value"]).lower() if isinstance(one["value"], bool) else str(one["value"])
        for name, one in told.parameters.items()
    }
    return Showing(
        f"Link {told.name}: {told.about}",
        f"{told.kind}, {where}; {len(told.parameters)} parameters, "
        f"{len(told.published)} published figures",
        ["parameter", "value", "what it is"],
        (
            [name, f"{values[name]} {one['unit']}".rstrip(), one["about"]]
            for name, one in told.parameters.items()
        ),
        framed(
            dict.fromkeys(("name", "value", "unit", "about", "source", "from"), str),
            ({**one, "name": name, "value": values[name]} for name, one in told.parameters.items()),
        ),
    )


def links(told: Sequence[Profile]) -> Showing:
    """Profiles; a row of the frame is one of them."""
    kinds = ", ".join(dict.fromkeys(each.kind for each in told))
    return Showing(
        many(len(told), "link profile"),
        f"kinds: {kinds or 'none'}",
        ["link", "what it is"],
        ([each.name, each.about] for each in told),
        framed(
            dict.fromkeys(("name", "kind", "medium", "about"), str),
            ([each.name, each.kind, each.medium, each.about] for each in told),
        ),
    )


def _what(told: Goodput) -> str:
    words = named(told.link, None, list(with_units(told.link, told.settings).items()))
    return f"{words}, {sized(told.traffic, told.size)}, seed {told.seed}"


def goodput(told: Goodput) -> Showing:
    """What a link carries; a row of the frame is one thing its time went to."""
    first = f"Goodput of {_what(told)}: {number(told.kbps)} kbit/s"
    limit = "no ceiling known"
    if told.ceiling_kbps is not None:
        limit = f"{percent(told.kbps / told.ceiling_kbps)} of {number(told.ceiling_kbps)} kbit/s"
    whole = sum(one.ns for one in told.spent)

    return Showing(
        first,
        f"{limit}; {count(told.delivered)} delivered, {count(told.lost)} lost",
        ["time on", "in all", "share"],
        ([kind, time(ns), percent(ns / whole)] for kind, ns in told.by_kind().items()),
        framed(
            {"name": str, "class": str, "ns": int},
            ([one.name, one.kind, one.ns] for one in told.spent),
        ),
        drawn_by("notebook.charts", "spent", told, first),
    )


def loaded(told: Loaded) -> Showing:
    """A link under load; a row of the frame is one load, the lightest first."""
    offer, points = told.offer, told.points
    knee = "none of them holds its knee"
    if told.knee_kbps is not None:
        knee = f"knee at {number(told.knee_kbps)} kbit/s"

    def frame() -> pl.DataFrame:
        import polars as pl

        kinds = {"min": pl.Int64, "p50": pl.Float64, "p95": pl.Float64, "p99": pl.Float64}
        kinds["max"] = pl.Int64
        rows = []
        for point in points:
            held: dict[str, Any] = dict(point.to_json())
            latency = held.pop("latency_ns") or {}
            rows.append(held | {f"{name}_ns": latency.get(name) for name in kinds})
        return pl.DataFrame(rows, schema_overrides={f"{of}_ns": kind for of, kind in kinds.items()})

    return Showing(
        f"Load on {_what(told.saturated)}: {many(len(points), 'load')}, {offer.arrivals}, "
        f"queue {offer.queue}",
        f"{knee}; goodput {number(told.saturated.kbps)} kbit/s saturated",
        ["offered", "goodput", "p50", "p99", "queue", "lost"],
        (
            [
                f"{number(point.offered_kbps)} kbit/s",
                f"{number(point.goodput_kbps)} kbit/s",
                *(time(None if (of := point.latency) is None else of[q]) for q in ("p50", "p99")),
                number(point.queue_mean),
                percent(point.lost / point.offered) if point.offered else "–",
            ]
            for point in points
        ),
        frame,
        drawn_by("pages.load", "chart", [told]),
    )
