"""Generates ``docs/schemas``: one file per command, one of shared definitions, one of questions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from airlag.core.schemas import DIALECT, Schema, described, head

#: File of shared definitions.
COMMON = "common.schema.json"
#: File of the questions that the core answers.
QUESTION = "question.schema.json"


def files() -> Iterator[tuple[str, Schema]]:
    """Yields file names and contents."""
    for name, top in described()["commands"].items():
        yield f"{name}.schema.json", {**head(name), **_elsewhere(top)}
    shared = described()["answers"]
    title = "Definitions shared by the --json output of airlag commands"
    yield COMMON, {"$schema": DIALECT, "title": title, "$defs": dict(sorted(shared.items()))}
    asked = described()["questions"]
    title = "Questions that the core of airlag answers"
    top = {"$schema": DIALECT, "title": title, **described()["question"]}
    yield QUESTION, {**top, "$defs": dict(sorted(asked.items()))}


def _elsewhere(value: Any) -> Any:
    """Redirects references to the file of shared definitions."""
    if isinstance(value, list):
        return [_elsewhere(each) for each in value]
    if not isinstance(value, dict):
        return value
    return {
        key: f"{COMMON}{each}" if key == "$ref" else _elsewhere(each) for key, each in value.items()
    }
