"""``airlag load``: latency, queueing and loss of links against offered load."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Annotated, Any

from rich.console import RenderableType
from rich.text import Text

from airlag.cli import options
from airlag.cli.options import checked, given, whole
from airlag.cli.run import Seed, payloads
from airlag.cli.settings import Changes, Spanned, is_span, span
from airlag.cli.summary import of_delivered, settings_block, span_table
from airlag.cli.work import Working, separated
from airlag.core.quantity import count, number, unit_for
from airlag.core.records import LoadPoint
from airlag.core.types import Arrivals, Carried
from airlag.questions import load as loads
from airlag.questions.identity import RunSettings, settings_in_words
from airlag.questions.load import Loaded, Offer, sized
from airlag.views.table import Cell, Column, Paragraph, Table, Value, lost, time

#: Default payload, bytes.
SIZE = 128
#: Number of loads in a range, including its ends.
STEPS = 13

_NUMBER = r"(?:\d+(?:\.\d*)?|\.\d+)"
_RANGE = re.compile(rf"({_NUMBER})(?:\.\.({_NUMBER}))?", re.ASCII)


def _values(text: str) -> list[float] | None:
    """Parses comma-separated numbers and ranges. A range is split at equal ratios."""
    values: list[float] = []
    for word in text.split(","):
        match = _RANGE.fullmatch(word)
        if match is None:
            return None
        low, high = float(match[1]), float(match[2] or match[1])
        if not 1e-6 <= low <= high <= 1e9:
            return None
        steps = STEPS if high > low else 1
        ratio = (high / low) ** (1 / max(steps - 1, 1))
        values += [float(f"{low * ratio**nth:.6g}") for nth in range(steps)]
    return values


_rates = checked("load in kbit/s", "one, or a range, such as 10,50 or 10..500", _values)
_parts = checked("part of the goodput", "one, or a range, such as 0.5,0.9 or 0.1..3", _values)


def load(
    *,
    links: list[str],
    sizes: Annotated[Sequence[int] | None, payloads] = None,
    rate: Annotated[Sequence[float] | None, _rates] = None,
    utilisation: Annotated[Sequence[float] | None, _parts] = None,
    queue: Annotated[int | None, whole("length of a queue", 1, 100_000, 64)] = None,
    arrivals: Arrivals | None = None,
    messages: Annotated[int | None, options.messages] = None,
    changes: Changes,
    seed: Seed = None,
    traffic: Carried | None = None,
    output: options.SheetOrChart = None,
    work: Working,
) -> None:
    """Measure latency, queueing and loss of links under growing load."""
    offered = given(rates_kbps=rate, utilisations=utilisation, queue=queue, arrivals=arrivals)
    offer = Offer(**offered, **given(count=messages, seed=seed, traffic=traffic))
    asked = span(changes, dict.fromkeys(links, sizes or [SIZE]))

    def send(each: Spanned, step: Callable[..., None]) -> Loaded:
        # Only links with messages have a queue.
        assert each.size is not None
        sent = replace(offer, size=each.size, settings=each.settings)
        return loads.load(each.link, sent, lambda _: step())

    def shown() -> Iterator[RenderableType]:
        yield from separated(map(_block, found))
        if len(found) > 1 and is_span(asked, sizes):
            yield from ("", _spanned(found))

    steps = len(offer.rates_kbps) + len(offer.utilisations) or STEPS
    found = work.each("loading", asked, send, len(asked) * steps)
    answer, draw = [each.to_json() for each in found], work.chart("traffic", "load", found)
    work.answer(answer, shown, output, map(_table, found), draw=draw if found else None)


def _block(each: Loaded) -> Iterator[RenderableType]:
    offer = each.offer
    yield Text.assemble(
        (each.saturated.link, "bold"),
        f"  {sized(offer.traffic, offer.size)}, {offer.arrivals.capitalize()} arrivals, "
        f"queue of {count(offer.queue)} messages",
    )
    yield from settings_block(settings_in_words(each.saturated.link, offer.settings))
    yield Paragraph(_limits(each))
    yield _table(each)


def _spanned(found: Sequence[Loaded]) -> Table:
    """One table for all runs of a span of settings."""
    heads = [
        Column(head, "kbit/s", f"{key}_kbps", shown=number)
        for head, key in (("knee", "knee"), ("saturated", "goodput"), ("ceiling", "ceiling"))
    ]
    asked = [RunSettings(one.saturated.link, one.offer.size, one.offer.settings) for one in found]
    measured = [
        (each.knee_kbps, each.saturated.kbps, each.saturated.ceiling_kbps) for each in found
    ]
    return span_table(asked, heads, measured)


def _limits(each: Loaded) -> Text:
    saturated = each.saturated
    parts = []
    if each.knee_kbps is not None:
        parts.append(Text.assemble(("knee ", "bold"), f"{number(each.knee_kbps)} kbit/s"))
    parts.append(Text(f"saturated goodput {number(saturated.kbps)} kbit/s (load 1)"))
    if saturated.ceiling_kbps is not None:
        parts.append(Text(f"ceiling {number(saturated.ceiling_kbps)} kbit/s"))
    return Text(" · ").join(parts)


def _table(each: Loaded) -> Table:
    medians = [point.latency["p50"] for point in each.points if point.latency is not None]
    unit = unit_for(sorted(medians)[len(medians) // 2 :][:1])
    columns = [
        Column("load", key="utilisation", style="dim", shown="{:.3g}".format),
        Column("offered", key="offered_kbps", shown=number, group="kbit/s"),
        Column("goodput", key="goodput_kbps", shown=number, group="kbit/s"),
        Column("queue", key="queue_mean", shown=_queue),
        time("p50", unit, "p50_ns"),
        time("p99", unit, "p99_ns"),
        Column("refused", key="refused"),
        Column("lost", key="lost"),
    ]
    if any(point.delivered_nc for point in each.points):
        columns.append(
            Column("", "uC/msg", key="sender_nc", group="sender", shown=lambda nc: number(nc / 1e3))
        )
    note = of_delivered(lost=bool(medians) and any(point.lost for point in each.points))
    offer = each.offer
    of: dict[str, Value] = {
        "link": each.saturated.link,
        "size_bytes": offer.size,
        "traffic": offer.traffic,
        "arrivals": offer.arrivals,
        "settings": " ".join(settings_in_words(each.saturated.link, offer.settings)),
    }
    rows = [[*_measured(point)][: len(columns)] for point in each.points]
    return Table.of_values(columns, rows, note, of)


def _queue(mean: float) -> str:
    return "<0.01" if 0 < mean < 0.01 else number(mean, 3)


def _measured(point: LoadPoint) -> Iterator[Cell | Value]:
    yield from (point.utilisation, point.offered_kbps, point.goodput_kbps, point.queue_mean)
    latency: Mapping[str, Any] = point.latency or {}
    yield from (latency.get("p50"), latency.get("p99"))
    yield lost(point.refused, point.offered)
    yield lost(point.lost - point.refused, point.offered)
    # Without deliveries, the charge per message is undefined.
    yield point.delivered_nc.get("sender")
