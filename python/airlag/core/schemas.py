"""JSON Schemas (2020-12) of what ``--json`` prints, as the core describes its answers.

Further keys are allowed: more may follow in later versions.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from airlag import _airlag

Schema = dict[str, Any]

#: Where a schema finds what it shares with others within its own file.
HERE = "#/$defs/"
#: The version of JSON Schema.
DIALECT = "https://json-schema.org/draft/2020-12/schema"


@cache
def described() -> Mapping[str, Any]:
    """Every schema of the core: ``commands``, and the definitions that they share, ``answers``."""
    told: Mapping[str, Any] = json.loads(_airlag.schemas())
    return told


def names() -> list[str]:
    """Commands that print JSON; a hyphen stands for the space before the name of a subcommand."""
    return [*described()["commands"]]


def schema(name: str) -> Schema:
    """The self-contained schema of what ``airlag NAME --json`` prints.

    Raises :class:`KeyError` when no command of this name prints JSON.
    """
    top = described()["commands"][name]
    shared = described()["answers"]
    wanted = [*_referred(top)]
    for each in wanted:
        wanted += [more for more in _referred(shared[each]) if more not in wanted]
    return {**head(name), **top, "$defs": {each: shared[each] for each in sorted(wanted)}}


def description(shape: str, keys: Sequence[str | int]) -> str:
    """What the core says about a value of an answer, by the name of its type and its keys.

    Raises :class:`KeyError` when the answer has no such key.
    """
    shared = described()["answers"]
    found: Mapping[str, Any] = {"$ref": f"{HERE}{shape}"}
    for key in keys:
        # An item of a list has the description of the list.
        if isinstance(key, str):
            target = next(_referred({each: found.get(each) for each in ("$ref", "anyOf")}))
            found = shared[target]["properties"][key]
    return str(found["description"])


def head(name: str) -> Schema:
    """What a schema begins with."""
    return {"$schema": DIALECT, "title": f"airlag {name.replace('-', ' ')} --json"}


def _referred(value: Any) -> Iterator[str]:
    """Names of the definitions that a schema refers to."""
    if isinstance(value, dict):
        if isinstance(target := value.get("$ref"), str):
            yield target.removeprefix(HERE)
        value = [*value.values()]
    if isinstance(value, list):
        for each in value:
            yield from _referred(each)
