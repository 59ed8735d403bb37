"""Which link to choose for a deadline: every profile, and what it can be tuned to, on the bench.

What counts is delivery within the deadline: a message that is lost misses it as one that is late
does. Nothing is said of power, price or licences, and nothing of distance unless a range is given.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, get_args

from airlag import _airlag, answers, bench
from airlag.charge import USUAL_BATTERY, USUAL_RATE
from airlag.json_types import recommendation as json_types
from airlag.json_types.charge import Charge
from airlag.json_types.explanation import Part
from airlag.json_types.law import Law, Region
from airlag.json_types.recommendation import Verdict
from airlag.json_types.run import Places
from airlag.quantity import exact
from airlag.shown import Plotted

if TYPE_CHECKING:
    from airlag.showing.recommendation import RecommendationShowing

#: What becomes of a candidate, the best first: it keeps the deadline, its messages do not tell
#: whether it does, how it fares over a distance is not known, it does not.
VERDICTS: tuple[Verdict, ...] = get_args(Verdict)

#: Percentiles that a number of messages a bench can send shows.
LOWEST_PERCENTILE, HIGHEST_PERCENTILE = 50.0, 99.99
#: Shares of lost messages that it shows.
LOWEST_LOSS, HIGHEST_LOSS = 1e-4, 0.5


@dataclass(frozen=True, slots=True)
class Task:
    """What a link is wanted for.

    Attributes
    ----------
    size
        Payload of the links that have a message, bytes; ``None`` where none of them has one.
    deadline_ns
        The longest time from trigger to completion that will do, ns.
    percentile
        Percent of all messages that must keep it, 50 to 99.99.
    max_loss
        Share of all messages that may be lost, 0.0001 to 0.5.
    distance
        How far apart the radios stand, with a unit, such as ``30m``; ``None``: beside each other.
    environment
        What is between them; a choice of the profiles' parameter ``environment``. ``None``: the
        default of that.
    places_share
        Share of places that must keep the deadline where the radios stand apart.
    neighbours
        Who else is on the air, such as ``wifi:30%@ch6``; empty: nobody.
    processor
        What is on both boards for what they draw, where it is not on the radio's chip: a part, or
        ``none``, which does not count. ``None``: as it was measured.
    period_ns
        From message to message, ns; ``None``: as long as the link needs.
    seed
        Root of every random number.
    links
        Names of the profiles to choose from; empty: every one with a radio.
    wired
        Of every one, those with a wire too.
    trade
        Tune also what gives up something no latency shows.
    region
        Whose rules it has to keep; ``None``: nobody's.
    max_charge_nc
        What a message that arrives may add to what its sender draws anyway, nC; ``None``: anything.
    battery, battery_years, per_second
        Which battery has to feed the sender for how many years, at how many messages a second;
        ``None``: none.
    """

    size: int | None
    deadline_ns: int
    percentile: float = 99.0
    max_loss: float = 0.01
    distance: str | None = None
    environment: str | None = None
    places_share: float = 0.9
    neighbours: Sequence[str] = ()
    processor: str | None = None
    period_ns: int | None = None
    seed: int = 1
    links: Sequence[str] = ()
    wired: bool = False
    trade: bool = False
    region: Region | None = None
    max_charge_nc: float | None = None
    battery: str | None = None
    battery_years: float | None = None
    per_second: float = USUAL_RATE

    @property
    def name(self) -> str:
        """What the percentile is called: ``p99``."""
        return f"p{self.percentile:g}"

    @property
    def lasting(self) -> tuple[str, float, float] | None:
        """Which battery has to last how many years, at how many messages a second."""
        if self.battery_years is None:
            return None
        return self.battery or USUAL_BATTERY, self.battery_years, self.per_second

    @property
    def between(self) -> str | None:
        """What is between the radios; ``None`` where they are beside each other."""
        if self.distance is None:
            return None
        return self.environment or _airlag.ENVIRONMENT

    def to_json(self) -> json_types.Task:
        """The task as a JSON object."""
        return {
            "size": self.size,
            "deadline_ns": self.deadline_ns,
            "percentile": self.percentile,
            "max_loss": self.max_loss,
            "range": self.distance,
            "environment": self.between,
            "places_share": self.places_share,
            "neighbours": list(self.neighbours),
            "processor": self.processor,
            "period_ns": self.period_ns,
            "seed": self.seed,
            "links": list(self.links),
            "wired": self.wired,
            "trade": self.trade,
            "region": self.region,
            "max_charge_nc": self.max_charge_nc,
            "battery": self.battery,
            "battery_years": self.battery_years,
            "per_second": self.per_second,
        }


@dataclass(frozen=True, slots=True)
class Quantile:
    """A quantile of all messages, a lost one taking longer than any.

    Attributes
    ----------
    ns
        Its value, ns; ``None``: so many never arrive.
    interval95
        Where it may lie, ns; ``None`` at an end that what arrived does not bound.
    """

    ns: float | None
    interval95: tuple[int | None, int | None]

    @classmethod
    def of(cls, raw: json_types.Quantile) -> Quantile:
        """From what the compiled half gives."""
        low, high = raw["interval95"]
        return cls(raw["ns"], (low, high))

    def to_json(self) -> json_types.Quantile:
        """The quantile as a JSON object."""
        return {"ns": self.ns, "interval95": list(self.interval95)}


@dataclass(frozen=True, slots=True)
class Seen:
    """What the bench saw of a candidate.

    Attributes
    ----------
    triggers
        Messages sent.
    n
        Those of them whose fate is known.
    in_time, in_time_interval95
        Of these, completed within the deadline; the 95 % interval of their share.
    lost, loss_interval95
        The same of those that were lost.
    p50, quantile
        Median, and the percentile that was asked for.
    latency, loss
        Whether the percentile keeps the deadline, and whether few enough are lost: ``passes``,
        ``close`` or ``fails``.
    service_ns
        The longest latency of a few messages sent one at a time, ns; ``None``: none arrived.
    largest
        What the message at the percentile spent the most time on: ``name``, ``class``, ``ns``.
    places
        How places differ; ``None`` where they are alike.
    fade_margin_db
        What the mean signal has above the one with which 1 % of the frames are lost, dB; ``None``
        where radios are beside each other.
    charge
        What messages cost either end; ``None`` where nobody lists what they draw.
    """

    triggers: int
    n: int
    in_time: int
    in_time_interval95: tuple[float, float]
    lost: int
    loss_interval95: tuple[float, float]
    p50: Quantile
    quantile: Quantile
    latency: Verdict
    loss: Verdict
    service_ns: int | None
    largest: Part | None
    places: Places | None
    fade_margin_db: float | None
    charge: Charge | None

    @classmethod
    def of(cls, raw: answers.Seen) -> Seen:
        """From what the compiled half gives."""
        told: Mapping[str, Any] = raw
        quantiles = {name: Quantile.of(told[name]) for name in ("p50", "quantile")}
        return cls(**{**told, **quantiles})

    def to_json(self) -> json_types.Seen:
        """What was seen as a JSON object."""
        return {
            "triggers": self.triggers,
            "n": self.n,
            "in_time": {
                "count": self.in_time,
                "ratio": self.in_time / self.n,
                "interval95": list(self.in_time_interval95),
            },
            "lost": {
                "count": self.lost,
                "ratio": self.lost / self.n,
                "interval95": list(self.loss_interval95),
            },
            "p50_ns": self.p50.to_json(),
            "quantile_ns": self.quantile.to_json(),
            "latency": self.latency,
            "loss": self.loss,
            "service_ns": self.service_ns,
            "largest": None if self.largest is None else {**self.largest},
            "places": self.places,
            "fade_margin_db": self.fade_margin_db,
            "charge": self.charge,
        }


@dataclass(frozen=True, slots=True)
class Candidate:
    """A profile with some settings, and how it does.

    Attributes
    ----------
    link
        Name of the profile.
    size
        Payload it was judged with, bytes; ``None`` where there is no message.
    settings
        What is set, as ``--set`` takes it: where the radios stand, then what it is tuned to.
    tuned
        How many of the settings tune it.
    gives_up
        What these give up that no latency shows.
    floor_ns
        What a message takes at least, ns; ``None`` where nobody worked it out.
    seen
        ``None`` where the floor says enough, or the bench cannot be run.
    verdict, reason
        What becomes of it, and why.
    law
        What the region says that was asked for; ``None`` without one.
    """

    link: str
    size: int | None
    settings: Mapping[str, str]
    tuned: int
    gives_up: Sequence[str]
    floor_ns: int | None
    seen: Seen | None
    verdict: Verdict
    reason: str
    law: Law | None

    @classmethod
    def of(cls, raw: answers.Candidate) -> Candidate:
        """From what the compiled half gives."""
        seen = None if raw["seen"] is None else Seen.of(raw["seen"])
        told: Mapping[str, Any] = raw
        return cls(**{**told, "seen": seen})

    def command(self, task: Task) -> Sequence[str]:
        """The command line that runs it again, message by message the same."""
        words = bench.command(self.link, self.size)
        if self.seen is not None and self.seen.triggers != 1000:
            words += ["--count", str(self.seen.triggers)]
        if self.seen is not None and self.seen.places is not None:
            words += ["--places", str(self.seen.places["count"])]
        if task.period_ns is not None:
            words += ["--period", exact(task.period_ns)]
        if task.seed != 1:
            words += ["--seed", str(task.seed)]
        if task.region is not None:
            words += ["--region", task.region]
        for name, value in self.settings.items():
            words += ["--set", f"{name}={value}"]
        return words

    def to_json(self, task: Task) -> json_types.Candidate:
        """The candidate as a JSON object."""
        return {
            "link": self.link,
            "size": self.size,
            "settings": dict(self.settings),
            "tuned": self.tuned > 0,
            "gives_up": list(self.gives_up),
            "verdict": self.verdict,
            "reason": self.reason,
            "floor_ns": self.floor_ns,
            "seen": None if self.seen is None else self.seen.to_json(),
            "law": self.law,
            "command": list(self.command(task)),
        }


@dataclass(frozen=True, slots=True, repr=False)
class Recommendation(Plotted):
    """A task, and every candidate for it, the best first.

    Attributes
    ----------
    task
        What a link is wanted for.
    candidates
        Profiles, some of them twice: as they are, and tuned.
    contenders
        How many profiles there are to judge.
    """

    task: Task
    candidates: Sequence[Candidate]
    contenders: int

    def _showing(self) -> RecommendationShowing:
        from airlag.showing.recommendation import RecommendationShowing

        return RecommendationShowing(self)

    def those_that(self, verdict: Verdict) -> Sequence[Candidate]:
        """The candidates with this verdict, the best first."""
        return [each for each in self.candidates if each.verdict == verdict]

    def to_json(self) -> json_types.Recommendation:
        """The recommendation as a JSON object."""
        candidates = [each.to_json(self.task) for each in self.candidates]
        return {"task": self.task.to_json(), "candidates": candidates}


def recommend(task: Task, done: Callable[[int], None] | None = None) -> Recommendation:
    """Judges every profile, and what it can be tuned to.

    As :func:`attempt`; a signal handler that raises ends it.
    """
    told, stopped = attempt(task, done)
    if stopped is not None:
        raise stopped
    return told


def attempt(
    task: Task, done: Callable[[int], None] | None = None
) -> tuple[Recommendation, BaseException | None]:
    """Judges every profile, and what it can be tuned to, until a signal handler raises.

    Parameters
    ----------
    task
        What a link is wanted for.
    done
        Called with how many profiles there are, each time one is judged; from several threads.

    Returns
    -------
    tuple
        All candidates and ``None``, or those that were judged until then and what was raised.

    Raises
    ------
    LinkError
        With one line that says what nobody can be asked, and what could.
    """
    raw, contenders, stopped = _airlag.recommend_links(
        task.size,
        task.deadline_ns,
        task.percentile / 100,
        task.max_loss,
        distance=task.distance,
        environment=task.environment,
        places_share=task.places_share,
        neighbours=";".join(task.neighbours) or None,
        processor=task.processor,
        period_ns=task.period_ns,
        seed=task.seed,
        links=task.links,
        wired=task.wired,
        trade=task.trade,
        region=task.region,
        max_charge_nc=task.max_charge_nc,
        lasting=task.lasting,
        done=done,
    )
    candidates = tuple(Candidate.of(each) for each in raw)
    return Recommendation(task, candidates, contenders), stopped
