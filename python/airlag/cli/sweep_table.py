"""The table of a sweep: a row a configuration, over all of its replications."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rich.text import Text

from airlag.cli.span_table import NOTHING
from airlag.cli.summary import of_delivered
from airlag.cli.table import Cell, Column, Table, named, plain
from airlag.core import profiles
from airlag.core.display import printable
from airlag.core.quantity import Unit, number, percent, unit_for
from airlag.questions.identity import plain as written
from airlag.questions.sweeps.plan import Sweep
from airlag.questions.sweeps.summary import Summary

#: What is told of the latency on a terminal; files have all means.
_SHOWN = ("p50_ns", "p99_ns")
#: What is set, and is no parameter of a profile, with its unit.
_STIMULUS = {"period_ns": "ns", "phase": "", "traffic": ""}


def configurations_table(asked: Sweep, found: Summary) -> Table:
    """What differs among configurations, what arrived, and how long it took."""
    rows = found.frame.rows(named=True)
    medians = [row["p50_ns"] for row in rows if row["p50_ns"] is not None]
    unit = unit_for(sorted(medians)[len(medians) // 2 :][:1])
    parameters = profiles.parameters(asked.blocks[0].link)
    units = {name: parameters[name]["unit"] for name in found.settings} | _STIMULUS
    turned = [name for name in units if len({row[name] for row in rows}) > 1]
    # A period that nobody chose is as long as the link needs.
    chosen = {name for axis in asked.blocks[0].axes for name in axis.names}
    if "period" not in chosen and "period_ns" in turned:
        turned.remove("period_ns")
    columns = [named("link", "link"), Column("B", key="size_bytes")]
    columns += [Column(name.removesuffix("_ns"), units[name], key=name) for name in turned]
    columns += [Column("runs", key="runs"), Column("delivered", key="delivery_ratio")]
    for name in found.means:
        if name.endswith("_ns"):
            shown = name in _SHOWN
            columns.append(Column(name.removesuffix("_ns"), unit.name, name, hidden=not shown))
        elif name != "delivery":
            columns.append(
                Column("sender", "nC", name)
                if name == "sender_marginal_nc"
                else Column(name, key=name, hidden=True)
            )
    columns.append(Column("problem", key="problem", right=False, hidden=True))
    cells = [_cells(row, turned, found.means, unit) for row in rows]
    lost = any(row["lost"] for row in rows)
    title = Text(f"{asked.name}: means over replications", style="bold")
    return Table(columns, cells, of_delivered(lost=lost), title=title)


def _cells(row: Mapping[str, Any], turned: list[str], means: list[str], unit: Unit) -> list[Cell]:
    size, arrived, lost = row["size"], row["delivered"], row["lost"]
    cells = [plain(row["link"]), Cell("" if size is None else str(size), size)]
    for name in turned:
        value = row[name]
        cells.append(Cell(NOTHING if value is None else printable(written(value)), value))
    ratio = arrived / (arrived + lost) if arrived + lost else None
    style = "bold red" if lost else ""
    cells.append(Cell(str(row["runs"]), row["runs"]))
    cells.append(Cell(NOTHING if ratio is None else percent(ratio), ratio, style))
    for name in means:
        value = row[name]
        if name == "delivery":
            continue
        scale = unit.ns if name.endswith("_ns") else 1
        cells.append(Cell(NOTHING if value is None else number(value / scale), value))
    cells.append(plain(row["problem"] or ""))
    return cells
