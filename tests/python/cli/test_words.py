"""Help texts of parameters: each belongs to a parameter, and is in one file."""

from __future__ import annotations

import inspect
import re
import tomllib
from collections import Counter
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
import typer

from airlag import cli
from airlag.cli import parameters as declared
from airlag.cli.app import load
from airlag.cli.overview import GROUPS, SUMMARIES
from airlag.core import requests
from airlag.questions import thread

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
    assert {path.stem for path in WORDS.glob("*.toml")} <= {"shared", *known}
    # What one command alone has is in the file of that command.
    assert {each for each in shared if uses[each] < 2} == set()


@pytest.mark.parametrize(
    ("name", "question", "stated"),
    [
        ("run", requests.Request, {"count": "count", "phase": "phase", "traffic": "traffic"}),
        ("run", requests.Request, {"seed": "seed"}),
        ("run", requests.Train, {"trials": "trials"}),
        ("explain", requests.Train, {"messages": "count", "size": "size"}),
        ("load", requests.Offer, {"queue": "queue", "arrivals": "arrivals", "sizes": "size"}),
        ("load", requests.Offer, {"messages": "count"}),
        ("recommend", requests.Task, {"percentile": "percentile", "seed": "seed"}),
        ("thread", thread.ThreadLoad, {"direction": "direction", "size": "size", "seeds": "seeds"}),
        ("thread", thread.ThreadLoad, {"messages": "count", "reach": "reach_m"}),
        ("thread", thread.ThreadLoad, {"frame_loss": "frame_loss", "loss_burst": "loss_burst"}),
    ],
)
def test_help_states_the_default_of_the_question(
    name: str, question: Any, stated: dict[str, str]
) -> None:
    known = words("shared") | words(name)
    defaults = {each.name: each.default for each in fields(question)}
    for parameter, field in stated.items():
        found = re.search(r"Default: ([\w.-]*\w)", " ".join(known[parameter]["help"].split()))
        assert found is not None, parameter
        default = defaults[field]
        assert found[1] == (default if isinstance(default, str) else f"{default:g}"), parameter
