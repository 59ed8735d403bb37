"""Which Python module may import which: the floors of the package, read from its source."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[2] / "python" / "airlag"

#: Floors from the ground up; a module imports its own floor and those below it.
FLOORS = ("_airlag", "core", "questions", "views", "cli")
#: What is a folder of its own for the sake of its public name, and the floor it stands on.
STANDS_ON = {"rpc": "questions", "__main__": "cli"}
ROOT = "airlag"


def modules() -> dict[str, Path]:
    """Every module of the package by its dotted name, the package itself as the empty name."""
    found = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = path.relative_to(PACKAGE).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def imports(path: Path, known: set[str]) -> Iterator[str]:
    """Modules of ours that a file imports, for types and inside functions too."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            module = node.module or ""
            names = [f"{module}.{alias.name}" for alias in node.names]
        else:
            continue
        for name in names:
            if name == ROOT or not name.startswith(f"{ROOT}."):
                continue
            inside = name.removeprefix(f"{ROOT}.")
            while inside and inside not in known and inside != "_airlag":
                inside = inside.rpartition(".")[0]
            if inside:
                yield inside


def graph() -> dict[str, set[str]]:
    """For each module but the root, which loads names lazily, the modules it imports."""
    found = modules()
    return {name: set(imports(path, set(found))) - {name} for name, path in found.items() if name}


def floor(module: str) -> int:
    """The floor of a module, counted from the ground."""
    top = module.partition(".")[0]
    return FLOORS.index(STANDS_ON.get(top, top))


def test_imports_go_down_or_stay_on_their_floor() -> None:
    upward = {
        f"{name} -> {other}"
        for name, others in graph().items()
        for other in others
        if floor(other) > floor(name)
    }
    assert not upward, sorted(upward)


def test_no_modules_import_each_other() -> None:
    rest = {name: set(others) for name, others in graph().items()}
    # Whatever imports nothing that is left is in no cycle.
    while free := [name for name, others in rest.items() if not others & rest.keys()]:
        for name in free:
            del rest[name]
    assert not rest, sorted(rest)


def test_every_module_stands_on_a_floor() -> None:
    counted: dict[int, int] = defaultdict(int)
    for name in graph():
        counted[floor(name)] += 1
    assert all(counted[nth] for nth in range(1, len(FLOORS)))
