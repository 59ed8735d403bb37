"""Tuning: searches settings for an objective, and validates the chosen ones.

>>> from airlag.questions.tuning.choosing import tune
>>> from airlag.questions.tuning.objective import Objective
>>> tune(Objective(link="nrf24-2m", size=128, minimise=("p99",))).best.settings

The best of many settings looks better than it is (selection bias), and may meet a limit by chance.
Chosen settings therefore run again with fresh seeds, and are accepted only if they then meet every
limit with confidence. Up to :data:`ATTEMPTS` settings, including the unchanged link, share a total
error probability of 5 % (Bonferroni). A setting that violates a limit is accepted only if the test
of this limit is wrong, so several limits need no further correction.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from contextlib import closing
from typing import NamedTuple

from airlag import _airlag
from airlag._airlag import LinkError, TuneBench, TuneMeasured, TuneSpace
from airlag.core import types
from airlag.core.quantity import count
from airlag.questions.tuning.metrics import METRICS, Limit, limits
from airlag.questions.tuning.objective import Aim, Objective
from airlag.questions.tuning.search import SEEDS, Search
from airlag.questions.tuning.study import Judged, Study, Trial
from airlag.questions.tuning.tuned import Tuned

#: Metrics shown for every setting, before those of the objective.
SHOWN = ("p50", "p99", "loss")
#: Metrics and limits that make parameters of the idle current relevant.
SPARED = ("current", "lifetime")
#: Maximum points of a front that are validated.
FRONT = 12
#: Fresh seeds of a validation; the seeds of the search follow them.
FRESH = 20
#: Maximum settings validated.
ATTEMPTS = 5
#: Probability that any setting is wrongly accepted.
MISS = 0.05


class Validated(NamedTuple):
    """A setting measured with fresh seeds, and why it is rejected; ``None`` if it is valid."""

    settings: dict[str, str]
    seen: TuneMeasured
    refused: str | None


def tune(objective: Objective, done: Callable[[int], None] = lambda _: None) -> Tuned:
    """Tunes a link; raises :class:`LinkError`.

    ``done`` is called after each setting with the expected number of settings.
    """
    aims, kept = objective.aims, limits(objective.subject_to)
    bench = objective.bench([aim.metric.name for aim in aims], objective.subject_to, shown=True)
    asked = {*objective.minimise, *objective.maximise}
    sparing = any(name in asked or name in objective.subject_to for name in SPARED)
    space = objective.space(knobs=True, free=objective.free, sparing=sparing)
    fresh, seeds = seeds_of(objective.seed)
    # The unchanged link may violate limits, but it must run for comparison.
    (untuned,) = objective.bench(bench.metrics, lawful=False).measure([({}, fresh)])
    if untuned.refused is not None:
        raise LinkError(untuned.refused)
    with closing(_study(objective, aims, kept, space)) as study:
        search = Search(bench, space, aims, study, objective.trials, objective.seed, seeds, done)
        trials = search.run()
    runs = bench.runs
    wanted = _finalists(search)
    several = len(aims) > 1
    attempts = len(wanted) + 1 if several else ATTEMPTS
    validated = []
    for trial in wanted:
        validated.append(validate(bench, search.settings(trial.point), kept, fresh, attempts))
        if validated[-1].refused is None and not several:
            break
    unchanged = validate(bench, {}, kept, fresh, attempts)
    found = [one for one in validated if one.refused is None]
    if several:
        found = _undominated([*found, *([unchanged] if unchanged.refused is None else [])], aims)
    elif unchanged.refused is None and (
        not found or aims[0].cost(unchanged.seen.values()) <= aims[0].cost(found[0].seen.values())
    ):
        found = [unchanged]
    shown = [*dict.fromkeys([*SHOWN, *bench.metrics])]
    answer: types.Tuned = {
        "link": objective.link,
        "size": objective.size,
        "seed": objective.seed,
        "minimise": list(objective.minimise),
        "maximise": list(objective.maximise),
        "limits": [
            {
                "metric": one.metric.name,
                "bound": "at most" if one.most else "at least",
                "value": one.value,
                "unit": one.metric.unit,
            }
            for one in kept
        ],
        "region": objective.region,
        "count": objective.count,
        "runs": runs,
        "fresh_seeds": FRESH,
        "combinations": None if math.isinf(space.many) else int(space.many),
        "untuned": _setting(unchanged._replace(seen=untuned), space, shown),
        "found": [_setting(one, space, shown) for one in found],
        "turned_down": [_setting(one, space, shown) for one in validated if one.refused],
        "tried": [_tried(one, search.settings(one.point), aims) for one in trials],
    }
    return Tuned(answer, objective)


def seeds_of(seed: int) -> tuple[list[int], list[int]]:
    """Returns the fresh seeds, and the seeds of the search."""
    every = [(seed + nth) % 2**63 for nth in range(FRESH + SEEDS)]
    return every[:FRESH], every[FRESH:]


def _study(
    objective: Objective, aims: Sequence[Aim], kept: Sequence[Limit], space: TuneSpace
) -> Study:
    aim_texts = [aim.text for aim in aims]
    noted = {
        "aims": aim_texts,
        "link": objective.link,
        "size": objective.size,
        "settings": dict(objective.settings),
        "limits": [one.text for one in kept],
        "space": {one.key: str(one) for one in space.parameters},
        "count": objective.count,
        "period_ns": objective.period_ns,
        "region": objective.region,
        "seed": objective.seed,
    }
    sent = "" if objective.size is None else f" {objective.size} B"
    name = f"{objective.link}{sent}, {', '.join(aim_texts)}, seed {objective.seed}"
    directions = ["maximize" if aim.rises else "minimize" for aim in aims]
    name = objective.study or name
    return Study(space, directions, noted, storage=objective.storage, name=name)


def _finalists(search: Search) -> list[Trial]:
    """Settings to validate, in order."""
    if len(search.aims) > 1:
        front = [one for one in search.front() if one.whole and _is_whole(one.whole)]
        step = max(1.0, (len(front) - 1) / (FRONT - 1))
        return [front[round(nth * step)] for nth in range(min(len(front), FRONT))]
    found: dict[object, Trial] = {}
    for trial in search.best():
        if trial.whole is not None and _is_whole(trial.whole):
            found.setdefault(trial.whole, trial)
    likely = list(found.values())[: 8 * ATTEMPTS]
    asked = [(search.settings(trial.point), search.seeds) for trial in likely]
    seen = search.bench.measure(asked)
    unsure = [one.refused is not None or one.uncertain(MISS) is not None for one in seen]
    order = sorted(range(len(likely)), key=unsure.__getitem__)
    return [likely[nth] for nth in order[: ATTEMPTS - 1]]


def _is_whole(judged: Judged) -> bool:
    """Whether a setting meets the limits and has a value for every metric."""
    return judged.violation == 0 and all(map(math.isfinite, judged.costs))


def validate(
    bench: TuneBench,
    settings: dict[str, str],
    kept: Sequence[Limit],
    seeds: Sequence[int],
    attempts: int,
) -> Validated:
    """Validates one of ``attempts`` settings with fresh seeds."""
    (seen,) = bench.measure([(settings, list(seeds))])
    uncertain = seen.uncertain(MISS / attempts)
    if seen.refused is not None or uncertain is None:
        return Validated(settings, seen, seen.refused)
    nth, is_kept = uncertain
    metric = kept[nth].metric
    value = metric.text(seen.values()[metric.name])
    why = f"{kept[nth].text} not met with 95 % confidence on fresh seeds: {value}"
    if is_kept:
        why += f" of {count(seen.messages)} messages; increase the number of messages"
    return Validated(settings, seen, why)


def _undominated(found: Sequence[Validated], aims: Sequence[Aim]) -> list[Validated]:
    """Pareto front, sorted by the first metric; of equal settings, the last one is kept."""
    costs = [[aim.cost(one.seen.values()) for aim in aims] for one in reversed(found)]
    finite = [
        (cost, one)
        for cost, one in zip(costs, reversed(found), strict=True)
        if all(map(math.isfinite, cost))
    ]
    front = _airlag.pareto_front([cost for cost, _ in finite])
    return [one for _, one in sorted((finite[nth] for nth in front), key=lambda pair: pair[0])]


def _setting(one: Validated, space: TuneSpace, shown: Sequence[str]) -> types.TunedSetting:
    estimates = one.seen.estimates()
    return {
        "settings": one.settings,
        "turned": [
            {"name": name, "profile": profile, "value": value, "gives_up": gives_up}
            for name, profile, value, gives_up in space.turned(one.settings)
        ],
        "metrics": [
            {"name": name, "unit": METRICS[name].unit, "value": value, "interval95": [low, high]}
            for name in (shown if estimates else ())
            for value, low, high in [estimates[name]]
        ],
        "refused": one.refused,
    }


def _tried(trial: Trial, settings: dict[str, str], aims: Sequence[Aim]) -> types.Tried:
    judged = trial.whole or trial.first
    return {
        "settings": settings,
        "values": {
            aim.metric.name: (-cost if aim.rises else cost) if math.isfinite(cost) else None
            for aim, cost in zip(aims, judged.costs, strict=True)
        },
        "kept": judged.violation == 0,
        "refused": trial.refused,
    }
