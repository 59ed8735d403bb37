"""One run of a sweep: what is sent to whoever runs it, and what comes back.

Both are plain values: they cross from process to process, and from computer to computer.
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
    """What to run."""

    #: Its number, counted from 0.
    run: int
    #: What the bench is asked for.
    request: Request
    #: Settings that are told of even where they are usual.
    asked: tuple[str, ...]
    #: Whether every transfer is asked for.
    transfers: bool = False
    #: Whose rules it is held against.
    region: Region | None = None


@dataclass(frozen=True, slots=True)
class Done:
    """What came of a task."""

    #: Its number.
    run: int
    #: The airlag that ran it.
    version: str
    #: The row of the run, by column.
    told: Mapping[str, Any]
    #: What was sent when, and whether the region allows it, by column.
    stimulus: Mapping[str, Any]
    #: Why there is nothing to tell; ``None``: there is.
    problem: str | None = None
    #: Where they were asked for.
    transfers: Transfers | None = None


def version() -> str:
    """The airlag that works here."""
    return __version__


def work(task: Task) -> Done:
    """Runs a task; what cannot be run is told as a problem."""
    asked = task.request
    stimulus: dict[str, Any] = {
        "period_ns": asked.period_ns,
        "phase": asked.phase,
        "traffic": asked.traffic,
    }
    try:
        run = bench.emulate(asked)
    except LinkError as error:
        told: dict[str, Any] = {"source": asked.link, "link": asked.link}
        for name, text in asked.settings.items():
            # What a profile cannot hold is told as it was asked.
            told |= values_of(asked.link, {name: text})
        told |= {"size": asked.size, "seed": asked.seed}
        return Done(task.run, __version__, told, stimulus, str(error))
    stimulus["period_ns"] = run.config["period_ns"]
    if task.region is not None:
        law = run.law.get(task.region)
        stimulus["allowed"] = None if law is None else law["allowed"]
    transfers = run.transfers if task.transfers else None
    told = row(run, task.asked)
    return Done(task.run, __version__, told, stimulus, transfers=transfers)
