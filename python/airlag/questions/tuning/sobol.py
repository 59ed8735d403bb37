"""Share of a metric's variance that each parameter explains, over a parameter space.

First-order indices measure the effect of one parameter alone. Total indices add interactions with
other parameters (Sobol; Saltelli et al., "Variance based sensitivity analysis of model output",
Computer Physics Communications 181, 2010). SALib draws the design and estimates the indices.

The seed is also a parameter. The index of the seed is the effect of chance. Runs that differ only
in a parameter without effect share one seed, so chance is not attributed to this parameter.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from airlag._airlag import LinkError, TuneBench, TuneSpace
from airlag.core import records, types
from airlag.core.extras import library
from airlag.questions.shown import Plottable
from airlag.questions.tuning.metrics import METRICS, metrics
from airlag.questions.tuning.objective import Scope

#: Name of the seed among the parameters.
CHANCE = "chance"
#: Number of seeds to draw from.
SEEDS = 8
#: Default number of points of the design. Each takes one run per parameter plus three.
SAMPLES = 128
#: Resamples for the intervals of the indices.
RESAMPLES = 1000
#: Runs per batch.
BATCH = 64


@dataclass(frozen=True, kw_only=True)
class Question(Scope):
    """Question to answer: parameter space, metrics and size of the design."""

    #: Names of metrics.
    of: tuple[str, ...] = ("p50", "p99")
    #: Points of the design, a power of two.
    samples: int = SAMPLES


@dataclass(frozen=True, slots=True, repr=False)
class Indices(Plottable, records.Indices):
    """Sobol sensitivity indices of each parameter in the space of ``question``."""

    question: Question


def estimate(question: Question, done: Callable[[int], None] = lambda _: None) -> Indices:
    """Estimates the indices of each parameter of a space; raises :class:`LinkError`.

    ``done`` is called after each run with the expected number of runs.
    """
    read = [one.name for one in metrics(question.of)]
    bench = question.bench(read)
    # Sobol's sequence is balanced only for a power of two of points.
    if question.samples < 2 or question.samples & (question.samples - 1):
        raise LinkError(f"{question.samples} samples is not a power of two; use 64, 128 or 256")
    space = question.space(knobs=False)
    names = [one.name for one in space.parameters]
    if CHANCE in names:
        raise LinkError(f"`{CHANCE}` is reserved for the seed; omit it")
    shares = design(len(names) + 1, question.samples, question.seed)
    values = _values(bench, space, shares, question.seed, done)
    answer: types.Indices = {
        "link": question.link,
        "size": question.size,
        "seed": question.seed,
        "over": dict(question.over),
        "settings": dict(question.settings),
        "count": question.count,
        "runs": bench.runs,
        "metrics": [
            {
                "metric": name,
                "unit": METRICS[name].unit,
                "mean": float(np.mean(column)),
                "standard_deviation": float(np.std(column)),
                "indices": indices(column, [*names, CHANCE], question.seed),
            }
            for name, column in zip(read, values.T, strict=True)
        ],
    }
    return Indices(answer, question)


def design(dimensions: int, samples: int, seed: int) -> NDArray[np.float64]:
    """Saltelli's design on the unit cube, shape ``(samples * (dimensions + 2), dimensions)``."""
    sampler: Any = library("SALib.sample.sobol", "indices")
    drawn: NDArray[np.float64] = sampler.sample(
        _problem([str(nth) for nth in range(dimensions)]),
        samples,
        calc_second_order=False,
        seed=_root(seed),
    )
    return drawn


def indices(values: NDArray[np.float64], names: Sequence[str], seed: int) -> list[types.Index]:
    """Indices of values at a design, largest total first; empty if all values are equal."""
    if np.ptp(values) == 0.0:
        return []
    analyzer: Any = library("SALib.analyze.sobol", "indices")
    estimates = analyzer.analyze(
        _problem(names),
        values,
        calc_second_order=False,
        num_resamples=RESAMPLES,
        conf_level=0.95,
        seed=_root(seed),
    )
    columns = [
        [float(each) if math.isfinite(each) else 0.0 for each in estimates[key]]
        for key in ("S1", "S1_conf", "ST", "ST_conf")
    ]
    found: list[types.Index] = [
        {
            "name": name,
            "first": first,
            "first_interval95": [first - reach, first + reach],
            "total": total,
            "total_interval95": [total - wide, total + wide],
        }
        for name, first, reach, total, wide in zip(names, *columns, strict=True)
    ]
    return sorted(found, key=lambda each: -each["total"])


def _problem(names: Sequence[str]) -> dict[str, Any]:
    return {"num_vars": len(names), "names": list(names), "bounds": [[0.0, 1.0]] * len(names)}


def _root(seed: int) -> int:
    """Random seed for SALib, which treats 0 as unset."""
    return seed % (2**32 - 1) + 1


def _values(
    bench: TuneBench,
    space: TuneSpace,
    shares: NDArray[np.float64],
    seed: int,
    done: Callable[[int], None],
) -> NDArray[np.float64]:
    """All metrics at all points of a design, shape ``(points, metrics)``."""
    asked: list[tuple[dict[str, str], list[int]]] = []
    for *parts, chance in shares.tolist():
        pairs = zip(space.parameters, parts, strict=True)
        settings = {one.name: one.text(one.at(share)) for one, share in pairs}
        asked.append((settings, [seed + min(int(chance * SEEDS), SEEDS - 1)]))
    found: list[list[float]] = []
    for start in range(0, len(asked), BATCH):
        part = asked[start : start + BATCH]
        for (settings, _), measured in zip(part, bench.measure(part), strict=True):
            where = " ".join(f"{name}={text}" for name, text in settings.items())
            if measured.refused is not None:
                raise LinkError(f"{measured.refused} (at {where}; narrow its values)")
            values = measured.values()
            for name in bench.metrics:
                if not math.isfinite(values[name]):
                    raise LinkError(
                        f"{name} has no value at {where}: too few deliveries; narrow its "
                        "values, or use loss"
                    )
            found.append([values[name] for name in bench.metrics])
            done(len(asked))
    return np.array(found)
