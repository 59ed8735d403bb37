"""Captures held against the bench, and runs against each other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, overload

from airlag._airlag import LinkError
from airlag.core import types
from airlag.core.arguments import LARGEST_SEED, MOST_BYTES, MOST_TRIGGERS, whole
from airlag.questions import comparison, matching
from airlag.questions.analysis import analyze
from airlag.questions.capture import StrPath
from airlag.questions.matching import Match, Ranking
from airlag.questions.runs import Run
from airlag.questions.settings import Changes, Setting
from airlag.questions.shown import Plotted

#: Arguments of :func:`match` that are no settings of a profile.
ARGUMENTS = ("link", "size", "count", "seed", "neighbours")


class Comparison(Plotted, Mapping[str, Any]):
    """What differs between two runs: the object of ``airlag compare --json``, by key.

    A difference is ``b`` minus ``a``, ns; an end of an interval is ``None`` where the latencies are
    too few to bound it.
    """

    __slots__ = ("_told", "runs")

    def __init__(self, told: types.Comparison, runs: tuple[Run, Run]) -> None:
        self._told = told
        #: What was compared: ``a`` and ``b``.
        self.runs = runs

    def __getitem__(self, key: str) -> Any:
        told: Mapping[str, Any] = self._told
        return told[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._told)

    def __len__(self) -> int:
        return len(self._told)

    @property
    def comparable(self) -> bool:
        """Whether differences of numbers are differences of links."""
        return self._told["comparable"]

    @property
    def obstacles(self) -> tuple[str, ...]:
        """Why not, one sentence each."""
        return tuple(self._told["obstacles"])

    def to_json(self) -> types.Comparison:
        """The object of ``airlag compare --json``."""
        return self._told


def compare(a: Run | StrPath, b: Run | StrPath) -> Comparison:
    """What differs from ``a`` to ``b``, and whether that says anything about the links.

    Parameters
    ----------
    a, b
        Runs, or files as :func:`airlag.analyze` takes them.

    Raises
    ------
    ValueError
        With one line, when one of them is a table of latencies: it has no clock to be judged by.
    CaptureError
        With one line, when a file cannot be used.
    """
    first, second = run_of(a), run_of(b)
    return Comparison(comparison.compare(first, second), (first, second))


@overload
def match(
    capture: Run | StrPath,
    link: None = None,
    size: int | None = None,
    *,
    count: int | None = None,
    seed: int = 1,
    among: str | Iterable[str] = (),
    without: str | Iterable[str] = (),
) -> Ranking: ...
@overload
def match(
    capture: Run | StrPath,
    link: str,
    size: int | None = None,
    *,
    count: int | None = None,
    seed: int = 1,
    neighbours: str | Iterable[str] = (),
    settings: Mapping[str, Setting] | None = None,
    **changes: Setting,
) -> Match: ...
def match(
    capture: Run | StrPath,
    link: str | None = None,
    size: int | None = None,
    *,
    count: int | None = None,
    seed: int = 1,
    among: Any = (),
    without: Any = (),
    neighbours: str | Iterable[str] = (),
    settings: Mapping[str, Setting] | None = None,
    **changes: Setting,
) -> Match | Ranking:
    """Holds a capture against the bench, under its own trigger times.

    >>> airlag.match("my-capture.csv").best

    Parameters
    ----------
    capture
        A run, or a file as :func:`airlag.analyze` takes it.
    link
        Name of a link profile. Default: all of them.
    size
        Payload, bytes. Default: what the run or its name says.
    count
        Triggers of the capture that are used at most. Default: 10000 for one profile, 1000 for all.
    seed
        Root of every random number of the bench.
    among, without
        Of all profiles, only those whose name is like one of these patterns, such as ``"ble-*"``,
        and none whose name is like one of those.
    neighbours, settings, **changes
        As in :func:`airlag.run`, of one profile; they are not fitted.

    Returns
    -------
    Match or Ranking
        With a link, how far capture and bench are apart; without one, which explains it best.

    Raises
    ------
    LinkError
        With one line that says what cannot be matched, and what could.
    CaptureError
        With one line, when a file cannot be used.
    """
    used = None if count is None else whole(count, "count", 1, MOST_TRIGGERS)
    root = whole(seed, "seed", 0, LARGEST_SEED)
    known = None if size is None else whole(size, "size", 0, MOST_BYTES)
    if link is None:
        for name in (*(settings or {}), *changes, *(["neighbours"] if neighbours else [])):
            raise LinkError(f"`{name}` is of one profile; name its link, or leave `{name}` out")
        return matching.rank(
            run_of(capture),
            known,
            count=matching.OF_A_RANKING if used is None else used,
            seed=root,
            among=_patterns(among),
            without=_patterns(without),
        )
    for name, given in (("among", among), ("without", without)):
        if given:
            raise LinkError(f"`{name}` chooses of many links; leave out link or `{name}`")
    made = Changes.of(link, neighbours, settings, changes, ARGUMENTS)
    differing = made.differing()
    with made.in_units():
        return matching.match(
            run_of(capture),
            link,
            known,
            count=matching.COUNT if used is None else used,
            seed=root,
            settings=differing,
        )


def _patterns(given: str | Iterable[str]) -> tuple[str, ...] | None:
    return ((given,) if isinstance(given, str) else tuple(given)) or None


def run_of(what: Run | StrPath) -> Run:
    """A run as it is, or that of a file."""
    return what if isinstance(what, Run) else analyze(what)
