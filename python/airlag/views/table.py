"""Terminal tables: one line per row where the width allows it, else one record per row.

Whatever the width, no column is dropped and no cell is cut. A table that is too wide is printed as
records, with one name and value per line. :mod:`airlag.cli.sheet` writes the same data to a file.
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

#: Default left margin, columns.
MARGIN = 2
#: Gaps between two columns, and between two groups of columns.
GAP, GROUP_GAP = 2, 3
#: Minimum width of a prose column whose text is wider: half a line of a book.
PROSE = 24

#: Unformatted cell value.
Value = str | int | float | bool | None
#: Text of a missing value.
NOTHING = "–"


@dataclass(frozen=True, slots=True)
class Column:
    """A column."""

    #: Heading; empty above row names.
    name: str
    #: Unit of the shown values, appended to the heading; empty for plain numbers and text.
    unit: str = ""
    #: Name in files, with the unit of the values: ``p50_ns``. ``None`` omits a redundant column.
    key: str | None = None
    #: Whether cells are right-aligned, as numbers are.
    right: bool = True
    #: Minimum width where cells may wrap, columns; 0 disables wrapping.
    prose: int = 0
    #: Heading shared with adjacent columns, printed above their own headings.
    group: str = ""
    #: Style of the cells.
    style: str = ""
    #: Whether only files contain the column.
    hidden: bool = False
    #: Formats a value.
    shown: Callable[[Any], str] = str
    #: Text of a missing value.
    absent: str = NOTHING

    def cell(self, value: Cell | Value) -> Cell:
        """Formats a value for this column; a :class:`Cell` is returned unchanged."""
        if isinstance(value, Cell):
            return value
        text = self.absent if value is None else self.shown(value)
        return Cell(text, None if value == "" else value)

    @property
    def head(self) -> str:
        """Heading with its unit."""
        return ", ".join(word for word in (self.name, self.unit) if word)

    @property
    def full(self) -> str:
        """Name used in records, where no group heading is printed."""
        return f"{self.group} {self.head}".strip()


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell."""

    #: Displayed text.
    text: str | Text
    #: Raw value, in the unit of the column's key.
    value: Value = None
    #: Style of the text; the column's style if empty.
    style: str = ""


def named(name: str, key: str | None = None, *, style: str = "dim", **more: Any) -> Column:
    """Returns the column of row names."""
    return Column(name, key=key, right=False, style=style, **more)


def prose(name: str, key: str | None = None, *, least: int = PROSE, **more: Any) -> Column:
    """Returns a column of text that may wrap, but not below ``least`` terminal columns."""
    return Column(name, key=key, right=False, prose=least, **more)


def word(name: str, key: str | None = None, **more: Any) -> Column:
    """Returns a column of text."""
    return Column(name, key=key, right=False, **more)


def time(name: str, unit: Unit, key: str, **more: Any) -> Column:
    """Returns a column of durations stored in ns and shown in ``unit``."""
    return Column(name, unit.name, key, shown=lambda ns: number(ns / unit.ns), **more)


def lost(part: int, of: int) -> Cell:
    """Returns a cell with a loss count, shown as a share."""
    return Cell(share(part, of), part, "bold red") if part else Cell("0", 0)


def delivered(arrived: int, lost: int) -> Cell:
    """Returns a cell with the delivered share of known outcomes."""
    of = arrived + lost
    return Cell(share(arrived, of), arrived / of if of else None, "bold red" if lost else "")


def plain(text: str) -> Cell:
    """Returns a cell with text as its value; no value if the text is empty."""
    return Cell(text, text or None)


@dataclass(frozen=True, slots=True)
class Table:
    """Columns and rows."""

    #: Columns; the first contains the row names.
    columns: Sequence[Column]
    #: One cell per column.
    rows: Sequence[Sequence[Cell]]
    #: Remark on the whole table, printed above the headings.
    note: str = ""
    #: Values that identify the table; in files they are the leading columns.
    of: Mapping[str, Value] = field(default_factory=dict)
    #: Title, printed where there are several tables.
    title: Text | None = None
    #: Paragraphs below each row; not in files.
    below: Sequence[Sequence[Paragraph]] = ()
    #: Left margin, columns.
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
        """Builds a table from raw values, formatted by their columns."""
        cells = [[col.cell(each) for col, each in zip(columns, row, strict=True)] for row in rows]
        return cls(columns, cells, note, of or {}, **more)

    def width(self) -> int:
        """Minimum width on a terminal, with prose wrapped."""
        return Tables([self]).width()

    def shown(self) -> Table:
        """Returns the table without the columns that only files contain."""
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
    """Stacked tables with common column widths."""

    #: Tables with equal column counts. An empty sequence prints nothing.
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
        """Minimum width on a terminal, with prose wrapped."""
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
        widths = None if room < 0 else _distributed(least, most, room)
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
        text = Text(" " * margin).append_text(line)
        text.rstrip()
        yield text


def _below(table: Table) -> Sequence[Sequence[Paragraph]]:
    return table.below or [()] * len(table.rows)


def _text(column: Column, cell: Cell) -> Text:
    if isinstance(cell.text, Text):
        return cell.text.copy()
    return Text(cell.text, cell.style or column.style)


def _cell_width(column: Column, cell: Cell) -> int:
    return _text(column, cell).cell_len


def _most(table: Table) -> list[int]:
    """Column widths without wrapping."""
    widths = [
        max([Text(column.head).cell_len, *(_cell_width(column, row[nth]) for row in table.rows)])
        for nth, column in enumerate(table.columns)
    ]
    return _under_groups(table.columns, widths)


def _least(table: Table) -> list[int]:
    """Column widths if prose is wrapped as narrowly as possible."""
    widths = []
    for nth, (column, most) in enumerate(zip(table.columns, _most(table), strict=True)):
        if column.prose:
            texts = [column.head, *(_text(column, row[nth]).plain for row in table.rows)]
            words = [Text(word).cell_len for text in texts for word in text.split()]
            most = min(most, max([column.prose, *words]))
        widths.append(most)
    return widths


def _under_groups(columns: Sequence[Column], widths: list[int]) -> list[int]:
    """Widens the last column of each group to fit the group heading."""
    for name, span in _spans(columns):
        have = _sum(columns[span], widths[span])
        widths[span.stop - 1] += max(0, Text(name).cell_len - have)
    return widths


def _spans(columns: Sequence[Column]) -> Iterator[tuple[str, slice]]:
    """Yields each named group and its column range."""
    begin = 0
    for name, members in groupby(columns, key=lambda column: column.group):
        end = begin + len(list(members))
        if name:
            yield name, slice(begin, end)
        begin = end


def _gaps(columns: Sequence[Column]) -> list[int]:
    """Gap before each column; wider at the edges of a group of several."""
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


def _distributed(least: Sequence[int], most: Sequence[int], room: int) -> list[int]:
    """Distributes ``room`` over the columns; the smallest deficit is filled first."""
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
    """Returns the line of group headings, each centred above its columns."""
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
    """Yields the headings, if any, and at least one line per row."""
    columns, gaps = table.columns, _gaps(table.columns)

    def beside(cells: Sequence[Sequence[Text]]) -> Iterator[Text]:
        for parts in zip_longest(*cells):
            line = Text()
            for column, gap, width, part in zip(columns, gaps, widths, parts, strict=True):
                text = Text() if part is None else part.copy()
                text.rstrip()
                fill = " " * (width - text.cell_len)
                line.append(" " * gap)
                line.append_text(Text(fill) + text if column.right else text + Text(fill))
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
    """Yields one line per cell with its name and value."""
    first, *others = table.columns
    longest = max((Text(column.full).cell_len for column in others), default=0)
    hanging = GAP + longest + GAP
    widest = max(
        (_cell_width(*pair) for row in table.rows for pair in zip(others, row[1:], strict=True)),
        default=0,
    )
    # A narrow terminal may not even fit a name and a value side by side.
    beside = width - hanging >= min(widest, PROSE)
    for row, below in zip(table.rows, _below(table), strict=True):
        head = Text.assemble((f"{first.full} ".lstrip(), "dim"), _text(first, row[0]))
        if _text(first, row[0]).plain:
            yield from _fold(console, head, width)
        for column, cell in zip(others, row[1:], strict=True):
            name, text = Text(column.full, "dim"), _text(column, cell)
            if not text.plain:
                continue
            if not beside:
                both = Text.assemble(name, " ", text)
                yield from _inset(_fold(console, both, width - GAP), GAP)
                continue
            for nth, part in enumerate(_fold(console, text, width - hanging)):
                part.rstrip()
                lead = Text(" " * GAP)
                lead.append_text(name if nth == 0 else Text())
                lead.pad_right(hanging - lead.cell_len)
                yield lead.append_text(part)
        for paragraph in below:
            yield from paragraph.lines(console, width)


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph with a mark. Its further lines align with the text of its first line.

    Attributes
    ----------
    body
        The text.
    mark
        Text in the margin of the first line, shorter than ``margin``.
    margin
        Width of the margin, columns.
    """

    body: Text | str
    mark: Text = field(default_factory=Text)
    margin: int = 2

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        yield from self.lines(console, options.max_width)

    def lines(self, console: Console, width: int) -> Iterator[Text]:
        """Yields lines of at most ``width`` columns."""
        text = Text(self.body) if isinstance(self.body, str) else self.body
        body = text.wrap(console, max(width - self.margin, 10))
        for index, line in enumerate(body):
            line.rstrip()
            mark = self.mark.copy() if index == 0 else Text()
            mark.pad_right(self.margin - mark.cell_len)
            yield Text.assemble(mark, line)


def fact(name: str, *parts: str | Text | tuple[str, str]) -> Paragraph:
    """Returns a paragraph with a bold lead; parts are text, or text with a style."""
    return Paragraph(Text.assemble((f"{name}  ", "bold"), *parts))


def note(text: str) -> Paragraph:
    """Returns a dimmed paragraph that explains the output above it."""
    return Paragraph(Text(text, "dim"))
