"""Tables on a terminal: rows where there is room for them, else every row as a record.

No column is left out and no cell cut, whatever the width: what does not fit beside each other
stands below each other, a name and a value a line. :mod:`airlag.cli.sheet` writes the same as a
file.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby, zip_longest
from typing import Any, Self

from rich.console import Console, ConsoleOptions, RenderResult
from rich.segment import Segment
from rich.text import Text

from airlag.core.quantity import Unit, number, share

#: Columns in front of everything but the name of what is told.
MARGIN = 2
#: Between two columns, and between two groups of them.
GAP, GROUP_GAP = 2, 3
#: Narrowest that a column of prose is made while its text is wider: half a line of a book.
PROSE = 24

#: A cell as it is before it is shown.
Value = str | int | float | bool | None
#: Stands where there is no value.
NOTHING = "–"


@dataclass(frozen=True, slots=True)
class Column:
    """A column.

    Attributes
    ----------
    name
        Its head; empty above the names of rows.
    unit
        Unit of what is shown, after its name; empty for a plain number and for text.
    key
        What files call it, with the unit of their values: ``p50_ns``; ``None``: they lack it, as it
        only says again what others say.
    right
        Whether cells end at one place, as numbers do.
    prose
        Columns of a terminal that it has at least where its cells may be folded; 0: they may not.
    group
        What it shares with its neighbours, above their heads.
    style
        Of its cells.
    hidden
        Whether only files have it, as what is shown says it in another way.
    shown
        Writes a value.
    absent
        Stands where there is none.
    """

    name: str
    unit: str = ""
    key: str | None = None
    right: bool = True
    prose: int = 0
    group: str = ""
    style: str = ""
    hidden: bool = False
    shown: Callable[[Any], str] = str
    absent: str = NOTHING

    def cell(self, value: Cell | Value) -> Cell:
        """A cell of a value as it is shown here; one that is shown in its own way stays."""
        if isinstance(value, Cell):
            return value
        text = self.absent if value is None else self.shown(value)
        return Cell(text, None if value == "" else value)

    @property
    def head(self) -> str:
        """What stands above it."""
        return ", ".join(word for word in (self.name, self.unit) if word)

    @property
    def full(self) -> str:
        """What it is called where nothing stands above it."""
        return f"{self.group} {self.head}".strip()


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell.

    Attributes
    ----------
    text
        As it is shown.
    value
        As it is, in the unit of the key of its column.
    style
        Of the text; empty: that of its column.
    """

    text: str | Text
    value: Value = None
    style: str = ""


def named(name: str, key: str | None = None, *, style: str = "dim", **more: Any) -> Column:
    """The column of the names of rows."""
    return Column(name, key=key, right=False, style=style, **more)


def prose(name: str, key: str | None = None, *, least: int = PROSE, **more: Any) -> Column:
    """A column of text that may be folded, to no less than so many columns of a terminal."""
    return Column(name, key=key, right=False, prose=least, **more)


def word(name: str, key: str | None = None, **more: Any) -> Column:
    """A column of text."""
    return Column(name, key=key, right=False, **more)


def time(name: str, unit: Unit, key: str, **more: Any) -> Column:
    """A column of durations, ns, in a unit."""
    return Column(name, unit.name, key, shown=lambda ns: number(ns / unit.ns), **more)


def lost(part: int, of: int) -> Cell:
    """A cell of how many were lost, as their share."""
    return Cell(share(part, of), part, "bold red") if part else Cell("0", 0)


def delivered(arrived: int, lost: int) -> Cell:
    """A cell of the share that arrived of what arrived or was lost."""
    of = arrived + lost
    return Cell(share(arrived, of), arrived / of if of else None, "bold red" if lost else "")


def plain(text: str) -> Cell:
    """A cell that is what it shows; nothing where it is empty."""
    return Cell(text, text or None)


@dataclass(frozen=True, slots=True)
class Table:
    """Columns and rows.

    Attributes
    ----------
    columns
        The first one names its rows.
    rows
        A cell for each column.
    note
        What is true of all of it, above its heads.
    of
        What it is a table of, key by key: in files these stand in front of its columns.
    title
        What it is a table of, in words: stands above it where there are several.
    below
        What stands below each row; not in files.
    margin
        Columns in front of it.
    """

    columns: Sequence[Column]
    rows: Sequence[Sequence[Cell]]
    note: str = ""
    of: Mapping[str, Value] = field(default_factory=dict)
    title: Text | None = None
    below: Sequence[Sequence[Paragraph]] = ()
    margin: int = MARGIN

    @classmethod
    def of_values(
        cls,
        columns: Sequence[Column],
        rows: Iterable[Iterable[Cell | Value]],
        note: str = "",
        of: Mapping[str, Value] | None = None,
        **more: Any,
    ) -> Self:
        """A table of values, each as its column shows it."""
        cells = [[col.cell(each) for col, each in zip(columns, row, strict=True)] for row in rows]
        return cls(columns, cells, note, of or {}, **more)

    def width(self) -> int:
        """Columns of a terminal that its rows take; prose as narrow as it may be."""
        return Tables([self]).width()

    def shown(self) -> Table:
        """The same without what only files have."""
        seen = [nth for nth, column in enumerate(self.columns) if not column.hidden]
        return replace(
            self,
            columns=[self.columns[nth] for nth in seen],
            rows=[[row[nth] for nth in seen] for row in self.rows],
        )

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        yield from Tables([self]).__rich_console__(console, options)


@dataclass(frozen=True, slots=True)
class Tables:
    """Tables below each other, their columns as wide as those of the others.

    Attributes
    ----------
    tables
        All with the same number of columns; of none nothing is shown.
    """

    tables: Sequence[Table]

    def __post_init__(self) -> None:
        object.__setattr__(self, "tables", [table.shown() for table in self.tables])

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        width = options.max_width
        if getattr(console, "endless", False):
            width = max(width, self.width())
        for line in self.lines(console, width):
            yield from line.render(console)
            yield Segment.line()

    def width(self) -> int:
        """Columns of a terminal that its rows take; prose as narrow as it may be."""
        if not self.tables:
            return 0
        first = self.tables[0]
        return first.margin + _sum(first.columns, self._widths(_least))

    def _widths(self, of: Callable[[Table], list[int]]) -> list[int]:
        return [max(column) for column in zip(*map(of, self.tables), strict=True)]

    def lines(self, console: Console, width: int) -> Iterator[Text]:
        """Lines of at most ``width`` columns."""
        if not self.tables:
            return
        margin, columns = self.tables[0].margin, self.tables[0].columns
        least, most = self._widths(_least), self._widths(_most)
        room = width - margin - _sum(columns, least)
        widths = None if room < 0 else _shared_out(least, most, room)
        above = ""
        for nth, table in enumerate(self.tables):
            if nth:
                yield Text()
            if table.title is not None:
                yield from table.title.wrap(console, width, overflow="fold")
            if table.note and (not nth or table.note != self.tables[nth - 1].note):
                yield from _inset(_fold(console, Text(table.note, "dim"), width - margin), margin)
            if widths is None:
                yield from _inset(_records(table, console, width - margin), margin)
                continue
            groups = _groups(table.columns, widths)
            if groups and groups != above:
                yield from _inset([Text(groups, "dim")], margin)
            above = groups
            yield from _inset(_rows(table, console, widths, width - margin), margin)


def _inset(lines: Iterable[Text], margin: int) -> Iterator[Text]:
    for line in lines:
        told = Text(" " * margin).append_text(line)
        told.rstrip()
        yield told


def _below(table: Table) -> Sequence[Sequence[Paragraph]]:
    return table.below or [()] * len(table.rows)


def _text(column: Column, cell: Cell) -> Text:
    if isinstance(cell.text, Text):
        return cell.text.copy()
    return Text(cell.text, cell.style or column.style)


def _wide(column: Column, cell: Cell) -> int:
    return _text(column, cell).cell_len


def _most(table: Table) -> list[int]:
    """How wide each column is if nothing is folded."""
    widths = [
        max([Text(column.head).cell_len, *(_wide(column, row[nth]) for row in table.rows)])
        for nth, column in enumerate(table.columns)
    ]
    return _under_groups(table.columns, widths)


def _least(table: Table) -> list[int]:
    """How wide each column is if prose is folded as often as it may be."""
    widths = []
    for nth, (column, most) in enumerate(zip(table.columns, _most(table), strict=True)):
        if column.prose:
            texts = [column.head, *(_text(column, row[nth]).plain for row in table.rows)]
            words = [Text(word).cell_len for text in texts for word in text.split()]
            most = min(most, max([column.prose, *words]))
        widths.append(most)
    return widths


def _under_groups(columns: Sequence[Column], widths: list[int]) -> list[int]:
    """The same, the last column of a group as wide as the name of the group needs it to be."""
    for name, span in _spans(columns):
        have = _sum(columns[span], widths[span])
        widths[span.stop - 1] += max(0, Text(name).cell_len - have)
    return widths


def _spans(columns: Sequence[Column]) -> Iterator[tuple[str, slice]]:
    """Groups that have a name, and which columns are theirs."""
    begin = 0
    for name, members in groupby(columns, key=lambda column: column.group):
        end = begin + len(list(members))
        if name:
            yield name, slice(begin, end)
        begin = end


def _gaps(columns: Sequence[Column]) -> list[int]:
    """What stands before each column: more where a group of several begins or ends."""
    gaps = [GAP] * len(columns)
    gaps[:1] = [0]
    for _, span in _spans(columns):
        if span.stop - span.start > 1:
            for edge in (span.start, span.stop):
                if 0 < edge < len(columns):
                    gaps[edge] = GROUP_GAP
    return gaps


def _sum(columns: Sequence[Column], widths: Sequence[int]) -> int:
    return sum(widths) + sum(_gaps(columns))


def _shared_out(least: Sequence[int], most: Sequence[int], room: int) -> list[int]:
    """Widths of columns: whoever lacks least gets what it lacks first."""
    widths = list(least)
    lacking = sorted(
        (nth for nth in range(len(widths)) if most[nth] > least[nth]),
        key=lambda nth: most[nth] - least[nth],
    )
    for done, nth in enumerate(lacking):
        given = min(most[nth] - least[nth], room // (len(lacking) - done))
        widths[nth] += given
        room -= given
    return widths


def _groups(columns: Sequence[Column], widths: Sequence[int]) -> str:
    """Names of groups above the middle of their columns."""
    line, at = "", 0
    gaps = _gaps(columns)
    named = {span.start: (name, span) for name, span in _spans(columns)}
    for nth, width in enumerate(widths):
        at += gaps[nth]
        if nth in named:
            name, span = named[nth]
            whole = _sum(columns[span], widths[span])
            line = f"{line:<{at}}" + name.center(whole).rstrip()
        at += width
    return line


def _fold(console: Console, text: Text, width: int) -> list[Text]:
    return list(text.wrap(console, max(width, 1), overflow="fold")) or [Text()]


def _rows(table: Table, console: Console, widths: Sequence[int], width: int) -> Iterator[Text]:
    """The heads, if there are any, and a line or more a row."""
    columns, gaps = table.columns, _gaps(table.columns)

    def beside(cells: Sequence[Sequence[Text]]) -> Iterator[Text]:
        for parts in zip_longest(*cells):
            line = Text()
            for column, gap, width, part in zip(columns, gaps, widths, parts, strict=True):
                told = Text() if part is None else part.copy()
                told.rstrip()
                fill = " " * (width - told.cell_len)
                line.append(" " * gap)
                line.append_text(Text(fill) + told if column.right else told + Text(fill))
            yield line

    if any(column.head for column in columns):
        yield from beside(
            [
                _fold(console, Text(column.head, "dim"), wide)
                for column, wide in zip(columns, widths, strict=True)
            ]
        )
    for row, below in zip(table.rows, _below(table), strict=True):
        yield from beside(
            [
                _fold(console, _text(column, cell), wide)
                for column, cell, wide in zip(columns, row, widths, strict=True)
            ]
        )
        for paragraph in below:
            yield from paragraph.lines(console, width)


def _records(table: Table, console: Console, width: int) -> Iterator[Text]:
    """A line for each cell: what it is called, and what it is."""
    first, *others = table.columns
    longest = max((Text(column.full).cell_len for column in others), default=0)
    hanging = GAP + longest + GAP
    widest = max(
        (_wide(*pair) for row in table.rows for pair in zip(others, row[1:], strict=True)),
        default=0,
    )
    # Even a record may have no room for two columns.
    beside = width - hanging >= min(widest, PROSE)
    for row, below in zip(table.rows, _below(table), strict=True):
        head = Text.assemble((f"{first.full} ".lstrip(), "dim"), _text(first, row[0]))
        if _text(first, row[0]).plain:
            yield from _fold(console, head, width)
        for column, cell in zip(others, row[1:], strict=True):
            name, told = Text(column.full, "dim"), _text(column, cell)
            if not told.plain:
                continue
            if not beside:
                both = Text.assemble(name, " ", told)
                yield from _inset(_fold(console, both, width - GAP), GAP)
                continue
            for nth, part in enumerate(_fold(console, told, width - hanging)):
                part.rstrip()
                lead = Text(" " * GAP)
                lead.append_text(name if nth == 0 else Text())
                lead.pad_right(hanging - lead.cell_len)
                yield lead.append_text(part)
        for paragraph in below:
            yield from paragraph.lines(console, width)


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A text behind a mark; further lines start where the first line's text does.

    Attributes
    ----------
    body
        The text.
    mark
        What stands in the margin of the first line, shorter than ``margin``.
    margin
        Width of the margin, columns.
    """

    body: Text | str
    mark: Text = field(default_factory=Text)
    margin: int = 2

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        yield from self.lines(console, options.max_width)

    def lines(self, console: Console, width: int) -> Iterator[Text]:
        """Its lines, of at most ``width`` columns."""
        text = Text(self.body) if isinstance(self.body, str) else self.body
        body = text.wrap(console, max(width - self.margin, 10))
        for index, line in enumerate(body):
            line.rstrip()
            mark = self.mark.copy() if index == 0 else Text()
            mark.pad_right(self.margin - mark.cell_len)
            yield Text.assemble(mark, line)


def fact(name: str, *parts: str | Text | tuple[str, str]) -> Paragraph:
    """A paragraph that begins with what it is about; parts are text, or text and its style."""
    return Paragraph(Text.assemble((f"{name}  ", "bold"), *parts))


def note(text: str) -> Paragraph:
    """A paragraph that explains what stands above it."""
    return Paragraph(Text(text, "dim"))
