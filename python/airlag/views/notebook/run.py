"""Runs, what differs between two of them, and where the time of one went."""

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
from airlag.views.notebook import Showing, drawn_by, framed, many, named, time

if TYPE_CHECKING:
    import polars as pl


def arrived(told: Run) -> str:
    """What became of the triggers, in words."""
    total = len(told.outcome)
    if told.trigger_ns is None:
        return f"{count(total)} latencies of a table"
    late = told.count(Outcome.LATE)
    words = [f"{count(told.count(Outcome.DELIVERED) + late)} of {count(total)} delivered"]
    for outcome in (Outcome.LATE, Outcome.LOST, Outcome.CENSORED):
        if found := told.count(outcome):
            words.append(f"{count(found)} {outcome.name.lower()}")
    return ", ".join(words)


def took(told: Run) -> str:
    """How long it took, in words."""
    if told.latency is None:
        return "nothing arrived"
    latency: Mapping[str, Any] = told.latency
    unit = unit_for([latency["p50"]])
    return ", ".join(f"{name} {duration(latency[name], unit)}" for name in (*QUANTILES, "max"))


def name_of(told: Run) -> str:
    """What it is a run of."""
    settings = with_units(told.link or "", set_differently(told))
    words = named(told.source, told.size, list(settings.items()))
    return words if told.seed is None else f"{words}, seed {told.seed}"


def _between(ends: Iterable[float | None], unit: quantity.Unit) -> str:
    """An interval; an end that is not known is a question mark."""
    low, high = ("?" if end is None else quantity.number(end / unit.ns) for end in ends)
    return f"{low} to {high} {unit.name}"


def run(told: Run, kind: str = "distribution") -> Showing:
    """One run: quantiles with their intervals; a row of its frame is a transfer."""
    found = ", ".join(finding.name for finding in told.findings)

    def cells() -> Iterator[list[str]]:
        latency: Mapping[str, Any] = told.latency or {}
        for name in QUANTILES if latency else ():
            unit = unit_for([latency["p50"]])
            ends = latency["interval95"].get(name, (None, None))
            yield [name, duration(latency[name], unit), _between(ends, unit)]

    return Showing(
        f"Run {name_of(told)}: {arrived(told)}",
        f"{took(told)}; {f'findings: {found}' if found else 'no findings'}",
        ["quantile", "latency", "95 % interval"],
        cells(),
        lambda: _transfers(told),
        lambda: chart_of([told], kind),
    )


def _transfers(told: Run) -> pl.DataFrame:
    """Trigger, completion, latency in ns, and outcome of each transfer."""
    import polars as pl

    names = {int(outcome): outcome.name.lower() for outcome in Outcome}
    arrival = pl.Series(told.completion_ns, dtype=pl.Int64).replace(NONE, None)
    none = pl.repeat(None, len(arrival), dtype=pl.Int64, eager=True)
    timed = told.trigger_ns is not None
    trigger = pl.Series(told.trigger_ns, dtype=pl.Int64) if timed else none
    return pl.DataFrame(
        {
            "trigger_ns": trigger,
            "completion_ns": arrival if timed else none,
            # A table has latencies in the place of completions.
            "latency_ns": arrival - trigger if timed else arrival,
            "outcome": pl.Series(told.outcome).replace_strict(names, return_dtype=pl.String),
        }
    )


def runs(told: Sequence[Run], kind: str = "distribution") -> Showing:
    """Several runs: fates and quantiles; a row of their frame is a run, with what any one sets."""
    links = ", ".join(dict.fromkeys(short_name(each.link or each.source) for each in told))
    medians = [each.latency["p50"] for each in told if each.latency is not None]
    first, second = f"{len(told)} runs of {links or 'nothing'}", "nothing arrived"
    if medians:
        unit = unit_for(medians)
        low, high = duration(min(medians), unit), duration(max(medians), unit)
        first, second = f"{many(len(told), 'run')} of {links}", f"medians from {low} to {high}"

    def cells() -> Iterator[list[str]]:
        for each in told:
            latency: Mapping[str, Any] = each.latency or {}
            unit = unit_for([latency["p50"]] if latency else [])
            delivered = each.count(Outcome.DELIVERED) + each.count(Outcome.LATE)
            taken = [duration(latency[name], unit) if latency else "–" for name in QUANTILES]
            yield [name_of(each), count(delivered), count(each.count(Outcome.LOST)), *taken]

    def frame() -> pl.DataFrame:
        asked = list(dict.fromkeys(name for each in told for name in set_differently(each)))
        # Only a run of the virtual bench, of a profile that there is, has settings as they are.
        known = set(_airlag.links())
        settled = [each.seed is not None and each.link in known for each in told]
        pairs = zip(told, settled, strict=True)
        return frame_of([row(each, asked if made else ()) for each, made in pairs])

    return Showing(
        first,
        second,
        ["run", "delivered", "lost", *QUANTILES],
        cells(),
        frame,
        lambda: chart_of(told, kind),
    )


def chart_of(told: Sequence[Run], kind: str = "distribution") -> dict[str, Any]:
    """One of the charts of a report.

    Raises
    ------
    ValueError
        With one line: which charts there are, or why this one does not apply.
    """
    from airlag.views.pages.charts import CHARTS, drawn

    if kind not in CHARTS:
        near = get_close_matches(kind, CHARTS, 1)
        meant = f"did you mean {near[0]!r}?" if near else f"choose one of {', '.join(CHARTS)}"
        raise ValueError(f"no chart {kind!r}; {meant}")
    if not told:
        raise ValueError(f"no runs, so no chart {kind!r}; expected at least one run")
    return drawn(kind, told).spec


def comparison(told: Comparison) -> Showing:
    """Two runs: the verdict before the numbers; a row of the frame is one number of both."""
    answer = told.to_json()
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
    return Showing(
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
        lambda: chart_of(told.runs, "percentile"),
    )


def explanation(told: Explanation) -> Showing:
    """An explained run; a row of the frame is one thing time was spent on, in order, ns."""
    budget, second = told.budget, f"floor {time(told.floor.ns)}"
    if budget is not None:
        most = max(budget.items, key=lambda item: item.total_ns)
        second += f"; {percent(most.total_ns / budget.total_ns)} of the time is {most.name}"
        if told.advice is not None and told.advice.single:
            best = told.advice.single[0]
            second += f"; set {', '.join(f'{k}={v}' for k, v in best.settings.items())}"
            second += f" for p50 {time(best.p50['b'])}, p99 {time(best.p99['b'])}"
    items = () if budget is None else budget.items
    unit = unit_for([] if budget is None else [budget.mean_ns])

    return Showing(
        f"Explanation of {name_of(told.run)}: {arrived(told.run)}, {took(told.run)}",
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
        drawn_by("pages.packet", "chart", told),
    )
