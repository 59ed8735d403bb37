"""Optuna study of a search: parameters in the units that the user typed, and all trials.

Other programs can observe a stored study, and a later search can resume it. The database may have
been modified or damaged. Stored trials are therefore validated, and incomplete trials run again.
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

from airlag._airlag import LinkError, Lock, TuneParameter, TuneSpace
from airlag.core.display import printable
from airlag.core.extras import library

#: Parameter value: a number in the unit as typed, or a word as in ``--set``.
Value = float | str
#: One value per parameter.
Point = dict[str, Value]
#: Attribute of a study that contains its objective.
NOTED = "airlag"
#: Prefixes of file-based storages.
_SQLITE = re.compile(r"sqlite(?:\+\w+)?:///(?!:memory:|file:)([^?]+)")


@dataclass(frozen=True, slots=True)
class Judged:
    """Cost of a setting; less is better."""

    #: Sum of relative limit violations; infinite if the setting cannot run.
    violation: float
    #: Metrics of the objective in order, negated if maximised.
    costs: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Trial:
    """A tried setting."""

    #: Parameter values.
    point: Point
    #: Cost with the first seed.
    first: Judged
    #: Cost with all seeds; ``None`` if the first sufficed.
    whole: Judged | None
    #: Why the setting cannot run, in one line; ``None`` if it can.
    refused: str | None = None


class Study:
    """Trials by point, and a sampler for further points."""

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
                        f"{storage}: study {name!r} has another objective; choose another --study "
                        "or another --storage"
                    )
                self._study.set_metric_names([str(aim) for aim in noted["aims"]])
        except BaseException:
            self.close()
            raise

    def _hold(self) -> Lock | None:
        """Locks a study stored in a file against other searches."""
        file = _SQLITE.match(self._storage or "")
        if file is None:
            return None
        which = sha256(self._name.encode("utf-8", "replace")).hexdigest()[:8]
        lock = Lock(Path(f"{file[1]}.{which}.lock"))
        try:
            is_free = lock.take()
        except (OSError, ValueError):
            # Opening the database reports any problem with the path.
            return None
        if not is_free:
            raise self._shared()
        return lock

    def close(self) -> None:
        """Releases the study for other searches."""
        if self._lock is not None:
            self._lock.release()

    def _shared(self) -> LinkError:
        return LinkError(
            f"{self._storage}: another search is writing to study {self._name!r}; wait for it, or "
            "choose another --study"
        )

    def restored(self) -> Iterator[Trial]:
        """Yields finished trials; unfinished ones are dropped."""
        states = self._optuna.trial.TrialState
        with self._working():
            trials = self._study.get_trials(deepcopy=False)
            for trial in trials:
                if trial.state == states.WAITING:
                    # Optuna would otherwise return the first waiting trial from the next ``ask``.
                    self._study.tell(self._study.ask(), state=states.FAIL)
                elif trial.state == states.RUNNING:
                    self._study.tell(trial.number, state=states.FAIL)
        for trial in trials:
            if trial.state.is_finished() and (known := self._restored(trial)) is not None:
                yield known

    def _restored(self, trial: Any) -> Trial | None:
        """Reads a finished trial; ``None`` if it does not fit this space and objective."""
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
        """Draws points from Optuna's sampler; each needs :meth:`tell`."""
        sampler = self._optuna.samplers.TPESampler
        with self._working():
            # Reseeding makes a resumed study draw the same points.
            self._study.sampler = sampler(seed=seed, multivariate=True, constant_liar=True)
            trials = [self._study.ask(self._distributions) for _ in range(many)]
        return [(self._point(trial.params), trial) for trial in trials]

    def put(self, point: Point) -> Any:
        """Adds a trial for a given point; it needs :meth:`tell`."""
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
            # With several metrics, a missing value is a failed trial; with one, the worst value.
            self._study.tell(handle, state=states.FAIL if self._aims > 1 else states.PRUNED)

    def drop(self, handle: Any) -> None:
        """Drops a trial of a known point."""
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
        """Silences Optuna's log and its warnings on experimental features.

        Raises :class:`LinkError` if its storage fails.
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
            # The error types depend on the database and its content.
            if self._storage is None:
                raise
            if isinstance(error, self._optuna.exceptions.UpdateFinishedTrialError):
                raise self._shared() from None
            raise LinkError(
                f"{self._storage}: study {self._name!r} cannot be continued ({_one_line(error)}); "
                "choose another --study or another --storage"
            ) from None
        finally:
            log.set_verbosity(before)


def distribution(optuna: Any, parameter: TuneParameter) -> Any:
    """Returns Optuna's distribution for a parameter."""
    known = optuna.distributions
    if parameter.span is None:
        return known.CategoricalDistribution(parameter.all())
    low, last, step = parameter.span
    if step == 1 and low.is_integer():
        return known.IntDistribution(int(low), int(last))
    return known.FloatDistribution(low, last, step=step)


def _created(optuna: Any, directions: Sequence[str], storage: str | None, name: str) -> Any:
    """Creates a study, or opens the existing one of that name."""
    try:
        return optuna.create_study(
            storage=storage, study_name=name, directions=list(directions), load_if_exists=True
        )
    except Exception as error:
        # The error types depend on the database and its drivers.
        raise LinkError(
            f"storage {str(storage)[:80]!r} cannot be opened ({_one_line(error)}); write one as "
            "sqlite:///FILE.db"
        ) from None


def _one_line(error: Exception) -> str:
    """Formats a library's error in one line."""
    said = str(error).strip().splitlines() or [type(error).__name__]
    return printable(said[0])[:120]


def _is_number(value: Any) -> bool:
    """Whether a JSON value is a number in float range, or infinite."""
    if type(value) is int:
        return abs(value) < 2**63
    return type(value) is float and not math.isnan(value)


def _equal(one: Any, other: Value) -> bool:
    """Whether two parameter values are equal up to rounding."""
    if isinstance(one, str) or isinstance(other, str):
        return bool(one == other)
    return math.isclose(one, other, rel_tol=1e-9, abs_tol=1e-12)
