"""The table of a campaign: a row for each link and payload, families of links apart.

::

                                         frozen phase          asynchronous
    ieee802154, ms     B   published     p50    p99  lost      p50    p99  lost   floor
    ieee802154-blind  12         2.5   9.990  9.990     0    6.598  11.30     0   0.928
"""

from __future__ import annotations

from collections.abc import Iterator

from airlag.cli.summary import of_delivered
from airlag.cli.table import Cell, Column, Table, Value, named
from airlag.core.quantity import Unit, share
from airlag.questions.percentile import Percentile
from airlag.questions.runs import Outcome, Run
from airlag.views.campaign_results import UNKNOWN, Line, Results, figure, published, unit_of

QUANTILES: tuple[Percentile, ...] = ("p50", "p99")


def tables(results: Results) -> list[Table]:
    """Runs of the bench beside what is known of their links, a table a family."""
    lost = any(_has_lost(line, results) for family in results.families.values() for line in family)
    found = []
    for name, family in results.families.items():
        unit = unit_of(family)
        # Of boards without a message there is no payload to head a column.
        payload = "" if all(line.size is None for line in family) else "B"
        columns = [
            named(f"{name}, {unit.name}", "link", style=""),
            Column(payload, key="size_bytes"),
            Column("published", key="published_ns"),
        ]
        for column in results.columns:
            key = column.head.replace(" ", "_")
            columns += [
                Column(each, key=f"{key}_{each}_ns", group=column.head) for each in QUANTILES
            ]
            columns.append(Column("lost", key=f"{key}_lost", group=column.head))
        columns.append(Column("floor", key="floor_ns"))
        of: dict[str, Value] = {"family": name}
        rows = [[*_cells(line, results, unit)] for line in family]
        found.append(Table(columns, rows, of_delivered(lost=lost), of, margin=0))
    return found


def _cells(line: Line, results: Results, unit: Unit) -> Iterator[Cell]:
    yield Cell(line.name, line.name)
    yield Cell("" if line.size is None else str(line.size), line.size)
    yield Cell(published(line, unit), line.known.published_ns)
    for column in results.columns:
        yield from _figures(column.of(line), unit)
    yield Cell(figure(line.known.floor_ns, unit), line.known.floor_ns)


def _has_lost(line: Line, results: Results) -> bool:
    runs = (column.of(line) for column in results.columns)
    return any(run is not None and run.count(Outcome.LOST) > 0 for run in runs)


def _figures(run: Run | None, unit: Unit) -> Iterator[Cell]:
    """Quantiles of a run, and the share it lost."""
    if run is None:
        yield from [Cell(UNKNOWN)] * (len(QUANTILES) + 1)
        return
    for name in QUANTILES:
        ns = None if run.latency is None else run.latency[name]
        yield Cell(figure(ns, unit), ns)
    lost, triggers = run.count(Outcome.LOST), len(run.outcome)
    yield Cell(share(lost, triggers), lost, "bold red") if lost else Cell("0", 0)
