"""Comparison of captures with the bench, and of runs with each other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, overload

from airlag import _airlag
from airlag._airlag import LinkError, Transfers
from airlag.core import types
from airlag.core.answered import Answered, Key, ask
from airlag.core.arguments import LARGEST_SEED, MOST_BYTES, MOST_TRIGGERS, whole
from airlag.questions import matching
from airlag.questions.analysis import analyze
from airlag.questions.capture import StrPath
from airlag.questions.matching import Match, Ranking
from airlag.questions.runs import Run
from airlag.questions.settings import Changes, Setting
from airlag.questions.shown import Plottable


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Comparison(Plottable, Mapping[str, Any], Answered, shape=types.Comparison):
    """Differences between the two runs in ``runs``: the first is called ``a``, the second ``b``.

    Maps the keys of ``airlag compare --json`` to values. A difference is ``b`` minus ``a``. An end
    of an interval is ``None`` if there are too few latencies to determine this end.
    """

    runs: tuple[Run, Run]
    comparable = Key[bool]()
    obstacles = Key[tuple[str, ...]](made=tuple)

    def __getitem__(self, key: str) -> Any:
        return self.answer[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self.answer)

    def __len__(self) -> int:
        return len(self.answer)


def compare(a: Run | StrPath, b: Run | StrPath) -> Comparison:
    """Compares two runs, and states whether the two runs are comparable.

    Parameters
    ----------
    a, b
        Runs, or capture files as accepted by :func:`airlag.analyze`.

    Raises
    ------
    ValueError
        If one of the runs is a latency table, which has no clock. The message is one line.
    CaptureError
        If a file is unusable. The message is one line.
    """
    first, second = run_of(a), run_of(b)
    return Comparison(differences(first, second), (first, second))


def differences(a: Run, b: Run) -> types.Comparison:
    """Returns the comparison as a dictionary; raises as :func:`compare`."""
    given = [_transfers(a), _transfers(b)]
    found: types.Comparison = ask("compare", given, a=_side(a), b=_side(b))
    return found


def _transfers(run: Run) -> Transfers:
    if run.transfers is None:
        raise ValueError(
            f"{run.source}: a table of latencies has no triggers; expected a capture or a saved run"
        )
    return run.transfers


def _side(run: Run) -> dict[str, Any]:
    """Settings of a run, as far as known, and its results."""
    config = run.config
    virtual = "settings" in config
    side = {
        "source": run.source,
        "findings": [{"name": one.name, "message": one.message} for one in run.findings],
        "link": run.link,
        "size": run.size,
        "charge": run.charge,
        **{key: config.get(key) for key in ("way", "phase", "period_ns", "service_ns")},
    }
    if virtual:
        side |= {
            "traffic": config.get("traffic", "trigger"),
            "settings": dict(config["settings"]),
            "version": run.version or _airlag.__version__,
        }
    return {key: value for key, value in side.items() if value is not None}


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
    """Compares a capture with a virtual bench that replays the trigger times of the capture.

    >>> airlag.match("my-capture.csv").best

    Parameters
    ----------
    capture
        A run, or a capture file as accepted by :func:`airlag.analyze`.
    link
        Name of a link profile. Default: all link profiles.
    size
        Payload, bytes. Default: the payload stored in the run, or given by the name of the file.
    count
        Maximum number of triggers used. Default: 10000 with ``link``, 1000 without ``link``.
    seed
        Random seed of the bench.
    among, without
        Name patterns of the profiles to include or to exclude, such as ``"ble-*"``.
    neighbours, settings, **changes
        As in :func:`airlag.run`; only with ``link``. These settings are not fitted.

    Returns
    -------
    Match or Ranking
        With ``link``, the distance between capture and bench. Without ``link``, all links, ranked.

    Raises
    ------
    LinkError
        If a match is not possible. The message is one line with the cause and what is expected.
    CaptureError
        If the file is unusable. The message is one line.
    """
    used = None if count is None else whole(count, "count", 1, MOST_TRIGGERS)
    root = whole(seed, "seed", 0, LARGEST_SEED)
    known = None if size is None else whole(size, "size", 0, MOST_BYTES)
    if link is None:
        for name in (*(settings or {}), *changes, *(["neighbours"] if neighbours else [])):
            raise LinkError(f"`{name}` applies to one profile; pass its link, or omit `{name}`")
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
            raise LinkError(f"`{name}` selects among links; omit link or `{name}`")
    made = Changes.of(link, neighbours, settings, changes, match)
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
    """Returns a run unchanged, or reads it from a file."""
    return what if isinstance(what, Run) else analyze(what)
