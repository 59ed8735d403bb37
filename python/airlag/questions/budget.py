"""Latency of virtual runs by slice, lower bound of the latency, and advice.

Every latency is the sum of its slices, to the nanosecond. The gain of each advised change is
measured in a run. For a capture, which has no slices, :func:`matched` finds a link to run.
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
from airlag.questions.shown import Plottable

#: Quantiles that advice can reduce.
AIMS: tuple[Aim, ...] = get_args(Aim)


class Timeline(records.Timeline):
    """One transfer, split into parts that add up to its latency."""

    def spent_ns(self, name: str, kind: str) -> int:
        """Time attributed to one name and kind, ns."""
        return sum(part.ns for part in self.parts if (part.name, part.kind) == (name, kind))


class Budget(records.Budget):
    """Latency of a run, split by slice."""

    median = One(Timeline)
    p99 = One(Timeline)


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Explanation(Plottable, Answered, shape=types.ExplainedRun):
    """Latency of a run by slice, lower bound of the latency, and advice with measured gains.

    Attributes
    ----------
    run
        The run with all transfers.
    request
        The request for this run, with the trigger period that was used.
    advice
        Advice; ``None`` if none was requested, or if no message was delivered.
    match
        For a capture, its ranking of links: ``run`` is a run of the best match. Otherwise ``None``.
    """

    run: Run
    request: Request
    advice: Advice | None = None
    match: Ranking | None = None

    #: ``None`` without deliveries.
    budget = Maybe(Budget)
    floor = One(Floor)
    #: Lower bound compared with the median, in words; ``None`` without deliveries.
    floor_text = Key[str | None]()
    #: Published results of this remote procedure call, in words.
    published = Key[list[str]]()
    #: Charge of each slice at each end; ``None`` without current data.
    slices_charge = Key[types.SlicesCharge | None]()

    def to_json(self) -> types.ExplainedRun:
        """Returns the explanation as a dictionary: one entry of ``airlag explain --json``."""
        document = {**self.answer, "advice": None if self.advice is None else self.advice.answer}
        if self.match is not None:
            document["match"] = {"source": self.match.source, **self.match.answer}
        return cast("types.ExplainedRun", document)


def explain(request: Request) -> Explanation:
    """Runs one link with one size, and splits its time into slices; raises :class:`LinkError`."""
    reply = reply_to("explain", advice=False, **request.to_json())
    answer = loads(reply)
    period_ns, settings = answer["stimulus"]["period_ns"], answer["settings"]
    settled = replace(request, period_ns=period_ns, settings=settings)
    of_run = {key: answer[key] for key in answer if key in types.VirtualRun.__annotations__}
    return Explanation(answer, bench.run_of(settled, of_run, reply), settled)


def explain_saved(
    path: str | Path, memory_bytes: int | None = None, asked: Mapping[str, Any] | None = None
) -> Explanation:
    """Repeats a saved virtual run, records its slices, and checks that its edges are the same.

    ``asked`` contains further options for the run: ``region``, ``battery`` and ``per_second``.

    Raises :class:`CaptureError` if the file is not a saved virtual run, or if this version of
    airlag gives edges that differ from the saved edges.
    """
    path = Path(path)
    stored = store.load(path, memory_bytes)
    request = replace(_request_of(path, stored), **(asked or {}))
    try:
        repeated = explain(request)
    except LinkError as error:
        raise CaptureError(f"{path}: {error}") from None
    made = repeated.run.trace
    if stored.trace is None or made is None or not stored.trace.same_edges(made):
        raise CaptureError(
            f"{path}: this version of airlag gives different edges; run it again: "
            f"{' '.join(bench.command(request.link, request.size))}"
        )
    return repeated


def matched(run: Run, size: int | None = None, seed: int = 1) -> tuple[Ranking, Request]:
    """Ranks links for a capture. Returns the ranking, and a request for a run of the best link.

    The run has the trigger period of the capture. Raises :class:`CaptureError` if no link explains
    the capture.
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
            f"{path}: a run with --traffic {config['traffic']}; explain supports one-way messages, "
            "from --traffic trigger"
        )
    keys = ("count", "period_ns", "phase", "settings", "service_ns")
    link, seed = stored.link, stored.seed
    if link is None or seed is None or not all(key in config for key in keys):
        raise CaptureError(f"{path}: a capture, which has no slices; expected a virtual run")
    try:
        return bench.repeated(link, payload.of(link, stored.size), seed, config)
    except LinkError:
        raise CaptureError(
            f"{path}: metadata {store.KEY}: config contains no request; save the run again"
        ) from None


def advise(request: Request, aim: Aim = "tail", region: Region | None = None) -> Advice:
    """Tries the tuning changes of a link, each in a separate run.

    With a region, a change is excluded if it violates a rule that the unchanged link meets.
    Triggers come at random times, so rarely that no messages queue. The period and the phase of
    ``request`` are ignored. Raises :class:`LinkError` if the link cannot run.
    """
    question = replace(request, region=region).to_json()
    return Advice(ask("advise", **question | {"for": aim}))
