"""Tables that several charts share: names and notes of rows of runs, words beside a plot."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from airlag.core.quantity import count
from airlag.views.pages.sheet import Row
from airlag.views.pages.spec import Columns
from airlag.views.pages.thin import Marks

#: Height of a line of words beside a chart, px.
LINE = 15


def by_run(rows: Iterable[Row], columns: Iterable[Mapping[str, NDArray[Any]]]) -> Columns:
    """One table of what several runs have in columns of the same names; ``r`` is the run."""
    parts = []
    for row, own in zip(rows, columns, strict=True):
        shape = len(next(iter(own.values())))
        parts.append({"r": np.full(shape, row.number), **own})
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}


def rows_down(rows: Sequence[Row], tall: float) -> dict[str, Any]:
    """Values of a chart with a row a run, ``tall`` px each; row ``i`` is centred on ``y = i``."""
    return {
        "row_domain": [-0.5, len(rows) - 0.5],
        "height": tall * len(rows),
        "tall": tall,
        "order": [row.number for row in rows],
    }


def names_and_notes(rows: Sequence[Row], notes: Sequence[str], tall: float) -> dict[str, Columns]:
    """Tables of what stands above each row of a chart, and of what right of it."""
    # Text is centred 9 px below the top of its row.
    down = [place - 0.5 + 9.0 / tall for place in range(len(rows))]
    told = [(row.number, y, text) for row, y, text in zip(rows, down, notes, strict=True) if text]
    return {
        "names": {
            "r": [row.number for row in rows],
            "y": down,
            "text": [row.name for row in rows],
        },
        "notes": table(("r", "y", "text"), told),
    }


def table(names: Sequence[str], rows: Sequence[Sequence[Any]]) -> Columns:
    """Rows as columns."""
    return {name: [row[place] for row in rows] for place, name in enumerate(names)}


def side_words(lines: Sequence[tuple[str, str]], first: float = 8.0) -> Columns:
    """Table of lines right of a chart: text and colour of each, the first so many px down."""
    placed = [(first + LINE * nth, *line) for nth, line in enumerate(lines)]
    return table(("px", "text", "ctext"), placed)


def of_marks(marks: Marks) -> dict[str, Any]:
    """How marks look that stand for transfers, and what a chart reports on them."""
    shared = marks.count != marks.transfers
    most = max((int(many.max()) for many in marks.stand_for if len(many)), default=1)
    width = 5.0 if marks.count <= 200 else 4.0 if marks.count <= 5000 else 3.0
    # Many marks show where they lie on each other.
    alone = 0.75 if marks.count <= 200 else 0.5
    return {
        "area": max(width, marks.width) ** 2,
        "most": max(most, 2),
        "opacities": [0.3, 1.0] if shared else [alone, alone],
        "words": _how_many(marks),
    }


def _how_many(marks: Marks) -> str:
    if marks.count == marks.transfers:
        return f"{count(marks.count)} transfer{'' if marks.count == 1 else 's'}, one mark each."
    return (
        f"{count(marks.transfers)} transfers as {count(marks.count)} marks: "
        "points closer than a mark share one, darker for more."
    )
