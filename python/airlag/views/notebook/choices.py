"""Notebook views of link profiles, load, matches, recommendations and tuning results."""

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
from airlag.views.notebook import View, drawn_by, framed, many, named, time
from airlag.views.notebook.run import chart_of

if TYPE_CHECKING:
    import polars as pl


def _name(candidate: Candidate) -> str:
    return named(candidate.link, None, list(candidate.settings.items()))


def recommendation(result: Recommendation) -> View:
    """Task and candidates, best first; one frame row per candidate."""
    task, passing = result.task, result.those_that("passes")
    size = "" if task.size is None else f"{task.size} B "
    second = f"none of {result.contenders} links meets every requirement"
    if passing:
        best, links = passing[0], len({each.link for each in passing})
        took = "" if best.seen is None else f", {task.name} {time(best.seen.quantile.ns)}"
        rest = f"{links} of {result.contenders} links meet every requirement"
        second = f"first choice: {_name(best)}{took}; {rest}"

    def figures(each: Candidate) -> tuple[float | None, ...]:
        """Both quantiles, and the shares of on-time and lost messages."""
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
            for each in result.candidates
            if each.seen is not None and each.seen.p50.ns is not None
        ]
        if not rows:
            raise ValueError("no candidate was run, so there is nothing to draw")
        return candidates(rows, task)

    columns: dict[str, type] = {"link": str, "settings": str, "size": int}
    columns |= dict.fromkeys(("verdict", "reason", "gives_up"), str) | {"floor_ns": int}
    columns |= dict.fromkeys(("p50_ns", "quantile_ns", "in_time", "lost"), float)
    return View(
        f"Recommendation for {size}within {exact(task.deadline_ns)} at {task.name}",
        second,
        ["link", "verdict", "p50", task.name, "in time"],
        map(cells, result.candidates),
        framed(columns, map(row, result.candidates)),
        spec,
    )


def tuned(result: Tuned) -> View:
    """Untuned link, tuned settings and rejected settings, in the units of the metrics."""
    asked, untuned, best = result.objective, result.untuned, result.best
    aims = ", ".join(aim.text for aim in asked.aims)
    kept = f", {asked.subject_to}" if asked.subject_to else ""
    if best is None:
        second = (
            f"none of {count(len(result.tried))} settings meets the limits with 95 % confidence"
        )
    elif len(asked.aims) > 1:
        second = f"a front of {count(len(result.found))} settings"
    else:
        metric = asked.aims[0].metric
        before, after = (metric.text(one.metrics[metric.name].value) for one in (untuned, best))
        second = f"{best.changes}: {metric.name} {before} → {after}"

    def rows() -> Iterator[list[Any]]:
        shown = [("untuned", untuned), *(("found", one) for one in result.found)]
        for kind, one in [*shown, *(("rejected", one) for one in result.turned_down)]:
            given_up = "; ".join(each.gives_up for each in one.turned if each.gives_up)
            held = [one.metrics.get(name) for name in untuned.metrics]
            ends = [(None,) * 3 if of is None else (of.value, of.low, of.high) for of in held]
            yield [kind, one.changes, given_up, *(end for three in ends for end in three)]

    columns: dict[str, type] = dict.fromkeys(("kind", "settings", "gives_up"), str)
    for name in untuned.metrics:
        columns |= {f"{METRICS[name].column}{end}": float for end in ("", "_low", "_high")}
    return View(
        f"Tuned {named(asked.link, asked.size)}: {aims}{kept}",
        second,
        ["settings", *untuned.metrics],
        (
            [one.changes, *(METRICS[of].text(one.metrics[of].value) for of in untuned.metrics)]
            for one in (untuned, *result.found)
        ),
        framed(columns, rows()),
        drawn_by("pages.tuning", "tuning", result),
    )


def indices(result: Indices) -> View:
    """Parameter effects; one frame row per parameter and metric."""
    asked = result.question
    every = [(one.metric, each) for one in result.metrics for each in one.indices]

    numbers = [f"{kind}{end}" for kind in ("first", "total") for end in ("", "_low", "_high")]
    return View(
        f"Indices of {named(asked.link, asked.size)} over {', '.join(asked.over)}",
        "; ".join(
            f"{one.metric}: {one.indices[0].name} {one.indices[0].total:.2f}"
            if one.indices
            else f"{one.metric}: no parameter has an effect"
            for one in result.metrics
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
        drawn_by("pages.tuning", "tuning", result),
    )


def _match_name(result: Match) -> str:
    fitted = [(one.name, f"{one.value}{one.unit}") for one in result.fitted]
    return named(result.link, result.size, [*result.settings.items(), *fitted])


def _verdict(result: Match) -> str:
    """Verdict of a match, without the name of the link and the basis of comparison."""
    return result.verdict.removeprefix(result.link).partition(":")[0].strip()


def match(result: Match) -> View:
    """One profile; one frame row per quantile of capture and virtual run."""

    def spec() -> dict[str, Any]:
        runs = [run for run in (result.capture, result.run) if run is not None]
        if len(runs) < 2:
            raise ValueError(
                f"{result.link}: a ranking stores no transfers; "
                f"draw airlag.match(capture, {result.link!r})"
            )
        return chart_of(runs, "percentile")

    errors = result.quantile_error
    numbers = ("captured_ns", "virtual_ns", "error_ns", "error")
    return View(
        f"Match of {_match_name(result)}: {result.verdict}",
        f"KS {result.ks:.3f} (by chance up to {result.ks_chance:.3f}), "
        f"{count(result.captured.triggers)} triggers, "
        f"captured {count(result.captured.lost)} lost, virtual {count(result.virtual.lost)}",
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


def ranking(result: Ranking) -> View:
    """All profiles; one frame row per candidate, nearest first."""
    first = f"Ranking: no profile explains the capture: {result.reason}"
    if result.best is not None:
        first = f"Ranking: {_match_name(result.best)}, {result.certainty}: {result.best.verdict}"
    after = "" if result.next is None else f"; next of another kind is {_match_name(result.next)}"
    looked = f"{count(len(result.candidates))} evaluated, {count(result.impossible)} impossible"

    def spec() -> dict[str, Any]:
        from airlag.views.pages.choices import distances

        if not result.candidates:
            raise ValueError("no profile was evaluated; nothing to draw")
        places = enumerate(result.candidates, 1)
        return distances(
            [(f"{at}. {_match_name(one)}", one.distance, one.explains) for at, one in places]
        )

    columns = {"link": str, "size": int, "explains": bool}
    columns |= dict.fromkeys(("ks", "distance", "score"), float)
    return View(
        first,
        f"{looked}, {count(result.unlike)} unlike{after}",
        ["link", "verdict", "KS", "distance"],
        (
            [_match_name(one), _verdict(one), f"{one.ks:.3f}", percent(one.distance)]
            for one in result.candidates
        ),
        framed(columns, ([getattr(one, name) for name in columns] for one in result.candidates)),
        spec,
    )


def profile(result: Profile) -> View:
    """One profile; one frame row per constant."""
    where = "a board by itself" if result.medium is None else f"over {result.medium}"
    # Text, because each value has its own unit.
    values = {name: plain(one["value"]) for name, one in result.parameters.items()}
    return View(
        f"Link {result.name}: {result.about}",
        f"{result.kind}, {where}; {len(result.parameters)} parameters, "
        f"{len(result.published)} published figures",
        ["parameter", "value", "description"],
        (
            [name, f"{values[name]} {one['unit']}".rstrip(), one["about"]]
            for name, one in result.parameters.items()
        ),
        framed(
            dict.fromkeys(("name", "value", "unit", "about", "source", "from"), str),
            (
                {**one, "name": name, "value": values[name]}
                for name, one in result.parameters.items()
            ),
        ),
    )


def links(result: Sequence[Profile]) -> View:
    """Profiles; one frame row per profile."""
    kinds = ", ".join(dict.fromkeys(each.kind for each in result))
    return View(
        many(len(result), "link profile"),
        f"kinds: {kinds or 'none'}",
        ["link", "description"],
        ([each.name, each.about] for each in result),
        framed(
            dict.fromkeys(("name", "kind", "medium", "about"), str),
            ([each.name, each.kind, each.medium, each.about] for each in result),
        ),
    )


def _what(result: Goodput) -> str:
    words = named(result.link, None, list(with_units(result.link, result.settings).items()))
    return f"{words}, {sized(result.traffic, result.size)}, seed {result.seed}"


def goodput(result: Goodput) -> View:
    """Saturated goodput; one frame row per category of time."""
    first = f"Goodput of {_what(result)}: {number(result.kbps)} kbit/s"
    limit = "ceiling unknown"
    if result.ceiling_kbps is not None:
        limit = (
            f"{percent(result.kbps / result.ceiling_kbps)} of {number(result.ceiling_kbps)} kbit/s"
        )
    whole = sum(one.ns for one in result.spent)

    return View(
        first,
        f"{limit}; {count(result.delivered)} delivered, {count(result.lost)} lost",
        ["time on", "total", "share"],
        ([kind, time(ns), percent(ns / whole)] for kind, ns in result.by_kind().items()),
        framed(
            {"name": str, "class": str, "ns": int},
            ([one.name, one.kind, one.ns] for one in result.spent),
        ),
        drawn_by("pages.choices", "spent", result, first),
    )


def loaded(result: Loaded) -> View:
    """Link under load; one frame row per load, lightest first."""
    offer, points = result.offer, result.points
    knee = "no knee within these loads"
    if result.knee_kbps is not None:
        knee = f"knee at {number(result.knee_kbps)} kbit/s"

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

    return View(
        f"Load on {_what(result.saturated)}: {many(len(points), 'load')}, {offer.arrivals}, "
        f"queue {offer.queue}",
        f"{knee}; goodput {number(result.saturated.kbps)} kbit/s saturated",
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
        drawn_by("pages.traffic", "load", [result]),
    )
