"""Generates type stubs: ``python/airlag/_airlag.pyi`` (extension), ``__init__.pyi`` (package).

PyO3 embeds a JSON description of each class and function in the extension. Python-only types are
annotations in ``#[pyo3(signature = …)]``; their names are defined in the header below.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import airlag
from airlag import _airlag

#: Paths of the stubs.
FILE = Path(__file__).parents[1] / "python" / "airlag" / "_airlag.pyi"
PACKAGE = FILE.with_name("__init__.pyi")
HEAD = """\
# Generated from crates/py by docs/generate.py: edit that.

from collections.abc import Callable, Iterable, Mapping, Sequence
from os import PathLike
from typing import Any, Final, NoReturn, TypedDict, final

import numpy as np
from numpy.typing import NDArray

from airlag.core.types import Deadline, Late, Latency, Places, Region, Requirement, TunnelEnd
from airlag.questions.tunnel import Interface, Radio

class _EmulatedWay(TypedDict):
    about: str
    elapsed_ns: int
    incidents: dict[str, int]
    late_ns: Late
    transfers: Transfers
    trace: Trace
    refused: int
    bytes_in: int
    bytes_out: int

class _Emulated(TypedDict):
    ways: list[_EmulatedWay]
    pcapng: bytes | None
"""
#: Replacements of PyO3's names for argument and array types.
CALLED = (
    (r"builtins\.", ""),
    (r"typing\.SupportsFloat \| typing\.SupportsIndex", "float"),
    (r"typing\.SupportsIndex", "int"),
    (r"typing\.Any", "Any"),
    (r"\bos\.", ""),
    (r"\bcollections\.abc\.", ""),
    (r"_typeshed\.SupportsGetItem\[int, ", "Sequence["),
    (r"_typeshed\.Incomplete", "NDArray[np.int64]"),
    (r"\bdict(?!\[)", "dict[str, Any]"),
)
#: Methods that a stub does not need.
LEFT_OUT = ("__repr__", "__richcmp__")


def package() -> str:
    """Returns the stub of the package, which imports each public name on first use."""
    parts = ["# Generated from __init__.py by docs/generate.py: edit that.\n"]
    for home, names in sorted(airlag._HOMES.items()):
        parts.append(f"from airlag.{home} import {', '.join(names)}")
    return _formatted("\n".join([*parts, f"\n__all__ = {airlag.__all__}"]))


def stub() -> str:
    """Returns the stub of the installed extension."""
    chunks = list(_chunks(Path(str(_airlag.__file__)).read_bytes().decode("latin-1")))
    (module,) = (each for each in chunks if each["type"] == "module")
    classes = {each["id"]: each for each in chunks if each["type"] == "class"}
    own = [each for each in chunks if each.get("id") in module["members"]]
    names = sorted(name for name in dir(_airlag) if not name.startswith("__"))
    ids = {key: each["name"] for key, each in classes.items()}
    parts = [HEAD, f"__all__ = {sorted([*names, '__version__'])}\n", "__version__: str"]
    for name in names:
        value = getattr(_airlag, name)
        if isinstance(value, str | int | float):
            parts.append(f"{name}: {type(value).__name__}")
    for name in names:
        value = getattr(_airlag, name)
        if isinstance(value, type) and issubclass(value, Exception):
            parts.append(f"class {name}({value.__base__.__name__}): ...")
    for each in sorted(own, key=lambda one: str(one["name"])):
        if each["type"] == "class":
            parts.append(f"@final\nclass {each['name']}:")
            # The linker determines the order in the extension.
            members = [_function(one, ids) for one in chunks if one.get("parent") == each["id"]]
            members.sort(key=lambda text: ("def " in text, text.removeprefix("@staticmethod\n")))
            parts += [f"    {line}" for text in members for line in text.splitlines()]
        else:
            parts.append(_function(each, ids))
    return _formatted("\n".join(parts))


def _chunks(text: str) -> Iterator[dict[str, Any]]:
    """Yields the descriptions in the extension."""
    decoder, end = json.JSONDecoder(), 0
    for match in re.finditer(r'\{"', text):
        if match.start() < end:
            continue
        try:
            found, at = decoder.raw_decode(text, match.start())
        except ValueError:
            continue
        if found.get("type") in ("module", "class", "function"):
            end = at
            yield found


def _function(chunk: dict[str, Any], ids: dict[str, str]) -> str:
    """Function, method or attribute."""
    name, returns = chunk["name"], _hint(chunk.get("returns"), ids)
    if name in LEFT_OUT:
        return ""
    decorators = [each.get("id") for each in chunk.get("decorators", ())]
    if "property" in decorators:
        kind = returns.replace("int64", "uint8") if name == "outcome" else returns
        return f"{name}: Final[{kind}]"
    given = chunk["arguments"]
    words = [
        each["name"] for each in given.get("posonlyargs", ()) if each["name"] in ("self", "cls")
    ]
    rest = [each for each in given.get("posonlyargs", ()) if each["name"] not in ("self", "cls")]
    words += [_argument(each, ids) for each in rest] + (["/"] if rest else [])
    words += [_argument(each, ids) for each in given.get("args", ())]
    if keywords := given.get("kwonlyargs"):
        words += ["*", *(_argument(each, ids) for each in keywords)]
    above = "@staticmethod\n" if "staticmethod" in decorators else ""
    return f"{above}def {name}({', '.join(words)}) -> {returns}: ..."


def _argument(argument: dict[str, Any], ids: dict[str, str]) -> str:
    # Arguments accept any mapping; results are dictionaries.
    hint = _hint(argument.get("annotation"), ids).replace("dict[str, str]", "Mapping[str, str]")
    text = f"{argument['name']}: {hint}"
    return f"{text} = {_expression(argument['default'], ids)}" if "default" in argument else text


def _hint(node: Any, ids: dict[str, str]) -> str:
    """Type hint with the header's names."""
    if node is None:
        return "Any"
    if node.get("type") == "constant" and node.get("kind") == "str":
        return str(node["value"])
    text = _expression(node, ids)
    for pattern, called in CALLED:
        text = re.sub(pattern, called, text)
    return text


def _expression(node: dict[str, Any], ids: dict[str, str]) -> str:
    """Converts a node of the description to Python source."""
    match node["type"]:
        case "name":
            return str(node["id"])
        case "id":
            return ids[node["id"]]
        case "attribute":
            return f"{_expression(node['value'], ids)}.{node['attr']}"
        case "binop":
            return f"{_expression(node['left'], ids)} | {_expression(node['right'], ids)}"
        case "subscript":
            return f"{_expression(node['value'], ids)}[{_expression(node['slice'], ids)}]"
        case "tuple":
            return ", ".join(_expression(each, ids) for each in node["elts"])
    plain = {"none": "None", "ellipsis": "..."}
    if node["kind"] in plain:
        return plain[node["kind"]]
    return repr(node["value"]) if node["kind"] in ("str", "bool") else str(node["value"])


def _formatted(text: str) -> str:
    """Formats the stub as ruff does: sorted names, wrapped lines."""
    for words in (["check", "--fix-only", "--quiet"], ["format"]):
        command = [sys.executable, "-m", "ruff", *words, "--stdin-filename", str(FILE), "-"]
        done = subprocess.run(command, input=text, capture_output=True, text=True, check=True)
        text = done.stdout
    return text
