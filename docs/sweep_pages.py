"""Pictures of the sweeps in ``campaigns/sweeps``, from stored tables, as sweeps take minutes.

Each sweep file states the command that recreates its table.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import polars as pl

from airlag.views.pages import theme
from airlag.views.pages.output import drawn_svg
from airlag.views.pages.sheet import axis, axis_between
from airlag.views.pages.spec import fill

SWEEPS = Path(__file__).resolve().parents[1] / "campaigns" / "sweeps"
#: Stacked panels: column, title, column units per axis unit, whether the axis is logarithmic.
MEASURES = (
    ("delivery_ratio", "delivered, %", 0.01, False),
    ("p99_ns", "p99 latency, ms (log axis)", 1e6, True),
    ("delivered_nc", "charge per message, uC (log axis)", 1e3, True),
)
#: Delivery ratio below which the charge per delivered message is not drawn.
LEAST = 0.05


def pictures() -> Iterator[tuple[str, str]]:
    """Yields names and SVG texts."""
    yield "sweep-range.svg", by_range(_table("range.csv"))
    yield "sweep-neighbours.svg", by_neighbour(_table("neighbours.csv"))


def _table(name: str) -> pl.DataFrame:
    """Reads a stored table and adds the sender's charge per delivered message.

    At low delivery that charge is dominated by chance, so it is left out.
    """
    enough = (pl.col("delivery_ratio") >= LEAST) & (pl.col("sender_marginal_nc") > 0)
    delivered = pl.col("sender_marginal_nc") / pl.col("delivery_ratio")
    return pl.read_csv(SWEEPS / name).with_columns(
        delivered_nc=pl.when(enough).then(delivered),
    )


def by_range(table: pl.DataFrame) -> str:
    """Every radio against distance, one column per environment."""
    held = table.with_columns(x=pl.col("range"), columntext=pl.col("environment"))
    heads = {name: name for name in table["environment"].unique(maintain_order=True)}
    across = axis_between(1, 10_000, log=True) | {"format": "d"}
    return _drawn(held, heads, "range, m (log axis)", across)


def by_neighbour(table: pl.DataFrame) -> str:
    """Every link against the duty cycle of a Wi-Fi neighbour, or the number of BLE neighbours."""
    # No neighbour is an empty text.
    neighbours = pl.col("neighbours").fill_null("")
    held = table.with_columns(x=neighbours.str.extract(r":(\d+)").cast(pl.Int64).fill_null(0))
    columns = [
        held.filter((neighbours == "") | neighbours.str.starts_with(kind)).with_columns(
            columntext=pl.lit(kind)
        )
        for kind in ("wifi", "ble")
    ]
    heads = {"wifi": "Wi-Fi on channel 1, % of the time", "ble": "BLE links, 251 B every 30 ms"}
    return _drawn(pl.concat(columns), heads, "neighbour", {"scale": {}})


def _drawn(
    table: pl.DataFrame, heads: Mapping[str, str], x_title: str, across: Mapping[str, Any]
) -> str:
    names = sorted(table["link"].unique())
    rows = []
    for name, y_title, unit, log in MEASURES:
        told = (table[name].drop_nulls() / unit).to_list()
        table = table.with_columns(pl.col(name) / unit)
        columns = [
            {
                "column": column,
                "head": "" if rows else head,
                "y_title": y_title if nth == 0 else "",
            }
            for nth, (column, head) in enumerate(heads.items())
        ]
        up = axis(told, log=True) if log else axis_between(0, 100, log=False)
        rows.append({"measure": name, "up": up, "columns": columns})
    values = {
        "wide": 250,
        "across": {"ticks": None, "format": None, **across},
        "x_title": x_title,
        "links": names,
        "colours": [theme.run_colour(nth) for nth in range(len(names))],
        "dashes": [theme.run_dash(nth) for nth in range(len(names))],
        "legend_columns": 5,
        "rows": rows,
    }
    drawn = table.select("link", "columntext", "x", *(name for name, *_ in MEASURES))
    return drawn_svg(fill("sweep", values, {"sweep": drawn.to_dicts()}))
