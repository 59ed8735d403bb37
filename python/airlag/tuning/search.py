"""The search for the best setting: what is tried in which order, and what is worth more runs.

Every setting meets the same seeds (common random numbers), so that two of them differ by what they
are and not by chance. The best quarter so far meets further seeds; the others end after the first.
Settings are tried in batches of a fixed size, so that nothing depends on how many cores there are.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from random import Random
from typing import Any

from airlag.tuning import design
from airlag.tuning.design import Key
from airlag.tuning.limits import Limit
from airlag.tuning.measure import Bench
from airlag.tuning.metrics import Metric, Seen
from airlag.tuning.space import Point, Space
from airlag.tuning.spans import Value
from airlag.tuning.study import Judged, Study, Trial

#: Settings that are tried at once.
BATCH = 8
#: Seeds of what is worth it, with one aim; with several every setting meets the first two.
SEEDS, OF_SEVERAL = 4, 2
#: The part of all settings that is.
WORTH = 0.25


@dataclass(frozen=True, slots=True)
class Aim:
    """What is to become small, or large.

    Attributes
    ----------
    metric
        What.
    rises
        Whether large.
    """

    metric: Metric
    rises: bool

    @property
    def text(self) -> str:
        """As the command line has it."""
        return f"{'maximise' if self.rises else 'minimise'} {self.metric.name}"

    def cost(self, seen: Sequence[Seen]) -> float:
        """Its value, where less is better; infinite where there is none."""
        value = self.metric.value(seen)
        if not math.isfinite(value):
            return math.inf
        return -value if self.rises else value


@dataclass(slots=True)
class Search:
    """A search under way.

    Attributes
    ----------
    bench, space, aims, limits
        Where, among what, for what, and within what.
    study
        Where it is kept.
    budget
        Settings to try.
    seed
        Root of every draw.
    seeds
        Those that settings meet.
    done
        Called after each setting, with how many there will be.
    trials
        What was tried, by its point.
    """

    bench: Bench
    space: Space
    aims: Sequence[Aim]
    limits: Sequence[Limit]
    study: Study
    budget: int
    seed: int
    seeds: Sequence[int]
    done: Callable[[int], None]
    trials: dict[Key, Trial] = field(default_factory=dict)

    def run(self) -> list[Trial]:
        """Tries as many settings as the budget says, or all there are; in the order tried."""
        for trial in self.study.restored():
            self.trials[design.key_of(self.space, trial.point)] = trial
        whole = self.space.many <= self.budget
        queue = design.everything(self.space) if whole else self._begin()
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

    def _begin(self) -> Iterator[Point]:
        """One parameter at a time, for half of the budget; then the best of each together."""
        yield from islice(design.one_at_a_time(self.space), 1 + self.budget // 2)
        home, best = design.home(self.space), {}
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
        """The next points that were not tried."""
        found: dict[Key, Point] = {}
        for point in points:
            key = design.key_of(self.space, point)
            if key not in self.trials:
                found.setdefault(key, point)
            if len(found) == most:
                break
        return list(found.values())

    def _next(self, room: int) -> list[tuple[Point, Any]]:
        """Half beside the best so far, half as the sampler draws; what was tried is not again."""
        random = Random(f"{self.seed} {len(self.trials)}")
        left = self.budget - len(self.trials)
        # In the end what does not matter is set back.
        tidy = left <= min(len(self.space.parameters), self.budget // 4)
        near = room if tidy else (room + 1) // 2
        points = self._new(self._near(random, tidy=tidy), near)
        # The sampler keeps away from what is under way.
        batch = [(point, self.study.put(point)) for point in points]
        taken = {design.key_of(self.space, point) for point in points}
        drawn = self.study.draw(room - len(batch), random.getrandbits(31)) if near < room else []
        for point, handle in drawn:
            key = design.key_of(self.space, point)
            if key in self.trials:
                # What is known costs no run, and the sampler learns that it is no news.
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
        """Points beside the best so far; beside each of a front in turn."""
        best = self.best() if len(self.aims) == 1 else self.front()
        starts = best[:1] if len(self.aims) == 1 else random.sample(best, len(best))
        for trial in starts:
            back = design.set_back(self.space, trial.point)
            if tidy:
                yield self._without(trial)
                yield from back
            yield from self._beside(trial, random)
            yield from back
        for trial in best[:4]:
            yield from design.farther(self.space, trial.point, random)

    def _beside(self, trial: Trial, random: Random) -> Iterator[Point]:
        """Points with one parameter turned: what gained by itself first, what did nothing last."""
        turned = design.beside(self.space, trial.point)
        random.shuffle(turned)
        alone = self._alone()
        ranks = {one: self._rank(one, alone) for one in turned}
        for name, value in sorted(turned, key=ranks.__getitem__):
            yield {**trial.point, name: value}

    def _alone(self) -> dict[str, dict[Value, Trial]]:
        """What was tried with one parameter turned, by that and its value."""
        home = design.home(self.space)
        found: dict[str, dict[Value, Trial]] = {name: {} for name in home}
        for trial in self.trials.values():
            differs = [name for name in home if trial.point[name] != home[name]]
            if len(differs) == 1:
                found[differs[0]][trial.point[differs[0]]] = trial
        return found

    def _rank(
        self, turned: tuple[str, Value], alone: Mapping[str, Mapping[Value, Trial]]
    ) -> tuple[int, tuple[float, ...]]:
        """How soon a parameter is worth turning, the smaller the sooner."""
        name, value = turned
        home = self.trials.get(design.key_of(self.space, design.home(self.space)))
        tried = alone[name]
        if home is None or not tried:
            return 1, ()
        if value in tried and tried[value].first != home.first:
            better = _as_good(tried[value].first, home.first)
            return (0, tried[value].first.costs) if better else (1, ())
        # What does nothing at any of its values is no way to anything.
        moves = value not in tried and any(one.first != home.first for one in tried.values())
        return (1, ()) if moves else (2, ())

    def _without(self, trial: Trial) -> Point:
        """A point without every change that was tried without and is not missed."""
        home, point = design.home(self.space), dict(trial.point)
        for name in home:
            without = {**trial.point, name: home[name]}
            known = self.trials.get(design.key_of(self.space, without))
            if known is not None and _as_good(known.first, trial.first):
                point[name] = home[name]
        return point

    def _anywhere(self, random: Random) -> Iterator[Point]:
        while True:
            yield {one.name: one.at(random.random()) for one in self.space.parameters}

    def _try(self, batch: Sequence[tuple[Point, Any]]) -> None:
        points, handles = zip(*batch, strict=True)
        settings = [self.space.settings(point) for point in points]
        many = 1 if len(self.aims) == 1 else OF_SEVERAL
        first = [self.seeds[:many]] * len(points)
        seen = self._under(settings, first)
        judged = [self._judged(one) for one in seen]
        worth = self._worth(points, judged)
        further = self._under(settings, [self.seeds if this else () for this in worth])
        for handle, point, one, early, more, this in zip(
            handles, points, seen, judged, further, worth, strict=True
        ):
            refused = next((each for each in (one, more) if isinstance(each, str)), None)
            whole = self._judged(more) if this else early if len(self.aims) > 1 else None
            trial = Trial(point, early, None if refused else whole, refused)
            self.trials[design.key_of(self.space, point)] = trial
            self.study.tell(handle, trial)

    def _under(
        self, settings: Sequence[dict[str, str]], seeds: Sequence[Sequence[int]]
    ) -> list[list[Seen] | str]:
        """Each setting under its seeds, all side by side."""
        asked = [(one, seed) for one, of in zip(settings, seeds, strict=True) for seed in of]
        found = iter(self.bench.each(asked))
        told: list[list[Seen] | str] = []
        for of in seeds:
            each = list(islice(found, len(of)))
            refused = next((one for one in each if isinstance(one, str)), None)
            told.append(refused or [one for one in each if not isinstance(one, str)])
        return told

    def _judged(self, seen: list[Seen] | str) -> Judged:
        if isinstance(seen, str):
            return Judged(math.inf, (math.inf,) * len(self.aims))
        excess = sum(max(0.0, limit.excess(seen)) for limit in self.limits)
        return Judged(excess, tuple(aim.cost(seen) for aim in self.aims))

    def _worth(self, points: Sequence[Point], judged: Sequence[Judged]) -> list[bool]:
        """Which of a batch meet further seeds."""
        if len(self.aims) > 1:
            return [False] * len(points)
        known = [self._by_first(trial) for trial in self.trials.values()]
        new = [self._by_first(Trial(*pair, None)) for pair in zip(points, judged, strict=True)]
        held = sorted(known + new)
        last = held[math.ceil(WORTH * len(held)) - 1]
        home = design.home(self.space)
        return [
            each.violation < math.inf and (key <= last or point == home)
            for point, each, key in zip(points, judged, new, strict=True)
        ]

    def _by_first(self, trial: Trial) -> tuple[Any, ...]:
        return self._order(trial.point, trial.first)

    def _order(self, point: Point, judged: Judged) -> tuple[Any, ...]:
        """The better first: keeps the limits, does what is asked for, costs and changes least."""
        home = design.home(self.space)
        changed = [name for name in home if point[name] != home[name]]
        prices = [name for name in changed if self.space.price(name, point[name])]
        return (judged.violation, *judged.costs, len(prices), len(changed))

    def best(self) -> list[Trial]:
        """Those that met every seed, the best first."""
        whole = [trial for trial in self.trials.values() if trial.whole is not None]
        return sorted(whole, key=lambda one: self._order(one.point, one.whole or one.first))

    def front(self) -> list[Trial]:
        """Those that keep the limits and that no other one is better than in every way."""
        kept = [one for one in self.best() if one.whole and one.whole.violation == 0]
        found: list[Trial] = []
        for one in kept:
            if not any(_covers(other, one) for other in kept if other is not one) and not any(
                other.whole == one.whole for other in found
            ):
                found.append(one)
        return found or self.best()[:1]


def _as_good(one: Judged, other: Judged) -> bool:
    """Whether ``one`` is as good in every way."""
    pairs = zip(one.costs, other.costs, strict=True)
    return one.violation <= other.violation and all(a <= b for a, b in pairs)


def _covers(one: Trial, other: Trial) -> bool:
    """Whether ``one`` is as good in every way, and better in some."""
    assert one.whole is not None
    assert other.whole is not None
    pairs = list(zip(one.whole.costs, other.whole.costs, strict=True))
    return all(a <= b for a, b in pairs) and any(a < b for a, b in pairs)
