"""``airlag run --traffic back-to-back``: trains of messages, and which of them arrive."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import typer
from rich.console import RenderableType
from rich.text import Text

from airlag._airlag import LinkError
from airlag.cli import options, sheet, terminal
from airlag.cli.paragraph import Paragraph
from airlag.cli.settings import Spanned
from airlag.cli.summary import asked_block
from airlag.cli.table import Cell, Column, Table, named, plain
from airlag.cli.until import Until
from airlag.core.quantity import count, exact, number, share
from airlag.questions import trains as bursts
from airlag.questions.identity import settings_in_words
from airlag.questions.trains import Burst, Shift, Train

#: What a chart can be.
SUFFIXES = (".svg", ".png", ".html")
#: Parts of a train whose losses are told in one column each.
PARTS = 10
#: Heights of a bar, from nothing to everything.
BARS = "·▁▂▃▄▅▆▇█"


@dataclass(frozen=True, slots=True)
class Asked:
    """What was asked for: each link with its settings and a payload, and the train."""

    runs: Sequence[Spanned]
    train: Train
    output: Path | None
    force: bool
    json: bool


def chart_path(output: str | None) -> Path | None:
    """Where the chart goes, or the table.

    Raises
    ------
    ValueError
        When the name tells no format of either; one line.
    """
    if output is None:
        return None
    path = Path(output)
    if path.suffix.lower() not in SUFFIXES and not sheet.is_sheet(path):
        raise ValueError(
            f"-o {output} is no chart of {bursts.BACK_TO_BACK}; end it with .svg, .png or .html, "
            "or with .csv for a table"
        )
    return path


def back_to_back(asked: Asked) -> None:
    """Sends the trains and tells what became of them."""
    found: list[Burst] = []
    errors: list[str] = []
    until = Until()
    with until, terminal.progress("sending", len(asked.runs) * asked.train.trials) as step:
        for run in asked.runs:
            # Trains are of messages.
            assert run.size is not None
            train = replace(asked.train, size=run.size, settings=run.settings)
            try:
                found.append(bursts.burst(run.link, train, step))
            except LinkError as error:
                errors.append(str(error))
    until.expect(found)
    wrote: list[Path] = []
    table = asked.output if sheet.is_sheet(asked.output) else None
    if asked.output is not None and table is None and found:
        unwritten = _draw(found, asked.output, asked.force)
        errors += unwritten
        wrote = [] if unwritten else [asked.output]
    if asked.json:
        terminal.print_json([each.to_json() for each in found])
    else:
        console = terminal.output()
        for nth, each in enumerate(found):
            if nth:
                console.show("")
            console.show(*told(each), *fragmented(each, found))
    terminal.wrote(wrote, aside=asked.json)
    if found:
        errors += options.write([trains(found)], table, force=asked.force, aside=asked.json)
    for text in dict.fromkeys(errors):
        terminal.complain(text)
    until.tell(f"{len(found)} of {len(asked.runs)} are finished")
    if errors:
        raise typer.Exit(terminal.UNUSABLE)


def _draw(found: Sequence[Burst], output: Path, force: bool) -> list[str]:
    """Writes the chart; says why it could not."""
    from airlag.views.pages import burst, chart_file

    try:
        chart_file.write("burst", burst.chart(found), output, force=force)
    except OSError as error:
        reason = error.strerror or error
        return [f"{output}: cannot be written ({reason}); choose another place with -o"]
    return []


def told(each: Burst) -> Iterator[RenderableType]:
    """What became of the trains of a link."""
    train = each.train
    many = train.count * train.trials
    trains = "1 train" if train.trials == 1 else f"{count(train.trials)} trains"
    how = "" if train.pace_ns is None else f", one every {exact(train.pace_ns)}"
    again = ", repeated until all are there" if train.repeat else ""
    yield Text.assemble(
        (each.link, "bold"),
        f"  {train.size} B, {trains} of {count(train.count)} back to back{how}{again}",
    )
    yield from asked_block(settings_in_words(each.link, train.settings))
    delivered = Text.assemble(("delivered ", "bold"), _percent(each.delivery))
    if each.interval is not None:
        low, high = each.interval
        delivered.append(f", 95 % interval {_percent(low)} to {_percent(high)} over trains")
    delivered.append(f" · goodput {number(each.kbps)} kbit/s")
    handed = sum(one["handed"] for one in each.trials)
    if handed > many:
        delivered.append(f" · {count(handed - many)} sent again")
    yield Paragraph(delivered)
    if each.lost:
        lost = Text.assemble(("lost ", "bold red"), f"{count(each.lost)} of {count(many)}")
        refused = sum(one["refused"] for one in each.trials)
        if refused:
            lost.append(f", {count(refused)} of them known to the sending program")
        yield Paragraph(lost)
        if train.count >= PARTS:
            yield Paragraph(_bars(each))
    if each.position is not None:
        yield Paragraph(Text(sentence(each.position)))
    if each.incidents:
        happened = ", ".join(f"{name} {count(times)}" for name, times in each.incidents.items())
        yield Paragraph(Text(f"on the way: {happened}"))


def trains(found: Sequence[Burst]) -> Table:
    """What became of the trains of several links, a row each, for a file."""
    columns = [
        named("link", "link"),
        Column("", "B", "size_bytes"),
        Column("set", key="settings", right=False),
        Column("trains", key="trains"),
        Column("messages", key="messages"),
        Column("delivered", "%", "delivered_percent"),
        Column("from", "%", "delivered_low_percent"),
        Column("to", "%", "delivered_high_percent"),
        Column("lost", key="lost"),
        Column("goodput", "kbit/s", "goodput_kbps"),
    ]
    return Table(columns, [[*_cells(each)] for each in found])


def _cells(each: Burst) -> Iterator[Cell]:
    train = each.train
    yield plain(each.link)
    yield Cell(str(train.size), train.size)
    yield plain(" ".join(f"{key}={text}" for key, text in train.settings.items()))
    many = train.count * train.trials
    yield from (Cell(count(train.trials), train.trials), Cell(count(many), many))
    ends = (None, None) if each.interval is None else each.interval
    for part in (each.delivery, *ends):
        yield Cell("") if part is None else Cell(number(100 * part), 100 * part)
    yield Cell(count(each.lost), each.lost)
    yield Cell(number(each.kbps), each.kbps)


def fragmented(each: Burst, all_of: Sequence[Burst]) -> Iterator[RenderableType]:
    """What fragments make of a loss, beside that of messages of one frame over the same link."""
    pieces = each.fragments
    if pieces is None or pieces < 2:
        return
    alone = next((one for one in all_of if _alike(one, each) and one.fragments == 1), None)
    text = f"a message is {count(pieces)} frames and is lost with any of them"
    if alone is not None:
        expected = 1 - alone.delivery**pieces
        text += (
            f": {_percent(1 - each.delivery)} lost; 1 - (1 - p)^{pieces} is {_percent(expected)} "
            f"by the {_percent(1 - alone.delivery)} of {alone.train.size} B"
        )
    yield Paragraph(Text(f"{text}."))


def _alike(one: Burst, other: Burst) -> bool:
    return (one.link, one.train.settings) == (other.link, other.train.settings)


def sentence(shift: Shift) -> str:
    """Whether losses are where independent ones would be, in one sentence."""
    mean, low, high = (_percent(value) for value in (shift.mean, shift.low, shift.high))
    expected = f"independent losses of this rate would have theirs between {low} and {high}"
    where = f"on average the lost messages stand at {mean} of their train"
    if shift.which == "any":
        return f"Position says nothing: {where}, and {expected}."
    return f"The {shift.which} messages are lost: {where}; {expected}."


def _bars(each: Burst) -> Text:
    """How much is lost of each part of a train."""
    length = each.train.count
    bars = []
    for part in range(PARTS):
        begin, end = part * length // PARTS, (part + 1) * length // PARTS
        gone = sum(each.lost_at[begin:end])
        of = (end - begin) * each.train.trials
        # Whatever is lost shows.
        height = 0 if gone == 0 else max(1, round(gone / of * (len(BARS) - 1)))
        bars.append(BARS[height])
    last = each.lost_at[-length // PARTS :]
    tail = share(sum(last), len(last) * each.train.trials)
    return Text.assemble("first ", ("".join(bars), "red"), f" last; of the last tenth {tail} lost")


def _percent(part: float) -> str:
    return f"{number(100 * part)} %"
