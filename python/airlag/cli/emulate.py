"""``airlag emulate``: a link in real time between unmodified programs."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Annotated

from rich.console import RenderableType
from rich.text import Text

from airlag import _airlag
from airlag.cli import signals, terminal
from airlag.cli.options import Sniff, given, real, whole
from airlag.cli.run import Seed
from airlag.cli.run_details import event_counts
from airlag.cli.settings import Range, Settings, pairs_of
from airlag.cli.summary import summary
from airlag.cli.work import Work, Working
from airlag.core.namespaces import hosts
from airlag.core.quantity import count, duration, parse_duration, parse_whole, unit_for
from airlag.questions import emulation, store
from airlag.questions.emulation import Emulation, Task, Way
from airlag.views.table import Paragraph

#: Default of the configured payload size, bytes.
SIZE = 128
#: Locations by the percentage of locations with a weaker signal.
_PERCENTILES = {"median": 50, "p10": 10}
#: Default prefix of the network namespaces.
USUAL_NAME = "airlag"
#: File stems of the two directions in the folder of ``-o``.
FILES = ("there.parquet", "back.parquet")


def _host(text: str) -> str:
    host, colon, port = text.rpartition(":")
    if parse_whole(port, 0, 65_535) is None:
        raise ValueError(f"{text[:40]!r} is not an address; write port or host:port, such as 5000")
    return text if colon and host else f"localhost:{port}"


def _name(text: str) -> str:
    if re.fullmatch("[A-Za-z0-9][A-Za-z0-9_-]{0,63}", text) is None:
        raise ValueError(
            f"{text[:40]!r} is not a valid name; use 1 to 64 letters, digits, - or _, as in bench2"
        )
    return text


def _location(text: str) -> str:
    if text not in _PERCENTILES and parse_whole(text, 1, 100_000) is None:
        raise ValueError(f"{text[:40]!r} is not a location; write median, p10 or a number from 1")
    return text


def emulate(
    *,
    link: str,
    listen: Annotated[str | None, _host] = None,
    to: Annotated[str | None, _host] = None,
    tcp: bool = False,
    serial: bool = False,
    tun: bool = False,
    name: Annotated[str | None, _name] = None,
    size: Annotated[int | None, whole("size", 7, 2_048, SIZE)] = None,
    queue: Annotated[int | None, whole("queue", 1, 100_000, 64)] = None,
    speed: Annotated[float | None, real("speed", 0.001, 1_000)] = None,
    lasting: Annotated[int | None, parse_duration] = None,
    distance: Range = None,
    environment: str | None = None,
    location: Annotated[str | None, _location] = None,
    settings: Settings = None,
    neighbours: list[str] | None = None,
    seed: Seed = None,
    output: str | None = None,
    sniff: Sniff = None,
    work: Working,
) -> None:
    """Relay data of programs over a link in real time: UDP, TCP, serial, interfaces.

    Loss, delay and reordering are those of a run on the virtual bench. The emulator's own
    scheduling delay is measured and reported separately.
    """
    pairs = pairs_of(settings, neighbours)
    pairs |= {} if distance is None else {"range": distance}
    pairs |= {} if environment is None else {"environment": environment}
    if [serial, tun, listen is not None].count(True) != 1 or (listen is None) != (to is None):
        terminal.refuse("write --listen PORT --to HOST:PORT, or --serial, or --tun")
    if tcp and listen is None:
        terminal.refuse("--tcp requires --listen PORT --to HOST:PORT")
    if name is not None and not tun:
        terminal.refuse("--name requires --tun")
    task = Task(
        link,
        SIZE if size is None else size,
        pairs,
        **given(seed=seed, queue=queue, speed=speed, lasting_ns=lasting),
        sniff=sniff is not None,
    )
    task, place = _located(task, location)
    # Teardown of namespaces and the final report are not limited in time.
    with (
        signals.answered(),
        _between(task, listen, to, tcp, (name or USUAL_NAME) if tun else None) as pair,
    ):
        between, ends = pair
        arrow = f"{ends[0]}  ⇄  {link}  ⇄  {ends[1]}"
        if work.json:
            # Programs need these endpoints before the JSON document, which is printed at the end.
            terminal.complain(arrow)
        else:
            terminal.output().show(Paragraph(arrow), *place)
        if not _airlag.goes_both_ways(link, pairs):
            terminal.complain(f"{link} is one-way: return packets are dropped")
        on_progress = (lambda *now: terminal.status(_line(*now))) if sys.stderr.isatty() else None
        journals = None if output is None else _journals(Path(output))
        done, stopped = emulation.emulate(task, between, on_progress, journals, force=work.force)
    terminal.status("")
    # A signal is the normal end, unless a duration is given.
    if lasting is not None:
        work.until.stop(stopped)
    _keep(work, done, output, sniff)
    work.show(done.to_json(), lambda: _shown(done))
    work.end(f"{duration(done.elapsed_ns, unit_for([done.elapsed_ns]))} elapsed")


@contextmanager
def _between(
    task: Task, listen: str | None, to: str | None, tcp: bool, hosts_of: str | None
) -> Iterator[tuple[emulation.Ports, Sequence[str]]]:
    """Yields the endpoints for other programs, and their names."""
    if hosts_of is None:
        if tcp and listen is not None and to is not None:
            between = emulation.connections(task, listen, to)
        else:
            between = emulation.ports(listen, to)
        yield between, between.names
        return
    between = emulation.interfaces(task)
    with hosts(hosts_of, between.names, between.mtu) as pair:
        yield between, [f"{host.address} in {host.namespace}" for host in pair]


def _located(task: Task, location: str | None) -> tuple[Task, list[Paragraph]]:
    """The task at one simulated location, and its description."""
    nth = None if location is None else parse_whole(location, 1, 100_000)
    percentile = _PERCENTILES.get(location or "median", 50)
    settings = dict(task.settings)
    found = _airlag.emulated_location(
        task.link, task.size, task.seed, nth=nth, percentile=percentile, settings=settings
    )
    if found is None:
        if location is not None:
            terminal.refuse(
                f"--location needs --range, and a link that supports it, unlike {task.link}"
            )
        return task, []
    number, seed, shadowing = found
    chosen = "" if nth is not None else f" ({location or 'median'})"
    text = f"location {number}{chosen}: {-shadowing:+.1f} dB from the mean signal"
    return replace(task, seed=seed), [Paragraph(text)]


def _journals(folder: Path) -> list[Path]:
    """File of each direction; exits if the folder cannot be created."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        terminal.refuse(terminal.unwritable(folder, error, "folder with -o"))
    return emulation.journals_in(folder)


def _line(elapsed_ns: int, ways: Sequence[Sequence[int]]) -> str:
    """Status line."""
    parts = [
        f"{name} {count(offered)} in, {count(arrived)} out, {count(waits)} queued"
        for name, (offered, arrived, waits) in zip(("there", "back"), ways, strict=True)
    ]
    return f"{elapsed_ns / 1e9:.1f} s  {';  '.join(parts)}"


def _shown(done: Emulation) -> Iterator[RenderableType]:
    for way in done.ways:
        if way.run.outcome.size or way.bytes_in or way.refused:
            yield from ("", *_way_lines(way))
    # Link events belong to neither direction.
    yield from event_counts(done.ways[0].run.config["incidents"])
    yield from ("", Paragraph(_late(done)))


def _way_lines(way: Way) -> Iterator[RenderableType]:
    name = way.run.config["way"]
    if way.run.outcome.size:
        yield summary(way.run)
    text = Text.assemble((f"{name}  ", "bold"))
    text.append(f"{count(way.bytes_in)} B in, {count(way.bytes_out)} B out")
    if way.refused:
        text.append(f"; {count(way.refused)} packets were dropped: queue full or packet too long")
    yield Paragraph(text)


def _late(done: Emulation) -> Text:
    late = done.late_ns
    text = Text.assemble(("scheduling delay  ", "bold"))
    if not late["n"]:
        return text.append("no packets delivered")
    unit = unit_for([late["p50"], late["p99"]])
    text.append(
        f"p50 {duration(late['p50'], unit)}, p99 {duration(late['p99'], unit)}, max "
        f"{duration(late['max'], unit)}"
    )
    if late["marked"]:
        text.append(f"; {count(late['marked'])} of {count(late['n'])} later than 1 ms")
    return text


def _keep(work: Work, done: Emulation, output: str | None, sniff: Path | None) -> None:
    """Writes the requested files."""
    for nth, (way, name) in enumerate(zip(done.ways, FILES, strict=True)):
        if output is None:
            break
        path = Path(output) / name
        save = partial(store.save, way.run, force=work.force)
        if not way.run.outcome.size or work.keep(path, save, "folder with -o"):
            emulation.journals_in(path.parent)[nth].unlink()
    if sniff is not None and done.pcapng is not None:
        work.keep_bytes(sniff, done.pcapng, "path")
