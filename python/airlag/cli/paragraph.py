"""Paragraphs that keep their margin when a narrow terminal folds them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from rich.console import Console, ConsoleOptions, RenderResult
from rich.text import Text


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
