"""The study that Optuna keeps: its parameters in the units that were typed, and every trial.

With a storage, other programs can look at it while it grows, and it goes on where it was stopped.
"""

from __future__ import annotations

import json
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from airlag._airlag import LinkError, TuneParameter, TuneSpace
from airlag.core.extras import library

#: A value of a parameter: a number in the unit that was typed, or a word as ``--set`` takes it.
Value = float | str
#: A value for each parameter.
Point = dict[str, Value]
#: The attribute in which a study keeps its objective.
NOTED = "airlag"


@dataclass(frozen=True, slots=True)
class Judged:
    """What a setting is worth; less is better."""

    #: By how much limits are broken in all, as shares of them; infinite where it cannot be run.
    violation: float
    #: The metrics of the objective, in their order; negated where they are maximised.
    costs: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Trial:
    """A setting that was tried."""

    #: Its values.
    point: Point
    #: Its worth under the first seed.
    first: Judged
    #: Under all of them; ``None`` where the first sufficed.
    whole: Judged | None
    #: Why it cannot be run, in one line; ``None`` where it can.
    refused: str | None = None


class Study:
    """Trials by their points, and a sampler that draws further ones."""

    def __init__(
        self,
        space: TuneSpace,
        directions: Sequence[str],
        noted: Mapping[str, Any],
        *,
        storage: str | None,
        name: str,
    ) -> None:
        self._space = space
        self._several = len(directions) > 1
        self._optuna = library("optuna", "tune")
        self._distributions = {one.key: distribution(self._optuna, one) for one in space.parameters}
        text = json.dumps(noted, sort_keys=True)
        with self._quiet():
            self._study = _created(self._optuna, directions, storage, name)
            held = self._study.user_attrs.get(NOTED)
            if held is None and not self._study.trials:
                self._study.set_user_attr(NOTED, text)
            elif held != text:
                raise LinkError(
                    f"{storage}: study {name!r} has another objective; choose another --study, "
                    "or the storage of another file"
                )
            self._study.set_metric_names([str(aim) for aim in noted["aims"]])

    def restored(self) -> Iterator[Trial]:
        """The trials that are finished already; unfinished ones are dropped."""
        states = self._optuna.trial.TrialState
        with self._quiet():
            for trial in self._study.get_trials(deepcopy=False):
                if trial.state in (states.COMPLETE, states.PRUNED, states.FAIL):
                    if "first" in trial.user_attrs:
                        yield self._restored(trial)
                elif trial.state == states.RUNNING:
                    self._study.tell(trial.number, state=states.FAIL)

    def _restored(self, trial: Any) -> Trial:
        noted = trial.user_attrs
        first, *whole = (Judged(one[0], tuple(one[1:])) for one in noted["first"])
        point = self._point(trial.params)
        return Trial(point, first, whole[0] if whole else None, noted.get("refused"))

    def _point(self, params: Mapping[str, Any]) -> Point:
        return {one.name: one.near(params[one.key]) for one in self._space.parameters}

    def draw(self, many: int, seed: int) -> list[tuple[Point, Any]]:
        """Points that Optuna's sampler draws from what is known; each needs :meth:`tell`."""
        sampler = self._optuna.samplers.TPESampler
        with self._quiet():
            # One that is made anew draws the same wherever a study goes on.
            self._study.sampler = sampler(seed=seed, multivariate=True, constant_liar=True)
            trials = [self._study.ask(self._distributions) for _ in range(many)]
        return [(self._point(trial.params), trial) for trial in trials]

    def put(self, point: Point) -> Any:
        """A trial of a point that was not drawn; it needs :meth:`tell`."""
        params = {one.key: point[one.name] for one in self._space.parameters}
        with self._quiet():
            self._study.enqueue_trial(params)
            return self._study.ask(self._distributions)

    def tell(self, handle: Any, trial: Trial) -> None:
        """Records the outcome of a trial."""
        states = self._optuna.trial.TrialState
        judged = trial.whole or trial.first
        with self._quiet():
            noted = [trial.first, *([trial.whole] if trial.whole else [])]
            handle.set_user_attr("first", [[one.violation, *one.costs] for one in noted])
            handle.set_constraint("limits", min(judged.violation, 1e9))
            if trial.refused is not None:
                handle.set_user_attr("refused", trial.refused)
            finite = all(abs(cost) < float("inf") for cost in judged.costs)
            if finite and (trial.whole or self._several):
                self._study.tell(handle, self._signed(judged.costs))
                return
            if finite:
                handle.report(self._signed(judged.costs)[0], 0)
            # Of several aims, what has no value has failed; of one it is only the worst.
            self._study.tell(handle, state=states.FAIL if self._several else states.PRUNED)

    def drop(self, handle: Any) -> None:
        """Drops a trial of a point that another trial has."""
        with self._quiet():
            self._study.tell(handle, state=self._optuna.trial.TrialState.FAIL)

    def _signed(self, costs: Sequence[float]) -> list[float]:
        falling = self._optuna.study.StudyDirection.MINIMIZE
        return [
            cost if direction == falling else -cost
            for cost, direction in zip(costs, self._study.directions, strict=True)
        ]

    @contextmanager
    def _quiet(self) -> Iterator[None]:
        """Silences Optuna, which reports each trial, and that parts of it may change."""
        log = self._optuna.logging
        before = log.get_verbosity()
        log.set_verbosity(log.ERROR)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", self._optuna.exceptions.ExperimentalWarning)
                yield
        finally:
            log.set_verbosity(before)


def distribution(optuna: Any, parameter: TuneParameter) -> Any:
    """The distribution of Optuna that has the values of a parameter."""
    known = optuna.distributions
    if parameter.span is None:
        return known.CategoricalDistribution(parameter.all())
    low, last, step = parameter.span
    if step == 1 and low.is_integer():
        return known.IntDistribution(int(low), int(last))
    return known.FloatDistribution(low, last, step=step)


def _created(optuna: Any, directions: Sequence[str], storage: str | None, name: str) -> Any:
    """A study, or the one of that name that is there."""
    try:
        return optuna.create_study(
            storage=storage, study_name=name, directions=list(directions), load_if_exists=True
        )
    except Exception as error:
        # Which errors there are depends on the database, and on what reaches it.
        said = str(error).strip().splitlines() or [type(error).__name__]
        raise LinkError(
            f"storage {str(storage)[:80]!r} cannot be opened ({said[0][:120]}); write one as "
            "sqlite:///FILE.db"
        ) from None
