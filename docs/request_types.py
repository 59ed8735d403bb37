"""Generates ``python/airlag/core/requests.py``: the core's questions as Python classes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from answer_types import CORE, comment, documented, formatted, hint

from airlag.core import schemas

#: Path of the module.
FILE = CORE / "requests.py"
HEAD = '''\
"""Questions of the core, with its defaults.

Generated from the types of ``crates/study`` by ``docs/generate.py``: edit those.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from airlag.core.answered import Question

if TYPE_CHECKING:
    from airlag.core.types import (
        Arrivals,
        Carried,
        Direction,
        Phase,
        Region,
        ThreadStep,
        ThreadTraffic,
        Topology,
        Traffic,
    )'''
#: Class names of the questions, and attribute names of their keys; ``None``: no attribute.
CLASSES: Mapping[str, tuple[str, Mapping[str, str | None]]] = {
    "run": ("Request", {"slices": None, "sniff": None}),
    "load": ("Offer", {"link": None}),
    "trains": ("Train", {"link": None}),
    "recommend": ("Task", {"range": "distance"}),
    "thread": ("ThreadLoad", {"folder": None, "sniff": None}),
}


def requests() -> str:
    """Returns the module."""
    asked = schemas.described()["questions"]["Question"]["oneOf"]
    variants = {each["properties"]["question"]["const"]: each for each in asked}
    made = [_class(variants[name], *told) for name, told in CLASSES.items()]
    return formatted("\n\n".join([HEAD, *made]))


def _class(schema: Mapping[str, Any], name: str, renamed: Mapping[str, str | None]) -> str:
    """Class of a question; keyword-only if required fields do not come first."""
    required = set(schema["required"])
    fields = {
        renamed.get(key, key): each
        for key, each in schema["properties"].items()
        if key != "question" and renamed.get(key, key) is not None
    }
    lines = [
        f"{comment(each['description'], '    ')}    {key}: {_field(each)}"
        for key, each in fields.items()
    ]
    given = [key in required for key in fields]
    named = ", kw_only=True" if given != sorted(given, reverse=True) else ""
    head = f"@dataclass(frozen=True, slots=True{named})\nclass {name}(Question):"
    return f"{head}\n{documented(schema['description'])}\n\n" + "\n".join(lines) + "\n"


def _field(schema: Mapping[str, Any]) -> str:
    """Type and, if there is one, default of a field."""
    kind = hint(schema).replace("list[", "Sequence[").replace("dict[", "Mapping[")
    if "default" not in schema:
        return kind
    match schema["default"]:
        case {}:
            return f"{kind} = field(default_factory=dict)"
        case []:
            return f"{kind} = ()"
    return f"{kind} = {schema['default']!r}"
