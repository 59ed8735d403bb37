"""The study that Optuna keeps: its parameters in the units that were typed, and every trial.

With a storage, other programs can look at it while it grows, and it goes on where it was stopped.
A database is written by others as well, and damaged: what is read of it is checked, and a trial of
which a part is missing is run again.
"""

from __future__ import annotations

import json
import math
import re
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from airlag._airlag import LinkError, TuneParameter, TuneSpace
from airlag.core.display import printable
from airlag.core.extras import library
from airlag.core.lock import Lock

#: A value of a parameter: a number in the unit that was typed, or a word as ``--set`` takes it.
Value = float | str
#: A value for each parameter.
Point = dict[str, Value]
#: The attribute in which a study keeps its objective.
NOTED = "airlag"
#: A storage that is a file.
_SQLITE = re.compile(r"sqlite(?:\+\w+)?:///(?!:memory:|file:)([^?]+)")


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
        self._aims = len(directions)
        self._storage, self._name = storage, name
        self._optuna = library("optuna", "tune")
        self._distributions = {one.key: distribution(self._optuna, one) for one in space.parameters}
        text = json.dumps(noted, sort_keys=True)
        self._lock = self._hold()
        try:
            with self._working():
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
        except BaseException:
            self.close()
            raise

    def _hold(self) -> Lock | None:
        """Excludes other searches of the same study where the storage is a file."""
        file = _SQLITE.match(self._storage or "")
        if file is None:
            return None
        which = sha256(self._name.encode("utf-8", "replace")).hexdigest()[:8]
        lock = Lock(Path(f"{file[1]}.{which}.lock"))
        try:
            is_free = lock.take()
        except (OSError, ValueError):
            # Whatever is wrong with the place, opening the database says it.
            return None
        if not is_free:
            raise self._shared()
        return lock

    def close(self) -> None:
        """Lets other searches continue the study."""
        if self._lock is not None:
            self._lock.release()

    def _shared(self) -> LinkError:
        return LinkError(
            f"{self._storage}: another search is writing to study {self._name!r}; wait for it, or "
            "choose another --study"
        )

    def restored(self) -> Iterator[Trial]:
        """The trials that are finished already; unfinished ones are dropped."""
        states = self._optuna.trial.TrialState
        with self._working():
            trials = self._study.get_trials(deepcopy=False)
            for trial in trials:
                if trial.state == states.WAITING:
                    # It is the first that waits, which the next one asked for would be.
                    self._study.tell(self._study.ask(), state=states.FAIL)
                elif trial.state == states.RUNNING:
                    self._study.tell(trial.number, state=states.FAIL)
        for trial in trials:
            if trial.state.is_finished() and (known := self._restored(trial)) is not None:
                yield known

    def _restored(self, trial: Any) -> Trial | None:
        """A finished trial as it was noted; ``None`` where that is none of this space and aims."""
        noted, refused = trial.user_attrs.get("first"), trial.user_attrs.get("refused")
        if not isinstance(noted, list) or not 1 <= len(noted) <= 2:
            return None
        if not all(map(self._is_judged, noted)) or not isinstance(refused, str | None):
            return None
        first, *whole = (Judged(one[0], tuple(one[1:])) for one in noted)
        try:
            point = self._point(trial.params)
        except (KeyError, TypeError, ValueError):
            return None
        if not all(
            _equal(trial.params[one.key], point[one.name]) for one in self._space.parameters
        ):
            return None
        return Trial(point, first, whole[0] if whole else None, refused)

    def _is_judged(self, noted: Any) -> bool:
        return (
            isinstance(noted, list) and len(noted) == 1 + self._aims and all(map(_is_number, noted))
        )

    def _point(self, params: Mapping[str, Any]) -> Point:
        return {one.name: one.near(params[one.key]) for one in self._space.parameters}

    def draw(self, many: int, seed: int) -> list[tuple[Point, Any]]:
        """Points that Optuna's sampler draws from what is known; each needs :meth:`tell`."""
        sampler = self._optuna.samplers.TPESampler
        with self._working():
            # One that is made anew draws the same wherever a study goes on.
            self._study.sampler = sampler(seed=seed, multivariate=True, constant_liar=True)
            trials = [self._study.ask(self._distributions) for _ in range(many)]
        return [(self._point(trial.params), trial) for trial in trials]

    def put(self, point: Point) -> Any:
        """A trial of a point that was not drawn; it needs :meth:`tell`."""
        params = {one.key: point[one.name] for one in self._space.parameters}
        with self._working():
            self._study.enqueue_trial(params)
            handle = self._study.ask(self._distributions)
        if self._point(handle.params) != point:
            raise self._shared()
        return handle

    def tell(self, handle: Any, trial: Trial) -> None:
        """Records the outcome of a trial."""
        states = self._optuna.trial.TrialState
        judged = trial.whole or trial.first
        with self._working():
            noted = [trial.first, *([trial.whole] if trial.whole else [])]
            handle.set_user_attr("first", [[one.violation, *one.costs] for one in noted])
            handle.set_constraint("limits", min(judged.violation, 1e9))
            if trial.refused is not None:
                handle.set_user_attr("refused", trial.refused)
            finite = all(abs(cost) < float("inf") for cost in judged.costs)
            if finite and (trial.whole or self._aims > 1):
                self._study.tell(handle, self._signed(judged.costs))
                return
            if finite:
                handle.report(self._signed(judged.costs)[0], 0)
            # Of several aims, what has no value has failed; of one it is only the worst.
            self._study.tell(handle, state=states.FAIL if self._aims > 1 else states.PRUNED)

    def drop(self, handle: Any) -> None:
        """Drops a trial of a point that another trial has."""
        with self._working():
            self._study.tell(handle, state=self._optuna.trial.TrialState.FAIL)

    def _signed(self, costs: Sequence[float]) -> list[float]:
        falling = self._optuna.study.StudyDirection.MINIMIZE
        return [
            cost if direction == falling else -cost
            for cost, direction in zip(costs, self._study.directions, strict=True)
        ]

    @contextmanager
    def _working(self) -> Iterator[None]:
        """Silences Optuna, which reports each trial, and that parts of it may change.

        Raises :class:`LinkError` where its storage fails.
        """
        log = self._optuna.logging
        before = log.get_verbosity()
        log.set_verbosity(log.ERROR)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", self._optuna.exceptions.ExperimentalWarning)
                yield
        except (LinkError, MemoryError):
            raise
        except Exception as error:
            # Which errors there are depends on the database, and on what stands in it.
            if self._storage is None:
                raise
            if isinstance(error, self._optuna.exceptions.UpdateFinishedTrialError):
                raise self._shared() from None
            raise LinkError(
                f"{self._storage}: study {self._name!r} cannot be continued ({_told(error)}); "
                "choose another --study, or the storage of another file"
            ) from None
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
        raise LinkError(
            f"storage {str(storage)[:80]!r} cannot be opened ({_told(error)}); write one as "
            "sqlite:///FILE.db"
        ) from None


def _told(error: Exception) -> str:
    """What an error of a library says, in one line."""
    said = str(error).strip().splitlines() or [type(error).__name__]
    return printable(said[0])[:120]


def _is_number(value: Any) -> bool:
    """Whether JSON gave back a number that a float can hold; it may be infinite."""
    if type(value) is int:
        return abs(value) < 2**63
    return type(value) is float and not math.isnan(value)


def _equal(one: Any, other: Value) -> bool:
    """Whether two values of a parameter are the same, but for rounding."""
    if isinstance(one, str) or isinstance(other, str):
        return bool(one == other)
    return math.isclose(one, other, rel_tol=1e-9, abs_tol=1e-12)
