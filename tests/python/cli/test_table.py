"""Tables on a terminal, and as files: no content is lost at any width."""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from rich.console import Console
from rich.text import Text

from airlag.cli import options, sheet
from airlag.views.table import Cell, Column, Paragraph, Table, Tables, named, prose

#: Words as tables have them: no blank in front or behind, where a fold would take it.
WORDS = st.text(
    st.characters(categories=["L", "N", "P", "S"], exclude_characters="\u0345"),
    min_size=1,
    max_size=30,
)
NUMBERS = st.floats(-1e6, 1e6).map(lambda value: f"{value:.3f}")
TEXTS = st.lists(WORDS, max_size=12).map(" ".join)


@st.composite
def tables(draw: st.DrawFn) -> Table:
    """Any table: names of rows, numbers, prose, groups, columns without a head."""
    kinds = draw(st.lists(st.sampled_from(["number", "prose", "text"]), max_size=7))
    columns = [named(draw(st.just("") | WORDS))]
    for kind in kinds:
        head = draw(st.just("") | WORDS)
        group = draw(st.sampled_from(["", "", "first", "as it was captured"]))
        columns.append(prose(head) if kind == "prose" else Column(head, "ms", group=group))
    cells = {"number": NUMBERS, "prose": TEXTS, "text": WORDS | st.just("")}
    rows = [
        [Cell(draw(WORDS)), *(Cell(draw(cells[kind])) for kind in kinds)]
        for _ in range(draw(st.integers(1, 5)))
    ]
    return Table(columns, rows, draw(st.just("") | WORDS), margin=draw(st.integers(0, 4)))


def printed(table: Table | Tables, width: int) -> list[str]:
    console = Console(width=width, color_system=None, file=io.StringIO(), highlight=False)
    with console.capture() as captured:
        console.print(table, crop=False)
    return captured.get().splitlines()


def letters(*texts: str) -> Counter[str]:
    return Counter("".join("".join(texts).split()))


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(tables(), st.integers(12, 200))
def test_no_table_loses_a_cell_at_any_width(table: Table, width: int) -> None:
    lines = printed(table, width)
    missing = letters(*(str(cell.text) for row in table.rows for cell in row))
    missing += letters(table.note, *(column.full for column in table.columns[1:]))
    # Heads of a column in which every cell is empty have nothing to head in records.
    for nth, column in enumerate(table.columns):
        if nth and not any(str(row[nth].text) for row in table.rows):
            missing -= letters(column.full)
    # A group is named once above all its columns.
    for column in table.columns[1:]:
        missing -= letters(column.group)
    missing -= letters(*lines)
    assert not missing
    assert all(Text(line).cell_len <= width for line in lines)


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(tables())
def test_where_there_is_room_every_row_is_a_line(table: Table) -> None:
    lines = printed(table, 2_000)
    for row in table.rows:
        texts = [str(cell.text) for cell in row if str(cell.text)]
        assert any(all(text in line for text in texts) for line in lines)


def small(**more: object) -> Table:
    columns = [
        named("link", "link"),
        Column("p50", "ms", "p50_ns", group="frozen"),
        Column("lost", key="lost", group="frozen"),
        Column("class", key="class", hidden=True),
    ]
    rows = [
        [Cell("nrf24-2m", "nrf24-2m"), Cell("0.412", 412_345), Cell("0", 0), Cell("", "radio")],
        [Cell("a|b*", "a|b*"), Cell("–"), Cell("5 %", 50), Cell("", None)],
    ]
    return Table(columns, rows, "exclude losses", {"size_bytes": 12}, **more)  # type: ignore[arg-type]


def test_rows_become_records_where_there_is_no_room_for_them() -> None:
    assert printed(small(), 80) == [
        "  exclude losses",
        "                 frozen",
        "  link       p50, ms  lost",
        "  nrf24-2m     0.412     0",
        "  a|b*             –   5 %",
    ]
    assert printed(small(), 24) == [
        "  exclude losses",
        "  link nrf24-2m",
        "    frozen p50, ms 0.412",
        "    frozen lost 0",
        "  link a|b*",
        "    frozen p50, ms –",
        "    frozen lost 5 %",
    ]
    assert printed(small(), 25)[1:4] == [
        "  link nrf24-2m",
        "    frozen p50, ms  0.412",
        "    frozen lost     0",
    ]


def test_tables_that_stand_together_have_their_columns_below_each_other() -> None:
    other = Table(small().columns, [[Cell("lora"), Cell("108.25"), Cell("0"), Cell("")]])
    lines = printed(Tables([small(title=Text("one")), other]), 80)
    assert lines[0] == "one"
    assert [line.index("p50, ms") for line in lines if "p50" in line] == [13, 13]
    # As long as one of them has no room, none is rows.
    wide = Table(small().columns, [[Cell("x" * 40), Cell("1"), Cell("0"), Cell("")]])
    assert "p50, ms" not in printed(Tables([small(), wide]), 50)[1]


def test_what_stands_below_a_row_stands_there_in_records_too() -> None:
    below = [[Paragraph(Text("gives up range"))], []]
    for width in (80, 24):
        lines = printed(small(below=below), width)
        place = next(nth for nth, line in enumerate(lines) if "gives up range" in line)
        assert any("nrf24-2m" in line for line in lines[:place])
        assert any("a|b*" in line for line in lines[place:])


def test_a_csv_has_plain_numbers_and_their_units_in_its_head(tmp_path: Path) -> None:
    assert sheet.keep([small(), small()], tmp_path / "a.csv", force=False) == []
    rows = list(csv.DictReader(io.StringIO((tmp_path / "a.csv").read_text())))
    assert len(rows) == 4
    assert rows[0] == {
        "size_bytes": "12", "link": "nrf24-2m", "p50_ns": "412345", "lost": "0", "class": "radio",
    }  # fmt: skip
    assert rows[1]["p50_ns"] == ""
    assert rows[1]["link"] == "a|b*"


def test_json_has_the_same(tmp_path: Path) -> None:
    assert sheet.keep([small()], tmp_path / "a.json", force=False) == []
    first, second = json.loads((tmp_path / "a.json").read_text())
    assert first == {
        "size_bytes": 12, "link": "nrf24-2m", "p50_ns": 412_345, "lost": 0, "class": "radio",
    }  # fmt: skip
    assert second["p50_ns"] is None


def test_markdown_has_what_is_shown(tmp_path: Path) -> None:
    assert sheet.keep([small(title=Text("12 B"))], tmp_path / "a.md", force=False) == []
    lines = (tmp_path / "a.md").read_text().splitlines()
    assert lines[0] == "12 B"
    assert "exclude losses" in lines
    assert "| link | frozen p50, ms | frozen lost |" in lines
    assert "| --- | ---: | ---: |" in lines
    assert "| a\\|b\\* | – | 5 % |" in lines


def test_a_file_that_holds_something_else_is_replaced_only_by_force(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("mine\n")
    (line,) = sheet.keep([small()], path, force=False)
    assert str(path) in line
    assert path.read_text() == "mine\n"
    assert sheet.keep([small()], path, force=True) == []
    assert path.read_text() != "mine\n"


@pytest.mark.parametrize("name", ["table", "table.txt", "table.parquet"])
def test_a_name_that_tells_no_format_is_refused_in_one_line(name: str) -> None:
    with pytest.raises(ValueError, match=r"\.csv, \.md or \.json"):
        options.sheet_file(name)


def test_of_no_tables_nothing_is_shown() -> None:
    assert Tables([]).width() == 0
    console = Console(width=80)
    assert list(Tables([]).lines(console, 80)) == []
