"""The examples of docs/python.md work unchanged."""

from __future__ import annotations

import re
from pathlib import Path

import airlag

PAGE = (Path(__file__).resolve().parents[3] / "docs" / "python.md").read_text()


def test_the_example_runs() -> None:
    (example,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    names: dict[str, object] = {}
    exec(compile(example, "docs/python.md", "exec"), names)
    assert isinstance(names["run"], airlag.Run)
    assert names["run"].config["settings"] == {"connection_interval": "7500"}


def test_every_function_has_a_line() -> None:
    named = set(re.findall(r"`(\w+)[`(]", PAGE))
    functions = {name for name in airlag.__all__ if name.islower() and not name.startswith("_")}
    assert functions - named == {"analyze_many"}


def test_every_notebook_has_a_line() -> None:
    folder = Path(__file__).resolve().parents[3] / "docs" / "notebooks"
    linked = set(re.findall(r"notebooks/([\w-]+)\.ipynb", PAGE))
    assert linked == {path.stem for path in folder.glob("*.ipynb")}
