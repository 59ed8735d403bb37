"""``docs/schemas``: one file a command, and one with what they share."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from airlag.core.schemas import DIALECT, Schema, described, head

#: The file that has what the others share.
COMMON = "common.schema.json"


def files() -> Iterator[tuple[str, Schema]]:
    """Their names and contents."""
    for name, top in described()["commands"].items():
        yield f"{name}.schema.json", {**head(name), **_elsewhere(top)}
    shared = described()["answers"]
    title = "What several commands of airlag print with --json"
    yield COMMON, {"$schema": DIALECT, "title": title, "$defs": dict(sorted(shared.items()))}


def _elsewhere(value: Any) -> Any:
    """The same schema, with its definitions in the file that committed schemas share."""
    if isinstance(value, list):
        return [_elsewhere(each) for each in value]
    if not isinstance(value, dict):
        return value
    return {
        key: f"{COMMON}{each}" if key == "$ref" else _elsewhere(each) for key, each in value.items()
    }
