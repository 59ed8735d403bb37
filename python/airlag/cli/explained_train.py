"""``airlag explain --traffic back-to-back``: why messages of a train are lost, and what helps."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import RenderableType
from rich.text import Text

from airlag.cli import terminal
from airlag.cli.burst import told
from airlag.cli.paragraph import Paragraph
from airlag.cli.work import Work
from airlag.core.quantity import duration, exact, number, share, unit_for
from airlag.questions import trains as bursts
from airlag.questions.trains import Explained, Remedy, Train

#: Parts of a train of which the queue is told.
PARTS = 5


def explain_train(link: str, train: Train, *, json: bool) -> None:
    """Sends the trains, and says why they lose what they lose."""
    # How many ways are tried is not known before.
    with terminal.progress("sending", 1) as step:
        found = bursts.explain(link, train)
        step()
    Work(force=False, json=json).show(
        [found.to_json()], lambda: [*told(found), *_why(found), "", *_remedies(found)]
    )


def _why(found: Explained) -> Iterator[RenderableType]:
    """How quickly messages are handed over and carried, and what is under way then."""
    handed, arrived = found.handed_every_ns, found.arrived_every_ns
    if handed is not None and arrived is not None:
        unit = unit_for([handed, arrived])
        yield Paragraph(
            Text.assemble(
                ("rate  ", "bold"),
                f"one message is handed over every {duration(handed, unit)}, "
                f"and one arrives every {duration(arrived, unit)}.",
            )
        )
    count = len(found.under_way)
    if count >= PARTS:
        places = [count * part // PARTS - 1 for part in range(1, PARTS + 1)]
        levels = ", ".join(
            f"{number(found.under_way[place], 3)} at the {place + 1}th" for place in places
        )
        yield Paragraph(
            Text.assemble(("queue  ", "bold"), f"messages under way that will arrive: {levels}.")
        )
    lost = found.refused + found.on_the_way
    match found.cause:
        case "refused":
            first = next(nth for nth, many in enumerate(found.lost_at) if many)
            why = (
                f"the queue is full: {share(found.refused, lost)} of what was lost was refused, "
                f"from message {first + 1} on, and its program was told."
            )
        case "on-the-way":
            why = (
                f"on the way: its program does not know of {share(found.on_the_way, lost)} of what "
                "was lost."
            )
        case _:
            why = "nothing is lost."
    yield Paragraph(Text.assemble(("cause  ", "bold"), why))


def _remedies(found: Explained) -> Iterator[RenderableType]:
    if found.lost and not found.remedies:
        yield Paragraph(Text("Neither a pace nor selective repeat makes more of them arrive."))
    for nth, each in enumerate(found.remedies):
        lead = "first" if nth == 0 else "or"
        yield Paragraph(_line(lead, each, found), Text("→", "green"))


def _line(lead: str, each: Remedy, found: Explained) -> Text:
    train = each.train
    words = [] if train.pace_ns is None else [f"--pace {exact(train.pace_ns)}"]
    words += ["--repeat"] if train.repeat else []
    before, after = found.kbps, each.kbps
    again = sum(one["handed"] for one in each.trials) - train.count * train.trials
    text = Text.assemble(
        (f"{lead}: ", "bold"),
        (" ".join(words), "bold"),
        f"\ndelivered {number(100 * found.delivery)} → "
        f"{number(100 * each.delivery)} %, "
        f"goodput {number(before)} → {number(after)} kbit/s "
        f"({100 * (each.goodput_share - 1):+.2g} %)",
    )
    return text.append(f", {number(again, 3)} sent again") if again > 0 else text
