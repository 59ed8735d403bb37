"""Pictures of sweeps whose tables are kept in ``campaigns/sweeps``, as the sweeps take minutes.

Each file there says by which command its table is made again.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import altair as alt
import polars as pl
import vl_convert

from airlag.pages import theme
from airlag.pages.picture import VEGA_LITE

SWEEPS = Path(__file__).resolve().parents[1] / "campaigns" / "sweeps"
#: What is drawn below each other: its column, its title, what one of the unit of the axis is in
#: that of the column, and whether the axis is logarithmic.
MEASURES = (
    ("delivery_ratio", "delivered, %", 0.01, False),
    ("p99_ns", "p99 of what arrives, ms", 1e6, True),
    ("delivered_nc", "sender, uC a delivered message", 1e3, True),
)
#: Share of messages below which nobody asks what one of them costs.
LEAST = 0.05
WIDTH, HEIGHT = 250, 170


def pictures() -> Iterator[tuple[str, str]]:
    """Names and text of all of them, as SVG."""
    yield "sweep-range.svg", by_range(_table("range.csv"))
    yield "sweep-neighbours.svg", by_neighbour(_table("neighbours.csv"))


def _table(name: str) -> pl.DataFrame:
    """A table that is kept, with what each message that arrived took out of the sender's battery.

    Where a few of a hundred arrive, that is a charge of chance.
    """
    enough = (pl.col("delivery_ratio") >= LEAST) & (pl.col("sender_marginal_nc") > 0)
    delivered = pl.col("sender_marginal_nc") / pl.col("delivery_ratio")
    return pl.read_csv(SWEEPS / name).with_columns(
        delivered_nc=pl.when(enough).then(delivered),
    )


def by_range(table: pl.DataFrame) -> str:
    """Every radio against the distance, an environment a column."""
    order = table["environment"].unique(maintain_order=True).to_list()
    columns = {name: table.filter(environment=name) for name in order}
    scale = alt.Scale(type="log", domain=[1, 10_000])
    ticks = [10**n for n in range(5)]
    across = alt.X("range", title="range, m", scale=scale, axis=alt.Axis(values=ticks, format="d"))
    return _drawn(table, columns, across)


def by_neighbour(table: pl.DataFrame) -> str:
    """Every link against how much of the time a Wi-Fi neighbour sends, or how many of BLE do."""
    # Nobody has no text.
    held = table.with_columns(pl.col("neighbours").fill_null(""))
    many = pl.col("neighbours").str.extract(r":(\d+)").cast(pl.Int64).fill_null(0)
    alone = pl.col("neighbours") == ""
    held = held.with_columns(amount=many)
    columns = {
        "Wi-Fi on channel 1, % of the time": held.filter(
            alone | pl.col("neighbours").str.starts_with("wifi")
        ),
        "BLE connections of 251 B every 30 ms": held.filter(
            alone | pl.col("neighbours").str.starts_with("ble")
        ),
    }
    return _drawn(held, columns, alt.X("amount", title="neighbour"))


def _drawn(table: pl.DataFrame, columns: Mapping[str, pl.DataFrame], across: alt.X) -> str:
    names = sorted(table["link"].unique())
    colours = [theme.RUN_COLOURS[nth % len(theme.RUN_COLOURS)] for nth in range(len(names))]
    dashes = [list(theme.DASHES[nth // len(theme.RUN_COLOURS)]) for nth in range(len(names))]
    rows = []
    for column, title, unit, log in MEASURES:
        told = table[column].drop_nulls() / unit
        domain = [told.min(), told.max()] if log else [0, 100]
        upright = alt.Scale(type="log" if log else "linear", domain=domain)
        panels = []
        for head, held in columns.items():
            drawn = held.filter(pl.col(column).is_not_null()).with_columns(pl.col(column) / unit)
            base = alt.Chart(drawn, width=WIDTH, height=HEIGHT, title="" if rows else head)
            colour = alt.Scale(domain=names, range=colours)
            legend = alt.Legend(title=None, symbolType="stroke", symbolSize=400)
            line = base.mark_line(strokeWidth=1.5).encode(
                across,
                alt.Y(column, title=None if panels else title, scale=upright),
                alt.Color("link", scale=colour, legend=legend),
                alt.StrokeDash("link", scale=alt.Scale(domain=names, range=dashes), legend=legend),
            )
            point = base.mark_point(size=18, filled=True, opacity=1).encode(
                across, alt.Y(column), alt.Color("link", scale=colour, legend=None)
            )
            panels.append(line + point)
        rows.append(alt.hconcat(*panels))
    spec: dict[str, Any] = alt.vconcat(*rows).to_dict() | {"config": theme.config()}
    return vl_convert.vegalite_to_svg(spec, vl_version=VEGA_LITE)
