"""Generates Python types for the core's answers: typed dictionaries and classes.

``core/types.py`` has a typed dictionary per answer, ``core/records.py`` a class for each answer
that the API returns as an object.
"""

from __future__ import annotations

import re
import subprocess
import sys
import textwrap
from collections.abc import Iterator, Mapping
from graphlib import TopologicalSorter
from keyword import iskeyword
from pathlib import Path
from typing import Any

from airlag.core import schemas

#: Generated modules.
CORE = Path(__file__).parents[1] / "python" / "airlag" / "core"
#: Folder of both modules.
FILE, RECORDS_FILE = CORE / "types.py", CORE / "records.py"
HEAD = '''\
"""Answers of the core, as ``--json`` prints them.

Generated from the types of ``crates/study`` by ``docs/generate.py``: edit those.
"""

# Evaluated annotations, sorted by dependency: a typed dictionary compiles each annotation that is a
# string, which every command would wait for.
from typing import Literal, NotRequired, TypedDict'''
RECORDS_HEAD = '''\
"""Answers of the core, as objects whose attributes are the keys of the answer.

Generated from the types of ``crates/study`` by ``docs/generate.py``: edit those.
"""

from __future__ import annotations

from typing import Literal

from airlag.core import types
from airlag.core.answered import Answered, Each, Key, Maybe, Named, One'''
#: Answers that the API returns as objects, with attribute names that differ from the keys because
#: of Python keywords or units. ``None``: no attribute.
RECORDS: Mapping[str, Mapping[str, str | None]] = {
    "Advice": {"for": "aim"},
    "AdviceStep": {},
    "Budget": {},
    "Burst": {"delivery_interval": "interval", "goodput_kbps": "kbps"},
    "CampaignAnswer": {},
    "CampaignAsked": {},
    "CampaignColumn": {},
    "CampaignLine": {},
    "CampaignPlace": {},
    "CampaignPlan": {"captures": None},
    "CampaignPoint": {
        "latency_ns": None,
        "gap_ns": None,
        "completion_ns": None,
        "goodput_kbps": "kbps",
    },
    "CampaignPublished": {},
    "CampaignWork": {},
    "Change": {"p50_ns": "p50", "p99_ns": "p99"},
    "Changed": {},
    "Channels": {"channels": "wires"},
    "Criterion": {},
    "ExplainedBurst": {
        "delivery_interval": "interval",
        "goodput_kbps": "kbps",
        "remedies": None,
    },
    "Fate": {},
    "Fitted": {},
    "Floor": {},
    "Goodput": {"goodput_kbps": "kbps", "gap_ns": "gap"},
    "Index": {},
    "Indexed": {"standard_deviation": "deviation"},
    "Indices": {},
    "Item": {"class": "kind"},
    "Label": {},
    "LeftOutConstant": {},
    "Link": {},
    "Load": {},
    "LoadPoint": {"latency_ns": "latency"},
    "MatchCandidate": {},
    "Network": {"latency_ns": "latency"},
    "Part": {"class": "kind"},
    "Position": {},
    "QuantileError": {},
    "QuantileOfAll": {},
    "Recommendation": {"task": None},
    "Recommended": {"tuned": None, "tuned_settings": None},
    "RecommendedRun": {"in_time": None, "lost": None, "p50_ns": "p50", "quantile_ns": "quantile"},
    "Remedy": {"delivery_interval": "interval", "goodput_kbps": "kbps"},
    "SensitiveConstant": {},
    "Sensitivity": {},
    "SetupPlan": {},
    "SetupWork": {},
    "Probed": {},
    "Term": {},
    "ThreadFlow": {"from_node": "sender", "to_node": "receiver", "latency_ns": "latency"},
    "Timeline": {},
    "Tried": {},
    "TriedSetting": {},
    "Tuned": {},
    "TunedSetting": {"metrics": None},
    "Turned": {},
    "Wire": {},
    "Within": {},
}
PLAIN = {
    "string": "str",
    "integer": "int",
    "number": "float",
    "boolean": "bool",
    "null": "None",
}
WIDTH = 96


def types() -> str:
    """Returns the module of typed dictionaries, sorted by dependency."""
    shared = schemas.described()["answers"]
    aliases = {name for name, each in shared.items() if "properties" not in each}
    names = sorted(shared, key=lambda name: (name not in aliases, name))
    after = {name: sorted({*_referred(shared[name])}) for name in names}
    parts = [HEAD]
    for name in TopologicalSorter(after).static_order():
        parts.append((_alias if name in aliases else _class)(name, shared[name]))
    return formatted("\n\n".join(parts))


def records() -> str:
    """Returns the module of classes, sorted by dependency."""
    shared = schemas.described()["answers"]
    made: dict[str, str] = {}
    seen: set[str] = set()

    def make(name: str) -> None:
        if name in seen:
            return
        seen.add(name)
        for inner in _referred(shared[name]):
            make(inner)
        if name in RECORDS:
            made[name] = _record(name, shared)

    for name in RECORDS:
        make(name)
    return formatted("\n\n".join([RECORDS_HEAD, *made.values()]))


def _record(name: str, shared: Mapping[str, Any]) -> str:
    """Class of an answer. Optional keys have no attribute."""
    schema, renamed = shared[name], RECORDS[name]
    lines = []
    for key in schema["properties"]:
        attribute = renamed.get(key, key)
        if attribute is not None and key in schema.get("required", ()):
            again = "" if attribute == key else repr(key)
            lines.append(
                f"    {attribute} = {_attribute(schema['properties'][key], again, shared)}"
            )
    about = schema["description"]
    return (
        f"class {name}(Answered, shape=types.{name}):\n{documented(about)}\n\n"
        + "\n".join(lines)
        + "\n"
    )


def _attribute(schema: Mapping[str, Any], key: str, shared: Mapping[str, Any]) -> str:
    """Descriptor expression for a key: plain value or nested object."""
    also = f", {key}" if key else ""
    inner = _object(schema)
    if inner in RECORDS:
        return f"One({inner}{also})"
    if (inner := _object(schema.get("items"))) in RECORDS:
        return f"Each({inner}{also})"
    of_null = [_object(each) for each in schema.get("anyOf", ())]
    if len(of_null) == 2 and of_null[0] in RECORDS:
        return f"Maybe({of_null[0]}{also})"
    table = _object(schema)
    values = {_object(each) for each in shared.get(table, {}).get("properties", {}).values()}
    if len(values) == 1 and (inner := values.pop()) in RECORDS:
        return f"Named({inner}{also})"
    return f"Key[{_qualified(schema)}]({key})"


def _object(schema: Any) -> str:
    """Name of the referenced definition; empty if there is none."""
    target = schema.get("$ref", "") if isinstance(schema, dict) else ""
    return str(target.removeprefix(schemas.HERE))


def _qualified(schema: Any) -> str:
    """Type hint with names qualified by the types module."""
    names = "|".join(sorted({*_referred(schema)}))
    return re.sub(rf"\b({names})\b", r"types.\1", hint(schema)) if names else hint(schema)


def documented(about: str) -> str:
    """Wrapped docstring of a class."""
    text = textwrap.fill(f'"""{about}"""', WIDTH - 4, subsequent_indent="    ")
    if "\n" in text:
        text = text.removesuffix('"""') + '\n    """'
    return f"    {text}"


def formatted(text: str) -> str:
    """Module text formatted by ruff."""
    command = [sys.executable, "-m", "ruff", "format", "--stdin-filename", "types.py", "-"]
    return subprocess.run(command, input=text, capture_output=True, text=True, check=True).stdout


def _referred(schema: Any) -> Iterator[str]:
    for key, each in schema.items() if isinstance(schema, dict) else enumerate(schema):
        if key == "$ref":
            yield each.removeprefix(schemas.HERE)
        elif isinstance(each, dict | list):
            yield from _referred(each)


def comment(text: str, indent: str = "") -> str:
    """Wrapped documentation comment."""
    lines = textwrap.wrap(text, WIDTH - len(indent) - 3)
    return "".join(f"{indent}#: {line}\n" for line in lines)


def _alias(name: str, schema: Mapping[str, Any]) -> str:
    return f"{comment(schema['description'])}{name} = {hint(schema)}"


def _class(name: str, schema: Mapping[str, Any]) -> str:
    """Typed dictionary; keys that are not identifiers go into a base class."""
    required = schema.get("required", ())
    hints = {
        key: hint(each) if key in required else f"NotRequired[{hint(each)}]"
        for key, each in schema["properties"].items()
    }
    odd = {key: hint for key, hint in hints.items() if iskeyword(key) or not key.isidentifier()}
    base, made = "TypedDict", ""
    if odd:
        base = f"_{name}"
        keys = ", ".join(f'"{key}": {hint}' for key, hint in odd.items())
        made = f'{base} = TypedDict("{base}", {{{keys}}})\n\n\n'
    fields = [
        f"{comment(each['description'], '    ')}    {key}: {hints[key]}\n"
        for key, each in schema["properties"].items()
        if key not in odd
    ]
    gap = "\n" if fields else ""
    return (
        f"{made}class {name}({base}):\n{documented(schema['description'])}\n{gap}{''.join(fields)}"
    )


def hint(schema: Any) -> str:
    """Converts a schema to a Python type hint."""
    if schema is True:
        return "object"
    if "$ref" in schema:
        return str(schema["$ref"].removeprefix(schemas.HERE))
    if "const" in schema:
        return f"Literal[{schema['const']!r}]"
    if "enum" in schema:
        return f"Literal[{', '.join(map(repr, schema['enum']))}]"
    for several in ("oneOf", "anyOf"):
        if several in schema:
            return _union([hint(each) for each in schema[several]])
    kind = schema["type"]
    if isinstance(kind, list):
        return _union([hint({**schema, "type": each}) for each in kind])
    if kind == "array":
        items = schema.get("prefixItems") or [schema["items"]]
        return f"list[{_union([*dict.fromkeys(hint(each) for each in items)])}]"
    if kind == "object":
        return f"dict[str, {hint(schema.get('additionalProperties', True))}]"
    return PLAIN[kind]


def _union(hints: list[str]) -> str:
    words = [each for each in hints if each.startswith("Literal[")]
    if len(words) == len(hints):
        return f"Literal[{', '.join(each[8:-1] for each in words)}]"
    return " | ".join(dict.fromkeys(hints))
