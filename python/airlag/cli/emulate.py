"""``airlag emulate``: a link in real time, between programs that know nothing of it."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer
from rich.console import RenderableType
from rich.text import Text

from airlag._airlag import LinkError
from airlag.cli import options, terminal
from airlag.cli.paragraph import Paragraph
from airlag.cli.recommend import Environment, Range
from airlag.cli.run import Seed
from airlag.cli.settings import Neighbours, Settings, pairs_of
from airlag.cli.summary import summary
from airlag.cli.until import Until
from airlag.cli.virtual import happened
from airlag.core.atomic import replacing
from airlag.core.namespaces import hosts
from airlag.core.quantity import count, duration, parse_whole, unit_for
from airlag.questions import emulation, store
from airlag.questions.emulation import Emulation, Task, Way

#: Bytes a link is set up for where nothing is asked: what most sensors send.
SIZE = 128
#: Names of the files of both ways in the folder of ``-o``.
FILES = ("there.parquet", "back.parquet")


def _host(text: str) -> str:
    host, colon, port = text.rpartition(":")
    if parse_whole(port, 0, 65_535) is None:
        raise typer.BadParameter(
            f"{text[:40]!r} is no address; write port or host:port, such as 5000"
        )
    return text if colon and host else f"localhost:{port}"


def _bytes(text: str) -> int:
    return options.whole(text, "size", 7, 2_048, SIZE)


def _queue(text: str) -> int:
    return options.whole(text, "queue", 1, 100_000, 64)


def _speed(text: str) -> float:
    try:
        speed = float(text)
    except ValueError:
        speed = 0.0
    if not 0.001 <= speed <= 1_000:
        raise typer.BadParameter(f"{text[:20]!r} is no speed; write one from 0.001 to 1000")
    return speed


Link = Annotated[str, typer.Argument(metavar="LINK", help="Link profile.", show_default=False)]
Listen = Annotated[
    str | None,
    typer.Option(
        parser=_host, metavar="PORT", help="Where a client sends its datagrams to, or connects."
    ),
]
To = Annotated[
    str | None,
    typer.Option(parser=_host, metavar="HOST:PORT", help="Where its server listens."),
]
Tcp = Annotated[
    bool, typer.Option("--tcp", help="Clients connect there: their bytes go by TCP over the link.")
]
Serial = Annotated[
    bool, typer.Option("--serial", help="Two serial ports instead, whose names are printed.")
]
Tun = Annotated[
    bool,
    typer.Option(
        "--tun", help="Two network interfaces instead, each in a network namespace of its own."
    ),
]
Size = Annotated[
    int | None,
    typer.Option(
        "--size",
        parser=_bytes,
        metavar="BYTES",
        help=f"What the link is set up for. Default: {SIZE}.",
    ),
]
Queue = Annotated[
    int | None,
    typer.Option(
        parser=_queue, metavar="N", help="Packets that wait at each board at most. Default: 64."
    ),
]
Speed = Annotated[
    float | None,
    typer.Option(parser=_speed, metavar="X", help="Virtual seconds in a second. Default: 1."),
]
Lasting = Annotated[
    int | None,
    typer.Option(
        "--for",
        parser=options.duration,
        metavar="TIME",
        help="End after so much virtual time. Default: on Ctrl-C.",
    ),
]
Sniff = Annotated[
    str | None,
    typer.Option(metavar="FILE.pcapng", help="Keep every frame on the air, for Wireshark."),
]
Output = Annotated[
    str | None,
    typer.Option(
        "-o",
        "--output",
        metavar="FOLDER",
        help=f"Keep every packet in FOLDER/{FILES[0]} and {FILES[1]}.",
    ),
]


def emulate(
    link: Link,
    listen: Listen = None,
    to: To = None,
    tcp: Tcp = False,
    serial: Serial = False,
    tun: Tun = False,
    size: Size = None,
    queue: Queue = None,
    speed: Speed = None,
    lasting: Lasting = None,
    distance: Range = None,
    environment: Environment = None,
    settings: Settings = None,
    neighbours: Neighbours = None,
    seed: Seed = None,
    output: Output = None,
    sniff: Sniff = None,
    force: options.Force = False,
    json: options.Json = False,
) -> None:
    """Carry programs' packets over a link in real time: UDP, TCP, serial, or interfaces.

    What a run loses, delays and reorders is lost, delayed and reordered here. How late we hand
    something over ourselves is measured, and told apart.
    """
    pairs = pairs_of(settings, neighbours)
    pairs |= {} if distance is None else {"range": distance}
    pairs |= {} if environment is None else {"environment": environment}
    if [serial, tun, listen is not None].count(True) != 1 or (listen is None) != (to is None):
        terminal.refuse("write --listen PORT --to HOST:PORT, or --serial, or --tun")
    if tcp and listen is None:
        terminal.refuse("--tcp goes with --listen PORT --to HOST:PORT")
    task = Task(
        link,
        SIZE if size is None else size,
        pairs,
        1 if seed is None else seed,
        queue or 64,
        speed or 1.0,
        lasting,
        sniff is not None,
    )
    until = Until()
    try:
        with _between(task, listen, to, tcp, tun) as (between, ends):
            if not json:
                arrow = f"{ends[0]}  ⇄  {link}  ⇄  {ends[1]}"
                terminal.output().show(Paragraph(Text(arrow)))
            done, stopped = emulation.emulate(task, between, _line if sys.stderr.isatty() else None)
    except LinkError as error:
        terminal.refuse(error)
    console = terminal.output()
    until.stop(stopped)
    if sys.stderr.isatty():
        sys.stderr.write("\r\x1b[K")
    kept, errors = _keep(done, output, sniff, force)
    if json:
        terminal.print_json(done.to_json())
    else:
        for way in done.ways:
            if way.run.outcome.size or way.bytes_in or way.refused:
                console.show("", *_told(way))
        console.show("", Paragraph(_late(done)))
    terminal.wrote(kept, aside=json)
    for unwritten in errors:
        terminal.complain(unwritten)
    if errors:
        raise typer.Exit(terminal.UNUSABLE)
    # To end it by a signal is how it is meant to end, unless it was told for how long.
    if lasting is not None:
        until.tell(f"{duration(done.elapsed_ns, unit_for([done.elapsed_ns]))} of it went by")


@contextmanager
def _between(
    task: Task, listen: str | None, to: str | None, tcp: bool, tun: bool
) -> Iterator[tuple[emulation.Ports, Sequence[str]]]:
    """What other programs meet, and how it is called."""
    if not tun:
        if tcp and listen is not None and to is not None:
            between = emulation.connections(task, listen, to)
        else:
            between = emulation.ports(listen, to)
        yield between, between.names
        return
    between = emulation.interfaces(task)
    with hosts("airlag", between.names, between.mtu) as pair:
        yield between, [f"{host.address} in {host.namespace}" for host in pair]


def _line(elapsed_ns: int, ways: Sequence[Sequence[int]]) -> None:
    """One line that is written over again: what is on the way."""
    parts = [
        f"{name} {count(offered)} in, {count(arrived)} out, {count(waits)} wait"
        for name, (offered, arrived, waits) in zip(("there", "back"), ways, strict=True)
    ]
    sys.stderr.write(f"\r\x1b[K{elapsed_ns / 1e9:.1f} s  {';  '.join(parts)}")
    sys.stderr.flush()


def _told(way: Way) -> Iterator[RenderableType]:
    name = way.run.config["way"]
    if way.run.outcome.size:
        yield summary(way.run, *happened(way.run))
    text = Text.assemble((f"{name}  ", "bold"))
    text.append(f"{count(way.bytes_in)} B in, {count(way.bytes_out)} B out")
    if way.refused:
        text.append(f"; {count(way.refused)} packets found the queue full or were too long")
    yield Paragraph(text)


def _late(done: Emulation) -> Text:
    late = done.late_ns
    text = Text.assemble(("our own lateness  ", "bold"))
    if not late["n"]:
        return text.append("nothing was handed over")
    unit = unit_for([late["p50"], late["p99"]])
    text.append(
        f"p50 {duration(late['p50'], unit)}, p99 {duration(late['p99'], unit)}, at most "
        f"{duration(late['max'], unit)}"
    )
    if late["marked"]:
        text.append(f"; {count(late['marked'])} of {count(late['n'])} later than 1 ms")
    return text


def _keep(
    done: Emulation, output: str | None, sniff: str | None, force: bool
) -> tuple[list[Path], list[str]]:
    """Writes what is to be kept; what was written, and why something was not."""
    kept: list[Path] = []
    errors: list[str] = []
    for way, name in zip(done.ways, FILES, strict=True):
        if output is None or not way.run.outcome.size:
            continue
        target = Path(output) / name
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            store.save(way.run, target, force=force)
            kept.append(target)
        except OSError as error:
            reason = error.strerror or error
            errors.append(f"{target}: cannot be written ({reason}); choose another folder with -o")
    if sniff is not None and done.pcapng is not None:
        try:
            with replacing(Path(sniff), force=force) as file:
                file.write(done.pcapng)
            kept.append(Path(sniff))
        except OSError as error:
            reason = error.strerror or error
            errors.append(f"{sniff}: cannot be written ({reason}); choose another place")
    return kept, errors
