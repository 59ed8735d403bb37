"""Which points of a space are tried besides those that a sampler draws.

Most of what is gained on a link is gained by one knob at a time: those come first, then all that
gained together. After that half of what is tried is near the best so far, where a sampler that
draws at random seldom hits.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from random import Random

from airlag.tuning.space import Point, Space
from airlag.tuning.spans import Value

#: A point that can be looked up.
Key = tuple[Value, ...]


def key_of(space: Space, point: Point) -> Key:
    """A point by its values, in the order of the space."""
    return tuple(point[one.name] for one in space.parameters)


def home(space: Space) -> Point:
    """The point nearest to the link as it is."""
    return {one.name: one.home for one in space.parameters}


def everything(space: Space) -> Iterator[Point]:
    """Every point of a space that has so few, the link as it is first."""
    names = [one.name for one in space.parameters]
    first = home(space)
    yield first
    for values in product(*(one.all() for one in space.parameters)):
        point = dict(zip(names, values, strict=True))
        if point != first:
            yield point


def one_at_a_time(space: Space) -> Iterator[Point]:
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


def set_back(space: Space, point: Point) -> list[Point]:
    """Points with one parameter less turned."""
    first = home(space)
    return [{**point, name: first[name]} for name in first if point[name] != first[name]]


def beside(space: Space, point: Point) -> list[tuple[str, Value]]:
    """One parameter turned from a point, and to what; not back to the link as it is."""
    first = home(space)
    return [
        (one.name, value)
        for one in space.parameters
        for value in one.around(point[one.name])
        if value != first[one.name]
    ]


def farther(space: Space, point: Point, random: Random) -> Iterator[Point]:
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
