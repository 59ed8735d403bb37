"""Loads of tunnels on the terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Literal

from rich.console import RenderableType
from rich.text import Text

from airlag.cli.paragraph import Paragraph
from airlag.cli.summary import of_delivered
from airlag.cli.table import Cell, Column, Table, Value
from airlag.core.quantity import number, share
from airlag.questions.tunnel_bench import told

if TYPE_CHECKING:
    from airlag.core.types import Latency, RealLoad, VirtualLoad

    Load = VirtualLoad | RealLoad


def blocks(found: Sequence[Load]) -> Iterator[RenderableType]:
    """A block for each tunnel and its settings."""
    for nth, (name, each) in enumerate(curves(found)):
        if nth:
            yield Text("")
        yield Text.assemble((name, "bold"), f"  {_about(each[0])}")
        yield Paragraph(_limits(each[0]))
        yield table(each)


def curves(found: Sequence[Load]) -> Iterator[tuple[str, list[Load]]]:
    """The loads of each tunnel and its settings."""
    for name, loads in groupby(found, told):
        yield name, list(loads)


def _about(load: Load) -> str:
    seconds = f"{load['window_ns'] / 1e9:g}"
    return f"packets of {load['packet']} B for {seconds} s, 64 B each 100 ms beside them"


def _limits(load: Load) -> Text:
    if load["clock"] == "real":
        return Text("in real time, on real sockets")
    text = Text.assemble(("carries ", "bold"), f"{number(load['limit_kbps'])} kbit/s")
    if load["ceiling_kbps"] is not None:
        text.append(f" · ceiling {number(load['ceiling_kbps'])} kbit/s")
    return text


def table(loads: Sequence[Load]) -> Table:
    """What became of each load of one tunnel."""
    bulk = loads[0]["clock"] == "virtual"
    columns = [Column("kbit/s", key="offered_kbps", style="dim")]
    columns.append(Column("goodput", key="goodput_kbps"))
    for flow in ("sparse", "bulk")[: 1 + bulk]:
        columns += [Column(name, "ms", f"{flow}_{name}_ns", group=flow) for name in ("p50", "p95")]
    columns += [Column("lost", key="lost"), Column("beyond", "s", "completion_excess_ns")]
    first = loads[0]
    of: dict[str, Value] = {
        "tunnel": first["profile"],
        "rate_kbps": first["rate_kbps"],
        "frame_loss": first["frame_loss"],
        "settings": " ".join(f"{key}={text}" for key, text in first["settings"].items()),
    }
    note = of_delivered(lost=any(load["lost"] or load["sparse_lost"] for load in loads))
    return Table(columns, [[*_cells(load)] for load in loads], note, of)


def _cells(load: Load) -> Iterator[Cell]:
    offered = load["offered_kbps"]
    yield Cell("TCP") if offered is None else Cell(number(offered), offered)
    yield Cell(number(load["goodput_kbps"]), load["goodput_kbps"])
    yield from _quantiles(load["sparse_latency_ns"])
    if load["clock"] == "virtual":
        yield from _quantiles(load["bulk_latency_ns"])
    yield _lost(load)
    excess = load["completion_excess_ns"]
    yield Cell("–") if excess is None else Cell(number(excess / 1e9, 3), excess)


def _quantiles(latency: Latency | None) -> Iterator[Cell]:
    names: tuple[Literal["p50", "p95"], ...] = ("p50", "p95")
    for name in names:
        ns = None if latency is None else latency[name]
        yield Cell("–") if ns is None else Cell(number(ns / 1e6), ns)


def _lost(load: Load) -> Cell:
    lost, offered = load["lost"], load["offered"]
    if lost is None or offered is None:
        return Cell("–")
    return Cell(share(lost, offered), lost, "bold red") if lost else Cell("0", 0)
