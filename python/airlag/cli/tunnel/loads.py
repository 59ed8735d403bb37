"""Loads of tunnels on the terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from rich.console import RenderableType
from rich.padding import Padding
from rich.text import Text

from airlag.cli.paragraph import Paragraph
from airlag.cli.summary import MARGIN, bare_table
from airlag.json_types.run import Latency, Percentile
from airlag.json_types.tunnel_bench import RealLoad, VirtualLoad
from airlag.quantity import number, share
from airlag.under_load import told

Load = VirtualLoad | RealLoad


def blocks(found: Sequence[Load]) -> Iterator[RenderableType]:
    """A block for each tunnel and its settings."""
    for nth, (name, loads) in enumerate(groupby(found, told)):
        each = list(loads)
        if nth:
            yield Text("")
        yield Text.assemble((name, "bold"), f"  {_about(each[0])}")
        yield Paragraph(_limits(each[0]))
        yield Padding(_table(each), (0, 0, 0, MARGIN))


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


def _table(loads: Sequence[Load]) -> RenderableType:
    bulk = loads[0]["clock"] == "virtual"
    table = bare_table()
    names = ["goodput", "sparse p50", "p95, ms", *(["bulk p50", "p95, ms"] if bulk else [])]
    for name in (*names, "lost", "beyond, s"):
        table.add_column(name, justify="right", no_wrap=True)
    table.columns[0].header = "kbit/s"
    table.columns[0].justify = "right"
    for load in loads:
        table.add_row(*_cells(load))
    return table


def _cells(load: Load) -> Iterator[str | Text]:
    yield "TCP" if load["offered_kbps"] is None else number(load["offered_kbps"])
    yield number(load["goodput_kbps"])
    yield from _quantiles(load["sparse_latency_ns"])
    if load["clock"] == "virtual":
        yield from _quantiles(load["bulk_latency_ns"])
    yield _lost(load)
    excess = load["completion_excess_ns"]
    yield "–" if excess is None else number(excess / 1e9, 3)


def _quantiles(latency: Latency | None) -> Iterator[str]:
    names: tuple[Percentile, ...] = ("p50", "p95")
    for name in names:
        yield "–" if latency is None else number(latency[name] / 1e6)


def _lost(load: Load) -> str | Text:
    lost, offered = load["lost"], load["offered"]
    if lost is None or offered is None:
        return "–"
    return Text(share(lost, offered), "bold red") if lost else "0"
