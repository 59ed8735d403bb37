"""``airlag tunnel bench``: what tunnels make of more than they carry."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer
from rich.console import Group

from airlag._airlag import LinkError
from airlag.cli import options, sheet, signals, terminal
from airlag.cli.run import Seed
from airlag.cli.settings import Settings, pairs_of
from airlag.cli.tunnel.loads import blocks, curves, table
from airlag.cli.until import Until
from airlag.core.extras import need_polars
from airlag.core.quantity import parse_whole
from airlag.questions import tunnel_bench, tunnel_bench_real
from airlag.questions.tunnel_bench import KEPT, PARQUET, TUNNELS, Task
from airlag.questions.tunnel_bench_real import Traffic

if TYPE_CHECKING:
    from airlag.core.types import Protocol, RealLoad, Tunnel, VirtualLoad, Way

#: Pictures a chart is written as.
PICTURES = (".svg", ".png", ".html")
#: What a table is written as: ``.json`` has more.
TABLES = (".csv", ".md")
#: Loads of each tunnel where none are asked for.
STEPS = 11

#: Title of a group in ``--help``.
SOCKETS = "On real sockets, without --virtual"
PROTOCOLS: tuple[Protocol, ...] = ("udp", "tcp")
WAYS: tuple[Way, ...] = ("there", "back")
#: Both of them at once.
BOTH = "both"

_BITS = re.compile(r"(\d+(?:\.\d*)?|\.\d+)([kM])", re.ASCII)
_SHARE = re.compile(r"(\d+(?:\.\d*)?|\.\d+)(%?)", re.ASCII)


def _kbps(word: str) -> float:
    """What a bit rate is in kbit/s; 0 where it is none."""
    match = _BITS.fullmatch(word)
    return 0.0 if match is None else float(match[1]) * {"k": 1, "M": 1000}[match[2]]


def _loads(text: str) -> str:
    if not all(0.1 <= _kbps(word) <= 1e6 for word in text.split(",")):
        raise typer.BadParameter(
            f"{text[:40]!r} is no list of loads; write bits a second, such as 50k,100k,1.5M"
        )
    return text


def _rates(text: str) -> str:
    if not all(1 <= _kbps(word) <= 1e6 for word in text.split(",")):
        raise typer.BadParameter(
            f"{text[:40]!r} is no list of rates; write those of the radio, such as 2M,1M,250k"
        )
    return text


def _part(word: str) -> float:
    """What a share is, from 0 to 1; -1 where it is none."""
    match = _SHARE.fullmatch(word)
    return -1.0 if match is None else float(match[1]) / (100 if match[2] else 1)


def _losses(text: str) -> str:
    if not all(0 <= _part(word) <= 0.9 for word in text.split(",")):
        raise typer.BadParameter(
            f"{text[:40]!r} is no list of losses; write shares up to 90%, such as 0,1%,10%"
        )
    return text


def _tunnels(text: str) -> str:
    for word in text.split(","):
        if word not in TUNNELS:
            known = " or ".join(TUNNELS)
            raise typer.BadParameter(f"tunnel {word[:20]!r} is unknown; write {known}")
    return text


def _window(text: str) -> int:
    window = options.duration(text)
    if not 10**9 <= window <= 10**12:
        raise typer.BadParameter(
            f"{text[:20]!r} is no time to offer for; write one from 1s to 1000s"
        )
    return window


def _protocols(text: str) -> str:
    if not set(text.split(",")) <= set(PROTOCOLS):
        raise typer.BadParameter(f"{text[:20]!r} is no protocol; write {' or '.join(PROTOCOLS)}")
    return text


def _way(text: str) -> str:
    if text not in (*WAYS, BOTH):
        raise typer.BadParameter(f"way {text[:20]!r} is unknown; write there, back or both")
    return text


def _parallel(text: str) -> int:
    streams = parse_whole(text, 1, 128)
    if streams is None:
        raise typer.BadParameter(f"{text[:20]!r} is no number of streams; write one from 1 to 128")
    return streams


Virtual = Annotated[
    bool, typer.Option("--virtual", help="In virtual time: without root, TUN and iperf3.")
]
Profile = Annotated[
    str | None,
    typer.Option(
        "--profile",
        parser=_tunnels,
        metavar=",".join(TUNNELS),
        help="Which tunnels: ours, the one that was measured. Default: both.",
    ),
]
Offered = Annotated[
    str | None,
    typer.Option(
        "--offered",
        parser=_loads,
        metavar="BITS,…",
        help="User data of the bulk a second, such as 50k,100k,1.5M. Default: eleven loads from "
        "0.1 to 10 times what each tunnel carries; on real sockets six from 50k to 1.6M.",
    ),
]
Rate = Annotated[
    str | None,
    typer.Option(
        "--rate",
        parser=_rates,
        metavar="BITS,…",
        help="Rates of the radio: 2M,1M,250k. Default: 2M.",
    ),
]
FrameLoss = Annotated[
    str | None,
    typer.Option(
        "--frame-loss",
        parser=_losses,
        metavar="SHARE,…",
        help="Frames lost on the air: 0,1%,10%. Default: none.",
    ),
]
Window = Annotated[
    int | None,
    typer.Option(
        "--for", parser=_window, metavar="TIME", help="How long each load lasts. Default: 10s."
    ),
]
Protocols = Annotated[
    str | None,
    typer.Option(
        "--protocol",
        parser=_protocols,
        metavar=",".join(PROTOCOLS),
        help="udp: at every load. tcp: once, as much as it sends. Default: both.",
        rich_help_panel=SOCKETS,
    ),
]
WayOption = Annotated[
    str | None,
    typer.Option(
        "--way",
        parser=_way,
        metavar="|".join((*WAYS, BOTH)),
        help="Which way the bulk goes; both: at once. Default: there.",
        rich_help_panel=SOCKETS,
    ),
]
Parallel = Annotated[
    int | None,
    typer.Option(
        parser=_parallel,
        metavar="N",
        help="Streams of iperf3 at once, each way. Default: 1.",
        rich_help_panel=SOCKETS,
    ),
]
Output = Annotated[
    Path | None,
    typer.Option(
        "-o",
        "--output",
        metavar="FILE",
        help="Keep every load in FILE.parquet or FILE.json, or the table in FILE.csv or FILE.md.",
    ),
]
Chart = Annotated[
    Path | None,
    typer.Option(
        "--chart", metavar="FILE", help="Draw latency against load, as .svg, .png or .html."
    ),
]


def bench(
    virtual: Virtual = False,
    profile: Profile = None,
    offered: Offered = None,
    rate: Rate = None,
    frame_loss: FrameLoss = None,
    window: Window = None,
    settings: Settings = None,
    seed: Seed = None,
    protocol: Protocols = None,
    way: WayOption = None,
    parallel: Parallel = None,
    output: Output = None,
    chart: Chart = None,
    force: options.Force = False,
    json: options.Json = False,
) -> None:
    """Offer tunnels more than they carry: goodput, and what two flows wait.

    The bulk fills packets; beside it goes a sparse flow, 64 bytes each 100 ms. On real sockets it
    is iperf3, between two network namespaces, with the tunnel emulated in real time.
    """
    if virtual and (protocol, way, parallel) != (None, None, None):
        terminal.refuse(
            "--protocol, --way and --parallel are of iperf3; leave them out, or leave out --virtual"
        )
    for path, option, endings in ((output, "-o", (*KEPT, *TABLES)), (chart, "--chart", PICTURES)):
        if path is not None and path.suffix.lower() not in endings:
            terminal.refuse(
                f"{option} {path}: the name does not tell the format; end it with "
                + " or ".join(endings)
            )
    try:
        if output is not None and output.suffix.lower() == PARQUET:
            need_polars(f"-o {output}")
    except ModuleNotFoundError as error:
        terminal.refuse(error)
    task = Task(
        tunnels=cast("Sequence[Tunnel]", TUNNELS if profile is None else profile.split(",")),
        rates_kbps=() if rate is None else [round(_kbps(word)) for word in rate.split(",")],
        frame_losses=() if frame_loss is None else [_part(word) for word in frame_loss.split(",")],
        offered_kbps=() if offered is None else [_kbps(word) for word in offered.split(",")],
        window_ns=window or 10_000_000_000,
        settings=pairs_of(settings),
        seed=1 if seed is None else seed,
    )
    traffic = Traffic(
        protocols=PROTOCOLS
        if protocol is None
        else cast("Sequence[Protocol]", protocol.split(",")),
        way=None if way == BOTH else cast("Way", way or "there"),
        parallel=parallel or 1,
    )
    until, found = Until(), list[Any]()
    try:
        with until:
            if virtual:
                found = _virtual(task)
            else:
                _real(task, traffic, found)
    except LinkError as error:
        terminal.refuse(error)
    until.expect(found)
    wrote, errors = _keep(found, output, chart, force)
    if json:
        terminal.print_json(found)
    else:
        terminal.output().show(Group(*blocks(found)))
    terminal.wrote(wrote, aside=json)
    for text in errors:
        terminal.complain(text)
    if errors:
        raise typer.Exit(terminal.UNUSABLE)
    until.tell(f"{len(found)} loads were offered until then")


def _virtual(task: Task) -> list[VirtualLoad]:
    steps = len(list(task.each())) * (len(task.offered_kbps) or STEPS)
    with terminal.progress("offering", steps) as step:
        return tunnel_bench.virtual(task, lambda total: step(total))


def _real(task: Task, traffic: Traffic, found: list[Any]) -> None:
    """Adds each load to those found, so that they are there when a signal comes."""
    with (
        terminal.progress("offering", traffic.count(task)) as step,
        signals.answered(),
        # Whatever ends this loop, what the load in hand has set up is taken down here.
        closing(tunnel_bench_real.real(task, traffic)) as loads,
    ):
        for load in loads:
            found.append(load)
            step()


def _keep(
    found: Sequence[VirtualLoad] | Sequence[RealLoad],
    output: Path | None,
    chart: Path | None,
    force: bool,
) -> tuple[list[Path], list[str]]:
    """Writes what is to be kept; what was written, and why something was not."""
    from airlag.views.pages import chart_file, under_load

    def draw(path: Path) -> None:
        chart_file.write("under-load", under_load.chart(found), path, force=force)

    held = None if output is not None and output.suffix.lower() in TABLES else output
    writes: Sequence[tuple[Path | None, str, Callable[[Path], None]]] = (
        (held, "-o", lambda path: tunnel_bench.keep(found, path, force=force)),
        (chart, "--chart", draw),
    )
    wrote: list[Path] = []
    errors: list[str] = []
    if output is not None and output != held:
        errors = sheet.keep([table(each) for _, each in curves(found)], output, force=force)
        wrote = [] if errors else [output]
    for path, option, write in writes:
        if path is None:
            continue
        try:
            write(path)
            wrote.append(path)
        except OSError as error:
            reason = error.strerror or error
            errors.append(
                f"{path}: cannot be written ({reason}); choose another place with {option}"
            )
    return wrote, errors
