"""``--traffic back-to-back``: message trains, their losses, and the causes of these losses."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from rich.console import RenderableType
from rich.text import Text

from airlag.cli import terminal
from airlag.cli.run_details import event_counts
from airlag.cli.settings import Spanned
from airlag.cli.summary import settings_block
from airlag.cli.work import Work, separated
from airlag.core.quantity import count, exact, number, share
from airlag.questions import trains as bursts
from airlag.questions.identity import settings_in_words
from airlag.questions.trains import Burst, Explained, Train
from airlag.views.table import Column, Paragraph, Table, Value, fact, named, word

#: Parts of a train, each with one bar of losses.
PARTS = 10
#: Bar heights from none to all.
BARS = "·▁▂▃▄▅▆▇█"


def back_to_back(runs: Sequence[Spanned], train: Train, output: Path | None, work: Work) -> None:
    """Sends the trains and prints their outcomes; ``output`` is a table or a chart."""

    def send(run: Spanned, step: Callable[..., None]) -> Burst:
        # Trains consist of messages.
        assert run.size is not None
        return bursts.burst(run.link, replace(train, size=run.size, settings=run.settings), step)

    found = work.each("sending", runs, send, len(runs) * train.trials)
    work.answer(
        [each.to_json() for each in found],
        lambda: separated([*trains_lines(each), *fragmented(each, found)] for each in found),
        output,
        [trains(found)] if found else [],
        draw=work.chart("traffic", "burst", found) if found else None,
    )


def trains_lines(each: Burst) -> Iterator[RenderableType]:
    """Yields the outcome of a link's trains."""
    train = each.train
    many = train.count * train.trials
    trains = "1 train" if train.trials == 1 else f"{count(train.trials)} trains"
    how = "" if train.pace_ns is None else f", one every {exact(train.pace_ns)}"
    again = ", repeated until complete" if train.repeat else ""
    yield Text.assemble(
        (each.link, "bold"),
        f"  {train.size} B, {trains} of {count(train.count)} back to back{how}{again}",
    )
    yield from settings_block(settings_in_words(each.link, train.settings))
    delivered = Text.assemble(("delivered ", "bold"), _percent(each.delivery))
    if each.interval is not None:
        low, high = map(_percent, each.interval)
        delivered.append(f", 95 % confidence interval {low} to {high} over trains")
    delivered.append(f" · goodput {number(each.kbps)} kbit/s")
    handed = sum(one["handed"] for one in each.trials)
    if handed > many:
        delivered.append(f" · {count(handed - many)} retransmitted")
    yield Paragraph(delivered)
    if each.lost:
        lost = Text.assemble(("lost ", "bold red"), f"{count(each.lost)} of {count(many)}")
        refused = sum(one["refused"] for one in each.trials)
        if refused:
            lost.append(f", {count(refused)} of them reported to the sending program")
        yield Paragraph(lost)
        if train.count >= PARTS:
            yield Paragraph(_bars(each))
    if each.position is not None:
        yield Paragraph(each.position.text)
    yield from event_counts(each.incidents)


def trains(found: Sequence[Burst]) -> Table:
    """Table for a file: the outcomes of the trains, one row per link."""
    columns = [
        named("link", "link"),
        Column("", "B", "size_bytes"),
        word("set", "settings"),
        Column("trains", key="trains", shown=count),
        Column("messages", key="messages", shown=count),
        Column("delivered", "%", "delivered_percent", shown=number),
        Column("from", "%", "delivered_low_percent", shown=number, absent=""),
        Column("to", "%", "delivered_high_percent", shown=number, absent=""),
        Column("lost", key="lost", shown=count),
        Column("goodput", "kbit/s", "goodput_kbps", shown=number),
    ]
    return Table.of_values(columns, map(_values, found))


def _values(each: Burst) -> Iterator[Value]:
    train = each.train
    settings = " ".join(f"{key}={text}" for key, text in train.settings.items())
    ends = (None, None) if each.interval is None else (100 * end for end in each.interval)
    yield from (each.link, train.size, settings, train.trials, train.count * train.trials)
    yield from (100 * each.delivery, *ends, each.lost, each.kbps)


def fragmented(each: Burst, all_of: Sequence[Burst]) -> Iterator[RenderableType]:
    """Loss of fragmented messages, compared with single-frame messages over the same link."""
    pieces = each.fragments
    if pieces is None or pieces < 2:
        return
    alone = next((one for one in all_of if _alike(one, each) and one.fragments == 1), None)
    text = f"a message has {count(pieces)} frames and is lost if any frame is"
    if alone is not None:
        expected = 1 - alone.delivery**pieces
        text += (
            f": {_percent(1 - each.delivery)} lost; 1 - (1 - p)^{pieces} is {_percent(expected)} "
            f"for p = {_percent(1 - alone.delivery)}, the loss of {alone.train.size} B"
        )
    yield Paragraph(f"{text}.")


def _alike(one: Burst, other: Burst) -> bool:
    return (one.link, one.train.settings) == (other.link, other.train.settings)


def _bars(each: Burst) -> Text:
    """Loss by part of the train, as a bar chart."""
    length = each.train.count
    bars = []
    for part in range(PARTS):
        begin, end = part * length // PARTS, (part + 1) * length // PARTS
        gone = sum(each.lost_at[begin:end])
        of = (end - begin) * each.train.trials
        # A bar is visible for any loss.
        height = 0 if gone == 0 else max(1, round(gone / of * (len(BARS) - 1)))
        bars.append(BARS[height])
    last = each.lost_at[-length // PARTS :]
    words = f"  {share(sum(last), len(last) * each.train.trials)} of the last tenth are lost"
    return Text.assemble("losses from first to last message: ", ("".join(bars), "red"), words)


def _percent(part: float) -> str:
    return f"{number(100 * part)} %"


def explain_train(link: str, train: Train, work: Work) -> None:
    """Sends the trains, and explains their losses."""
    # The number of attempts is not known in advance.
    with terminal.progress("sending", 1):
        found = bursts.explain(link, train)
    work.show(
        [found.to_json()], lambda: [*trains_lines(found), *_why(found), "", *_remedies(found)]
    )


def _why(found: Explained) -> Iterator[RenderableType]:
    """Yields send and arrival intervals, messages in flight, and the cause of losses."""
    for name in ("rate", "queue", "cause"):
        text = getattr(found, f"{name}_text")
        if text is not None:
            yield fact(name, text)


def _remedies(found: Explained) -> Iterator[RenderableType]:
    if found.lost and not found.remedies:
        yield Paragraph("Neither pacing nor selective repeat improves delivery.")
    for nth, each in enumerate(found.remedies):
        lead = "best change" if nth == 0 else "alternative"
        text = Text.assemble((f"{lead}: {each.options}", "bold"), f"\n{each.text}")
        yield Paragraph(text, Text("→", "green"))
