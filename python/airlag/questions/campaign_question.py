"""A question that a campaign answers: what is turned, what is measured, and what came out.

A campaign with a ``question`` is a set of lines over one axis: every run is one point of one line.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np

from airlag import _airlag
from airlag._airlag import LinkError
from airlag.core.parallel import side_by_side
from airlag.questions import bench, load, trains
from airlag.questions.bench import Request
from airlag.questions.load import Offer
from airlag.questions.runs import Outcome, Run
from airlag.questions.trains import BACK_TO_BACK, Train

if TYPE_CHECKING:
    from airlag.core.types import CampaignPoint, Latency, Program

#: Programs a run of a campaign can be; the first is the default.
PROGRAMS: tuple[Program, ...] = (
    "trigger",
    "echo",
    "back-to-back",
    "goodput",
    "load",
)
#: What a point can show.
Measure = Literal["latency", "gap", "completion", "goodput", "delivery"]
#: What can stand on the upright axis, and which programs tell it.
TOLD_BY: Mapping[Measure, Sequence[Program]] = {
    "latency": ("trigger", "echo", "load"),
    "gap": ("goodput",),
    "completion": (BACK_TO_BACK,),
    "goodput": (BACK_TO_BACK, "goodput", "load"),
    "delivery": PROGRAMS,
}
#: Of these, times.
TIMES: Sequence[Measure] = ("latency", "gap", "completion")
#: What is turned that is no parameter of a profile.
Option = Literal["size", "pace", "repeat", "utilisation"]
OPTIONS: tuple[Option, ...] = get_args(Option)

#: What is turned, as a point has it: a number, or the name of a choice.
Value = float | str


@dataclass(frozen=True, slots=True)
class Published:
    """What others have published of a question."""

    #: Document, by its key in ``links/sources.toml``.
    cite: str
    #: Place in it.
    at: str
    #: What stands there.
    says: str


@dataclass(frozen=True, slots=True)
class Question:
    """What a campaign is to answer."""

    #: What stands above its page.
    title: str
    #: The question.
    text: str
    #: What is across: one of :data:`OPTIONS`, or a parameter of the profiles.
    x: str
    #: What is upright.
    y: Measure
    #: What others have published of it.
    published: tuple[Published, ...] = ()


@dataclass(frozen=True, slots=True)
class Work:
    """One run of a campaign."""

    #: Link, payload, triggers or messages, seed, and the settings, those turned among them.
    request: Request
    #: What the boards do.
    program: Program = "trigger"
    #: What is swept, and to which value here.
    turned: Mapping[str, Value] = field(default_factory=dict)
    #: What its line is called; ``None``: by what it differs in from the others.
    label: str | None = None
    #: As of :class:`~airlag.questions.trains.Train`.
    pace_ns: int | None = None
    repeat: bool = False
    trials: int = 10
    #: Load as a part of what the link carries when it never waits.
    utilisation: float | None = None

    def traits(self) -> dict[str, str]:
        """Everything by which runs of a campaign may differ, as words."""
        words = {"link": self.request.link, "program": self.program}
        if self.request.size is not None:
            words["size"] = f"{self.request.size} B"
        words |= {name: f"{name} {_word(value)}" for name, value in self.turned.items()}
        return words


@dataclass(frozen=True, slots=True)
class Point:
    """The outcome of one run."""

    #: The run.
    work: Work
    #: Messages whose fate is known, and those of them that did not arrive.
    sent: int
    lost: int
    #: Quantiles of the times that its program measures, ns; ``None`` where nothing arrived.
    times: Mapping[Measure, Latency | None]
    #: User data that arrived, kbit/s; ``None`` where messages were spaced by their triggers.
    kbps: float | None = None
    #: Named events, with counts.
    incidents: Mapping[str, int] = field(default_factory=dict)
    #: Mean place of the lost messages in their train: 0 is the first, 1 the last.
    lost_position: float | None = None

    @property
    def delivery(self) -> float | None:
        """Messages that arrived, as a part of those whose fate is known."""
        return 1 - self.lost / self.sent if self.sent else None

    def quantiles(self, measure: Measure) -> Latency | None:
        """Quantiles of a time; ``None`` where it was not measured."""
        return self.times.get(measure)

    def single(self, measure: Measure) -> float | None:
        """The value of a measure that is not a time."""
        if measure == "goodput":
            return self.kbps
        return self.delivery if measure == "delivery" else None


@dataclass(frozen=True, slots=True)
class Series:
    """Points of one line, from left to right."""

    #: What tells it from the others.
    name: str
    #: Where each point stands across.
    at: Sequence[Value]
    #: The points.
    points: Sequence[Point]


def measure_each(works: Sequence[Work]) -> Iterator[Point | LinkError]:
    """Runs side by side; yields, in the order given, what came of each or why nothing did."""
    return side_by_side(measure, works, LinkError)


def measure(work: Work) -> Point:
    """Runs one point; raises :class:`LinkError`."""
    asked = work.request
    if work.program in ("trigger", "echo"):
        return _of_run(work, bench.emulate(asked))
    if asked.size is None:
        raise LinkError(f"{asked.link}: carries no bytes, so no {work.program}; choose a link")
    common: dict[str, Any] = {
        name: getattr(asked, name) for name in ("size", "count", "seed", "settings")
    }
    if work.program == BACK_TO_BACK:
        train = Train(**common, trials=work.trials, pace_ns=work.pace_ns, repeat=work.repeat)
        burst = trains.burst(asked.link, train)
        sent = train.count * train.trials
        elapsed = [trial["elapsed_ns"] for trial in burst.trials if trial["delivered"]]
        return Point(
            work,
            sent,
            burst.lost,
            {"completion": _airlag.summary(np.array(elapsed, dtype=np.int64))},
            burst.kbps,
            burst.incidents,
            None if burst.position is None else burst.position.mean,
        )
    if work.program == "load":
        assert work.utilisation is not None
        (point,) = load.load(asked.link, Offer(**common, utilisations=(work.utilisation,))).points
        times: dict[Measure, Latency | None] = {"latency": point.latency}
        return Point(work, point.offered, point.lost, times, point.goodput_kbps)
    found = load.saturated(asked.link, **common)
    known = found.delivered + found.lost
    return Point(work, known, found.lost, {"gap": found.gap}, found.kbps, found.incidents)


def _of_run(work: Work, run: Run) -> Point:
    lost = run.count(Outcome.LOST)
    known = lost + run.count(Outcome.DELIVERED) + run.count(Outcome.LATE)
    return Point(work, known, lost, {"latency": run.latency}, None, bench.incidents(run))


def series(question: Question, points: Sequence[Point]) -> list[Series]:
    """The lines of a chart, in the order of the file."""
    traits = [point.work.traits() for point in points]
    keys = dict.fromkeys(key for each in traits for key in each)
    varying = [
        key for key in keys if key != question.x and len({each.get(key) for each in traits}) > 1
    ]
    lines: dict[str, list[Point]] = {}
    for point, words in zip(points, traits, strict=True):
        label = point.work.label
        told = [words[key] for key in varying if key in words]
        name = label or ", ".join(told) or point.work.request.link
        lines.setdefault(name, []).append(point)
    return [_ordered(question, name, found) for name, found in lines.items()]


def _ordered(question: Question, name: str, points: Sequence[Point]) -> Series:
    # Choices stay in the order of the file, numbers rise.
    placed = [(place(question.x, point.work), point) for point in points]
    if all(isinstance(at, float) for at, _ in placed):
        placed.sort(key=lambda pair: pair[0])
    return Series(name, tuple(at for at, _ in placed), tuple(point for _, point in placed))


def place(x: str, work: Work) -> Value:
    """Where a run stands across; times in ns."""
    if x in work.turned:
        return work.turned[x]
    assert x == "size"
    assert work.request.size is not None
    return float(work.request.size)


def _word(value: Value) -> str:
    return value if isinstance(value, str) else f"{value:g}"


def to_json(question: Question, points: Sequence[Point]) -> list[CampaignPoint]:
    """One object a run, for ``--json``."""
    names = {id(point): line.name for line in series(question, points) for point in line.points}
    return [_object(question, names[id(point)], point) for point in points]


def _object(question: Question, name: str, point: Point) -> CampaignPoint:
    work, asked = point.work, point.work.request
    return {
        "link": asked.link,
        "size": asked.size,
        "seed": asked.seed,
        "settings": dict(asked.settings),
        "traffic": work.program,
        "series": name,
        "x": question.x,
        "at": place(question.x, work),
        "sent": point.sent,
        "lost": point.lost,
        "latency_ns": point.quantiles("latency"),
        "gap_ns": point.quantiles("gap"),
        "completion_ns": point.quantiles("completion"),
        "lost_position": point.lost_position,
        "goodput_kbps": point.kbps,
        "incidents": dict(point.incidents),
    }
