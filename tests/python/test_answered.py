"""Objects that hold answers: every attribute names a key that the schema of the answer has."""

from __future__ import annotations

import importlib
import pkgutil
import pydoc
from collections.abc import Iterator
from inspect import isdatadescriptor

import pytest

import airlag
from airlag.core.answered import Answered, Key
from airlag.core.types import Goodput, Position


def described() -> Iterator[tuple[type[Answered], str, Key[object]]]:
    """The keys of every class that names the type of its answer."""
    for found in pkgutil.walk_packages(airlag.__path__, "airlag."):
        if found.name.startswith(("airlag.questions", "airlag.rpc.speed")):
            importlib.import_module(found.name)
    classes = [Answered]
    for each in classes:
        classes += each.__subclasses__()
        if each._shape and each.__module__.startswith("airlag."):
            yield from (
                (each, name, held) for name, held in vars(each).items() if isinstance(held, Key)
            )


def test_the_schema_describes_every_attribute() -> None:
    found = list(described())
    assert len(found) > 100
    assert [name for _, name, held in found if not held.__doc__] == []


def test_an_attribute_has_the_description_of_the_core() -> None:
    assert (airlag.Goodput.kbps.__doc__ or "").startswith("Delivered user data, kbit/s")
    assert airlag.Goodput.seed.__doc__ == "Random seed."


def test_help_has_a_page_for_every_public_result() -> None:
    classes = [
        each
        for each in (getattr(airlag, name) for name in airlag.__all__)
        if isinstance(each, type)
    ]
    pages = {each: pydoc.render_doc(each, renderer=pydoc.plaintext) for each in classes}
    bound = "Upper bound of the goodput, computed from frame durations and mandatory gaps, kbit/s."
    assert bound in " ".join(pages[airlag.Goodput].replace(" |  ", " ").split())


def test_an_answer_without_a_named_type_has_no_descriptions() -> None:
    class Plain(Answered):
        speed = Key[float]()

    assert vars(Plain)["speed"].__doc__ is None


def test_a_key_that_the_answer_lacks_has_no_description() -> None:
    class Wrong(Answered, shape=Goodput):
        speed = Key[float]()

    with pytest.raises(KeyError, match="speed"):
        _ = vars(Wrong)["speed"].__doc__


def test_an_attribute_leads_through_keys_and_lists() -> None:
    class Where(Answered, shape=Position):
        mean = Key[float]()
        low = Key[float]("independent", 0)

    held = Where({"mean": 0.5, "independent": [0.4, 0.6]})
    assert (held.mean, held.low) == (0.5, 0.4)
    assert isdatadescriptor(vars(Where)["low"]), "help shows its description"
