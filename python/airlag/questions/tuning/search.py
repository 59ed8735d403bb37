"""Search for the best setting: order in which settings are tried, and the seeds of each setting.

All settings run with the same seeds (common random numbers), so that chance does not favour any of
them. The best quarter of the settings so far also runs with further seeds. Batches of settings have
a fixed size, so that results do not depend on the number of cores.

Most of the gain usually comes from single parameters. The search first changes one parameter at a
time, then combines the best values of all parameters. After that, half of the settings tried are
neighbours of the best setting so far. A random sampler would rarely draw such neighbours.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from airlag import _airlag
from airlag._airlag import TuneBench, TuneMeasured, TuneSpace
from airlag.questions.tuning.objective import Aim
from airlag.questions.tuning.study import Judged, Point, Study, Trial, Value

#: Settings per batch.
BATCH = 8
#: Seeds of the best settings for one metric; with several metrics, all settings use the first two.
SEEDS, OF_SEVERAL = 4, 2
#: Share of all settings that count as the best.
WORTH = 0.25

#: A hashable point.
Key = tuple[Value, ...]


@dataclass(slots=True)
class Search:
    """A search in progress."""

    #: Bench, parameter space and objective.
    bench: TuneBench
    space: TuneSpace
    aims: Sequence[Aim]
    #: Storage of the trials.
    study: Study
    #: Number of settings to try.
    budget: int
    #: Seed of the search, and seeds of the runs.
    seed: int
    seeds: list[int]
    #: Called after each setting with the expected number of settings.
    done: Callable[[int], None]
    #: All settings tried, by point.
    trials: dict[Key, Trial] = field(default_factory=dict)

    def settings(self, point: Point) -> dict[str, str]:
        """Converts a point to ``--set`` values."""
        return {one.name: one.text(point[one.name]) for one in self.space.parameters}

    def run(self) -> list[Trial]:
        """Tries settings until the budget or the space is exhausted; returns trials in order."""
        for trial in self.study.restored():
            self.trials[key_of(self.space, trial.point)] = trial
        whole = self.space.many <= self.budget
        queue = self._named(self.space.everything()) if whole else self._begin()
        while len(self.trials) < min(self.budget, self.space.many):
            room = min(BATCH, self.budget - len(self.trials))
            batch = [(point, self.study.put(point)) for point in self._new(queue, room)]
            if not batch:
                if whole:
                    break
                batch = self._next(room)
            self._try(batch)
            for _ in batch:
                self.done(int(min(self.budget, self.space.many)))
        return list(self.trials.values())

    def _named(self, points: Iterable[Sequence[Value]]) -> Iterator[Point]:
        return (named(self.space, values) for values in points)

    def _begin(self) -> Iterator[Point]:
        """Yields changes of one parameter for half of the budget, then combines the best ones."""
        yield from self._named(self.space.one_at_a_time(1 + self.budget // 2))
        home, best = unchanged_point(self.space), {}
        for one in self.space.parameters:
            turned = [
                trial
                for trial in self.trials.values()
                if all(trial.point[name] == home[name] for name in home if name != one.name)
            ]
            if turned:
                best[one.name] = min(turned, key=self._by_first).point[one.name]
        yield {**home, **best}

    def _new(self, points: Iterator[Point], most: int) -> list[Point]:
        """Returns the next untried points."""
        found: dict[Key, Point] = {}
        for point in points:
            key = key_of(self.space, point)
            if key not in self.trials:
                found.setdefault(key, point)
            if len(found) == most:
                break
        return list(found.values())

    def _next(self, room: int) -> list[tuple[Point, Any]]:
        """Returns new points: half are neighbours of the best so far, half from the sampler."""
        random = Random(f"{self.seed} {len(self.trials)}")
        left = self.budget - len(self.trials)
        # Near the end, removes changes without effect.
        tidy = left <= min(len(self.space.parameters), self.budget // 4)
        near = room if tidy else (room + 1) // 2
        points = self._new(self._near(random, tidy=tidy), near)
        # The sampler avoids pending points.
        batch = [(point, self.study.put(point)) for point in points]
        taken = {key_of(self.space, point) for point in points}
        drawn = self.study.draw(room - len(batch), random.getrandbits(31)) if near < room else []
        for point, handle in drawn:
            key = key_of(self.space, point)
            if key in self.trials:
                # A known point costs no run; the sampler receives its value again.
                self.study.tell(handle, self.trials[key])
            elif key in taken:
                self.study.drop(handle)
            else:
                taken.add(key)
                batch.append((point, handle))
        if not batch:
            points = self._new(self._anywhere(random), room)
            batch = [(point, self.study.put(point)) for point in points]
        return batch

    def _near(self, random: Random, *, tidy: bool) -> Iterator[Point]:
        """Yields neighbours of the best so far; for a front, of each member in turn."""
        best = self.best() if len(self.aims) == 1 else self.front()
        starts = best[:1] if len(self.aims) == 1 else random.sample(best, len(best))
        for trial in starts:
            back = [*self._named(self.space.set_back(list(key_of(self.space, trial.point))))]
            if tidy:
                yield self._without(trial)
                yield from back
            yield from self._beside(trial, random)
            yield from back
        for trial in best[:4]:
            yield from two_changes(self.space, trial.point, random)

    def _beside(self, trial: Trial, random: Random) -> Iterator[Point]:
        """Yields one-parameter changes, in order of their individual gain."""
        turned = single_changes(self.space, trial.point)
        random.shuffle(turned)
        alone = self._alone()
        ranks = {one: self._rank(one, alone) for one in turned}
        for name, value in sorted(turned, key=ranks.__getitem__):
            yield {**trial.point, name: value}

    def _alone(self) -> dict[str, dict[Value, Trial]]:
        """One-parameter trials, by parameter and value."""
        home = unchanged_point(self.space)
        found: dict[str, dict[Value, Trial]] = {name: {} for name in home}
        for trial in self.trials.values():
            differs = [name for name in home if trial.point[name] != home[name]]
            if len(differs) == 1:
                found[differs[0]][trial.point[differs[0]]] = trial
        return found

    def _rank(
        self, turned: tuple[str, Value], alone: Mapping[str, Mapping[Value, Trial]]
    ) -> tuple[int, tuple[float, ...]]:
        """Priority of a parameter change; smaller values come first."""
        name, value = turned
        home = self.trials.get(key_of(self.space, unchanged_point(self.space)))
        tried = alone[name]
        if home is None or not tried:
            return 1, ()
        if value in tried and tried[value].first != home.first:
            better = _as_good(tried[value].first, home.first)
            return (0, tried[value].first.costs) if better else (1, ())
        # Parameters without effect at any value come last.
        moves = value not in tried and any(one.first != home.first for one in tried.values())
        return (1, ()) if moves else (2, ())

    def _without(self, trial: Trial) -> Point:
        """Removes changes that are unnecessary according to the trials."""
        home, point = unchanged_point(self.space), dict(trial.point)
        for name in home:
            without = {**trial.point, name: home[name]}
            known = self.trials.get(key_of(self.space, without))
            if known is not None and _as_good(known.first, trial.first):
                point[name] = home[name]
        return point

    def _anywhere(self, random: Random) -> Iterator[Point]:
        while True:
            yield {one.name: one.at(random.random()) for one in self.space.parameters}

    def _try(self, batch: Sequence[tuple[Point, Any]]) -> None:
        points, handles = zip(*batch, strict=True)
        settings = [self.settings(point) for point in points]
        many = 1 if len(self.aims) == 1 else OF_SEVERAL
        measured = self.bench.measure([(one, self.seeds[:many]) for one in settings])
        judged = [self._judged(one) for one in measured]
        worth = self._promising(points, judged)
        best = [(one, self.seeds) for one, this in zip(settings, worth, strict=True) if this]
        further = iter(self.bench.measure(best))
        for handle, point, one, early, this in zip(
            handles, points, measured, judged, worth, strict=True
        ):
            more = next(further) if this else one
            refused = one.refused or more.refused
            whole = self._judged(more) if this or len(self.aims) > 1 else None
            trial = Trial(point, early, None if refused else whole, refused)
            self.trials[key_of(self.space, point)] = trial
            self.study.tell(handle, trial)

    def _judged(self, measured: TuneMeasured) -> Judged:
        values = measured.values()
        return Judged(measured.violation, tuple(aim.cost(values) for aim in self.aims))

    def _promising(self, points: Sequence[Point], judged: Sequence[Judged]) -> list[bool]:
        """Points of a batch that run with further seeds."""
        if len(self.aims) > 1:
            return [False] * len(points)
        known = [self._by_first(trial) for trial in self.trials.values()]
        new = [self._by_first(Trial(*pair, None)) for pair in zip(points, judged, strict=True)]
        held = sorted(known + new)
        last = held[math.ceil(WORTH * len(held)) - 1]
        home = unchanged_point(self.space)
        return [
            each.violation < math.inf and (key <= last or point == home)
            for point, each, key in zip(points, judged, new, strict=True)
        ]

    def _by_first(self, trial: Trial) -> tuple[Any, ...]:
        return self._order(trial.point, trial.first)

    def _order(self, point: Point, judged: Judged) -> tuple[Any, ...]:
        """Sort key: limits met, then objective, then cost and number of changes."""
        home = unchanged_point(self.space)
        changed = [name for name in home if point[name] != home[name]]
        prices = [name for name in changed if self.space.price(name, point[name])]
        return (judged.violation, *judged.costs, len(prices), len(changed))

    def best(self) -> list[Trial]:
        """Trials that ran with all seeds, best first."""
        whole = [trial for trial in self.trials.values() if trial.whole is not None]
        return sorted(whole, key=lambda one: self._order(one.point, one.whole or one.first))

    def front(self) -> list[Trial]:
        """Pareto front within the limits; the best trial if none meets them."""
        best = self.best()
        kept = [one for one in best if one.whole is not None and one.whole.violation == 0]
        costs = [list(one.whole.costs) for one in kept if one.whole is not None]
        return [kept[nth] for nth in _airlag.pareto_front(costs)] or best[:1]


def _as_good(one: Judged, other: Judged) -> bool:
    """Whether ``one`` is as good as ``other`` in every metric."""
    pairs = zip(one.costs, other.costs, strict=True)
    return one.violation <= other.violation and all(a <= b for a, b in pairs)


def key_of(space: TuneSpace, point: Point) -> Key:
    """Point as a tuple of values, in the order of the space."""
    return tuple(point[one.name] for one in space.parameters)


def unchanged_point(space: TuneSpace) -> Point:
    """Point closest to the unchanged link."""
    return named(space, space.home())


def named(space: TuneSpace, values: Sequence[Value]) -> Point:
    """Values of a point by parameter."""
    return {one.name: value for one, value in zip(space.parameters, values, strict=True)}


def single_changes(space: TuneSpace, point: Point) -> list[tuple[str, Value]]:
    """One-parameter changes of a point that do not revert to the unchanged link."""
    turned = space.beside(list(key_of(space, point)))
    return [(space.parameters[place].name, value) for place, value in turned]


def two_changes(space: TuneSpace, point: Point, random: Random) -> Iterator[Point]:
    """Yields random two-parameter changes of a point; may end early."""
    if len(space.parameters) < 2:
        return
    for _ in range(64):
        changed = dict(point)
        for one in random.sample(space.parameters, 2):
            values = one.around(point[one.name])
            if values:
                changed[one.name] = random.choice(values)
        if changed != point:
            yield changed
