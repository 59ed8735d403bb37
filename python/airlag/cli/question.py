"""A campaign that answers a question, on the terminal: its table, and what the runs say."""

from __future__ import annotations

from pathlib import Path

import typer
from rich.text import Text

from airlag._airlag import LinkError
from airlag.cli import options, sheet, terminal
from airlag.cli.paragraph import Paragraph
from airlag.cli.summary import of_delivered
from airlag.cli.table import Cell, Column, Table, Tables
from airlag.cli.until import Until
from airlag.core.display import printable
from airlag.questions.campaign import Campaign
from airlag.questions.campaign_question import Point, Question, measure_each, to_json
from airlag.views.campaign_answer import Answer


def answered(
    file: Path, asked: Campaign, question: Question, folder: Path, *, force: bool, json: bool
) -> None:
    """Run a campaign that asks, and write its page into ``folder``, or its table as that file."""
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
    sheet_file = folder if sheet.is_sheet(folder) else None
    if points and until.stopped is None and sheet_file is None:
        with until:
            page = _page(asked.name, Answer.of(question, points), folder, force=force)
    if json:
        terminal.print_json(to_json(question, points) if points else [])
        terminal.wrote([] if page is None else [page], aside=True)
    elif points:
        console = terminal.output()
        answer = Answer.of(question, points)
        console.show(Text(question.text, style="bold"), "", Tables(tables(answer)), "")
        for sentence in answer.sentences():
            console.show(Paragraph(Text(sentence)))
        if page is not None:
            console.show("", Text(printable(str(page)), style="bold"))
    if points:
        answer = Answer.of(question, points)
        errors += options.write(tables(answer), sheet_file, force=force, aside=json)
    for line in dict.fromkeys(errors):
        terminal.complain(line)
    until.tell(f"{len(points)} of {len(asked.works)} runs are finished")
    if errors:
        raise typer.Exit(terminal.UNUSABLE)


def _page(name: str, answer: Answer, folder: Path, *, force: bool) -> Path:
    from airlag.views.pages.question import write_question

    page = folder / f"{name}.html"
    try:
        write_question(name, answer, page, force=force)
    except OSError as error:
        terminal.refuse(
            f"{page}: cannot be written ({error.strerror or error}); choose another place"
        )
    return page


def tables(answer: Answer) -> list[Table]:
    """A table a line."""
    names, *others = answer.columns
    columns = [Column(each.head, key=each.key) for each in others]
    of_line: dict[str, list[list[Cell]]] = {line.name: [] for line in answer.lines}
    cells = (map(Cell, of.texts, of.values) for of in others)
    for name, *row in zip(names.texts, *cells, strict=True):
        of_line[name].append(row)
    note = of_delivered(lost=answer.of_delivered)
    return [
        Table(columns, rows, note, {"line": name}, Text(name, "bold"))
        for name, rows in of_line.items()
    ]
