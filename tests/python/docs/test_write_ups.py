"""The page of write-ups: its table is what the captures give today."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[3] / "docs"
sys.path.insert(0, str(DOCS))

import write_up_pages  # noqa: E402


def test_the_table_is_what_the_captures_give(captures: Path) -> None:
    made = write_up_pages.captured(captures)
    assert made in (DOCS / "write-ups.md").read_text()


def test_a_finding_that_a_capture_does_not_lead_to_is_refused(
    captures: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    statements = write_up_pages.STATEMENTS.read_text().replace("drift-ramp", "overload")
    (tmp_path / "wrong.toml").write_text(statements)
    monkeypatch.setattr(write_up_pages, "STATEMENTS", tmp_path / "wrong.toml")
    with pytest.raises(ValueError, match=r"do not lead to \['overload'\]"):
        write_up_pages.captured(captures)
