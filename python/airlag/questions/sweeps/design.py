"""Quasi-random designs: points that fill a space of settings more evenly than chance does.

The points are those of :mod:`scipy.stats.qmc`: I. M. Sobol's sequence, scrambled after A. B. Owen;
J. H. Halton's; Latin hypercubes. Each is seeded.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from airlag.core.extras import library
from airlag.questions.campaign.values import WrongError, one_of, only, whole
from airlag.questions.sweeps.axes import Range, Texts, span, texts

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

#: Kinds of designs, as :mod:`scipy.stats.qmc` has them.
KINDS = ("sobol", "halton", "latin-hypercube")
#: Most points of a design: they are kept as numbers, 8 B a point and parameter.
MOST_POINTS = 2**20
_KEYS = ("kind", "points", "seed", "over")


@dataclass(frozen=True, slots=True, eq=False)
class Design:
    """Several things that are turned together."""

    #: What each lies between, or which values it takes, by name.
    over: Mapping[str, Range | Sequence[str]]
    #: A row a point, a column for each of them; from 0 to 1.
    unit_points: NDArray[np.float64]

    @property
    def names(self) -> Sequence[str]:
        """What it sets."""
        return tuple(self.over)

    def __len__(self) -> int:
        return len(self.unit_points)

    def at(self, place: int) -> Texts:
        """What one point sets."""
        found = {}
        for share, (name, values) in zip(self.unit_points[place], self.over.items(), strict=True):
            if isinstance(values, Range):
                found[name] = values.at(float(share))
            else:
                found[name] = values[int(share * len(values))]
        return found

    def ends(self) -> Iterator[Texts]:
        """Both ends of every range, and all words."""
        for name, values in self.over.items():
            ends = [values.at(0.0), values.at(1.0)] if isinstance(values, Range) else values
            yield from ({name: value} for value in ends)


def design(link: str, given: object, where: str) -> Design:
    """Reads a design; raises :class:`WrongError`."""
    if not isinstance(given, Mapping):
        raise WrongError(f"{where}a design is a table with kind, points and over")
    only(given, _KEYS, where)
    for key in ("points", "over"):
        if key not in given:
            raise WrongError(f"{where}no `{key}`; a design has kind, points and over")
    kind = one_of(given.get("kind", KINDS[0]), where, "kind", KINDS)
    points = whole(given["points"], where, "points", 1, MOST_POINTS)
    seed = whole(given.get("seed", 1), where, "seed", 0, 2**63 - 1)
    if kind == "sobol" and points & (points - 1):
        below = 1 << (points.bit_length() - 1)
        raise WrongError(
            f"{where}{points} points of Sobol's sequence are not balanced; write {below} or "
            f"{2 * below}"
        )
    ranges = given["over"]
    if not (isinstance(ranges, Mapping) and ranges):
        raise WrongError(f"{where}`over` is a table of ranges, such as range = {{from=1, to=50}}")
    over: dict[str, Range | Sequence[str]] = {}
    for name, value in ranges.items():
        if isinstance(value, Mapping):
            over[name] = span(link, name, value, where)
        else:
            over[name] = texts(name, value, where)
    return Design(over, _unit_points(kind, len(over), points, seed))


@lru_cache(maxsize=4)
def _unit_points(kind: str, dimensions: int, points: int, seed: int) -> NDArray[np.float64]:
    qmc = library("scipy.stats.qmc", "sweep", WrongError, "[design] needs SciPy, which")
    sequences: Mapping[str, Any] = {
        "sobol": qmc.Sobol,
        "halton": qmc.Halton,
        "latin-hypercube": qmc.LatinHypercube,
    }
    try:
        made = sequences[kind](dimensions, rng=seed)
    except ValueError as error:
        raise WrongError(f"[design]: {error}") from None
    found: NDArray[np.float64] = made.random(points)
    return found
