"""``python/airlag/core/types.py``: the answers of the core as types of Python."""

from __future__ import annotations

import subprocess
import sys
import textwrap
from collections.abc import Iterator, Mapping
from keyword import iskeyword
from pathlib import Path
from typing import Any

from airlag.core import schemas

#: Where it is.
FILE = Path(__file__).parents[1] / "python" / "airlag" / "core" / "types.py"
HEAD = '''\
"""Answers of the core, as ``--json`` prints them.

Generated from the types of ``crates/study`` by ``docs/generate.py``: edit those.
"""

from __future__ import annotations

from typing import Literal, NotRequired, TypedDict'''
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
    return _formatted("\n\n".join(parts))


def _formatted(text: str) -> str:
    command = [sys.executable, "-m", "ruff", "format", "--stdin-filename", "types.py", "-"]
    return subprocess.run(command, input=text, capture_output=True, text=True, check=True).stdout


def _referred(schema: Any) -> Iterator[str]:
    for key, each in schema.items() if isinstance(schema, dict) else enumerate(schema):
        if key == "$ref":
            yield each.removeprefix(schemas.HERE)
        elif isinstance(each, dict | list):
            yield from _referred(each)


def _comment(text: str, indent: str = "") -> str:
    lines = textwrap.wrap(text, WIDTH - len(indent) - 3)
    return "".join(f"{indent}#: {line}\n" for line in lines)


def _alias(name: str, schema: Mapping[str, Any]) -> str:
    return f"{_comment(schema['description'])}{name} = {_hint(schema)}"


def _class(name: str, schema: Mapping[str, Any]) -> str:
    """A typed dictionary; keys that are no names of Python are those of a base class."""
    required = schema.get("required", ())
    hints = {
        key: _hint(each) if key in required else f"NotRequired[{_hint(each)}]"
        for key, each in schema["properties"].items()
    }
    odd = {key: hint for key, hint in hints.items() if iskeyword(key) or not key.isidentifier()}
    base, made = "TypedDict", ""
    if odd:
        base = f"_{name}"
        keys = ", ".join(f'"{key}": {_late(hint)}' for key, hint in odd.items())
        made = f'{base} = TypedDict("{base}", {{{keys}}})\n\n\n'
    # One class of many lines of documentation needs them wrapped.
    about = textwrap.fill(f'"""{schema["description"]}"""', WIDTH - 4, subsequent_indent="    ")
    if "\n" in about:
        about = about.removesuffix('"""') + '\n    """'
    fields = [
        f"{_comment(each['description'], '    ')}    {key}: {hints[key]}\n"
        for key, each in schema["properties"].items()
        if key not in odd
    ]
    gap = "\n" if fields else ""
    return f"{made}class {name}({base}):\n    {about}\n{gap}{''.join(fields)}"


def _late(hint: str) -> str:
    """A hint that is read when it is wanted: what it names may come further down."""
    if hint.startswith("NotRequired["):
        return f'NotRequired["{hint.removeprefix("NotRequired[").removesuffix("]")}"]'
    return f'"{hint}"'


def _hint(schema: Any) -> str:
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
            return _union([_hint(each) for each in schema[several]])
    kind = schema["type"]
    if isinstance(kind, list):
        return _union([_hint({**schema, "type": each}) for each in kind])
    if kind == "array":
        items = schema.get("prefixItems") or [schema["items"]]
        return f"list[{_union([*dict.fromkeys(_hint(each) for each in items)])}]"
    if kind == "object":
        return f"dict[str, {_hint(schema.get('additionalProperties', True))}]"
    return PLAIN[kind]


def _union(hints: list[str]) -> str:
    words = [each for each in hints if each.startswith("Literal[")]
    if len(words) == len(hints):
        return f"Literal[{', '.join(each[8:-1] for each in words)}]"
    return " | ".join(dict.fromkeys(hints))
