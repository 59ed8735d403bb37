"""The notebooks of the documentation run, in a kernel, from top to bottom; they keep no outputs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient

#: What a notebook shows itself.
VEGA_LITE = "application/vnd.vegalite.v6+json"
FOLDER = Path(__file__).resolve().parents[3] / "docs" / "notebooks"
NOTEBOOKS = sorted(path.stem for path in FOLDER.glob("*.ipynb"))

#: What a reader must have seen after the last cell of each: kinds of output by how many there are.
SHOWN = {
    "capture-to-findings": {"charts": 1, "tables": 3},
    "choose-a-link": {"charts": 3, "tables": 4},
    "sweep-an-interval": {"charts": 2, "tables": 2},
    "which-interval": {"charts": 1, "tables": 3},
}


def test_every_notebook_is_listed() -> None:
    assert set(NOTEBOOKS) == set(SHOWN)


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_a_notebook_keeps_no_outputs(name: str) -> None:
    book = nbformat.read(FOLDER / f"{name}.ipynb", as_version=4)
    nbformat.validate(book)
    code = [cell for cell in book.cells if cell.cell_type == "code"]
    assert code
    assert all(cell.outputs == [] and cell.execution_count is None for cell in code)
    assert set(book.metadata) == {"kernelspec", "language_info"}


@pytest.mark.timeout(600)
@pytest.mark.filterwarnings("default")
@pytest.mark.parametrize("name", NOTEBOOKS)
def test_a_notebook_runs_and_shows_charts_and_tables(name: str, tmp_path: Path) -> None:
    book = nbformat.read(FOLDER / f"{name}.ipynb", as_version=4)
    client = NotebookClient(
        book, timeout=500, kernel_name="python3", resources={"metadata": {"path": str(tmp_path)}}
    )
    client.execute()
    shown = [
        output["data"]
        for cell in book.cells
        for output in cell.get("outputs", ())
        if output.output_type in ("execute_result", "display_data")
    ]
    text = [str(data.get("text/html", "")) for data in shown]
    # Charts of airlag have a type of their own; those of Altair are pages.
    charts = sum("vega-lite" in each for each in text) + sum(VEGA_LITE in data for data in shown)
    assert charts == SHOWN[name]["charts"]
    assert sum("<table" in each for each in text) == SHOWN[name]["tables"]
    assert errors(book) == []


def errors(book: Any) -> list[str]:
    """What cells wrote to standard error."""
    return [
        output.text
        for cell in book.cells
        for output in cell.get("outputs", ())
        if output.output_type == "stream" and output.name == "stderr"
    ]
