"""Tunes a link: all that can be turned on it, together, for what is asked for.

>>> from airlag.tuning.choosing import tune
>>> from airlag.tuning.wish import Wish
>>> tune(Wish("nrf24-2m", 128, minimise=("p99",))).best.settings
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace

from airlag._airlag import LinkError
from airlag.tuning.estimate import MISS
from airlag.tuning.limits import Limit, limits
from airlag.tuning.measure import Bench, Job, is_charged
from airlag.tuning.metrics import Metric, metric
from airlag.tuning.search import SEEDS, Aim, Search
from airlag.tuning.space import Space, space_of
from airlag.tuning.study import Judged, Study, Trial
from airlag.tuning.tuned import Setting, Tried, Tuned, Turned
from airlag.tuning.validation import ATTEMPTS, FRESH, Validated, validate
from airlag.tuning.wish import Wish

#: Always told of a setting; charge as well, where the link says it.
TOLD = ("p50", "p99", "loss")
#: Points of a front that are validated at most.
FRONT = 12


def tune(wish: Wish, done: Callable[[int], None] = lambda _: None) -> Tuned:
    """Turns all that can be turned on a link together.

    Parameters
    ----------
    wish
        What it is tuned for.
    done
        Called after each setting, with how many there will be.

    Raises
    ------
    LinkError
        With one line that says what cannot be asked for, and what could.
    """
    aims, kept = wish.aims, limits(wish.subject_to)
    job = Job(wish.link, wish.size, wish.settings, wish.count, wish.period_ns, wish.region)
    read = _read(aims, kept, [*TOLD, *(["charge"] if is_charged(job) else [])])
    bench = Bench(job, read)
    if job.size is None and any(one.task == "stream" for one in read):
        raise LinkError(f"{wish.link}: no message, so no goodput; leave it out")
    space = space_of(wish.link, wish.size, wish.settings, wish.over, free=wish.free)
    fresh, seeds = seeds_of(wish.seed)
    # What cannot be run as it is has nothing to be better than; the law may forbid it all the same.
    untuned = Bench(replace(job, region=None), read).under({}, fresh)
    if isinstance(untuned, str):
        raise LinkError(untuned)
    asked = {
        "aims": [aim.text for aim in aims],
        "link": wish.link,
        "size": wish.size,
        "settings": dict(wish.settings),
        "limits": [one.text for one in kept],
        "space": {one.key: str(one) for one in space.parameters},
        "count": wish.count,
        "period_ns": wish.period_ns,
        "region": wish.region,
        "seed": wish.seed,
    }
    directions = ["maximize" if aim.rises else "minimize" for aim in aims]
    study = Study(space, directions, asked, storage=wish.storage, name=wish.study or _name(wish))
    search = Search(bench, space, aims, kept, study, wish.trials, wish.seed, seeds, done)
    trials = search.run()
    runs = bench.runs
    wanted = _finalists(search, bench)
    judged = _validated(bench, space, wanted, kept, fresh, several=len(aims) > 1)
    as_it_is = validate(bench, {}, kept, fresh, len(wanted) + 1 if len(aims) > 1 else ATTEMPTS)
    found = [one for one in judged if one.refused is None]
    if len(aims) > 1:
        found = _undominated([*found, *([as_it_is] if as_it_is.refused is None else [])], aims)
    elif as_it_is.refused is None and (
        not found or aims[0].cost(as_it_is.seen) <= aims[0].cost(found[0].seen)
    ):
        found = [as_it_is]
    told = [*dict.fromkeys([*TOLD, *(one.name for one in read)])]
    return Tuned(
        wish=wish,
        untuned=_setting(replace(as_it_is, seen=untuned), space, told),
        found=tuple(_setting(one, space, told) for one in found),
        turned_down=tuple(_setting(one, space, told) for one in judged if one.refused is not None),
        tried=tuple(_tried(one, space, aims) for one in trials),
        runs=runs,
        combinations=None if math.isinf(space.many) else int(space.many),
    )


def seeds_of(seed: int) -> tuple[list[int], list[int]]:
    """The fresh seeds, and those for choosing."""
    most = 2**63
    fresh = [(seed + nth) % most for nth in range(FRESH)]
    return fresh, [(seed + FRESH + nth) % most for nth in range(SEEDS)]


def _read(aims: Sequence[Aim], kept: Sequence[Limit], told: Sequence[str]) -> list[Metric]:
    """Every metric that is asked for or told of, once."""
    named = [*(aim.metric for aim in aims), *(limit.metric for limit in kept)]
    return list({one.name: one for one in [*named, *map(metric, told)]}.values())


def _name(wish: Wish) -> str:
    of = wish.link if wish.size is None else f"{wish.link} {wish.size} B"
    return f"{of}, {', '.join(aim.text for aim in wish.aims)}, seed {wish.seed}"


def _finalists(search: Search, bench: Bench) -> list[Trial]:
    """What is to be validated, in this order."""
    if len(search.aims) > 1:
        front = [one for one in search.front() if one.whole and _is_whole(one.whole)]
        step = max(1.0, (len(front) - 1) / (FRONT - 1))
        return [front[round(nth * step)] for nth in range(min(len(front), FRONT))]
    found: dict[object, Trial] = {}
    for trial in search.best():
        if trial.whole is not None and _is_whole(trial.whole):
            found.setdefault(trial.whole, trial)
    likely = list(found.values())[: 8 * ATTEMPTS]

    def unsure(trial: Trial) -> bool:
        seen = bench.under(search.space.settings(trial.point), search.seeds)
        return isinstance(seen, str) or not all(one.holds(seen, MISS) for one in search.limits)

    return sorted(likely, key=unsure)[: ATTEMPTS - 1]


def _is_whole(judged: Judged) -> bool:
    """Whether a setting keeps the limits, and has all that is asked for."""
    return judged.violation == 0 and all(map(math.isfinite, judged.costs))


def _validated(
    bench: Bench,
    space: Space,
    wanted: Sequence[Trial],
    kept: Sequence[Limit],
    fresh: Sequence[int],
    *,
    several: bool,
) -> list[Validated]:
    """What fresh seeds say: of a front of each, else until one holds."""
    judged = []
    for trial in wanted:
        attempts = len(wanted) + 1 if several else ATTEMPTS
        judged.append(validate(bench, space.settings(trial.point), kept, fresh, attempts))
        if judged[-1].refused is None and not several:
            break
    return judged


def _undominated(found: Sequence[Validated], aims: Sequence[Aim]) -> list[Validated]:
    """Those that no other one is better than in every way, in the order of the first aim."""
    costs = {id(one): tuple(aim.cost(one.seen) for aim in aims) for one in found}
    best: dict[tuple[float, ...], Validated] = {}
    for one in found:
        mine = costs[id(one)]
        others = (costs[id(other)] for other in found)
        if all(map(math.isfinite, mine)) and not any(
            other != mine and all(a <= b for a, b in zip(other, mine, strict=True))
            for other in others
        ):
            best[mine] = one
    return [best[cost] for cost in sorted(best)]


def _setting(one: Validated, space: Space, told: Sequence[str]) -> Setting:
    turned = []
    for parameter in space.parameters:
        text = one.settings.get(parameter.name)
        own = space.own.get(parameter.name)
        if text is not None and not space.is_own(parameter, text):
            turned.append(Turned(parameter.name, own, text, space.price_of(parameter, text)))
    held = {name: metric(name).estimate(one.seen) for name in told} if one.seen else {}
    return Setting(dict(one.settings), tuple(turned), held, one.refused)


def _tried(trial: Trial, space: Space, aims: Sequence[Aim]) -> Tried:
    judged = trial.whole or trial.first
    values = {
        aim.metric.name: (-cost if aim.rises else cost) if math.isfinite(cost) else None
        for aim, cost in zip(aims, judged.costs, strict=True)
    }
    kept = judged.violation == 0
    return Tried(space.settings(trial.point), values, kept, trial.refused)
