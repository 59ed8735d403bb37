"""One run of a sweep: message to an executor, and its reply.

Message and reply are plain values that can be sent to other processes and computers.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from airlag._airlag import LinkError, Transfers, __version__
from airlag.core.types import Region
from airlag.questions import bench
from airlag.questions.bench import Request
from airlag.questions.run_rows import row, values_of


@dataclass(frozen=True, slots=True)
class Task:
    """A run to execute."""

    #: Run number, from 0.
    run: int
    #: Request to the bench.
    request: Request
    #: Settings to include in the row even at their default.
    asked: tuple[str, ...]
    #: Whether to return every transfer.
    transfers: bool = False
    #: Region whose rules are checked.
    region: Region | None = None


@dataclass(frozen=True, slots=True)
class Done:
    """Result of a task."""

    #: Run number.
    run: int
    #: airlag version of the executor.
    version: str
    #: Row of the run, by column.
    values: Mapping[str, Any]
    #: Stimulus, and verdict of the region, by column.
    stimulus: Mapping[str, Any]
    #: Why there are no results; ``None`` if there are.
    problem: str | None = None
    #: Transfers, if requested.
    transfers: Transfers | None = None


def version() -> str:
    """Returns the airlag version of this process."""
    return __version__


def work(task: Task) -> Done:
    """Runs a task; errors of the run become its problem."""
    asked = task.request
    stimulus: dict[str, Any] = {
        "period_ns": asked.period_ns,
        "phase": asked.phase,
        "traffic": asked.traffic,
    }
    try:
        run = bench.emulate(asked)
    except LinkError as error:
        values: dict[str, Any] = {"source": asked.link, "link": asked.link}
        for name, text in asked.settings.items():
            # Invalid values are reported as given.
            values |= values_of(asked.link, {name: text})
        values |= {"size": asked.size, "seed": asked.seed}
        return Done(task.run, __version__, values, stimulus, str(error))
    stimulus["period_ns"] = run.config["period_ns"]
    if task.region is not None:
        law = run.law.get(task.region)
        stimulus["allowed"] = None if law is None else law["allowed"]
    transfers = run.transfers if task.transfers else None
    values = row(run, task.asked)
    return Done(task.run, __version__, values, stimulus, transfers=transfers)
