"""Notebook views of runs, comparisons and explanations."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

from airlag import _airlag
from airlag.core import quantity
from airlag.core.display import short_name
from airlag.core.quantity import count, duration, percent, unit_for
from airlag.core.types import Difference
from airlag.questions.budget import Explanation
from airlag.questions.compare import Comparison
from airlag.questions.identity import with_units
from airlag.questions.run_rows import QUANTILES, frame_of, row, set_differently
from airlag.questions.runs import NONE, Outcome, Run
from airlag.views.notebook import View, drawn_by, framed, many, named, time

if TYPE_CHECKING:
    import polars as pl


def outcome_text(result: Run) -> str:
    """Number of triggers with each outcome, in words."""
    total = len(result.outcome)
    if result.trigger_ns is None:
        return f"{count(total)} latencies of a table"
    late = result.count(Outcome.LATE)
    words = [f"{count(result.count(Outcome.DELIVERED) + late)} of {count(total)} delivered"]
    for outcome in (Outcome.LATE, Outcome.LOST, Outcome.CENSORED):
        if found := result.count(outcome):
            words.append(f"{count(found)} {outcome.name.lower()}")
    return ", ".join(words)


def latency_text(result: Run) -> str:
    """Latency quantiles, in words."""
    if result.latency is None:
        return "nothing delivered"
    latency: Mapping[str, Any] = result.latency
    unit = unit_for([latency["p50"]])
    return ", ".join(f"{name} {duration(latency[name], unit)}" for name in (*QUANTILES, "max"))


def name_of(result: Run) -> str:
    """Link or source of a run with size and seed."""
    settings = with_units(result.link or "", set_differently(result))
    words = named(result.source, result.size, list(settings.items()))
    return words if result.seed is None else f"{words}, seed {result.seed}"


def _between(ends: Iterable[float | None], unit: quantity.Unit) -> str:
    """Formats a confidence interval with its unit."""
    shown = quantity.interval(ends, lambda end: quantity.number(end / unit.ns), " to ")
    return f"{shown} {unit.name}"


def run(result: Run, kind: str = "distribution") -> View:
    """One run: quantiles with intervals; one frame row per transfer."""
    found = ", ".join(finding.name for finding in result.findings)

    def cells() -> Iterator[list[str]]:
        latency: Mapping[str, Any] = result.latency or {}
        for name in QUANTILES if latency else ():
            unit = unit_for([latency["p50"]])
            ends = latency["interval95"].get(name, (None, None))
            yield [name, duration(latency[name], unit), _between(ends, unit)]

    return View(
        f"Run {name_of(result)}: {outcome_text(result)}",
        f"{latency_text(result)}; {f'findings: {found}' if found else 'no findings'}",
        ["quantile", "latency", "95 % interval"],
        cells(),
        lambda: _transfers(result),
        lambda: chart_of([result], kind),
    )


def _transfers(result: Run) -> pl.DataFrame:
    """Trigger, completion, latency (ns) and outcome of each transfer."""
    import polars as pl

    names = {int(outcome): outcome.name.lower() for outcome in Outcome}
    arrival = pl.Series(result.completion_ns, dtype=pl.Int64).replace(NONE, None)
    none = pl.repeat(None, len(arrival), dtype=pl.Int64, eager=True)
    timed = result.trigger_ns is not None
    trigger = pl.Series(result.trigger_ns, dtype=pl.Int64) if timed else none
    return pl.DataFrame(
        {
            "trigger_ns": trigger,
            "completion_ns": arrival if timed else none,
            # A latency table has no completions, only latencies.
            "latency_ns": arrival - trigger if timed else arrival,
            "outcome": pl.Series(result.outcome).replace_strict(names, return_dtype=pl.String),
        }
    )


def runs(result: Sequence[Run], kind: str = "distribution") -> View:
    """Several runs: outcomes, quantiles and all their settings; one frame row per run."""
    links = ", ".join(dict.fromkeys(short_name(each.link or each.source) for each in result))
    medians = [each.latency["p50"] for each in result if each.latency is not None]
    first, second = f"{len(result)} runs of {links or 'nothing'}", "nothing delivered"
    if medians:
        unit = unit_for(medians)
        low, high = duration(min(medians), unit), duration(max(medians), unit)
        first, second = f"{many(len(result), 'run')} of {links}", f"medians from {low} to {high}"

    def cells() -> Iterator[list[str]]:
        for each in result:
            latency: Mapping[str, Any] = each.latency or {}
            unit = unit_for([latency["p50"]] if latency else [])
            delivered = each.count(Outcome.DELIVERED) + each.count(Outcome.LATE)
            taken = [duration(latency[name], unit) if latency else "–" for name in QUANTILES]
            yield [name_of(each), count(delivered), count(each.count(Outcome.LOST)), *taken]

    def frame() -> pl.DataFrame:
        asked = list(dict.fromkeys(name for each in result for name in set_differently(each)))
        # Only virtual runs of a known profile have effective settings.
        known = set(_airlag.links())
        settled = [each.seed is not None and each.link in known for each in result]
        pairs = zip(result, settled, strict=True)
        return frame_of([row(each, asked if made else ()) for each, made in pairs])

    return View(
        first,
        second,
        ["run", "delivered", "lost", *QUANTILES],
        cells(),
        frame,
        lambda: chart_of(result, kind),
    )


def chart_of(result: Sequence[Run], kind: str = "distribution") -> dict[str, Any]:
    """Returns one of the charts of a report.

    Raises :class:`ValueError` for an unknown name, or if the chart does not apply.
    """
    from airlag.views.pages.charts import CHARTS, drawn

    if kind not in CHARTS:
        near = get_close_matches(kind, CHARTS, 1)
        meant = f"did you mean {near[0]!r}?" if near else f"choose one of {', '.join(CHARTS)}"
        raise ValueError(f"no chart {kind!r}; {meant}")
    if not result:
        raise ValueError(f"no runs, so no chart {kind!r}; expected at least one run")
    return drawn(kind, result).spec


def comparison(result: Comparison) -> View:
    """Two runs: verdict, then numbers; one frame row per compared number."""
    answer = result.to_json()
    latencies: dict[str, Difference] = dict(answer["latency_ns"])
    delivery, median = answer["delivery"], latencies.get("p50")
    verdict = "comparable" if answer["comparable"] else f"not comparable: {answer['obstacles'][0]}"
    second = "no latencies on one side"
    if median is not None:
        unit = unit_for([median["a"], median["b"]])
        a, b, apart = (duration(median[key], unit) for key in ("a", "b", "difference"))
        second = f"p50 {a} to {b}, {'' if median['difference'] < 0 else '+'}{apart}"

    def cells() -> Iterator[list[str]]:
        for name, each in latencies.items():
            unit = unit_for([each["a"], each["b"]])
            values = [duration(each[key], unit) for key in ("a", "b", "difference")]
            yield [name, *values, _between(each["interval95"], unit)]
        if delivery is not None:
            ends = ("?" if end is None else f"{100 * end:.2g}" for end in delivery["interval95"])
            shares = [percent(delivery["a"]), percent(delivery["b"])]
            moved = f"{100 * delivery['difference']:+.2g} %"
            yield ["delivery", *shares, moved, f"{' to '.join(ends)} %"]

    numbers = {f"{name}_ns": each for name, each in latencies.items()}
    numbers |= {} if delivery is None else {"delivery": delivery}
    return View(
        f"Comparison of {short_name(answer['a'])} and {short_name(answer['b'])}: {verdict}",
        second,
        ["", "a", "b", "difference", "95 % interval"],
        cells(),
        framed(
            {"number": str, **dict.fromkeys(("a", "b", "difference", "low95", "high95"), float)},
            (
                [name, each["a"], each["b"], each["difference"], *each["interval95"]]
                for name, each in numbers.items()
            ),
        ),
        lambda: chart_of(result.runs, "percentile"),
    )


def explanation(result: Explanation) -> View:
    """Explained run; one frame row per slice of the budget, times in ns."""
    budget, second = result.budget, f"floor {time(result.floor.ns)}"
    if budget is not None:
        most = max(budget.items, key=lambda item: item.total_ns)
        second += f"; {percent(most.total_ns / budget.total_ns)} of the time is {most.name}"
        if result.advice is not None and result.advice.single:
            best = result.advice.single[0]
            second += f"; set {', '.join(f'{k}={v}' for k, v in best.settings.items())}"
            second += f" for p50 {time(best.p50['b'])}, p99 {time(best.p99['b'])}"
    items = () if budget is None else budget.items
    unit = unit_for([] if budget is None else [budget.mean_ns])

    return View(
        f"Explanation of {name_of(result.run)}: {outcome_text(result.run)}, "
        f"{latency_text(result.run)}",
        second,
        ["time on", "kind", "mean", "p50", "p99"],
        (
            [one.name, one.kind]
            + [duration(ns, unit) for ns in (one.mean_ns, one.p50_ns, one.p99_ns)]
            for one in items
        ),
        framed(
            {"name": str, "class": str, "total_ns": int}
            | dict.fromkeys(("mean_ns", "p50_ns", "p99_ns"), float),
            (one.to_json() for one in items),
        ),
        drawn_by("pages.packet", "chart", result),
    )
