"""Tables of a command as files for spreadsheets, documents and programs.

A ``.csv`` or ``.json`` file has raw numbers, in one table whose first columns identify the original
table. The column names have units. A ``.md`` file has the text of the terminal.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from pathlib import Path

from airlag.cli import terminal
from airlag.core.atomic import replacing
from airlag.core.display import to_json
from airlag.views.table import Table, Value

#: File extensions of tables.
SUFFIXES = (".csv", ".md", ".json")


def is_sheet(path: str | Path | None) -> bool:
    """Whether the file extension selects a table; a name ending in / is a folder."""
    if path is None or str(path).endswith("/"):
        return False
    return Path(path).suffix.lower() in SUFFIXES


def keep(tables: Sequence[Table], path: Path, *, force: bool) -> list[str]:
    """Writes tables, in display order, to a path for which :func:`is_sheet` is true.

    Returns the errors, one line each. ``force`` permits replacing a file with different content.
    """
    write = {".csv": _csv, ".md": _markdown, ".json": _json}[path.suffix.lower()]
    try:
        with replacing(path, force=force) as file:
            file.write(write(tables).encode("utf-8", "backslashreplace"))
    except OSError as error:
        return [terminal.unwritable(path, error, "path with -o")]
    return []


def rows(tables: Iterable[Table]) -> list[dict[str, Value]]:
    """Returns every row by column key, with the values that identify its table."""
    return [
        {
            **table.of,
            **{
                column.key: cell.value
                for column, cell in zip(table.columns, row, strict=True)
                if column.key is not None
            },
        }
        for table in tables
        for row in table.rows
    ]


def _csv(tables: Sequence[Table]) -> str:
    found = rows(tables)
    keys = list(dict.fromkeys(key for row in found for key in row))
    text = io.StringIO()
    sheet = csv.DictWriter(text, keys, lineterminator="\n")
    sheet.writeheader()
    sheet.writerows({key: _word(value) for key, value in row.items()} for row in found)
    return text.getvalue()


def _word(value: Value) -> Value:
    """Formats booleans in CSV as JSON does."""
    return str(value).lower() if isinstance(value, bool) else value


def _json(tables: Sequence[Table]) -> str:
    return to_json(rows(tables)) + "\n"


def _markdown(tables: Sequence[Table]) -> str:
    return "\n".join("".join(f"{line}\n" for line in _grid(table)) for table in tables)


def _grid(table: Table) -> Iterable[str]:
    """Yields the lines of a table in GitHub Flavored Markdown (4.10)."""
    of = ", ".join(f"{key} {value}" for key, value in table.of.items() if value is not None)
    for above in (table.title or of, table.note):
        if above:
            yield f"{_escaped(str(above))}\n"
    table = table.shown()
    yield _line(column.full for column in table.columns)
    yield _line("---:" if column.right else "---" for column in table.columns)
    for row in table.rows:
        yield _line(str(cell.text) for cell in row)


def _line(cells: Iterable[str]) -> str:
    return f"| {' | '.join(map(_escaped, cells))} |"


def _escaped(text: str) -> str:
    """Escapes Markdown: a bar would end a cell, a star make it bold."""
    return "".join(f"\\{c}" if c in "\\|*_`<[" else c for c in text)
