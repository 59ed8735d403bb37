"""One run of a sweep: what is sent to whoever runs it, and what comes back.

Both are plain values: they cross from process to process, and from computer to computer.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from airlag._airlag import LinkError, __version__
from airlag.core.types import Region
from airlag.questions import bench
from airlag.questions.bench import Request
from airlag.questions.run_rows import row, values_of


@dataclass(frozen=True, slots=True)
class Task:
    """What to run.

    Attributes
    ----------
    run
        Its number, counted from 0.
    request
        What the bench is asked for.
    asked
        Settings that are told of even where they are usual.
    transfers
        Whether every transfer is asked for.
    region
        Whose rules it is held against.
    """

    run: int
    request: Request
    asked: tuple[str, ...]
    transfers: bool = False
    region: Region | None = None


@dataclass(frozen=True, slots=True)
class Transfers:
    """Every transfer of a run, in trigger order.

    Attributes
    ----------
    trigger_ns, completion_ns, outcome
        As in :class:`~airlag.Run`.
    """

    trigger_ns: NDArray[np.int64]
    completion_ns: NDArray[np.int64]
    outcome: NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Done:
    """What came of a task.

    Attributes
    ----------
    run
        Its number.
    version
        The airlag that ran it.
    told
        The row of the run, by column.
    stimulus
        What was sent when, and whether the region allows it, by column.
    problem
        Why there is nothing to tell; ``None``: there is.
    transfers
        Where they were asked for.
    """

    run: int
    version: str
    told: Mapping[str, Any]
    stimulus: Mapping[str, Any]
    problem: str | None = None
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
    transfers = None
    if task.transfers and run.trigger_ns is not None:
        transfers = Transfers(run.trigger_ns, run.completion_ns, run.outcome)
    told = row(run, task.asked)
    return Done(task.run, __version__, told, stimulus, transfers=transfers)
