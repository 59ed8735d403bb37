"""``docs/json-reference.md``: every key that a command prints with ``--json``, from the schemas."""

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

#: Keys under which a schema states that it is one of several.
ALTERNATIVES = ("anyOf", "oneOf")


def reference() -> str:
    """The whole page: commands first, then the objects that they share by name."""
    whole = described()
    shared = whole["answers"]
    lines = [HEAD, "## Commands", "", "| command | prints |", "|---|---|"]
    for name, top in whole["commands"].items():
        lines.append(f"| `airlag {name.replace('-', ' ')}` | {_type(top)} |")
    for name in sorted(shared):
        lines += ["", f"## {name}", "", *_section(shared[name])]
    return "\n".join(lines) + "\n"


def _section(schema: Schema) -> Iterator[str]:
    """What a definition is, and its keys, its values or its alternatives."""
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
    """A row per key; the keys of an object without a name follow it, with its own key in front."""
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
    """The words that a definition allows, and their meaning where it is stated."""
    yield from ((str(value), "") for value in schema.get("enum", ()))
    for one in schema.get("oneOf", ()):
        if "const" in one:
            yield str(one["const"]), one.get("description", "")
        else:
            yield from ((str(value), "") for value in one.get("enum", ()))


def _type(schema: Any) -> str:
    """The type of a value in words, with a link to each definition that it names."""
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
    """One of the types of JSON, with what an array or a mapping holds."""
    if one == "array" and (parts := schema.get("prefixItems")):
        return f"array of {' and '.join(dict.fromkeys(_type(part) for part in parts))}"
    if one == "array":
        return f"array of {_type(schema.get('items', {}))}"
    if one == "object" and isinstance(of := schema.get("additionalProperties"), dict):
        return f"object of {_type(of)}"
    return one


def _cell(text: str) -> str:
    return text.replace("\n", " ").replace("|", "\\|")
