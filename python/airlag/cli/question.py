"""Terminal output of a campaign that answers a question."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from operator import itemgetter
from pathlib import Path

from rich.console import RenderableType
from rich.text import Text

from airlag._airlag import LinkError
from airlag.cli import sheet, terminal
from airlag.cli.summary import of_delivered
from airlag.cli.work import Work
from airlag.core.display import printable
from airlag.questions.campaign import Answer, Campaign, Point, Question, measure_each
from airlag.views.table import Cell, Column, Paragraph, Table, Tables


def answered(file: Path, asked: Campaign, question: Question, folder: Path, work: Work) -> None:
    """Runs the campaign, and writes its page into ``folder`` or its table to a file."""
    points: list[Point] = []
    with work.progress("running", len(asked.works)) as step:
        for result in measure_each(asked.works):
            if isinstance(result, LinkError):
                work.errors.append(f"{file}: {result}")
            else:
                points.append(result)
            step()
    work.until.expect(points)
    answer = Answer.of(question, points) if points else None
    page = None
    sheet_file = folder if sheet.is_sheet(folder) else None
    if answer is not None and work.until.stopped is None and sheet_file is None:
        from airlag.views.pages.question import write_question

        target = folder / f"{asked.name}.html"
        with work.until, terminal.writing(target):
            write_question(asked.name, answer, target, force=work.force)
            page = target
    if work.json and page is not None:
        work.wrote.append(page)
    work.finished = f"{len(points)} of {len(asked.works)} runs are finished"
    work.answer(
        [point.to_json() for point in points],
        lambda: () if answer is None else _shown(question, answer, page),
        sheet_file,
        [] if answer is None else tables(answer),
    )


def _shown(question: Question, answer: Answer, page: Path | None) -> Iterator[RenderableType]:
    yield from (Text(question.text, style="bold"), "", Tables(tables(answer)), "")
    yield from (Paragraph(sentence) for sentence in answer.sentences)
    if page is not None:
        yield from ("", Text(printable(str(page)), style="bold"))


def tables(answer: Answer) -> list[Table]:
    """Tables of the answer, one per line of the chart."""
    names, *others = answer.columns
    columns = [Column(each.head, key=each.key) for each in others]
    cells = zip(*(map(Cell, of.texts, of.values) for of in others), strict=True)
    note = of_delivered(lost=answer.of_delivered)
    return [
        Table(columns, [row for _, row in rows], note, {"line": name}, Text(name, "bold"))
        for name, rows in groupby(zip(names.texts, cells, strict=True), itemgetter(0))
    ]
