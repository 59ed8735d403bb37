"""``airlag thread``: a network of OpenThread's own nodes in virtual time, and what it carries."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, cast

import typer
from rich.console import Group, RenderableType
from rich.text import Text

from airlag._airlag import LinkError
from airlag.cli import options, terminal
from airlag.cli.goodput import messages_of
from airlag.cli.paragraph import Paragraph
from airlag.cli.run import Seed
from airlag.cli.summary import of_delivered
from airlag.cli.table import Cell, Column, Table, Value, named
from airlag.core.atomic import replacing
from airlag.core.quantity import count, duration, number, share, unit_for
from airlag.questions import thread as threads
from airlag.questions.thread import Flow, Network, Request

if TYPE_CHECKING:
    from airlag.core.types import Direction, Latency, ThreadTraffic, Topology

TOPOLOGIES: tuple[Topology, ...] = ("one-hop", "chain", "star", "tree")
DIRECTIONS: tuple[Direction, ...] = ("up", "down")
TRAFFIC: tuple[ThreadTraffic, ...] = ("periodic", "back-to-back", "saturated")

NETWORK = "The network"
MESSAGES = "Messages"

#: Flows that are told one by one; ``--json`` has all of them.
NAMED = 8


def _nodes(text: str) -> int:
    return options.whole(text, "number of nodes", 2, 64, 6)


def _hops(text: str) -> int:
    return options.whole(text, "number of hops", 1, 15, 3)


def _size(text: str) -> int:
    return options.whole(text, "payload of a datagram", 1, 1_232, 79)


def _period(text: str) -> int:
    nanoseconds = options.duration(text)
    if not 10**6 <= nanoseconds <= 10**12:
        raise typer.BadParameter(f"{text[:40]!r} is no period; write one from 1ms to 1000s")
    return nanoseconds


def _loss(text: str) -> float:
    try:
        loss = float(text)
    except ValueError:
        loss = -1.0
    if not 0 <= loss <= 0.9:
        raise typer.BadParameter(f"{text[:20]!r} is no loss; write a share from 0 to 0.9")
    return loss


def _burst(text: str) -> float:
    try:
        burst = float(text)
    except ValueError:
        burst = 0.0
    if not 1 <= burst <= 1_000:
        raise typer.BadParameter(
            f"{text[:20]!r} is no mean length of losses; write frames from 1 to 1000"
        )
    return burst


TopologyOption = Annotated[
    str | None,
    options.choice(
        "topology",
        TOPOLOGIES,
        about="Who hears whom: everybody everybody; one behind the other; all of them node 1 and "
        "nobody else; a tree below node 1. Default: one-hop.",
        panel=NETWORK,
    ),
]
Nodes = Annotated[
    int | None,
    typer.Option(
        parser=_nodes,
        metavar="N",
        help="Nodes, 2 to 64, each a process. Default: 2, or one more than --hops.",
        rich_help_panel=NETWORK,
    ),
]
Hops = Annotated[
    int | None,
    typer.Option(
        parser=_hops,
        metavar="N",
        help="Of a chain or a tree: links on the longest way to node 1. Default of a tree: 2.",
        rich_help_panel=NETWORK,
    ),
]
Sleepy = Annotated[
    bool,
    typer.Option("--sleepy", help="Nodes at the ends sleep.", rich_help_panel=NETWORK),
]
PollPeriod = Annotated[
    int | None,
    typer.Option(
        "--poll-period",
        parser=_period,
        metavar="TIME",
        help="How often those ask their parent what waits for them. Default: 1s.",
        rich_help_panel=NETWORK,
    ),
]
Loss = Annotated[
    float | None,
    typer.Option(
        "--frame-loss",
        parser=_loss,
        metavar="SHARE",
        help="Share of frames that each path loses once the network is formed. Default: 0.",
        rich_help_panel=NETWORK,
    ),
]
Burst = Annotated[
    float | None,
    typer.Option(
        "--loss-burst",
        parser=_burst,
        metavar="FRAMES",
        help="How many of them in a row, on average. Default: 1.",
        rich_help_panel=NETWORK,
    ),
]
Boards = Annotated[
    str | None,
    typer.Option(
        metavar="LINK",
        help="Boards of this Thread profile: node 1 is its border router, the others its device. "
        "Default: software costs nothing.",
        rich_help_panel=NETWORK,
    ),
]
DirectionOption = Annotated[
    str | None,
    options.choice(
        "direction",
        DIRECTIONS,
        about="up: each node at an end sends to node 1. down: node 1 to each of them. Default: up.",
        panel=MESSAGES,
    ),
]
TrafficOption = Annotated[
    str | None,
    options.choice(
        "traffic",
        TRAFFIC,
        about="periodic: one a --period. back-to-back: one after the other, what finds no message "
        "buffer is lost. saturated: it waits for one. Default: periodic.",
        panel=MESSAGES,
    ),
]
Size = Annotated[
    int | None,
    typer.Option(
        "--size",
        parser=_size,
        metavar="BYTES",
        help="Payload, 1 to 1232. Default: 79.",
        rich_help_panel=MESSAGES,
    ),
]
Count = Annotated[
    int | None,
    typer.Option(
        "--count",
        parser=messages_of,
        metavar="N",
        help="Messages of each sender. Default: 100.",
        rich_help_panel=MESSAGES,
    ),
]
Period = Annotated[
    int | None,
    typer.Option(
        "--period",
        parser=_period,
        metavar="TIME",
        help="From message to message of periodic traffic. Default: 1s.",
        rich_help_panel=MESSAGES,
    ),
]
Sniff = Annotated[
    str | None,
    typer.Option(metavar="FILE.pcapng", help="Keep every frame on the air, for Wireshark."),
]


def thread(
    topology: TopologyOption = None,
    nodes: Nodes = None,
    hops: Hops = None,
    sleepy: Sleepy = False,
    poll_period: PollPeriod = None,
    frame_loss: Loss = None,
    loss_burst: Burst = None,
    boards: Boards = None,
    direction: DirectionOption = None,
    traffic: TrafficOption = None,
    size: Size = None,
    messages: Count = None,
    period: Period = None,
    seed: Seed = None,
    sniff: Sniff = None,
    output: options.Sheet = None,
    force: options.Force = False,
    json: options.Json = False,
) -> None:
    """Form a Thread network of OpenThread's own nodes, and send messages through it.

    Nodes are programs of their own that make openthread builds, once.
    """
    shape = cast("Topology", topology or "one-hop")
    if hops is not None and shape not in ("chain", "tree"):
        terminal.refuse(f"--hops {hops} is of a chain or a tree; leave it out of {shape}")
    if poll_period is not None and not sleepy:
        terminal.refuse("--poll-period is of sleepy nodes; add --sleepy")
    if period is not None and traffic not in (None, "periodic"):
        terminal.refuse(f"--period is of periodic traffic; leave it out of {traffic}")
    if sniff is not None and Path(sniff).suffix != ".pcapng":
        terminal.refuse(f"--sniff {sniff} is no capture file; end it with .pcapng")
    many = nodes or (2 if hops is None else hops + 1)
    if shape == "chain" and hops is not None and many != hops + 1:
        terminal.refuse(f"a chain of {many} nodes has {many - 1} hops, not {hops}")
    request = Request(
        topology=shape,
        nodes=many,
        hops=hops or min(2, many - 1),
        direction=cast("Direction", direction or "up"),
        traffic=cast("ThreadTraffic", traffic or "periodic"),
        size=size or 79,
        count=messages or 100,
        period_ns=period or 10**9,
        poll_period_ns=(poll_period or 10**9) if sleepy else None,
        frame_loss=frame_loss or 0.0,
        loss_burst=loss_burst or 1.0,
        boards=boards,
        seed=1 if seed is None else seed,
    )
    try:
        with terminal.progress("forming and sending", 1) as step:
            found = threads.network(request, sniff=sniff is not None)
            step()
    except LinkError as error:
        terminal.refuse(error)
    wrote = _keep(found, sniff, force)
    if json:
        terminal.print_json(found.to_json())
    else:
        terminal.output().show(Group(*_blocks(found)))
    terminal.wrote(wrote, aside=json)
    flows = _table(found, found.flows)
    for unwritten in options.write([flows], output, force=force, aside=json):
        terminal.refuse(unwritten)


def _keep(found: Network, sniff: str | None, force: bool) -> list[Path]:
    """Writes the frames; where they are."""
    if sniff is None or found.pcapng is None:
        return []
    try:
        with replacing(Path(sniff), force=force) as file:
            file.write(found.pcapng)
    except OSError as error:
        reason = error.strerror or error
        terminal.refuse(f"{sniff}: cannot be written ({reason}); choose another place with --sniff")
    if found.frames_left_out:
        terminal.complain(
            f"{sniff}: without the last {found.frames_left_out} frames; choose a smaller --count"
        )
    return [Path(sniff)]


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


def _table(found: Network, flows: Sequence[Flow]) -> Table:
    """Latencies of flows."""
    medians = [flow.latency["p50"] for flow in found.flows if flow.latency is not None]
    unit = unit_for(medians or [1e6])
    columns = [named("from", "sender"), Column("to", key="receiver"), Column("hops", key="hops")]
    columns.append(Column("delivered", "%", "delivered_percent"))
    columns += [Column(name, unit.name, f"{name}_ns") for name in ("p50", "p99", "max")]

    def time(latency: Latency | None, name: Literal["p50", "p99", "max"]) -> Cell:
        return (
            Cell("–") if latency is None else Cell(number(latency[name] / unit.ns), latency[name])
        )

    rows = []
    for flow in flows:
        arrived = 100 * flow.delivered / flow.sent if flow.sent else None
        cells = [Cell(str(each), each) for each in (flow.sender, flow.receiver, flow.hops)]
        cells.append(Cell(share(flow.delivered, flow.sent).removesuffix(" %"), arrived))
        cells += [time(flow.latency, "p50"), time(flow.latency, "p99"), time(flow.latency, "max")]
        rows.append(cells)
    note = of_delivered(lost=found.delivered < found.sent)
    asked = found.request
    of: dict[str, Value] = {
        "topology": asked.topology,
        "nodes": asked.nodes,
        "size_bytes": asked.size,
        "traffic": asked.traffic,
    }
    return Table(columns, rows, note, of)


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
