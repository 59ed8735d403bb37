"""A sweep: every run of it as a function of its number, and never as a list.

Configurations are counted link by link; of one link, what was written last turns quickest, then
the payload. Each is repeated, under another seed each time: run ``c * most + r`` is replication
``r`` of configuration ``c``. The core has the plan.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from airlag._airlag import SweepPlan
from airlag.questions.bench import Request
from airlag.questions.sweeps.columns import Column, columns
from airlag.questions.sweeps.task import Task

if TYPE_CHECKING:
    from airlag.core.types import Region


class Block(NamedTuple):
    """The configurations of one link."""

    #: Name of its profile.
    link: str
    #: The first of them, and the first of the next link.
    first: int
    end: int
    #: What they set.
    names: Sequence[str]


class Sweep:
    """What to run."""

    def __init__(self, plan: SweepPlan) -> None:
        self._plan = plan
        #: Of the sweep.
        self.name = plan.name
        #: Configurations, link by link.
        self.blocks = list(_blocks(plan))
        #: How many there are.
        self.configurations = self.blocks[-1].end
        #: Replications of a configuration, at most where an interval says so.
        self.most = plan.most
        #: How many runs there are, at most where an interval says so.
        self.runs = self.configurations * self.most
        #: Column of the quantile whose interval says when fewer will do; ``None``: nothing does.
        self.looked = None if plan.looks_at is None else f"{plan.looks_at}_ns"
        #: Whose rules runs are held against.
        self.region = cast("Region | None", plan.region)
        #: Whether every transfer is kept.
        self.transfers = plan.transfers
        #: Whether a combination that a link cannot be run with is a row without figures; else it
        #: ends the sweep.
        self.keep_impossible = plan.keep_impossible
        #: Of the rows, in their order.
        self.columns: Sequence[Column] = columns(plan.columns, region=self.region is not None)
        #: SHA-256 of the points of a design; ``None``: there is none.
        self.digest = plan.digest

    @cached_property
    def asked(self) -> Mapping[str, Any]:
        """What was asked for: two sweeps that are asked the same give the same rows."""
        asked: Mapping[str, Any] = json.loads(self._plan.asked)
        return asked

    def wanted(self, quantiles: Sequence[float | None]) -> int:
        """How many replications there are to be, as far as the quantiles of the first ones tell."""
        return self._plan.wanted(list(quantiles))

    def sets(self, configuration: int) -> tuple[str, dict[str, str]]:
        """The link of a configuration, and what is set there, as text, by name."""
        found = self._plan.sets(configuration)
        if found is None:
            raise IndexError(configuration)
        link, sets = found
        return link, dict(sets)

    def task(self, run: int) -> Task:
        """What to run as number ``run``; a row has no findings."""
        request = Request(**json.loads(self._plan.request(run)), findings=False)
        return Task(run, request, tuple(request.settings), self.transfers, self.region)


def _blocks(plan: SweepPlan) -> Iterator[Block]:
    first = 0
    for link, many, names in plan.blocks:
        yield Block(link, first, first + many, names)
        first += many
