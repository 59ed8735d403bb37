"""What part of the variance of a number each parameter makes, over a whole space.

First-order indices tell what a parameter does by itself, total ones what it does together with
others as well (Sobol; Saltelli et al., "Variance based sensitivity analysis of model output",
Computer Physics Communications 181, 2010). SALib draws the design and estimates them.

The seed is a parameter like the others: its index is what chance makes, and a parameter that does
nothing meets the same chance with and without, so that it gets nothing of it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from airlag._airlag import LinkError
from airlag.json_types import tuning as shape
from airlag.json_types.law import Region
from airlag.shown import Plotted
from airlag.tuning.installed import library
from airlag.tuning.measure import Bench, Job, Settings
from airlag.tuning.metrics import METRICS, Metric, metrics
from airlag.tuning.space import Space, space_of

if TYPE_CHECKING:
    from airlag.showing.tuning import IndicesShowing

#: What chance is called among the parameters.
CHANCE = "chance"
#: Seeds that chance is drawn from.
SEEDS = 8
#: Points of the design where nobody says how many; each takes a bench a parameter, and two more.
SAMPLES = 128
#: How often the indices are estimated anew for their intervals.
RESAMPLES = 1000


@dataclass(frozen=True, slots=True)
class Index:
    """What part of the variance a parameter makes.

    Attributes
    ----------
    name
        The parameter; :data:`CHANCE` for what the seed makes.
    first, total
        By itself, and with all that it does together with others.
    first_interval95, total_interval95
        Their 95 % intervals; an estimate may be below 0, which the truth is not.
    """

    name: str
    first: float
    first_interval95: tuple[float, float]
    total: float
    total_interval95: tuple[float, float]

    def to_json(self) -> shape.Index:
        """The index as a JSON object."""
        return {
            "name": self.name,
            "first": self.first,
            "first_interval95": list(self.first_interval95),
            "total": self.total,
            "total_interval95": list(self.total_interval95),
        }


@dataclass(frozen=True, slots=True)
class Indexed:
    """A metric over a whole space.

    Attributes
    ----------
    metric
        Its name.
    mean, deviation
        Over the space, in its own unit; a deviation of 0 says that nothing moves it.
    indices
        The largest total first; empty where nothing moves it.
    """

    metric: str
    mean: float
    deviation: float
    indices: Sequence[Index]

    def to_json(self) -> shape.Indexed:
        """The metric as a JSON object."""
        return {
            "metric": self.metric,
            "unit": METRICS[self.metric].unit,
            "mean": self.mean,
            "standard_deviation": self.deviation,
            "indices": [one.to_json() for one in self.indices],
        }


@dataclass(frozen=True, slots=True)
class Question:
    """What is to be weighed.

    Attributes
    ----------
    link, size
        The profile, and its payload, bytes; ``None`` where it has no message.
    over
        By parameter, what it may be.
    of
        Names of metrics.
    settings
        What is set besides, as ``--set`` takes it.
    count, period_ns
        Messages of a run, and from one to the next, ns; ``None``: an unhurried period.
    samples
        Points of the design, a power of two.
    seed
        Root of every random number.
    region
        Whose rules every setting has to keep.
    """

    link: str
    size: int | None
    over: Mapping[str, str]
    of: tuple[str, ...] = ("p50", "p99")
    settings: Settings = field(default_factory=dict)
    count: int = 1000
    period_ns: int | None = None
    samples: int = SAMPLES
    seed: int = 1
    region: Region | None = None


@dataclass(frozen=True, slots=True, repr=False)
class Indices(Plotted):
    """What each parameter is worth over a whole space.

    Attributes
    ----------
    question
        What was asked.
    metrics
        Each metric, in the order asked.
    runs
        Benches that were run.
    """

    question: Question
    metrics: Sequence[Indexed]
    runs: int

    def _showing(self) -> IndicesShowing:
        from airlag.showing.tuning import IndicesShowing

        return IndicesShowing(self)

    def to_json(self) -> shape.Indices:
        """The answer as the documented ``--json`` object."""
        asked = self.question
        return {
            "link": asked.link,
            "size": asked.size,
            "seed": asked.seed,
            "over": dict(asked.over),
            "settings": dict(asked.settings),
            "count": asked.count,
            "runs": self.runs,
            "metrics": [one.to_json() for one in self.metrics],
        }


def weigh(question: Question, done: Callable[[int], None] = lambda _: None) -> Indices:
    """What each parameter of a space is worth.

    Parameters
    ----------
    question
        What is asked.
    done
        Called after each setting, with how many there will be.

    Raises
    ------
    LinkError
        With one line that says what cannot be asked, and what could.
    """
    read = metrics(question.of)
    if question.size is None and any(one.task == "stream" for one in read):
        raise LinkError(f"{question.link}: no message, so no goodput; leave it out")
    if not is_power_of_two(question.samples):
        raise LinkError(f"{question.samples} samples are no power of two; take 64, 128 or 256")
    job = Job(
        question.link,
        question.size,
        question.settings,
        question.count,
        question.period_ns,
        question.region,
    )
    space = space_of(question.link, question.size, question.settings, question.over, knobs=False)
    if any(one.name == CHANCE for one in space.parameters):
        raise LinkError(f"`{CHANCE}` is what chance is called; leave it out")
    shares = design(len(space.parameters) + 1, question.samples, question.seed)
    bench = Bench(job, read)
    seen = _values(bench, space, shares, question.seed, done)
    names = [*(one.name for one in space.parameters), CHANCE]
    told = tuple(
        Indexed(
            one.name,
            float(np.mean(column)),
            float(np.std(column)),
            tuple(weighed(column, names, question.seed)),
        )
        for one, column in zip(read, seen.T, strict=True)
    )
    return Indices(question, told, bench.runs)


def is_power_of_two(number: int) -> bool:
    """Whether a number is one: Sobol's sequence is balanced after so many points only."""
    return number > 1 and number & (number - 1) == 0


def design(dimensions: int, samples: int, seed: int) -> NDArray[np.float64]:
    """Saltelli's design on the unit cube, shape ``(samples * (dimensions + 2), dimensions)``."""
    sampler: Any = library("SALib.sample.sobol")
    drawn: NDArray[np.float64] = sampler.sample(
        _problem([str(nth) for nth in range(dimensions)]),
        samples,
        calc_second_order=False,
        seed=_root(seed),
    )
    return drawn


def weighed(values: NDArray[np.float64], names: Sequence[str], seed: int) -> list[Index]:
    """Indices of what a design gave, the largest total first; none where nothing moves it."""
    if np.ptp(values) == 0.0:
        return []
    analyzer: Any = library("SALib.analyze.sobol")
    told = analyzer.analyze(
        _problem(names),
        values,
        calc_second_order=False,
        num_resamples=RESAMPLES,
        conf_level=0.95,
        seed=_root(seed),
    )
    columns = [
        [float(each) if math.isfinite(each) else 0.0 for each in told[key]]
        for key in ("S1", "S1_conf", "ST", "ST_conf")
    ]
    found = [
        Index(name, one, (one - reach, one + reach), total, (total - wide, total + wide))
        for name, one, reach, total, wide in zip(names, *columns, strict=True)
    ]
    return sorted(found, key=lambda each: -each.total)


def _problem(names: Sequence[str]) -> dict[str, Any]:
    return {"num_vars": len(names), "names": list(names), "bounds": [[0.0, 1.0]] * len(names)}


def _root(seed: int) -> int:
    """A seed as the library takes it: 0 would be one of its own choice."""
    return seed % (2**32 - 1) + 1


def _values(
    bench: Bench,
    space: Space,
    shares: NDArray[np.float64],
    seed: int,
    done: Callable[[int], None],
) -> NDArray[np.float64]:
    """Every metric at every point of a design, shape ``(points, metrics)``."""
    asked = []
    for row in shares:
        *turned, chance = (float(share) for share in row)
        point = {
            one.name: one.at(share) for one, share in zip(space.parameters, turned, strict=True)
        }
        asked.append((space.settings(point), seed + min(int(chance * SEEDS), SEEDS - 1)))
    found: list[list[float]] = []
    step = 64
    for start in range(0, len(asked), step):
        part = asked[start : start + step]
        for (settings, _), seen in zip(part, bench.each(part), strict=True):
            where = " ".join(f"{name}={text}" for name, text in settings.items())
            if isinstance(seen, str):
                raise LinkError(f"{seen} (at {where}; narrow what it may be)")
            found.append([_figure(one, one.value([seen]), where) for one in bench.metrics])
            done(len(asked))
    return np.array(found)


def _figure(metric: Metric, value: float, where: str) -> float:
    if not math.isfinite(value):
        raise LinkError(
            f"{metric.name} has no value at {where}: too few messages arrive; narrow what it may "
            "be, or ask for loss"
        )
    return value
