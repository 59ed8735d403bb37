"""``airlag thread``: a network of OpenThread's own nodes in virtual time, and what it carries."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any

from rich.console import RenderableType
from rich.text import Text

from airlag.cli import options, terminal
from airlag.cli.options import lasting, real, whole
from airlag.cli.paragraph import Paragraph
from airlag.cli.run import Seed
from airlag.cli.summary import of_delivered
from airlag.cli.table import Cell, Column, Table, Value, named, time
from airlag.cli.work import Work, pcapng
from airlag.core.quantity import count, duration, number, share, unit_for
from airlag.core.records import ThreadFlow
from airlag.core.types import Direction, ThreadTraffic, Topology
from airlag.questions import thread as threads
from airlag.questions.thread import Network, Request

TOPOLOGIES: tuple[Topology, ...] = ("one-hop", "chain", "star", "tree")
DIRECTIONS: tuple[Direction, ...] = ("up", "down")
TRAFFIC: tuple[ThreadTraffic, ...] = ("periodic", "back-to-back", "saturated")

_network, _messages = options.panel("The network"), options.panel("Messages")

#: Flows that are told one by one; ``--json`` has all of them.
NAMED = 8


_period = lasting("period", 10**6, 10**12)

TOPOLOGY = _network(
    "--topology",
    "Who hears whom: everybody everybody; one behind the other; all of them node 1 and nobody "
    "else; a tree below node 1. Default: one-hop.",
    TOPOLOGIES,
)
NODES = _network(
    "--nodes N",
    "Nodes, 2 to 64, each a process. Default: 2, or one more than --hops.",
    whole("number of nodes", 2, 64, 6),
)
HOPS = _network(
    "--hops N",
    "Of a chain or a tree: links on the longest way to node 1. Default of a tree: 2.",
    whole("number of hops", 1, 15, 3),
)
SLEEPY = _network("--sleepy", "Nodes at the ends sleep.")
POLL_PERIOD = _network(
    "--poll-period TIME",
    "How often those ask their parent what waits for them. Default: 1s.",
    _period,
)
LOSS = _network(
    "--frame-loss SHARE",
    "Share of frames that each path loses once the network is formed. Default: 0.",
    real("loss", 0, 0.9, "a share"),
)
BURST = _network(
    "--loss-burst FRAMES",
    "How many of them in a row, on average. Default: 1.",
    real("mean length of losses", 1, 1_000, "frames"),
)
BOARDS = _network(
    "--boards LINK",
    "Boards of this Thread profile: node 1 is its border router, the others its device. "
    "Default: software costs nothing.",
)
DIRECTION = _messages(
    "--direction",
    "up: each node at an end sends to node 1. down: node 1 to each of them. Default: up.",
    DIRECTIONS,
)
TRAFFIC_OPTION = _messages(
    "--traffic",
    "periodic: one a --period. back-to-back: one after the other, what finds no message buffer "
    "is lost. saturated: it waits for one. Default: periodic.",
    TRAFFIC,
)
SIZE = _messages(
    "--size BYTES", "Payload, 1 to 1232. Default: 79.", whole("payload of a datagram", 1, 1_232, 79)
)
COUNT = _messages("--count N", "Messages of each sender. Default: 100.", options.messages)
PERIOD = _messages(
    "--period TIME", "From message to message of periodic traffic. Default: 1s.", _period
)


def thread(
    topology: Annotated[Topology | None, TOPOLOGY] = None,
    nodes: Annotated[int | None, NODES] = None,
    hops: Annotated[int | None, HOPS] = None,
    sleepy: Annotated[bool, SLEEPY] = False,
    poll_period: Annotated[int | None, POLL_PERIOD] = None,
    frame_loss: Annotated[float | None, LOSS] = None,
    loss_burst: Annotated[float | None, BURST] = None,
    boards: Annotated[str | None, BOARDS] = None,
    direction: Annotated[Direction | None, DIRECTION] = None,
    traffic: Annotated[ThreadTraffic | None, TRAFFIC_OPTION] = None,
    size: Annotated[int | None, SIZE] = None,
    messages: Annotated[int | None, COUNT] = None,
    period: Annotated[int | None, PERIOD] = None,
    seed: Seed = None,
    sniff: options.Sniff = None,
    output: options.Sheet = None,
    force: options.Force = False,
    json: options.Json = False,
) -> None:
    """Form a Thread network of OpenThread's own nodes, and send messages through it.

    Nodes are programs of their own that make openthread builds, once.
    """
    shape = topology or "one-hop"
    if hops is not None and shape not in ("chain", "tree"):
        terminal.refuse(f"--hops {hops} is of a chain or a tree; leave it out of {shape}")
    if poll_period is not None and not sleepy:
        terminal.refuse("--poll-period is of sleepy nodes; add --sleepy")
    if period is not None and traffic not in (None, "periodic"):
        terminal.refuse(f"--period is of periodic traffic; leave it out of {traffic}")
    frames = None if sniff is None else pcapng(sniff)
    many = nodes or (2 if hops is None else hops + 1)
    if shape == "chain" and hops is not None and many != hops + 1:
        terminal.refuse(f"a chain of {many} nodes has {many - 1} hops, not {hops}")
    request = Request(
        topology=shape,
        nodes=many,
        hops=hops or min(2, many - 1),
        direction=direction or "up",
        traffic=traffic or "periodic",
        size=size or 79,
        count=messages or 100,
        period_ns=period or 10**9,
        poll_period_ns=(poll_period or 10**9) if sleepy else None,
        frame_loss=frame_loss or 0.0,
        loss_burst=loss_burst or 1.0,
        boards=boards,
        seed=1 if seed is None else seed,
    )
    with terminal.progress("forming and sending", 1):
        found = threads.network(request, sniff=frames is not None)
    work = Work(force=force, json=json)
    if work.keep_bytes(frames, found.pcapng or b"", "place with --sniff") and found.frames_left_out:
        terminal.complain(
            f"{sniff}: without the last {found.frames_left_out} frames; choose a smaller --count"
        )
    work.show(found.to_json(), lambda: _blocks(found))
    work.table(output, [_table(found, found.flows)])
    work.end()


def _blocks(found: Network) -> Iterator[RenderableType]:
    asked = found.request
    yield Text.assemble(
        (f"{asked.topology}, {asked.nodes} nodes", "bold"),
        f"  {count(found.hops)} {'hop' if found.hops == 1 else 'hops'}, {asked.size} B "
        f"{asked.direction}, {asked.traffic}",
    )
    yield Paragraph(_formed(found))
    yield Paragraph(_carried(found))
    yield _table(found, found.flows[:NAMED])
    if len(found.flows) > NAMED:
        more = len(found.flows) - NAMED
        yield Paragraph(Text(f"{more} more flows are in --json and -o FILE.csv", "dim"))
    yield Paragraph(Text(_radio(found), "dim"))


def _formed(found: Network) -> Text:
    unit = unit_for(found.attach_ns)
    others = sorted(found.attach_ns[1:])
    text = f"formed in {duration(found.formed_ns, unit)}: leader after "
    text += f"{duration(found.attach_ns[0], unit)}, then each node in {number(others[0] / unit.ns)}"
    if others[-1] > others[0]:
        text += f" to {duration(others[-1], unit)}"
    else:
        text += f" {unit.name}"
    return Text(text)


def _carried(found: Network) -> Text:
    parts = []
    if found.goodput_kbps is not None:
        parts.append(Text(f"{number(found.goodput_kbps)} kbit/s"))
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
    asked = found.request
    of: dict[str, Value] = {
        "topology": asked.topology,
        "nodes": asked.nodes,
        "size_bytes": asked.size,
        "traffic": asked.traffic,
    }
    return Table.of_values(columns, rows, note, of)


def _radio(found: Network) -> str:
    each = found.frames / max(found.delivered, 1)
    text = (
        f"{count(found.frames)} frames, {number(each, 3)} a message that came, the network's own "
        f"among them · {count(found.retries)} retries · {count(found.no_acks)} without "
        f"acknowledgement · channel busy {count(found.busy)} times"
    )
    if found.co_processor_full:
        text += f" · co-processor full {count(found.co_processor_full)} times"
    return text
