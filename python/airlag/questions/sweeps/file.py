"""What a sweep is asked for: a file, or a table as a file holds it.

docs/sweeps.md tells every key. The core reads both; the points of a design are drawn here, by
:mod:`scipy.stats.qmc`.
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
    """A sweep that cannot be run: one line that says where, what and what would be right."""


def load(path: Path) -> Sweep:
    """Reads a file; raises :class:`SweepError` for what cannot be read, or is not there."""

    def made(text: str, name: str) -> Sweep:
        return Sweep(SweepPlan(text, False, name, True, _unit_points))

    return plan_file.read(path, made, SweepError)


def sweep_of(asked: Mapping[str, Any], name: str, *, tried: bool = True) -> Sweep:
    """A sweep as a file asks for it; raises :class:`SweepError`.

    ``name`` is used where ``asked`` has none. Unless every value is ``tried`` first, what cannot be
    set is a problem of its runs.
    """
    try:
        text = json.dumps(dict(asked), default=_plain, allow_nan=False)
        return Sweep(SweepPlan(text, True, name, tried, _unit_points))
    except ValueError as error:
        raise SweepError(str(error)) from None


def _plain(value: Any) -> Any:
    """A setting as JSON has it; raises :class:`LinkError`."""
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
    """Points that fill a unit cube evenly, and their SHA-256; raises :class:`LinkError`.

    I. M. Sobol's sequence, scrambled after A. B. Owen; J. H. Halton's; Latin hypercubes. Each is
    seeded.
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
    # Some are laid out dimension by dimension; the core reads point by point.
    found: NDArray[np.float64] = np.ascontiguousarray(made.random(points))
    return found, sha256(found.tobytes()).hexdigest()
