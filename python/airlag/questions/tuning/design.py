"""The points of a space that are tried besides those of a sampler.

Most of the gain on a link comes from single knobs: those come first, then all that gained together.
After that, half of the points are near the best so far, where a random sampler seldom hits.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from random import Random

from airlag._airlag import TuneSpace

#: A value of a parameter: a number in the unit that was typed, or a word as ``--set`` takes it.
Value = float | str
#: A value for each parameter.
Point = dict[str, Value]
#: A point that can be looked up.
Key = tuple[Value, ...]


def key_of(space: TuneSpace, point: Point) -> Key:
    """A point by its values, in the order of the space."""
    return tuple(point[one.name] for one in space.parameters)


def home(space: TuneSpace) -> Point:
    """The point nearest to the link as it is."""
    return {one.name: one.home for one in space.parameters}


def everything(space: TuneSpace) -> Iterator[Point]:
    """Every point of a space that has so few, the link as it is first."""
    names = [one.name for one in space.parameters]
    first = home(space)
    yield first
    for values in product(*(one.all() for one in space.parameters)):
        point = dict(zip(names, values, strict=True))
        if point != first:
            yield point


def one_at_a_time(space: TuneSpace) -> Iterator[Point]:
    """The link as it is, then with one parameter turned; each has a turn before any has another."""
    first = home(space)
    yield first
    turned = [
        [{**first, one.name: value} for value in one.spread() if value != first[one.name]]
        for one in space.parameters
    ]
    for nth in range(max(map(len, turned), default=0)):
        for points in turned:
            yield from points[nth : nth + 1]


def set_back(space: TuneSpace, point: Point) -> list[Point]:
    """Points with one parameter less turned."""
    first = home(space)
    return [{**point, name: first[name]} for name in first if point[name] != first[name]]


def beside(space: TuneSpace, point: Point) -> list[tuple[str, Value]]:
    """One parameter turned from a point, and to what; not back to the link as it is."""
    first = home(space)
    return [
        (one.name, value)
        for one in space.parameters
        for value in one.around(point[one.name])
        if value != first[one.name]
    ]


def farther(space: TuneSpace, point: Point, random: Random) -> Iterator[Point]:
    """Points beside one with two parameters turned, drawn; it may end early."""
    if len(space.parameters) < 2:
        return
    for _ in range(64):
        changed = dict(point)
        for one in random.sample(space.parameters, 2):
            values = one.around(point[one.name])
            if values:
                changed[one.name] = random.choice(values)
        if changed != point:
            yield changed
