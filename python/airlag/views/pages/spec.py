"""Chart specifications, filled with rows and values.

A chart is ``specs/NAME.vl.json``, a Vega-Lite specification with named data. What depends on data
is a variable, as ``crates/study/src/chart/template.rs`` describes. Parts that several charts share
are in ``specs/parts.json``, those of one chart in its ``$parts``; the look of all of them is
``specs/config.json``.
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

#: A Vega-Lite specification; its tables are under ``datasets``.
Spec = dict[str, Any]
#: A table by column, arrays or sequences. Names of columns that hold text end in ``text``.
Columns = Mapping[str, Any]
#: Tables by name: by column, a list of rows, or comma-separated values.
Tables = Mapping[str, Any]

#: Width of every chart, of its axis at the left, of the words at the right, and of what is between,
#: px: the same for all, so that they stand exactly below each other.
WIDTH = 990
LEFT = 70
RIGHT = 140
PLOT = WIDTH - LEFT - RIGHT

#: What the variables stand for that every specification shares.
LAYOUT = {
    # A title begins where the plot does, and reaches into the words at the right.
    "wide": PLOT + 80,
    "plot": PLOT,
    "ink": theme.INK,
    "quiet": theme.QUIET,
    "grid": theme.GRID,
    "paper": theme.PAPER,
    "lost": theme.LOST,
    "cross": theme.CROSS,
}

#: What a specification has only at its top.
ONCE = ("$schema", "config", "datasets", "usermeta")

#: Version of Vega-Lite that draws.
VEGA_LITE = "6.4"


def fill(name: str, values: Mapping[str, Any], tables: Tables) -> Spec:
    """Fills the specification of that name; its titles are broken at the width ``wide``, px.

    ``values`` are what its variables stand for beside those of :data:`LAYOUT`, ``tables`` its
    named data. Columns become comma-separated values, a third the size of JSON objects.
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
    """Puts charts below each other, each with axes of its own.

    The name of a chart stands before the names of its tables. Widths, size of the title and its
    distance from the first chart are px; as usual if ``None``.
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
    """A column as Python's own values; 6 decimals of a millisecond are a nanosecond."""
    if isinstance(values, np.ndarray):
        rounded = np.round(values, 6) if values.dtype.kind == "f" else values
        plain: list[Any] = rounded.tolist()
        return plain
    return [round(each, 6) if isinstance(each, float) else each for each in values]
