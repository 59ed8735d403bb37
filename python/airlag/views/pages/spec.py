"""Chart specifications, filled with rows and values.

A chart is ``specs/NAME.vl.json``, a Vega-Lite specification with named data. What depends on data
is a variable of :mod:`airlag.views.pages.template`. Parts that several charts share are in
``specs/parts.json``, those of one chart in its ``$parts``.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib import resources
from typing import Any

import numpy as np
from numpy.typing import NDArray

from airlag.views.pages import theme
from airlag.views.pages.template import Values, expanded
from airlag.views.pages.text import TITLE, wrapped

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
    "lost": theme.LOST,
    "cross": theme.CROSS,
}

#: What a specification has only at its top.
ONCE = ("$schema", "config", "datasets", "usermeta")
#: Colours of the look of all charts, ``specs/config.json``.
LOOK = {"ink": theme.INK, "quiet": theme.QUIET, "grid": theme.GRID, "paper": theme.PAPER}

#: Version of Vega-Lite that draws.
VEGA_LITE = "6.4"


def fill(name: str, values: Values, tables: Tables) -> Spec:
    """Fills the specification of that name; its titles are broken at the width ``wide``, px.

    ``values`` are what its variables stand for beside those of :data:`LAYOUT`, ``tables`` its
    named data. Columns become comma-separated values, a third the size of JSON objects.
    """
    values = {**LAYOUT, **values}
    source = _file(f"{name}.vl.json")
    parts = {**_file("parts.json"), **source.get("$parts", {})}
    spec: Spec = expanded({k: v for k, v in source.items() if k != "$parts"}, values, parts)
    datasets: dict[str, Any] = {}
    formats = {}
    for key, table in tables.items():
        datasets[key] = table if isinstance(table, list | str) else _csv(table)
        if not isinstance(table, list | str):
            parse = {name: "string" if name.endswith("text") else "number" for name in table}
            formats[key] = {"type": "csv", "parse": parse}
    for node in nodes(spec):
        data = node.get("data")
        if isinstance(data, dict) and data.get("name") in formats:
            node["data"] = {**data, "format": formats[data["name"]]}
        title = node.get("title")
        if isinstance(title, dict):
            node["title"] = _broken(title, values["wide"])
    return {**spec, "config": expanded(_file("config.json"), LOOK, {}), "datasets": datasets}


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
        parts.append(_renamed(part, name, chart["datasets"]))
    values = {"title": title, "lines": lines, "size": size, "offset": offset, "wide": wide}
    return fill("stacked", {**values, "charts": parts}, tables)


def _renamed(node: Any, prefix: str, datasets: Mapping[str, Any]) -> Any:
    """A copy of a specification whose tables have a prefix."""
    if isinstance(node, list):
        return [_renamed(each, prefix, datasets) for each in node]
    if not isinstance(node, dict):
        return node
    copy = {key: _renamed(each, prefix, datasets) for key, each in node.items()}
    data = copy.get("data")
    if isinstance(data, dict) and data.get("name") in datasets:
        copy["data"] = {**data, "name": f"{prefix}-{data['name']}"}
    return copy


@cache
def _file(name: str) -> dict[str, Any]:
    text = resources.files("airlag.views").joinpath("specs", name).read_text(encoding="utf-8")
    found: dict[str, Any] = json.loads(text)
    return found


def nodes(value: Any) -> Iterator[dict[str, Any]]:
    """Every object in a specification, from the top."""
    if isinstance(value, dict):
        yield value
    for each in value.values() if isinstance(value, dict) else value:
        if isinstance(each, dict | list):
            yield from nodes(each)


def _broken(title: dict[str, Any], width: float) -> dict[str, Any]:
    """A title in lines that fit; texts without a word are left out."""
    lines = {"text": (title.get("fontSize", TITLE), True), "subtitle": (12, False)}
    broken = dict(title)
    for key in lines.keys() & title.keys():
        size, bold = lines[key]
        texts = title[key]
        texts = [texts] if isinstance(texts, str) else texts
        broken[key] = [
            line for text in texts if text for line in wrapped(text, width, size, bold=bold)
        ] or [""]
    return broken


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
