"""``airlag tunnel bench``: tunnels under overload."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar, cast

from rich.console import RenderableType
from rich.text import Text

from airlag.cli import sheet, signals, terminal
from airlag.cli.options import PICTURES, given, lasting, real, several, whole, written_as
from airlag.cli.run import Seed
from airlag.cli.settings import Settings, pairs_of
from airlag.cli.summary import of_delivered
from airlag.cli.work import Work, Working, separated
from airlag.core.extras import need_polars
from airlag.core.quantity import UNITS, number
from airlag.core.types import Protocol, Tunnel, Way
from airlag.questions import tunnel_bench, tunnel_bench_real
from airlag.questions.tunnel_bench import KEPT, PARQUET, TUNNELS, Task, curve_name
from airlag.questions.tunnel_bench_real import Traffic
from airlag.views.table import Cell, Column, Paragraph, Table, Value, lost, time

if TYPE_CHECKING:
    from airlag.core.types import RealLoad, VirtualLoad

    Load = VirtualLoad | RealLoad

Word = TypeVar("Word", bound=str)

#: File extensions of tables; ``.json`` contains more.
TABLES = (".csv", ".md")
#: Quantiles of the latencies of both flows.
QUANTILES = ("p50", "p95")
#: Default number of loads of each tunnel.
STEPS = 11

PROTOCOLS: tuple[Protocol, ...] = ("udp", "tcp")
WAYS: tuple[Way, ...] = ("there", "back")
#: Bidirectional bulk flow.
BOTH = "both"


def _words(what: str, known: Sequence[Word]) -> Callable[[str], list[Word]]:
    """Returns a parser of comma-separated ``known`` words."""
    by_name: dict[str, Word] = {word: word for word in known}
    return several(what, " or ".join(known), by_name.get)


#: Units of bit rates, as powers of ten of kbit/s.
_BITS = {"k": 0, "M": 3}
_loads = several(
    "list of loads", "bit/s, such as 50k,100k,1.5M", real("load", 0.1, 1e6, units=_BITS)
)
_rates = several(
    "list of rates", "those of the radio, such as 2M,1M,250k", real("rate", 1, 1e6, units=_BITS)
)
_losses = several(
    "list of losses",
    "shares up to 90%, such as 0,1%,10%",
    real("loss", 0, 0.9, units={"": 0, "%": -2}),
)


def bench(
    *,
    virtual: bool = False,
    profile: Annotated[Sequence[Tunnel] | None, _words("tunnel", TUNNELS)] = None,
    offered: Annotated[Sequence[float] | None, _loads] = None,
    rate: Annotated[Sequence[float] | None, _rates] = None,
    frame_loss: Annotated[Sequence[float] | None, _losses] = None,
    window: Annotated[int | None, lasting("time to offer for", 10**9, 10**12)] = None,
    settings: Settings = None,
    seed: Seed = None,
    protocol: Annotated[Sequence[Protocol] | None, _words("protocol", PROTOCOLS)] = None,
    way: Annotated[str | None, (*WAYS, BOTH)] = None,
    parallel: Annotated[int | None, whole("number of streams", 1, 128, 4)] = None,
    output: Annotated[Path | None, written_as(*KEPT, *TABLES)] = None,
    chart: Annotated[Path | None, written_as(*PICTURES)] = None,
    work: Working,
) -> None:
    """Overload tunnels, and measure their goodput and the latency of two flows.

    A bulk flow sends full packets. A sparse flow sends 64 bytes every 100 ms. On real sockets,
    iperf3 is the bulk flow between two network namespaces, and the tunnel runs in real time.
    """
    if virtual and (protocol, way, parallel) != (None, None, None):
        terminal.refuse(
            "--protocol, --way and --parallel are options of iperf3; omit them or --virtual"
        )
    if output is not None and output.suffix.lower() == PARQUET:
        with terminal.refusing(ModuleNotFoundError):
            need_polars(f"-o {output}")
    task = Task(
        tunnels=profile or TUNNELS,
        rates_kbps=[round(each) for each in rate or ()],
        settings=pairs_of(settings),
        **given(frame_losses=frame_loss, offered_kbps=offered, window_ns=window, seed=seed),
    )
    traffic = Traffic(
        protocols=protocol or PROTOCOLS,
        way=None if way == BOTH else cast("Way", way or "there"),
        parallel=parallel or 1,
    )
    found: list[Any] = []
    with work.until:
        if virtual:
            found += _virtual(task)
        else:
            _real(task, traffic, found)
    work.until.expect(found)
    _keep(work, found, output, chart)
    work.show(found, lambda: blocks(found))
    work.end(f"{len(found)} loads are finished")


def _virtual(task: Task) -> list[VirtualLoad]:
    steps = len(list(task.each())) * (len(task.offered_kbps) or STEPS)
    with terminal.progress("offering", steps) as step:
        return tunnel_bench.virtual(task, lambda total: step(total))


def _real(task: Task, traffic: Traffic, found: list[Any]) -> None:
    """Appends each finished load to ``found``, so that results survive a signal."""
    with (
        terminal.progress("offering", traffic.count(task)) as step,
        signals.answered(),
        # Closing tears down the current load, whatever ends this loop.
        closing(tunnel_bench_real.real(task, traffic)) as loads,
    ):
        for load in loads:
            found.append(load)
            step()


def _keep(work: Work, found: Sequence[Any], output: Path | None, chart: Path | None) -> None:
    """Writes the requested files."""
    if output is not None and output.suffix.lower() in TABLES:
        errors = sheet.keep([table(each) for _, each in curves(found)], output, force=work.force)
        work.errors += errors
        work.wrote += [] if errors else [output]
    else:
        work.keep(output, lambda path: tunnel_bench.keep(found, path, force=work.force))
    work.keep(chart, work.chart("traffic", "under-load", found), "path with --chart")


def blocks(found: Sequence[Load]) -> Iterator[RenderableType]:
    """Yields a block for each tunnel and its settings."""
    yield from separated(
        [
            Text.assemble((name, "bold"), f"  {_about(each[0])}"),
            Paragraph(_limits(each[0])),
            table(each),
        ]
        for name, each in curves(found)
    )


def curves(found: Sequence[Load]) -> Iterator[tuple[str, list[Load]]]:
    """Groups loads by tunnel and settings."""
    for name, loads in groupby(found, curve_name):
        yield name, list(loads)


def _about(load: Load) -> str:
    seconds = f"{load['window_ns'] / 1e9:g}"
    return f"packets of {load['packet']} B for {seconds} s, sparse flow 64 B every 100 ms"


def _limits(load: Load) -> Text:
    if load["clock"] == "real":
        return Text("in real time, on real sockets")
    text = Text.assemble(("saturated goodput ", "bold"), f"{number(load['limit_kbps'])} kbit/s")
    if load["ceiling_kbps"] is not None:
        text.append(f" · ceiling {number(load['ceiling_kbps'])} kbit/s")
    return text


def table(loads: Sequence[Load]) -> Table:
    """Results of the loads of one tunnel."""
    bulk = loads[0]["clock"] == "virtual"
    kbps = "kbit/s"
    offered = Column(
        "offered", key="offered_kbps", group=kbps, style="dim", shown=number, absent="TCP"
    )
    goodput = Column("goodput", key="goodput_kbps", group=kbps, shown=number)
    columns = [offered, goodput]
    for flow in ("sparse", "bulk")[: 1 + bulk]:
        columns += [time(name, UNITS[2], f"{flow}_{name}_ns", group=flow) for name in QUANTILES]
    columns.append(Column("lost", key="lost"))
    excess = Column("drain", "s", "completion_excess_ns", shown=lambda ns: number(ns / 1e9, 3))
    columns.append(excess)
    first = loads[0]
    of: dict[str, Value] = {
        "tunnel": first["profile"],
        "rate_kbps": first["rate_kbps"],
        "frame_loss": first["frame_loss"],
        "settings": " ".join(f"{key}={text}" for key, text in first["settings"].items()),
    }
    note = of_delivered(lost=any(load["lost"] or load["sparse_lost"] for load in loads))
    return Table.of_values(columns, map(_values, loads), note, of)


def _values(load: Load) -> Iterator[Cell | Value]:
    yield from (load["offered_kbps"], load["goodput_kbps"])
    flows = [load["sparse_latency_ns"]]
    flows += [load["bulk_latency_ns"]] if load["clock"] == "virtual" else []
    for latency in flows:
        quantiles: Mapping[str, Any] = latency or {}
        yield from map(quantiles.get, QUANTILES)
    gone, of = load["lost"], load["offered"]
    yield None if gone is None or of is None else lost(gone, of)
    yield load["completion_excess_ns"]
