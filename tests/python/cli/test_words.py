"""Words of parameters: each belongs to a parameter, and is in one place."""

from __future__ import annotations

import inspect
import tomllib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import typer

from airlag import cli
from airlag.cli import parameters as declared
from airlag.cli.commands import load
from airlag.cli.listed import GROUPS, SUMMARIES

WORDS = Path(cli.__file__).parent / "words"


def parameters() -> Iterator[tuple[str, set[str]]]:
    """Every command, by the name of its file of words, and its parameters."""
    for name in SUMMARIES:
        found = load(name)
        if name in GROUPS:
            assert isinstance(found, typer.Typer)
            for each in found.registered_commands:
                assert each.callback is not None
                yield f"{name}-{each.name}", set(inspect.signature(each.callback).parameters)
        else:
            yield name, set(inspect.signature(declared.described(name, found)).parameters)


def words(name: str) -> dict[str, dict[str, str]]:
    path = WORDS / f"{name}.toml"
    return tomllib.loads(path.read_text("utf-8")) if path.is_file() else {}


def test_every_word_is_of_a_parameter() -> None:
    shared, uses = words("shared"), Counter[str]()
    known = dict(parameters())
    for name, taken in known.items():
        own = words(name)
        assert set(own) <= taken, name
        assert not [each for each in own if own[each] == shared.get(each)], name
        uses.update(taken - set(own))
    assert {path.stem for path in WORDS.iterdir()} <= {"shared", *known}
    # What one command alone has is in the file of that command.
    assert {each for each in shared if uses[each] < 2} == set()
