"""Plan of a sweep: computes each run from its number, instead of storing a list of runs.

Configurations are numbered link by link; within a link, the payload varies fastest, then the last
setting. With at most ``most`` replications per configuration, run ``c * most + r`` is replication
``r`` of configuration ``c``. Each run has its own seed. The compiled core computes the plan.
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
    """Configurations of one link."""

    #: Link profile.
    link: str
    #: First configuration, and first of the next link.
    first: int
    end: int
    #: Names of the settings.
    names: Sequence[str]


class Sweep:
    """Runs of a sweep."""

    def __init__(self, plan: SweepPlan) -> None:
        self._plan = plan
        #: Name of the sweep.
        self.name = plan.name
        #: Configurations, link by link.
        self.blocks = list(_blocks(plan))
        #: Number of configurations.
        self.configurations = self.blocks[-1].end
        #: Replications per configuration; with a stopping interval, the maximum number.
        self.most = plan.most
        #: Number of runs; with a stopping interval, the maximum number.
        self.runs = self.configurations * self.most
        #: Column of the quantile whose interval stops replications; ``None``: no early stop.
        self.looked = None if plan.looks_at is None else f"{plan.looks_at}_ns"
        #: Region whose rules are checked.
        self.region = cast("Region | None", plan.region)
        #: Whether every transfer is kept.
        self.transfers = plan.transfers
        #: Whether invalid combinations become rows without results instead of an error.
        self.keep_impossible = plan.keep_impossible
        #: Columns of the rows, in order.
        self.columns: Sequence[Column] = columns(plan.columns, region=self.region is not None)
        #: SHA-256 of the points of a design; ``None`` without a design.
        self.digest = plan.digest

    @cached_property
    def asked(self) -> Mapping[str, Any]:
        """Definition; sweeps with equal definitions have equal rows."""
        asked: Mapping[str, Any] = json.loads(self._plan.asked)
        return asked

    def wanted(self, quantiles: Sequence[float | None]) -> int:
        """Number of replications required, given the quantiles of the first ones."""
        return self._plan.wanted(list(quantiles))

    def sets(self, configuration: int) -> tuple[str, dict[str, str]]:
        """Link and settings of a configuration; settings are text by name."""
        found = self._plan.sets(configuration)
        if found is None:
            raise IndexError(configuration)
        link, sets = found
        return link, dict(sets)

    def task(self, run: int) -> Task:
        """Task of run number ``run``; rows have no findings."""
        request = Request(**json.loads(self._plan.request(run)), findings=False)
        return Task(run, request, tuple(request.settings), self.transfers, self.region)


def _blocks(plan: SweepPlan) -> Iterator[Block]:
    first = 0
    for link, many, names in plan.blocks:
        yield Block(link, first, first + many, names)
        first += many
