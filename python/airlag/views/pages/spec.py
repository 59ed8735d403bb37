"""Chart specifications, filled with rows and values.

A chart is a Vega-Lite specification ``specs/NAME.vl.json`` with named data and with variables.
``crates/study/src/chart/template.rs`` describes the variables. Parts used by several charts are in
``specs/parts.json``, and parts used by one chart are in ``$parts`` of its specification. The style
that all charts share is in ``specs/config.json``.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import resources
from typing import Any

import numpy as np
from numpy.typing import NDArray

from airlag._airlag import fill_chart, rename_data
from airlag.views.pages import theme

#: Vega-Lite specification with its tables under ``datasets``.
Spec = dict[str, Any]
#: Table by column, as arrays or sequences. Text columns have names that end in ``text``.
Columns = Mapping[str, Any]
#: Tables by name: columns, a list of rows, or comma-separated values.
Tables = Mapping[str, Any]

#: Widths of the whole chart, the left axis, the text at the right and the plot, px. They are equal
#: on all charts, so that stacked plots align.
WIDTH = 990
LEFT = 70
RIGHT = 140
PLOT = WIDTH - LEFT - RIGHT

#: Values of the variables that every specification shares.
LAYOUT = {
    # Titles start at the plot's left edge and extend above the text at the right.
    "wide": PLOT + 80,
    "plot": PLOT,
    "ink": theme.INK,
    "quiet": theme.QUIET,
    "grid": theme.GRID,
    "paper": theme.PAPER,
    "lost": theme.LOST,
    "cross": theme.CROSS,
}

#: Keys that are valid only at the top level of a specification.
ONCE = ("$schema", "config", "datasets", "usermeta")

#: Version of Vega-Lite that renders the charts.
VEGA_LITE = "6.4"


def fill(name: str, values: Mapping[str, Any], tables: Tables) -> Spec:
    """Fills the specification ``name`` and wraps its titles at the width ``wide``, px.

    ``values`` are the variables beyond :data:`LAYOUT`. ``tables`` is the named data. Columns are
    written as comma-separated values, which take a third of the size of JSON objects.
    """
    datasets: dict[str, Any] = {}
    formats = {}
    for key, table in tables.items():
        datasets[key] = table if isinstance(table, list | str) else _csv(table)
        if not isinstance(table, list | str):
            parse = {name: "string" if name.endswith("text") else "number" for name in table}
            formats[key] = {"type": "csv", "parse": parse}
    source = {**_file(f"{name}.vl.json"), "config": _file("config.json")}
    asked = (source, _file("parts.json"), {**LAYOUT, **values}, formats)
    spec: Spec = json.loads(fill_chart(*map(json.dumps, asked)))
    return {**spec, "datasets": datasets}


def stacked(
    charts: Mapping[str, Spec],
    title: str,
    lines: Sequence[str],
    *,
    wide: float = 860,
    size: int | None = None,
    offset: int | None = None,
) -> Spec:
    """Stacks charts, each with its own axes.

    The name of each table is prefixed with the name of its chart. ``wide``, the title size ``size``
    and the distance ``offset`` to the first chart are in px; ``None`` selects the default.
    """
    tables: dict[str, Any] = {}
    parts = []
    for name, chart in charts.items():
        tables |= {f"{name}-{key}": table for key, table in chart["datasets"].items()}
        part = {k: v for k, v in chart.items() if k not in ONCE}
        parts.append(json.loads(rename_data(json.dumps(part), name, list(chart["datasets"]))))
    values = {"title": title, "lines": lines, "size": size, "offset": offset, "wide": wide}
    return fill("stacked", {**values, "charts": parts}, tables)


@cache
def _file(name: str) -> dict[str, Any]:
    text = resources.files("airlag.views").joinpath("specs", name).read_text(encoding="utf-8")
    found: dict[str, Any] = json.loads(text)
    return found


def _csv(columns: Columns) -> str:
    text = io.StringIO()
    lines = csv.writer(text, lineterminator="\n")
    lines.writerow(columns)
    lines.writerows(zip(*map(_plain, columns.values()), strict=True))
    return text.getvalue()


def _plain(values: NDArray[Any] | Sequence[Any]) -> list[Any]:
    """Converts a column to Python values, rounded to 6 decimals: 1 ns in milliseconds."""
    if isinstance(values, np.ndarray):
        rounded = np.round(values, 6) if values.dtype.kind == "f" else values
        plain: list[Any] = rounded.tolist()
        return plain
    return [round(each, 6) if isinstance(each, float) else each for each in values]
