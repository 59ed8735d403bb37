"""JSON Schemas (2020-12) of ``--json`` output, generated from the core's type descriptions.

Additional keys are allowed, because later versions may add some.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from airlag import _airlag

Schema = dict[str, Any]

#: Location of shared definitions within a schema file.
HERE = "#/$defs/"
#: JSON Schema dialect.
DIALECT = "https://json-schema.org/draft/2020-12/schema"


@cache
def described() -> Mapping[str, Any]:
    """Returns all schemas of the core: ``commands``, and the shared definitions ``answers``."""
    schemas: Mapping[str, Any] = json.loads(_airlag.schemas())
    return schemas


def names() -> list[str]:
    """Names of the commands with JSON output. A hyphen separates command and subcommand."""
    return [*described()["commands"]]


def schema(name: str) -> Schema:
    """Returns the self-contained schema of ``airlag NAME --json``.

    Raises :class:`KeyError` if the command has no JSON output.
    """
    top = described()["commands"][name]
    shared = described()["answers"]
    wanted = [*_referred(top)]
    for each in wanted:
        wanted += [more for more in _referred(shared[each]) if more not in wanted]
    return {**head(name), **top, "$defs": {each: shared[each] for each in sorted(wanted)}}


def description(shape: str, keys: Sequence[str | int]) -> str:
    """Returns the description of a value, by type name and keys, with ``None`` for null.

    Raises :class:`KeyError` for an unknown key.
    """
    shared = described()["answers"]
    found: Mapping[str, Any] = {"$ref": f"{HERE}{shape}"}
    for key in keys:
        # List items are described by their list.
        if isinstance(key, str):
            target = next(_referred({each: found.get(each) for each in ("$ref", "anyOf")}))
            found = shared[target]["properties"][key]
    return str(found["description"]).replace("Null", "``None``")


def head(name: str) -> Schema:
    """Returns the first entries of a schema: dialect and title."""
    return {"$schema": DIALECT, "title": f"airlag {name.replace('-', ' ')} --json"}


def _referred(value: Any) -> Iterator[str]:
    """Yields the names of the definitions that a schema references."""
    if isinstance(value, dict):
        if isinstance(target := value.get("$ref"), str):
            yield target.removeprefix(HERE)
        value = [*value.values()]
    if isinstance(value, list):
        for each in value:
            yield from _referred(each)
