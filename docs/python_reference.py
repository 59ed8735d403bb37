"""Generates ``docs/python-reference.md``: every public name, from signatures and docstrings."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from enum import IntEnum
from pathlib import Path
from typing import Any

import airlag
from airlag.core.answered import Key

FILE = Path(__file__).resolve().parent / "python-reference.md"

HEAD = """# Python reference

Every public name of `airlag`, generated from signatures and docstrings.
[Python and notebooks](python.md) describes what all functions have in common. Attributes that are
objects of the JSON output are described in its [reference](json-reference.md).
"""

#: Sections of a docstring, by numpydoc's names.
SECTION = re.compile(r"^(\w[\w ]*)\n-{3,}\n", re.MULTILINE)
#: Cross references of docstrings.
ROLE = re.compile(r":\w+:`~?(?:airlag\.)?([^`]+)`")
#: Sections whose entries have a name or type on a line of their own.
LISTED = {"Parameters", "Attributes", "Returns", "Raises", "Yields", "Warns"}


def reference() -> str:
    """Returns the page: functions, classes, then constants and exceptions."""
    public = {name: getattr(airlag, name) for name in airlag.__all__ if name != "__version__"}
    functions = {name: each for name, each in public.items() if inspect.isroutine(each)}
    classes = {name: each for name, each in public.items() if inspect.isclass(each)}
    constants = {name: public[name] for name in public if name not in {*functions, *classes}}
    lines = [HEAD, "## Functions", ""]
    for name, each in functions.items():
        lines += [f"### {name}", "", signature(name, each), "", *docstring(each), ""]
    lines += ["## Classes", ""]
    for name, each in classes.items():
        lines += [*of_class(name, each), ""]
    lines += ["## Constants", "", "| name | value |", "|---|---|"]
    lines += [f"| `{name}` | `{value!r}` |" for name, value in constants.items()]
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).rstrip() + "\n"


def signature(name: str, function: Any) -> str:
    """Call of a function with one parameter per line, as code."""
    try:
        found = inspect.signature(function)
    except ValueError:
        return f"```python\n{name}(…)\n```"
    parameters = [each for each in found.parameters.values() if each.name not in ("self", "cls")]
    returned = found.return_annotation
    arrow = "" if returned is inspect.Signature.empty else f" -> {annotation(returned)}"
    lines, keyword = [], False
    for each in parameters:
        if each.kind is each.KEYWORD_ONLY and not keyword:
            keyword = True
            lines += ["*"]
        keyword |= each.kind is each.VAR_POSITIONAL
        lines.append(parameter(each))
    short = f"{name}({', '.join(lines)}){arrow}"
    if len(short) > 80:
        short = f"{name}(\n" + "".join(f"    {line},\n" for line in lines) + f"){arrow}"
    return f"```python\n{short}\n```"


def parameter(one: inspect.Parameter) -> str:
    """A parameter with its type and default."""
    star = {one.VAR_POSITIONAL: "*", one.VAR_KEYWORD: "**"}.get(one.kind, "")
    typed = one.annotation is not inspect.Parameter.empty
    text = f"{star}{one.name}" + (f": {annotation(one.annotation)}" if typed else "")
    if one.default is inspect.Parameter.empty:
        return text
    return f"{text} = {one.default!r}" if typed else f"{text}={one.default!r}"


def annotation(kind: Any) -> str:
    """A type as the source writes it."""
    return kind if isinstance(kind, str) else inspect.formatannotation(kind)


def of_class(name: str, kind: type) -> Iterator[str]:
    """A class: its docstring, then its properties and methods."""
    yield from (f"### {name}", "", *docstring(kind), "")
    if issubclass(kind, IntEnum):
        yield from ("| name | value |", "|---|---|")
        yield from (f"| `{name}.{one.name}` | {int(one)} |" for one in kind)
        yield ""
    found = list(members(kind))
    attributes = {below: each for below, each in found if not inspect.isroutine(each)}
    if attributes:
        yield from ("| attribute | meaning |", "|---|---|")
        yield from (f"| `{below}` | {cell(each)} |" for below, each in attributes.items())
        yield ""
    for below, each in found:
        if below not in attributes:
            call = signature(f"{name}.{below}", getattr(kind, below))
            yield from (call, "", *docstring(each), "")


def cell(attribute: Any) -> str:
    """Description of an attribute, for a cell of a table."""
    return " ".join(" ".join(docstring(attribute)).split()).replace("|", "\\|")


def members(kind: type) -> Iterator[tuple[str, Any]]:
    """Attributes and methods with a docstring, those inherited from this package included."""
    seen = set()
    for base in kind.__mro__:
        if base is not kind and base.__module__.partition(".")[0] != "airlag":
            continue
        # Attributes of compiled classes have no order.
        compiled = base.__module__ in ("builtins", "airlag._airlag")
        for name, each in sorted(vars(base).items()) if compiled else vars(base).items():
            one = each.__func__ if isinstance(each, classmethod | staticmethod) else each
            shown = isinstance(one, property | Key) or inspect.isroutine(one)
            shown |= inspect.isgetsetdescriptor(one)
            if shown and not name.startswith("_") and name not in seen and text_of(one):
                seen.add(name)
                yield name, one


def text_of(of: Any) -> str:
    """Docstring; an attribute of an answer has the description of its key."""
    return (of.__doc__ if isinstance(of, Key) else inspect.getdoc(of)) or ""


def docstring(of: Any) -> Iterator[str]:
    """A docstring as Markdown."""
    text = ROLE.sub(lambda found: f"`{found[1]}`", text_of(of))
    text = text.replace("``", "`")
    body, *rest = SECTION.split(text)
    yield from plain(body)
    for title, content in zip(rest[::2], rest[1::2], strict=True):
        yield from ("", f"*{title}*", "")
        yield from entries(content) if title in LISTED else plain(content)


def plain(text: str) -> Iterator[str]:
    """Paragraphs; examples at a prompt are code."""
    for block in re.split(r"\n\s*\n", text.strip()):
        if block.startswith(">>>"):
            yield f"```python\n{block}\n```"
        else:
            yield " ".join(block.split()) if not block.startswith("- ") else block
        yield ""


def entries(text: str) -> Iterator[str]:
    """A list: names or types as code, descriptions behind them."""
    name = ""
    for block in re.split(r"\n(?=\S)", text.strip()):
        name, _, about = block.partition("\n")
        name = name.replace("`", "")
        about = " ".join(about.split())
        yield f"- `{name}`: {about}" if about else f"- `{name}`"
