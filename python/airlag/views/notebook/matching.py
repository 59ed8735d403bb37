"""Captures held against link profiles."""

from __future__ import annotations

from typing import Any

from airlag.core.quantity import count, percent
from airlag.questions.matching import Match, Ranking
from airlag.views.notebook import Showing, framed, named, time
from airlag.views.notebook.run import chart_of


def _name(told: Match) -> str:
    fitted = [(one.name, f"{one.value}{one.unit}") for one in told.fitted]
    return named(told.link, told.size, [*told.settings.items(), *fitted])


def _verdict(told: Match) -> str:
    """The verdict without the name of the link and what it rests on."""
    return told.verdict.removeprefix(told.link).partition(":")[0].strip()


def match(told: Match) -> Showing:
    """One profile; a row of the frame is a quantile of capture and bench."""

    def spec() -> dict[str, Any]:
        runs = [run for run in (told.capture, told.run) if run is not None]
        if len(runs) < 2:
            raise ValueError(
                f"{told.link}: a match of a ranking keeps no transfers; "
                f"draw that of airlag.match(capture, {told.link!r})"
            )
        return chart_of(runs, "percentile")

    errors = told.quantile_error
    numbers = ("captured_ns", "virtual_ns", "error_ns", "error")
    return Showing(
        f"Match of {_name(told)}: {told.verdict}",
        f"KS {told.ks:.3f} (by chance up to {told.ks_chance:.3f}), "
        f"{count(told.captured.triggers)} triggers, "
        f"captured {count(told.captured.lost)} lost, virtual {count(told.virtual.lost)}",
        ["quantile", "captured", "virtual", "error"],
        (
            [name, time(each.captured_ns), time(each.virtual_ns), f"{100 * each.error:+.2f} %"]
            for name, each in errors.items()
        ),
        framed(
            {"quantile": str, **dict.fromkeys(numbers, float)},
            ({"quantile": name, **each.to_json()} for name, each in errors.items()),
        ),
        spec,
    )


def ranking(told: Ranking) -> Showing:
    """All profiles; a row of the frame is a candidate, the nearest first."""
    first = f"Ranking: no profile explains the capture: {told.reason}"
    if told.best is not None:
        first = f"Ranking: {_name(told.best)}, {told.certainty}: {told.best.verdict}"
    after = "" if told.next is None else f"; next of another kind is {_name(told.next)}"
    looked = f"{count(len(told.candidates))} looked at, {count(told.impossible)} impossible"

    def spec() -> dict[str, Any]:
        from airlag.views.notebook.charts import distances

        if not told.candidates:
            raise ValueError("no profile was looked at, so there is nothing to draw")
        places = enumerate(told.candidates, 1)
        return distances(
            [(f"{at}. {_name(one)}", one.distance, one.explains) for at, one in places]
        )

    columns = {"link": str, "size": int, "explains": bool}
    columns |= dict.fromkeys(("ks", "distance", "score"), float)
    return Showing(
        first,
        f"{looked}, {count(told.unlike)} unlike{after}",
        ["link", "verdict", "KS", "distance"],
        (
            [_name(one), _verdict(one), f"{one.ks:.3f}", percent(one.distance)]
            for one in told.candidates
        ),
        framed(columns, ([getattr(one, name) for name in columns] for one in told.candidates)),
        spec,
    )
