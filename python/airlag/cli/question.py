"""A campaign that answers a question, on the terminal: its table, and what the runs say."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import typer
from rich.console import RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from airlag._airlag import LinkError
from airlag.answer import Answer
from airlag.campaign import Campaign
from airlag.cli import terminal
from airlag.cli.paragraph import Paragraph
from airlag.cli.summary import MARGIN
from airlag.cli.until import Until
from airlag.display import printable
from airlag.question import Point, Question, measure_each, to_json


def answered(
    file: Path, asked: Campaign, question: Question, folder: Path, *, force: bool, json: bool
) -> None:
    """Run a campaign that asks, and write its page."""
    points: list[Point] = []
    errors: list[str] = []
    until = Until()
    with until, terminal.progress("running", len(asked.works)) as step:
        for result in measure_each(asked.works):
            if isinstance(result, LinkError):
                errors.append(f"{file}: {result}")
            else:
                points.append(result)
            step()
    until.expect(points)
    page = None
    if points and until.stopped is None:
        with until:
            page = _page(asked.name, Answer.of(question, points), folder, force=force)
    if json:
        terminal.print_json(to_json(question, points) if points else [])
        terminal.wrote([] if page is None else [page], aside=True)
    elif points:
        console = terminal.output()
        answer = Answer.of(question, points)
        console.show(Text(question.text, style="bold"), "", *_tables(answer))
        for sentence in answer.sentences():
            console.show(Paragraph(Text(sentence)))
        if page is not None:
            console.show("", Text(printable(str(page)), style="bold"))
    for line in dict.fromkeys(errors):
        terminal.complain(line)
    until.tell(f"{len(points)} of {len(asked.works)} runs are finished")
    if errors:
        raise typer.Exit(terminal.UNUSABLE)


def _page(name: str, answer: Answer, folder: Path, *, force: bool) -> Path:
    from airlag.pages.question import write_question

    page = folder / f"{name}.html"
    try:
        write_question(name, answer, page, force=force)
    except OSError as error:
        terminal.refuse(
            f"{page}: cannot be written ({error.strerror or error}); choose another place"
        )
    return page


def _tables(answer: Answer) -> Iterator[RenderableType]:
    """A table a line, its columns as wide as those of the others."""
    heads, rows = answer.heads[1:], answer.rows()
    widths = [
        max(map(len, column)) for column in zip(heads, *(row[1:] for row in rows), strict=True)
    ]
    for line in answer.lines:
        table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
        for head, width in zip(heads, widths, strict=True):
            table.add_column(head, justify="right", no_wrap=True, min_width=width)
        for name, *cells in rows:
            if name == line.name:
                table.add_row(*cells)
        yield Text(line.name, "bold")
        yield Padding(table, (0, 0, 1, MARGIN))
