"""Whether tuning finds as good a setting as an exhaustive grid of as many runs.

For each link and seed the grid has as many points as tuning ran benches for choosing: every
parameter gets one level after the other while all combinations still fit. The best point of the
grid that keeps the limits, and the setting that tuning returns, then run under seeds neither was
chosen under; whose figure is smaller wins, the same setting is a draw.

    python benches/tune_search.py [--seeds 20] [--trials 64] [--case nrf24-2m]
"""

from __future__ import annotations

import argparse
import itertools
import math
import sys
from dataclasses import dataclass, field

from airlag._airlag import TuneBench, TuneParameter, TuneSpace
from airlag.questions.tuning.choosing import seeds_of, tune
from airlag.questions.tuning.metrics import METRICS
from airlag.questions.tuning.objective import Objective
from airlag.questions.tuning.study import Value

#: Seeds of the comparison, far from those of any search.
JUDGES = [*range(10**9, 10**9 + 10)]
#: From seed to seed, so that searches share none.
STRIDE = 1000


@dataclass(frozen=True)
class Case:
    """A link, and the parameters to tune."""

    name: str
    link: str
    over: dict[str, str] = field(default_factory=dict)
    settings: dict[str, str] = field(default_factory=dict)
    subject_to: str = ""


RETRIES = {"retransmit_delay": "250us..4ms", "retransmit_count": "0..15"}
CASES = (
    Case("nrf24-2m", "nrf24-2m"),
    Case("nrf24-2m lossy", "nrf24-2m", RETRIES, {"frame_loss": "0.05"}, "loss<0.2%"),
    Case("nrf24-250k lossy", "nrf24-250k", RETRIES, {"frame_loss": "0.05"}, "loss<0.2%"),
    Case(
        "ble lossy",
        "ble-nus-notify",
        {
            "connection_interval": "7.5ms..100ms",
            "packets_per_event": "1..8",
            "chunk": "20..244",
            "data_length": "27..251",
        },
        {"frame_loss": "0.05"},
        "loss<0.2%",
    ),
)


def levels(space: TuneSpace, most: int) -> list[list[Value]]:
    """Values of each parameter of a grid with at most ``most`` points."""
    counts = [1] * len(space.parameters)
    grown = True
    while grown:
        grown = False
        for nth, one in enumerate(space.parameters):
            more = [*counts[:nth], counts[nth] + 1, *counts[nth + 1 :]]
            if counts[nth] < one.many and math.prod(more) <= most:
                counts, grown = more, True
    return [spread(one, many) for one, many in zip(space.parameters, counts, strict=True)]


def spread(parameter: TuneParameter, many: int) -> list[Value]:
    """Evenly spaced values of a parameter; a single value is that of the unchanged link."""
    if many == 1:
        return [parameter.home]
    return list(dict.fromkeys(parameter.at(min(k / (many - 1), 1 - 1e-9)) for k in range(many)))


def grid_best(case: Case, space: TuneSpace, runs: int, seed: int) -> dict[str, str] | None:
    """The best point within the limits, of a grid with this number of runs under one seed."""
    points = [
        {one.name: one.text(value) for one, value in zip(space.parameters, values, strict=True)}
        for values in itertools.product(*levels(space, runs))
    ]
    measured = (
        objective(case)
        .bench(["p99"], case.subject_to)
        .measure([(point, [seed]) for point in points])
    )
    found = [
        (seen.values()["p99"], nth)
        for nth, seen in enumerate(measured)
        if seen.refused is None and seen.violation == 0
    ]
    return points[min(found)[1]] if found else None


def objective(case: Case, trials: int = 1, seed: int = 1) -> Objective:
    """Objective of a case."""
    return Objective(
        link=case.link,
        size=128,
        minimise=("p99",),
        subject_to=case.subject_to,
        over=case.over,
        settings=case.settings,
        trials=trials,
        seed=seed,
    )


def judged(judge: TuneBench, settings: dict[str, str]) -> float:
    """The p99 of a setting under the seeds of the comparison."""
    (seen,) = judge.measure([(settings, JUDGES)])
    return seen.values()["p99"]


def main() -> None:
    """Measures every case; prints one line per seed and one per case."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--first", type=int, default=0, help="number of the first seed")
    parser.add_argument("--trials", type=int, default=64)
    parser.add_argument("--case", choices=[case.name for case in CASES])
    asked = parser.parse_args()
    for case in CASES:
        if asked.case in (None, case.name):
            measured(case, range(asked.first, asked.first + asked.seeds), asked.trials)


def measured(case: Case, seeds: range, trials: int) -> None:
    """One case."""
    p99 = METRICS["p99"]
    space = objective(case).space(knobs=True)
    judge = objective(case).bench(["p99"])
    good, none, ratios = 0, 0, []
    for nth in seeds:
        seed = 1 + nth * STRIDE
        told = tune(objective(case, trials, seed))
        best = grid_best(case, space, told.runs, seeds_of(seed)[1][0])
        ours = math.inf
        if told.best is None:
            none += 1
        else:
            ours = judged(judge, dict(told.best.settings))
        theirs = math.inf if best is None else judged(judge, best)
        good += ours <= theirs
        ratios.append(ours / theirs if math.isfinite(theirs) else 0.0)
        sys.stdout.write(
            f"  seed {seed}: tuned {p99.text(ours)}, grid {p99.text(theirs)}, "
            f"{told.runs} runs each, {len(told.turned_down)} turned down\n"
        )
        sys.stdout.flush()
    sys.stdout.write(
        f"{case.name}: at least as good in {good} of {len(seeds)}, nothing found in {none}, "
        f"p99 {min(ratios):.3f} to {max(ratios):.3f} of the grid's, {space.many:g} combinations\n"
    )


if __name__ == "__main__":
    main()
