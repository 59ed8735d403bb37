"""Where the time of a run on the virtual bench went, the floor below it, and what to change.

Every latency is the sum of its slices, to the nanosecond; every gain is measured by running the
bench again. A capture has edges and no slices: :func:`explain_saved` takes runs of the virtual
bench only.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_args

import numpy as np

from airlag import _airlag, bench, payload, store, there
from airlag._airlag import CaptureError, LinkError
from airlag.bench import Plan, Request
from airlag.json_types import explanation as json_types
from airlag.json_types.comparison import Difference
from airlag.json_types.explanation import Aim, SliceClass
from airlag.json_types.law import Region
from airlag.json_types.run import Phase
from airlag.runs import Run

#: Which quantile a change is to make smaller; the first is the default.
AIMS: tuple[Aim, ...] = get_args(Aim)

#: What kinds of things time is spent on: the bench itself, the medium, the other end's answer, a
#: radio changing what it does, a bus, a processor, a clock that has to come round, unknown.
CLASSES: tuple[SliceClass, ...] = get_args(SliceClass)


@dataclass(frozen=True, slots=True)
class Part:
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

    name: str
    kind: SliceClass
    ns: int

    def to_json(self) -> json_types.Part:
        """The part as a JSON object."""
        return {"name": self.name, "class": self.kind, "ns": self.ns}


@dataclass(frozen=True, slots=True)
class Timeline:
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

    index: int
    latency_ns: int
    fixture_ns: int
    parts: Sequence[Part]

    @classmethod
    def of(cls, raw: json_types.Timeline) -> Timeline:
        """From what the compiled half gives."""
        parts = tuple(Part(each["name"], each["class"], each["ns"]) for each in raw["parts"])
        return cls(raw["index"], raw["latency_ns"], raw["fixture_ns"], parts)

    def spent_ns(self, name: str, kind: str) -> int:
        """What was spent on one thing, ns."""
        return sum(part.ns for part in self.parts if (part.name, part.kind) == (name, kind))

    def to_json(self) -> json_types.Timeline:
        """The timeline as a JSON object."""
        return {
            "index": self.index,
            "latency_ns": self.latency_ns,
            "fixture_ns": self.fixture_ns,
            "parts": [part.to_json() for part in self.parts],
        }


@dataclass(frozen=True, slots=True)
class Item:
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

    name: str
    kind: SliceClass
    total_ns: int
    mean_ns: float
    p50_ns: float
    p99_ns: float

    def to_json(self) -> json_types.Item:
        """The item as a JSON object."""
        return {
            "name": self.name,
            "class": self.kind,
            "total_ns": self.total_ns,
            "mean_ns": self.mean_ns,
            "p50_ns": self.p50_ns,
            "p99_ns": self.p99_ns,
        }


@dataclass(frozen=True, slots=True)
class Budget:
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

    n: int
    total_ns: int
    mean_ns: float
    fixture_ns: float
    items: Sequence[Item]
    median: Timeline
    p99: Timeline

    @classmethod
    def of(cls, raw: json_types.Budget) -> Budget:
        """From what the compiled half gives."""
        items = tuple(
            Item(
                each["name"],
                each["class"],
                each["total_ns"],
                each["mean_ns"],
                each["p50_ns"],
                each["p99_ns"],
            )
            for each in raw["items"]
        )
        return cls(
            raw["n"],
            raw["total_ns"],
            raw["mean_ns"],
            raw["fixture_ns"],
            items,
            Timeline.of(raw["median"]),
            Timeline.of(raw["p99"]),
        )

    def to_json(self) -> json_types.Budget:
        """The budget as a JSON object."""
        return {
            "n": self.n,
            "total_ns": self.total_ns,
            "mean_ns": self.mean_ns,
            "fixture_ns": self.fixture_ns,
            "items": [item.to_json() for item in self.items],
            "median": self.median.to_json(),
            "p99": self.p99.to_json(),
        }


@dataclass(frozen=True, slots=True)
class Term:
    """One thing a link cannot do without: ``count`` times ``each_ns``, as ``source`` says."""

    name: str
    count: int
    each_ns: int
    source: str


@dataclass(frozen=True, slots=True)
class Floor:
    """What a message takes when software costs nothing and nothing is lost.

    Attributes
    ----------
    ns
        The sum of its terms, ns.
    terms
        Time on the medium, and gaps the hardware or the protocol demands.
    """

    ns: int
    terms: Sequence[Term]

    @classmethod
    def of(cls, raw: json_types.Floor) -> Floor:
        """From what the compiled half gives."""
        return cls(raw["ns"], tuple(Term(**term) for term in raw["terms"]))

    def to_json(self) -> json_types.Floor:
        """The floor as a JSON object."""
        terms: list[json_types.Term] = [
            {"name": t.name, "count": t.count, "each_ns": t.each_ns, "source": t.source}
            for t in self.terms
        ]
        return {"ns": self.ns, "terms": terms}


@dataclass(frozen=True, slots=True)
class Change:
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

    settings: Mapping[str, str]
    p50: Difference
    p99: Difference
    delivery: Difference | None
    floor_ns: int
    costs: Sequence[str]
    charges: Mapping[str, json_types.Charges]

    def to_json(self) -> json_types.Change:
        """The change as a JSON object."""
        return {
            "settings": dict(self.settings),
            "p50_ns": {**self.p50},
            "p99_ns": {**self.p99},
            "delivery": None if self.delivery is None else {**self.delivery},
            "floor_ns": self.floor_ns,
            "costs": list(self.costs),
            "charges": dict(self.charges),
        }


@dataclass(frozen=True, slots=True)
class Advice:
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

    aim: Aim
    single: Sequence[Change]
    trades: Sequence[Change]
    combined: Sequence[Change]
    tried: int
    measured: int
    choice_seed: int

    def to_json(self) -> json_types.Advice:
        """The advice as a JSON object."""
        return {
            "for": self.aim,
            "single": [change.to_json() for change in self.single],
            "trades": [change.to_json() for change in self.trades],
            "combined": [change.to_json() for change in self.combined],
            "tried": self.tried,
            "measured": self.measured,
            "choice_seed": self.choice_seed,
        }


@dataclass(frozen=True, slots=True, eq=False)
class Explained:
    """A run with its budget.

    Attributes
    ----------
    run
        The run, as :func:`airlag.bench.emulate` gives it.
    request
        What was asked for, with the period it was run at.
    budget
        ``None`` when nothing arrived.
    floor
        What the link cannot do without.
    slices_charge
        What each slice costs either end; ``None`` where nobody lists what they draw.
    """

    run: Run
    request: Request
    budget: Budget | None
    floor: Floor
    slices_charge: json_types.SlicesCharge | None


def explain(request: Request) -> Explained:
    """Runs one link at one size, and accounts for every nanosecond.

    Raises
    ------
    LinkError
        With one line that says what cannot be run, and what could.
    """
    return _explain(bench.plan_of(request))


def _explain(plan: Plan) -> Explained:
    paired, trace, spent, least, incidents, charge, slices = _airlag.explain_link(
        *plan.arguments, traffic=plan.request.traffic
    )
    run = bench.run_of(plan, paired, trace, incidents, charge=charge)
    budget = None if spent is None else Budget.of(spent)
    return Explained(run, plan.request, budget, Floor.of(least), slices)


def explain_saved(path: str | Path, memory_bytes: int | None = None) -> Explained:
    """Repeats a saved run of the virtual bench with its slices kept.

    The same seed gives the same run; that it did is checked against the file.

    Parameters
    ----------
    path
        The file.
    memory_bytes
        Most memory that reading it may take, bytes. Default: ``airlag.MEMORY_BYTES``.

    Raises
    ------
    CaptureError
        With one line, when the file is no such run, or this airlag's bench gives another one.
    """
    path = Path(path)
    if there.exists(path) and not store.is_parquet(path):
        raise _capture(path)
    stored = store.load(path, memory_bytes)
    plan = _plan_of(path, stored)
    try:
        told = _explain(plan)
    except LinkError as error:
        raise CaptureError(f"{path}: {error}") from None
    if stored.trace is None or not _same_edges(stored.trace, told.run.trace):
        raise CaptureError(
            f"{path}: this airlag's bench no longer gives these edges; run it again: "
            f"{' '.join(bench.command(plan.request.link, plan.request.size))}"
        )
    return told


def _capture(path: Path) -> CaptureError:
    return CaptureError(
        f"{path}: a capture has edges and no slices; find the link that explains it with "
        f"airlag match {path}, then explain that link"
    )


def _plan_of(path: Path, stored: store.Stored) -> Plan:
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
        service_ns = None if config["service_ns"] is None else int(config["service_ns"])
        phase: Phase = "frozen" if config["phase"] == "frozen" else "uniform"
        link, seed = str(stored.link), int(stored.seed)
        size = payload.of(link, stored.size)
    except (TypeError, ValueError):
        raise CaptureError(
            f"{path}: metadata {store.KEY}: config does not say how to run; save the run again"
        ) from None
    return Plan(Request(link, size, count, period_ns, phase, seed, settings), service_ns)


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


def advise(request: Request, aim: Aim = "median", region: Region | None = None) -> Advice:
    """Tries what can be turned on a link: every change is a run of its own.

    With a region, without what breaks a rule of it that the link keeps as it is.

    Triggers come at any moment at a period the link has time for, whatever ``request`` says.

    Raises
    ------
    LinkError
        With one line that says what cannot be run, and what could.
    """
    raw = _airlag.advise_link(
        request.link,
        request.size,
        request.count,
        request.seed,
        aim,
        dict(request.settings),
        request.traffic,
        region,
        request.period_ns,
    )

    single, trades, combined = (
        tuple(Change(**each) for each in raw[key]) for key in ("single", "trades", "combined")
    )
    return Advice(aim, single, trades, combined, raw["tried"], raw["measured"], raw["choice_seed"])
