"""``airlag thread``: traffic over a network of OpenThread nodes in virtual time."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import isfinite
from pathlib import Path
from typing import Annotated, Any

from rich.console import RenderableType
from rich.text import Text

from airlag.cli import options, terminal
from airlag.cli.options import checked, given, lasting, real, whole
from airlag.cli.run import Seed
from airlag.cli.settings import Settings, pairs_of
from airlag.cli.summary import of_delivered
from airlag.cli.work import Working
from airlag.core.quantity import count, number, share, unit_for
from airlag.core.records import ThreadFlow
from airlag.core.types import Direction, ThreadTraffic, Topology
from airlag.questions import thread as threads
from airlag.questions.thread import Network, ThreadLoad
from airlag.views.table import Cell, Column, Paragraph, Table, Value, named, note, time

TOPOLOGIES: tuple[Topology, ...] = ("one-hop", "chain", "star", "tree")

#: Flows printed individually; ``--json`` contains all.
NAMED = 8


def _position(text: str) -> str | None:
    finite = all(isfinite(float(each)) for each in text.split(","))
    return text if finite and text.count(",") == 1 else None


_place = checked("position", "two numbers of metres, such as 80,0", _position)
_period = lasting("period", 10**6, 10**12)


def thread(
    *,
    topology: Annotated[Topology | None, TOPOLOGIES] = None,
    nodes: Annotated[int | None, whole("number of nodes", 2, 64, 6)] = None,
    hops: Annotated[int | None, whole("number of hops", 1, 15, 3)] = None,
    place: Annotated[list[str] | None, _place] = None,
    reach: Annotated[float | None, real("reach", 0.1, 1e6, "metres")] = None,
    sensed: Annotated[float | None, real("distance", 0.1, 1e6, "metres")] = None,
    sleepy: bool = False,
    poll_period: Annotated[int | None, _period] = None,
    frame_loss: Annotated[float | None, real("loss", 0, 0.9, "a share")] = None,
    loss_burst: Annotated[float | None, real("mean length of losses", 1, 1_000, "frames")] = None,
    boards: str | None = None,
    settings: Settings = None,
    script: Path | None = None,
    seeds: Annotated[int | None, whole("number of networks", 1, 1_000, 10)] = None,
    direction: Direction | None = None,
    traffic: ThreadTraffic | None = None,
    size: Annotated[int | None, whole("payload of a datagram", 1, 1_232, 79)] = None,
    messages: Annotated[int | None, options.messages] = None,
    period: Annotated[int | None, _period] = None,
    seed: Seed = None,
    sniff: options.Sniff = None,
    output: options.Sheet = None,
    work: Working,
) -> None:
    """Form a Thread network of OpenThread's own nodes, and send messages through it.

    Each node is a process that runs OpenThread; make openthread builds the program of a node.
    """
    shape = topology or ("one-hop" if place is None else "placed")
    if place is not None:
        shapes = {"--topology": topology, "--nodes": nodes, "--hops": hops}
        terminal.refuse_given(shapes, "--place gives the positions of all nodes; leave out {}")
    if hops is not None and shape not in ("chain", "tree"):
        terminal.refuse(f"--hops {hops} applies to a chain or a tree; omit it with {shape}")
    if poll_period is not None and not sleepy:
        terminal.refuse("--poll-period needs --sleepy")
    if period is not None and traffic not in (None, "periodic"):
        terminal.refuse(f"--period applies to periodic traffic; omit it with {traffic}")
    many = nodes or (2 if hops is None else hops + 1)
    if place is not None:
        many = len(place)
    if shape == "chain" and hops is not None and many != hops + 1:
        terminal.refuse(f"a chain of {many} nodes has {many - 1} hops, not {hops}")
    request = ThreadLoad(
        topology=shape,
        nodes=many,
        hops=hops or min(2, many - 1),
        traffic=traffic or ("periodic" if script is None else "none"),
        **given(direction=direction, size=size, count=messages, period_ns=period, seed=seed),
        **given(frame_loss=frame_loss, loss_burst=loss_burst, reach_m=reach, seeds=seeds),
        poll_period_ns=(poll_period or 10**9) if sleepy else None,
        boards=boards,
        positions_m=[(float(x), float(y)) for x, y in (each.split(",") for each in place or ())],
        sensed_m=sensed,
        settings=pairs_of(settings),
        steps=() if script is None else threads.script(script),
    )
    with terminal.progress("forming and sending", 1):
        found = threads.network(request, sniff=sniff is not None)
    if work.keep_bytes(sniff, found.pcapng or b"", "path with --sniff") and found.frames_left_out:
        terminal.complain(
            f"{sniff}: without the last {found.frames_left_out} frames; choose a smaller --count"
        )
    tables = [_table(found, found.flows)] if found.flows else []
    work.answer(found.to_json(), lambda: _blocks(found), output, tables)


def _blocks(found: Network) -> Iterator[RenderableType]:
    way = "to" if found.direction == "up" else "from"
    yield Text.assemble(
        (f"{found.topology}, {found.nodes} nodes", "bold"),
        f"  {count(found.hops)} {'hop' if found.hops == 1 else 'hops'}"
        + (f", {found.size} B {way} node 1, {found.traffic}" if found.flows else ""),
    )
    yield Paragraph(found.formation_text)
    if found.steps:
        yield from (Paragraph(step["text"]) for step in found.steps)
        yield Paragraph(f"final roles: {', '.join(found.roles)}")
    if not found.flows:
        return
    yield Paragraph(_traffic_line(found))
    yield _table(found, found.flows[:NAMED])
    if len(found.flows) > NAMED:
        more = len(found.flows) - NAMED
        yield note(f"{more} more flows are in --json and -o FILE.csv")
    if len(found.by_seed) > 1:
        yield Paragraph(found.spread_text)
    yield note(found.radio_text)


def _traffic_line(found: Network) -> Text:
    parts = []
    if found.goodput_kbps is not None:
        parts.append(Text(f"goodput {number(found.goodput_kbps)} kbit/s"))
    parts.append(Text(f"delivered {count(found.delivered)} of {count(found.sent)}"))
    for name, many in (("refused", found.refused), ("lost", found.lost)):
        if many:
            parts.append(Text(f"{name} {count(many)} = {share(many, found.sent)}", "bold red"))
    return Text(" · ").join(parts)


def _table(found: Network, flows: Sequence[ThreadFlow]) -> Table:
    """Latencies of flows."""
    medians = [flow.latency["p50"] for flow in found.flows if flow.latency is not None]
    unit = unit_for(medians or [1e6])
    columns = [named("from", "sender"), Column("to", key="receiver"), Column("hops", key="hops")]
    columns.append(Column("delivered", "%", "delivered_percent"))
    columns += [time(name, unit, f"{name}_ns") for name in ("p50", "p99", "max")]
    rows = []
    for flow in flows:
        arrived = 100 * flow.delivered / flow.sent if flow.sent else None
        delivered = Cell(share(flow.delivered, flow.sent).removesuffix(" %"), arrived)
        latency: Mapping[str, Any] = flow.latency or {}
        times = (latency.get(name) for name in ("p50", "p99", "max"))
        rows.append((flow.sender, flow.receiver, flow.hops, delivered, *times))
    note = of_delivered(lost=found.delivered < found.sent)
    of: dict[str, Value] = {
        "topology": found.topology,
        "nodes": found.nodes,
        "size_bytes": found.size,
        "traffic": found.traffic,
    }
    return Table.of_values(columns, rows, note, of)
