"""Link profiles and what they carry, captures matched to them, and links chosen and tuned."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from airlag.core.quantity import count, exact, number, percent
from airlag.questions.identity import plain, with_units
from airlag.questions.links import Profile
from airlag.questions.load import Goodput, Loaded, sized
from airlag.questions.matching import Match, Ranking
from airlag.questions.recommendation import Candidate, Recommendation
from airlag.questions.tuning.metrics import METRICS
from airlag.questions.tuning.sobol import Indices
from airlag.questions.tuning.tuned import Tuned
from airlag.views.notebook import Showing, drawn_by, framed, many, named, time
from airlag.views.notebook.run import chart_of

if TYPE_CHECKING:
    import polars as pl


def _name(candidate: Candidate) -> str:
    return named(candidate.link, None, list(candidate.settings.items()))


def recommendation(told: Recommendation) -> Showing:
    """A task and its candidates, the best first; a row of the frame is a candidate."""
    task, passing = told.task, told.those_that("passes")
    size = "" if task.size is None else f"{task.size} B "
    second = f"none of {told.contenders} links meets every requirement"
    if passing:
        best, links = passing[0], len({each.link for each in passing})
        took = "" if best.seen is None else f", {task.name} {time(best.seen.quantile.ns)}"
        rest = f"{links} of {told.contenders} links meet every requirement"
        second = f"first choice: {_name(best)}{took}; {rest}"

    def figures(each: Candidate) -> tuple[float | None, ...]:
        """Both quantiles, and the shares in time and lost."""
        if (seen := each.seen) is None:
            return (None,) * 4
        shares = (seen.in_time / seen.n, seen.lost / seen.n) if seen.n else (None, None)
        return (seen.p50.ns, seen.quantile.ns, *shares)

    def cells(each: Candidate) -> list[str]:
        *quantiles, in_time, _ = figures(each)
        share = "–" if in_time is None else percent(in_time)
        return [_name(each), each.verdict, *map(time, quantiles), share]

    def row(each: Candidate) -> list[Any]:
        settings = " ".join(f"{k}={v}" for k, v in each.settings.items())
        why = (each.verdict, each.reason, "; ".join(each.gives_up))
        return [each.link, settings, each.size, *why, each.floor_ns, *figures(each)]

    def spec() -> dict[str, Any]:
        from airlag.views.pages.choices import candidates

        rows = [
            (_name(each), each.seen.p50.ns, each.seen.quantile.ns, each.verdict)
            for each in told.candidates
            if each.seen is not None and each.seen.p50.ns is not None
        ]
        if not rows:
            raise ValueError("no candidate was run, so there is nothing to draw")
        return candidates(rows, task)

    columns: dict[str, type] = {"link": str, "settings": str, "size": int}
    columns |= dict.fromkeys(("verdict", "reason", "gives_up"), str) | {"floor_ns": int}
    columns |= dict.fromkeys(("p50_ns", "quantile_ns", "in_time", "lost"), float)
    return Showing(
        f"Recommendation for {size}within {exact(task.deadline_ns)} at {task.name}",
        second,
        ["link", "verdict", "p50", task.name, "in time"],
        map(cells, told.candidates),
        framed(columns, map(row, told.candidates)),
        spec,
    )


def tuned(told: Tuned) -> Showing:
    """The link as it is, what was found and what was turned down; in the units of the metrics."""
    asked, untuned, best = told.objective, told.untuned, told.best
    aims = ", ".join(aim.text for aim in asked.aims)
    kept = f", {asked.subject_to}" if asked.subject_to else ""
    if best is None:
        second = f"none of {count(len(told.tried))} settings keeps the limits with 95 % confidence"
    elif len(asked.aims) > 1:
        second = f"a front of {count(len(told.found))} settings"
    else:
        metric = asked.aims[0].metric
        before, after = (metric.text(one.metrics[metric.name].value) for one in (untuned, best))
        second = f"{best.changes}: {metric.name} {before} → {after}"

    def rows() -> Iterator[list[Any]]:
        shown = [("untuned", untuned), *(("found", one) for one in told.found)]
        for kind, one in [*shown, *(("turned down", one) for one in told.turned_down)]:
            given_up = "; ".join(each.gives_up for each in one.turned if each.gives_up)
            held = [one.metrics.get(name) for name in untuned.metrics]
            ends = [(None,) * 3 if of is None else (of.value, of.low, of.high) for of in held]
            yield [kind, one.changes, given_up, *(end for three in ends for end in three)]

    columns: dict[str, type] = dict.fromkeys(("kind", "settings", "gives_up"), str)
    for name in untuned.metrics:
        columns |= {f"{METRICS[name].column}{end}": float for end in ("", "_low", "_high")}
    return Showing(
        f"Tuned {named(asked.link, asked.size)}: {aims}{kept}",
        second,
        ["settings", *untuned.metrics],
        (
            [one.changes, *(METRICS[of].text(one.metrics[of].value) for of in untuned.metrics)]
            for one in (untuned, *told.found)
        ),
        framed(columns, rows()),
        drawn_by("pages.tuning", "tuning", told),
    )


def indices(told: Indices) -> Showing:
    """Effects of parameters; a row of the frame is a parameter and a metric."""
    asked = told.question
    every = [(one.metric, each) for one in told.metrics for each in one.indices]

    numbers = [f"{kind}{end}" for kind in ("first", "total") for end in ("", "_low", "_high")]
    return Showing(
        f"Indices of {named(asked.link, asked.size)} over {', '.join(asked.over)}",
        "; ".join(
            f"{one.metric}: {one.indices[0].name} {one.indices[0].total:.2f}"
            if one.indices
            else f"{one.metric}: no parameter has an effect"
            for one in told.metrics
        ),
        ["metric", "parameter", "first", "total"],
        ([of, each.name, f"{each.first:.3f}", f"{each.total:.3f}"] for of, each in every),
        framed(
            {"metric": str, "parameter": str, **dict.fromkeys(numbers, float)},
            (
                [of, it.name, it.first, *it.first_interval95, it.total, *it.total_interval95]
                for of, it in every
            ),
        ),
        drawn_by("pages.tuning", "tuning", told),
    )


def _match_name(told: Match) -> str:
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
        f"Match of {_match_name(told)}: {told.verdict}",
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
        first = f"Ranking: {_match_name(told.best)}, {told.certainty}: {told.best.verdict}"
    after = "" if told.next is None else f"; next of another kind is {_match_name(told.next)}"
    looked = f"{count(len(told.candidates))} looked at, {count(told.impossible)} impossible"

    def spec() -> dict[str, Any]:
        from airlag.views.pages.choices import distances

        if not told.candidates:
            raise ValueError("no profile was looked at, so there is nothing to draw")
        places = enumerate(told.candidates, 1)
        return distances(
            [(f"{at}. {_match_name(one)}", one.distance, one.explains) for at, one in places]
        )

    columns = {"link": str, "size": int, "explains": bool}
    columns |= dict.fromkeys(("ks", "distance", "score"), float)
    return Showing(
        first,
        f"{looked}, {count(told.unlike)} unlike{after}",
        ["link", "verdict", "KS", "distance"],
        (
            [
                _match_name(one),
                _verdict(one),
                f"{one.ks:.3f}",
                percent(one.distance),
            ]
            for one in told.candidates
        ),
        framed(columns, ([getattr(one, name) for name in columns] for one in told.candidates)),
        spec,
    )


def profile(told: Profile) -> Showing:
    """One profile; a row of the frame is a constant."""
    where = "a board by itself" if told.medium is None else f"over {told.medium}"
    # Values as text, as each has a unit of its own.
    values = {name: plain(one["value"]) for name, one in told.parameters.items()}
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
        drawn_by("pages.choices", "spent", told, first),
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
        drawn_by("pages.traffic", "load", [told]),
    )
