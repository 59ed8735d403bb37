"""Generates ``docs/json-reference.md``: all keys of ``--json`` output, from the schemas."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from airlag.core.schemas import Schema, described

FILE = Path(__file__).resolve().parent / "json-reference.md"

HEAD = """# JSON reference

Every key that a command prints with `--json`, its type and its unit. This page is generated from
the [JSON Schemas](schemas); [JSON output](json.md) describes what all commands have in common.

A key in *italics* may be absent. `null` among the types means that the value is unknown or does not
apply.
"""

#: Schema keywords for alternatives.
ALTERNATIVES = ("anyOf", "oneOf")


def reference() -> str:
    """Returns the page: commands first, then shared objects by name."""
    whole = described()
    shared = whole["answers"]
    lines = [HEAD, "## Commands", "", "| command | prints |", "|---|---|"]
    for name, top in whole["commands"].items():
        lines.append(f"| `airlag {name.replace('-', ' ')}` | {_type(top)} |")
    for name in sorted(shared):
        lines += ["", f"## {name}", "", *_section(shared[name])]
    return "\n".join(lines) + "\n"


def _section(schema: Schema) -> Iterator[str]:
    """Description of a definition, with its keys, values or alternatives."""
    if about := schema.get("description"):
        yield _cell(about)
    if "properties" in schema:
        yield from ("", "| key | type | meaning |", "|---|---|---|")
        yield from _rows(schema, "")
    elif values := list(_values(schema)):
        yield from ("", "| value | meaning |", "|---|---|")
        yield from (f"| `{value}` | {_cell(about)} |" for value, about in values)
    else:
        yield from ("", f"Type: {_type(schema)}.")


def _rows(schema: Schema, above: str) -> Iterator[str]:
    """One row per key; keys of an unnamed object follow it with a prefix."""
    required = schema.get("required", ())
    for key, of in schema["properties"].items():
        name = f"`{above}{key}`" if key in required else f"*`{above}{key}`*"
        yield f"| {name} | {_type(of)} | {_cell(of.get('description', ''))} |"
        inner, suffix = of, "."
        while "items" in inner:
            inner, suffix = inner["items"], f"[]{suffix}"
        if "properties" in inner:
            yield from _rows(inner, f"{above}{key}{suffix}")


def _values(schema: Schema) -> Iterator[tuple[str, str]]:
    """Values that a definition allows, with their meaning if stated."""
    yield from ((str(value), "") for value in schema.get("enum", ()))
    for one in schema.get("oneOf", ()):
        if "const" in one:
            yield str(one["const"]), one.get("description", "")
        else:
            yield from ((str(value), "") for value in one.get("enum", ()))


def _type(schema: Any) -> str:
    """Type of a value in words, with links to definitions."""
    if not isinstance(schema, dict):
        return "any"
    if ref := schema.get("$ref"):
        name = ref.rpartition("/")[2]
        return f"[{name}](#{name.lower()})"
    for key in ALTERNATIVES:
        if key in schema:
            return " or ".join(dict.fromkeys(_type(one) for one in schema[key]))
    if "const" in schema:
        return f"`{schema['const']}`"
    if "enum" in schema:
        return " or ".join(
            f"`{value}`" if value is not None else "null" for value in schema["enum"]
        )
    types = schema.get("type", "any")
    return " or ".join(
        _named(one, schema) for one in ([types] if isinstance(types, str) else types)
    )


def _named(one: str, schema: Schema) -> str:
    """JSON type in words, with the item type of arrays and mappings."""
    if one == "array" and (parts := schema.get("prefixItems")):
        return f"array of {' and '.join(dict.fromkeys(_type(part) for part in parts))}"
    if one == "array":
        return f"array of {_type(schema.get('items', {}))}"
    if one == "object" and isinstance(of := schema.get("additionalProperties"), dict):
        return f"object of {_type(of)}"
    return one


def _cell(text: str) -> str:
    return text.replace("\n", " ").replace("|", "\\|")
