"""Where the time of a run on the virtual bench went, the floor below it, and what to change.

Every latency is the sum of its slices, to the nanosecond; every gain is measured by running the
bench again. A capture has edges and no slices: :func:`explain_saved` takes runs of the virtual
bench only.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

import numpy as np

from airlag import _airlag
from airlag._airlag import CaptureError, LinkError
from airlag.core import paths, payload
from airlag.core.answered import Answered, Each, Key, Maybe, ask, loads, reply_to
from airlag.core.answered import Part as Within
from airlag.core.types import Aim, Phase, SliceClass
from airlag.questions import bench, store
from airlag.questions.bench import Request
from airlag.questions.runs import Run

if TYPE_CHECKING:
    from airlag.core import types
    from airlag.core.types import Region

#: Which quantile a change is to make smaller; the first is the default.
AIMS: tuple[Aim, ...] = get_args(Aim)

#: What kinds of things time is spent on: the bench itself, the medium, the other end's answer, a
#: radio changing what it does, a bus, a processor, a clock that has to come round, unknown.
CLASSES: tuple[SliceClass, ...] = get_args(SliceClass)


class Part(Answered):
    """Time of one transfer spent on one thing.

    Attributes
    ----------
    name
        On what: ``air``, ``SPI read payload``.
    kind
        One of :data:`CLASSES`.
    ns
        How long, ns.
    """

    name = Key[str]("name")
    kind = Key["SliceClass"]("class")
    ns = Key[int]("ns")


class Timeline(Answered):
    """One transfer; the parts add up to its latency.

    Attributes
    ----------
    index
        Which of the transfers that completed, from 0.
    latency_ns
        From trigger to completion, ns.
    fixture_ns
        What of it belongs to the bench: noticing the trigger, driving the strobe, ns.
    parts
        In the order they were spent.
    """

    index = Key[int]("index")
    latency_ns = Key[int]("latency_ns")
    fixture_ns = Key[int]("fixture_ns")
    parts = Each(Part, "parts")

    def spent_ns(self, name: str, kind: str) -> int:
        """What was spent on one thing, ns."""
        return sum(part.ns for part in self.parts if (part.name, part.kind) == (name, kind))


class Item(Answered):
    """What a run spent on one thing; transfers without it count as 0.

    Attributes
    ----------
    name, kind
        As in :class:`Part`.
    total_ns
        All transfers together, ns.
    mean_ns, p50_ns, p99_ns
        A transfer: mean and quantiles, ns.
    """

    name = Key[str]("name")
    kind = Key["SliceClass"]("class")
    total_ns = Key[int]("total_ns")
    mean_ns = Key[float]("mean_ns")
    p50_ns = Key[float]("p50_ns")
    p99_ns = Key[float]("p99_ns")


class Budget(Answered):
    """Where the time of a run went.

    Attributes
    ----------
    n
        Transfers that completed.
    total_ns
        Their latencies together, ns: the sum of the items' totals.
    mean_ns
        Mean latency, ns.
    fixture_ns
        What of the mean belongs to the bench, ns.
    items
        One a thing, in the order transfers come to them.
    median, p99
        Two of the transfers: half, and 99 %, of all take no longer.
    """

    n = Key[int]("n")
    total_ns = Key[int]("total_ns")
    mean_ns = Key[float]("mean_ns")
    fixture_ns = Key[float]("fixture_ns")
    items = Each(Item, "items")
    median = Within(Timeline, "median")
    p99 = Within(Timeline, "p99")


class Term(Answered):
    """One thing a link cannot do without: ``count`` times ``each_ns``, as ``source`` says."""

    name = Key[str]("name")
    count = Key[int]("count")
    each_ns = Key[int]("each_ns")
    source = Key[str]("source")


class Floor(Answered):
    """What a message takes when software costs nothing and nothing is lost.

    Attributes
    ----------
    ns
        The sum of its terms, ns.
    terms
        Time on the medium, and gaps the hardware or the protocol demands.
    """

    ns = Key[int]("ns")
    terms = Each(Term, "terms")


class Change(Answered):
    """Settings, and what the bench says of them.

    Attributes
    ----------
    settings
        Parameters to set, as ``--set`` takes them.
    p50, p99
        The quantile with and without them, ns: ``a`` as it is, ``b`` changed, ``difference`` and
        its ``interval95``.
    delivery
        The same for the share that arrives.
    floor_ns
        The floor with these settings, ns.
    costs
        What the gain costs, in words; empty for what is recommended.
    charges
        What it makes of what each end draws; empty where nobody lists that.
    """

    settings = Key["Mapping[str, str]"]("settings")
    p50 = Key["types.Difference"]("p50_ns")
    p99 = Key["types.Difference"]("p99_ns")
    delivery = Key["types.Difference | None"]("delivery")
    floor_ns = Key[int]("floor_ns")
    costs = Key["Sequence[str]"]("costs")
    charges = Key["Mapping[str, types.ChangedCharge]"]("charges")


class Advice(Answered):
    """What to change, and what it is worth.

    Attributes
    ----------
    aim
        Which quantile was to become smaller.
    single
        Single changes that gain more than chance and cost nothing, the largest gain first.
    trades
        Single changes that gain at a cost.
    combined
        The best single change where it was chosen, then with the best one added, and so on: the
        last is the link tuned as a whole.
    tried
        Benches that were run in all.
    measured
        Those of them on which what had been chosen was measured, under the seed of the run: what
        gains by chance gains nothing a second time.
    choice_seed
        Seed of those on which it was chosen.
    """

    aim = Key["Aim"]("for")
    single = Each(Change, "single")
    trades = Each(Change, "trades")
    combined = Each(Change, "combined")
    tried = Key[int]("tried")
    measured = Key[int]("measured")
    choice_seed = Key[int]("choice_seed")


@dataclass(frozen=True, slots=True, eq=False)
class Explained(Answered):
    """A run with its budget.

    Attributes
    ----------
    run
        The run, as :func:`airlag.bench.emulate` gives it.
    request
        What was asked for, with the period it was run at.
    """

    run: Run
    request: Request

    #: ``None`` when nothing arrived.
    budget = Maybe(Budget, "budget")
    #: What the link cannot do without.
    floor = Within(Floor, "floor")
    #: What each slice costs either end; ``None`` where nobody lists what they draw.
    slices_charge = Key["types.SlicesCharge | None"]("slices_charge")

    def advised(self, advice: Advice | None) -> dict[str, Any]:
        """The object of ``airlag explain --json``, with what to change."""
        return {**self.answer, "advice": None if advice is None else advice.answer}


def explain(request: Request) -> Explained:
    """Runs one link at one size, and accounts for every nanosecond.

    Raises
    ------
    LinkError
        With one line that says what cannot be run, and what could.
    """
    reply = reply_to("explain", advice=False, **request.told())
    answer = loads(reply)
    period_ns, settings = answer["stimulus"]["period_ns"], answer["settings"]
    settled = replace(request, period_ns=period_ns, settings=settings)
    return Explained(answer, bench.run_of(settled, answer, reply), settled)


def explain_saved(
    path: str | Path, memory_bytes: int | None = None, asked: Mapping[str, Any] | None = None
) -> Explained:
    """Repeats a saved run of the virtual bench with its slices kept.

    The same seed gives the same run; that it did is checked against the file.

    Parameters
    ----------
    path
        The file.
    memory_bytes
        Most memory that reading it may take, bytes. Default: ``airlag.MEMORY_BYTES``.

    asked
        What else is asked of the run: its ``region``, ``battery`` and ``per_second``.

    Raises
    ------
    CaptureError
        With one line, when the file is no such run, or this airlag's bench gives another one.
    """
    path = Path(path)
    if paths.exists(path) and not store.is_parquet(path):
        raise _capture(path)
    stored = store.load(path, memory_bytes)
    request = replace(_request_of(path, stored), **(asked or {}))
    try:
        told = explain(request)
    except LinkError as error:
        raise CaptureError(f"{path}: {error}") from None
    if stored.trace is None or not _same_edges(stored.trace, told.run.trace):
        raise CaptureError(
            f"{path}: this airlag's bench no longer gives these edges; run it again: "
            f"{' '.join(bench.command(request.link, request.size))}"
        )
    return told


def _capture(path: Path) -> CaptureError:
    return CaptureError(
        f"{path}: a capture has edges and no slices; find the link that explains it with "
        f"airlag match {path}, then explain that link"
    )


def _request_of(path: Path, stored: store.Stored) -> Request:
    config = stored.config
    if config.get("traffic", "trigger") != "trigger":
        raise CaptureError(
            f"{path}: a run with --traffic {config['traffic']}; explain follows messages one way: "
            "keep one with --traffic trigger"
        )
    keys = ("count", "period_ns", "phase", "settings", "service_ns")
    if stored.seed is None or not all(key in config for key in keys):
        raise _capture(path)
    try:
        count, period_ns = int(config["count"]), int(config["period_ns"])
        settings = {str(key): str(value) for key, value in dict(config["settings"]).items()}
        phase: Phase = "frozen" if config["phase"] == "frozen" else "uniform"
        link, seed = str(stored.link), int(stored.seed)
        size = payload.of(link, stored.size)
    except (TypeError, ValueError):
        raise CaptureError(
            f"{path}: metadata {store.KEY}: config does not say how to run; save the run again"
        ) from None
    return Request(link, size, count, period_ns, phase, seed, settings)


def _same_edges(kept: _airlag.Trace, made: _airlag.Trace | None) -> bool:
    if made is None or kept.names != made.names:
        return False

    def edges(trace: _airlag.Trace) -> Iterator[Any]:
        for channel in range(len(trace.names)):
            for segment in range(len(trace.segments(channel))):
                yield trace.edges_ns(channel, segment)

    shapes = [
        [trace.segments(channel) for channel in range(len(trace.names))] for trace in (kept, made)
    ]
    pairs = zip(edges(kept), edges(made), strict=False)
    return shapes[0] == shapes[1] and all(np.array_equal(one, other) for one, other in pairs)


def advise(request: Request, aim: Aim = "tail", region: Region | None = None) -> Advice:
    """Tries what can be turned on a link: every change is a run of its own.

    With a region, without what breaks a rule of it that the link keeps as it is.

    Triggers come at any moment at a period the link has time for, whatever ``request`` says.

    Raises
    ------
    LinkError
        With one line that says what cannot be run, and what could.
    """
    told = replace(request, region=region).told()
    return Advice(ask("advise", **told | {"for": aim}))
