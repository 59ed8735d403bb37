"""Where the time of a run on the virtual bench went, the floor below it, and what to change.

Every latency is the sum of its slices, to the nanosecond; every gain is measured by running the
bench again. A capture has edges and no slices: :func:`matched` finds the link to run for it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, cast, get_args

import numpy as np

from airlag._airlag import CaptureError, LinkError
from airlag.core import payload, records, types
from airlag.core.answered import Answered, Key, Maybe, One, ask, loads, reply_to
from airlag.core.records import Advice, Floor
from airlag.core.types import Aim, Region
from airlag.questions import bench, matching, store
from airlag.questions.bench import Request
from airlag.questions.identity import plain
from airlag.questions.matching import Ranking
from airlag.questions.runs import Run
from airlag.questions.shown import Plotted

#: Which quantile a change is to make smaller.
AIMS: tuple[Aim, ...] = get_args(Aim)


class Timeline(records.Timeline):
    """One transfer; the parts add up to its latency."""

    def spent_ns(self, name: str, kind: str) -> int:
        """What was spent on one thing, ns."""
        return sum(part.ns for part in self.parts if (part.name, part.kind) == (name, kind))


class Budget(records.Budget):
    """Where the time of a run went."""

    median = One(Timeline)
    p99 = One(Timeline)


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Explanation(Plotted, Answered, shape=types.ExplainedRun):
    """Where the time of a run went, the floor below it, and what a change is worth.

    Attributes
    ----------
    run
        The run, transfer by transfer.
    request
        What was asked for, with the period it was run at.
    advice
        What to change; ``None`` when nothing arrived, or nobody asked.
    match
        The ranking of a capture, whose first link is the one explained; else ``None``.
    """

    run: Run
    request: Request
    advice: Advice | None = None
    match: Ranking | None = None

    #: ``None`` when nothing arrived.
    budget = Maybe(Budget)
    floor = One(Floor)
    #: The same in words; ``None`` when nothing arrived.
    floor_text = Key[str | None]()
    #: What was published of such calls, in words.
    published = Key[list[str]]()
    #: What each slice costs either end; ``None`` where nobody lists what they draw.
    slices_charge = Key[types.SlicesCharge | None]()

    def to_json(self) -> types.ExplainedRun:
        """One object of ``airlag explain --json``."""
        told = {**self.answer, "advice": None if self.advice is None else self.advice.answer}
        if self.match is not None:
            told["match"] = {"source": self.match.source, **self.match.answer}
        return cast("types.ExplainedRun", told)


def explain(request: Request) -> Explanation:
    """Runs one link at one size, and accounts for every nanosecond; raises :class:`LinkError`."""
    reply = reply_to("explain", advice=False, **request.told())
    answer = loads(reply)
    period_ns, settings = answer["stimulus"]["period_ns"], answer["settings"]
    settled = replace(request, period_ns=period_ns, settings=settings)
    of_run = {key: answer[key] for key in answer if key in types.VirtualRun.__annotations__}
    return Explanation(answer, bench.run_of(settled, of_run, reply), settled)


def explain_saved(
    path: str | Path, memory_bytes: int | None = None, asked: Mapping[str, Any] | None = None
) -> Explanation:
    """Repeats a saved run of the virtual bench with its slices kept.

    The same seed gives the same run; that it did is checked against the file. ``asked`` is what
    else is asked of the run: its ``region``, ``battery`` and ``per_second``.

    Raises :class:`CaptureError` when the file is no such run, or this airlag's bench gives another
    one.
    """
    path = Path(path)
    stored = store.load(path, memory_bytes)
    request = replace(_request_of(path, stored), **(asked or {}))
    try:
        told = explain(request)
    except LinkError as error:
        raise CaptureError(f"{path}: {error}") from None
    made = told.run.trace
    if stored.trace is None or made is None or not stored.trace.same_edges(made):
        raise CaptureError(
            f"{path}: this airlag's bench no longer gives these edges; run it again: "
            f"{' '.join(bench.command(request.link, request.size))}"
        )
    return told


def matched(run: Run, size: int | None = None, seed: int = 1) -> tuple[Ranking, Request]:
    """The ranking of a capture, and a run at its trigger period of the link that explains it.

    Raises :class:`CaptureError` where no link does.
    """
    found = matching.rank(run, size)
    best = found.best
    if best is None:
        raise CaptureError(f"{run.source}: {found.reason}")
    gaps = np.array([], np.int64) if run.trigger_ns is None else np.diff(run.trigger_ns)
    period_ns = int(np.median(gaps)) if len(gaps) else None
    settings = {name: plain(value) for name, value in best.settings.items()}
    request = Request(best.link, best.size, period_ns=period_ns, seed=seed, settings=settings)
    for one in best.fitted:
        if one.name == "offset" and period_ns is not None:
            sooner_ns, offset_ns = period_ns * 99 // 100, round(1e6 * float(one.value))
            request = replace(request, phase="aligned", period_ns=sooner_ns, offset_ns=offset_ns)
    return found, request


def _request_of(path: Path, stored: store.Stored) -> Request:
    config = stored.config
    if config.get("traffic", "trigger") != "trigger":
        raise CaptureError(
            f"{path}: a run with --traffic {config['traffic']}; explain follows messages one way: "
            "keep one with --traffic trigger"
        )
    keys = ("count", "period_ns", "phase", "settings", "service_ns")
    link, seed = stored.link, stored.seed
    if link is None or seed is None or not all(key in config for key in keys):
        raise CaptureError(f"{path}: a capture, with edges and no slices; expected a virtual run")
    try:
        return bench.repeated(link, payload.of(link, stored.size), seed, config)
    except LinkError:
        raise CaptureError(
            f"{path}: metadata {store.KEY}: config does not say how to run; save the run again"
        ) from None


def advise(request: Request, aim: Aim = "tail", region: Region | None = None) -> Advice:
    """Tries what can be turned on a link: every change is a run of its own.

    With a region, without what breaks a rule of it that the link keeps as it is.

    Triggers come at any moment at a period the link has time for, whatever ``request`` says.

    Raises :class:`LinkError`.
    """
    told = replace(request, region=region).told()
    return Advice(ask("advise", **told | {"for": aim}))
