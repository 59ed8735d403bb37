"""A sweep: every run of it as a function of its number, and never as a list.

Configurations are counted link by link; of one link, what was written last turns quickest, then
the payload. Each is repeated, under another seed each time: run ``c * most + r`` is replication
``r`` of configuration ``c``.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import Any

from airlag.core.quantity import parse_duration
from airlag.core.types import Region
from airlag.questions.bench import PHASES, TRAFFIC, Request
from airlag.questions.identity import COUNT
from airlag.questions.sweeps.axes import Axis, Texts
from airlag.questions.sweeps.columns import Column
from airlag.questions.sweeps.stop import Stop
from airlag.questions.sweeps.task import Task

#: Most runs of a sweep.
MOST_RUNS = 100_000_000
#: What an axis may set that is no parameter of a profile.
STIMULUS = ("count", "period", "phase", "traffic", "places")
#: Seeds go round after this one.
_SEEDS = 2**63


@dataclass(frozen=True, slots=True)
class Block:
    """The configurations of one link."""

    #: Name of its profile.
    link: str
    #: What is turned; the last one turns quickest.
    axes: Sequence[Axis]

    def __len__(self) -> int:
        return math.prod(map(len, self.axes))

    def at(self, place: int) -> dict[str, str]:
        """What one configuration sets, as text, by name."""
        parts: list[Texts] = []
        for axis in reversed(self.axes):
            place, digit = divmod(place, len(axis))
            parts.append(axis.at(digit))
        return {name: text for part in reversed(parts) for name, text in part.items()}


@dataclass(frozen=True, slots=True)
class Seeds:
    """Which seed a run has."""

    #: Of the replications, one each; or ``None``: ``first``, and from there on.
    roots: Sequence[int] | None
    #: The first seed.
    first: int
    #: Whether replications of all configurations have the same: then what differs between
    #: configurations does not differ by chance.
    paired: bool

    def of(self, configuration: int, replication: int, most: int) -> int:
        """The seed of a replication of a configuration that has ``most`` of them."""
        if self.roots is not None:
            return self.roots[replication]
        nth = replication if self.paired else configuration * most + replication
        return (self.first + nth) % _SEEDS


@dataclass(frozen=True, eq=False)
class Sweep:
    """What to run."""

    #: Of the sweep.
    name: str
    #: Configurations, link by link.
    blocks: Sequence[Block]
    #: Which seed a run has.
    seeds: Seeds
    #: Replications of a configuration, at most where ``stop`` says so.
    most: int
    #: When fewer will do.
    stop: Stop | None
    #: Whose rules runs are held against.
    region: Region | None
    #: Whether every transfer is kept.
    transfers: bool
    #: Whether a combination that a link cannot be run with is a row without figures; else it ends
    #: the sweep.
    keep_impossible: bool
    #: Of the rows, in their order.
    columns: Sequence[Column]
    #: What was asked for, as JSON has it: two sweeps that are asked the same give the same rows.
    asked: Mapping[str, Any]

    @cached_property
    def _ends(self) -> list[int]:
        """After how many configurations each link ends."""
        return list(accumulate(map(len, self.blocks)))

    @property
    def configurations(self) -> int:
        """How many there are."""
        return self._ends[-1]

    @property
    def runs(self) -> int:
        """How many there are, at most where ``stop`` says so."""
        return self.configurations * self.most

    def first_of(self, nth: int) -> int:
        """The first configuration of the ``nth`` link."""
        return self._ends[nth - 1] if nth else 0

    def sets(self, configuration: int) -> tuple[str, dict[str, str]]:
        """The link of a configuration, and what is set there, as text, by name."""
        nth = bisect_right(self._ends, configuration)
        block = self.blocks[nth]
        return block.link, block.at(configuration - self.first_of(nth))

    def task(self, run: int) -> Task:
        """What to run as number ``run``."""
        configuration, replication = divmod(run, self.most)
        link, sets = self.sets(configuration)
        seed = self.seeds.of(configuration, replication, self.most)
        asked = tuple(name for name in sets if name not in (*STIMULUS, "size"))
        return Task(run, request(link, sets, seed), asked, self.transfers, self.region)


def request(link: str, sets: Texts, seed: int) -> Request:
    """What the bench is asked for; a row has no findings."""
    settings = dict(sets)
    told = {name: settings.pop(name, None) for name in (*STIMULUS, "size")}
    period, places, size = told["period"], told["places"], told["size"]
    return Request(
        link,
        None if size is None else int(size),
        int(told["count"] or COUNT),
        None if period is None else parse_duration(period),
        next(each for each in PHASES if each == (told["phase"] or PHASES[0])),
        seed=seed,
        settings=settings,
        traffic=next(each for each in TRAFFIC if each == (told["traffic"] or TRAFFIC[0])),
        places=None if places is None else int(places),
        findings=False,
    )
