"""The answers of the core as types of Python: dictionaries, and objects with attributes.

``core/types.py`` of the package has a typed dictionary an answer, ``core/records.py`` a class for
each answer that programs get as an object.
"""

from __future__ import annotations

import re
import subprocess
import sys
import textwrap
from collections.abc import Iterator, Mapping
from keyword import iskeyword
from pathlib import Path
from typing import Any

from airlag.core import schemas

#: Modules that are generated.
CORE = Path(__file__).parents[1] / "python" / "airlag" / "core"
#: Where both modules are.
FILE, RECORDS_FILE = CORE / "types.py", CORE / "records.py"
HEAD = '''\
"""Answers of the core, as ``--json`` prints them.

Generated from the types of ``crates/study`` by ``docs/generate.py``: edit those.
"""

from __future__ import annotations

from typing import Literal, NotRequired, TypedDict'''
RECORDS_HEAD = '''\
"""Answers of the core, as objects whose attributes are the keys of the answer.

Generated from the types of ``crates/study`` by ``docs/generate.py``: edit those.
"""

from __future__ import annotations

from typing import Literal

from airlag.core import types
from airlag.core.answered import Answered, Each, Key, Maybe, Named, One'''
#: Answers that programs get as objects, with attributes that are not called as their keys: a word
#: of Python, or a duration whose unit its type gives. ``None``: no attribute.
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
    """The module."""
    shared = schemas.described()["answers"]
    objects = {name for name, each in shared.items() if "properties" in each}
    parts = [HEAD]
    rest = sorted(shared.keys() - objects)
    # Names of a union have to be there before it.
    unions = [name for name in rest if objects & {*_referred(shared[name])}]
    parts += [_alias(name, shared[name]) for name in rest if name not in unions]
    parts += [_class(name, shared[name]) for name in sorted(objects)]
    parts += [_alias(name, shared[name]) for name in unions]
    return formatted("\n\n".join(parts))


def records() -> str:
    """The module of objects; what one refers to stands before it."""
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
    """The class of an answer. Keys that may be missing are no attributes."""
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
    """What reads a key: as it is, or as the object that it is."""
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
    """The name of the definition that a schema is; empty where it is none."""
    target = schema.get("$ref", "") if isinstance(schema, dict) else ""
    return str(target.removeprefix(schemas.HERE))


def _qualified(schema: Any) -> str:
    """A hint whose names are those of the module of types."""
    names = "|".join(sorted({*_referred(schema)}))
    return re.sub(rf"\b({names})\b", r"types.\1", hint(schema)) if names else hint(schema)


def documented(about: str) -> str:
    """The documentation of a class, wrapped."""
    text = textwrap.fill(f'"""{about}"""', WIDTH - 4, subsequent_indent="    ")
    if "\n" in text:
        text = text.removesuffix('"""') + '\n    """'
    return f"    {text}"


def formatted(text: str) -> str:
    """A module as ruff formats it."""
    command = [sys.executable, "-m", "ruff", "format", "--stdin-filename", "types.py", "-"]
    return subprocess.run(command, input=text, capture_output=True, text=True, check=True).stdout


def _referred(schema: Any) -> Iterator[str]:
    for key, each in schema.items() if isinstance(schema, dict) else enumerate(schema):
        if key == "$ref":
            yield each.removeprefix(schemas.HERE)
        elif isinstance(each, dict | list):
            yield from _referred(each)


def comment(text: str, indent: str = "") -> str:
    """A comment for documentation, wrapped."""
    lines = textwrap.wrap(text, WIDTH - len(indent) - 3)
    return "".join(f"{indent}#: {line}\n" for line in lines)


def _alias(name: str, schema: Mapping[str, Any]) -> str:
    return f"{comment(schema['description'])}{name} = {hint(schema)}"


def _class(name: str, schema: Mapping[str, Any]) -> str:
    """A typed dictionary; keys that are no names of Python are those of a base class."""
    required = schema.get("required", ())
    hints = {
        key: hint(each) if key in required else f"NotRequired[{hint(each)}]"
        for key, each in schema["properties"].items()
    }
    odd = {key: hint for key, hint in hints.items() if iskeyword(key) or not key.isidentifier()}
    base, made = "TypedDict", ""
    if odd:
        base = f"_{name}"
        keys = ", ".join(f'"{key}": {_late(hint)}' for key, hint in odd.items())
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


def _late(hint: str) -> str:
    """A hint that is read when it is wanted: what it names may come further down."""
    if hint.startswith("NotRequired["):
        return f'NotRequired["{hint.removeprefix("NotRequired[").removesuffix("]")}"]'
    return f'"{hint}"'


def hint(schema: Any) -> str:
    """A schema as a type of Python."""
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
