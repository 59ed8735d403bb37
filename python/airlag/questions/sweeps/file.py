"""Sweep definitions from a file, or from a mapping with the same keys.

docs/sweeps.md lists all keys. The Rust library parses the file or the mapping. This module draws
the points of a space-filling design with :mod:`scipy.stats.qmc`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import timedelta
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from airlag._airlag import LinkError, SweepPlan
from airlag.core import plan_file
from airlag.core.extras import library
from airlag.questions.settings import text_of
from airlag.questions.sweeps.plan import Sweep

if TYPE_CHECKING:
    from numpy.typing import NDArray


class SweepError(ValueError):
    """A sweep that cannot run. The message is one line: location, cause, and what is expected."""


def load(path: Path) -> Sweep:
    """Reads a sweep; raises :class:`SweepError` if it is missing or invalid."""

    def made(text: str, name: str) -> Sweep:
        return Sweep(SweepPlan(text, False, name, True, _unit_points))

    return plan_file.read(path, made, SweepError)


def sweep_of(asked: Mapping[str, Any], name: str, *, tried: bool = True) -> Sweep:
    """Builds a sweep from a table; raises :class:`SweepError`.

    ``name`` names a sweep whose table has no name. If ``tried`` is true, all values are validated
    before the first run. Otherwise, an invalid value is recorded as an error of its run.
    """
    try:
        text = json.dumps(dict(asked), default=_plain, allow_nan=False)
        return Sweep(SweepPlan(text, True, name, tried, _unit_points))
    except ValueError as error:
        raise SweepError(str(error)) from None


def _plain(value: Any) -> Any:
    """Converts a setting to a JSON value; raises :class:`LinkError`."""
    if isinstance(value, Mapping):
        return dict(value)
    if getattr(value, "shape", None) == ():
        return value.item()
    if isinstance(value, timedelta):
        return text_of("a time", value)
    raise LinkError(f"{value!r:.80}: expected a number, a text, true or false")


@lru_cache(maxsize=4)
def _unit_points(
    kind: str, dimensions: int, points: int, seed: int
) -> tuple[NDArray[np.float64], str]:
    """Seeded low-discrepancy points in a unit cube, and their SHA-256; raises :class:`LinkError`.

    ``kind`` selects a Sobol sequence (Owen scrambling), a Halton sequence or a Latin hypercube.
    """
    qmc = library("scipy.stats.qmc", "sweep", LinkError, "[design] needs SciPy, which")
    sequences: Mapping[str, Any] = {
        "sobol": qmc.Sobol,
        "halton": qmc.Halton,
        "latin-hypercube": qmc.LatinHypercube,
    }
    try:
        made = sequences[kind](dimensions, rng=seed)
    except ValueError as error:
        raise LinkError(f"[design]: {error}") from None
    # Some arrays are column-major; the core reads point by point.
    found: NDArray[np.float64] = np.ascontiguousarray(made.random(points))
    return found, sha256(found.tobytes()).hexdigest()
