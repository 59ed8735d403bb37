"""Every combination of settings, payloads and seeds as one data frame."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from numbers import Number
from typing import TYPE_CHECKING, Any

from airlag import bench
from airlag._airlag import LinkError
from airlag.api.arguments import LARGEST_SEED, MOST_TRIGGERS, Duration, ns_of, one_of, whole
from airlag.api.running import OneWay, payloads_of
from airlag.api.settings import Changes, Setting
from airlag.bench import PHASES, TRAFFIC, Request
from airlag.json_types.run import Phase
from airlag.side_by_side import side_by_side

if TYPE_CHECKING:
    import polars as pl

#: Arguments of :func:`sweep` that are no settings of a profile.
ARGUMENTS = (
    "size", "seeds", "count", "period", "phase", "traffic", "places", "neighbours", "impossible",
)  # fmt: skip
#: What becomes of a combination that a link cannot be run with.
IMPOSSIBLE = ("raise", "keep")


@dataclass(frozen=True, slots=True)
class _Step:
    """One row to be: what to run, under which settings it was asked for, or why it cannot be."""

    changes: Changes
    request: Request | None
    size: int | None
    seed: int
    problem: str | None = None


def sweep(
    link: str,
    size: int | Iterable[int] | None = None,
    *,
    seeds: Iterable[int] = (1,),
    count: int = 1000,
    period: Duration | None = None,
    phase: Phase = "uniform",
    traffic: OneWay = "trigger",
    places: int | None = None,
    neighbours: str | Iterable[str] = (),
    impossible: str = "raise",
    settings: Mapping[str, Setting | Iterable[Setting]] | None = None,
    **changes: Setting | Iterable[Setting],
) -> pl.DataFrame:
    """Runs a link with every combination of settings, payloads and seeds, on all cores.

    >>> airlag.sweep("ble-nus-notify", connection_interval=["7.5ms", "30ms"], size=[12, 128])

    Parameters
    ----------
    link
        Name of a link profile.
    size
        Payloads, bytes. Default: 128 where the link has a message.
    seeds
        Roots of every random number: each combination runs once under each.
    count, period, phase, traffic, places, neighbours
        As in :func:`airlag.run`, the same for all runs.
    impossible
        ``"raise"``: a combination the link cannot be run with is an error. ``"keep"``: it is a
        row without figures, and the column ``problem`` says why.
    settings, **changes
        Parameters of the profile, as in :func:`airlag.run`: one value, or several to go through.

    Returns
    -------
    polars.DataFrame
        A row a run; the last of settings, size and seed varies quickest. A column for each
        setting, with values in the parameter's own unit, then ``size``, ``seed``, ``triggers``,
        ``delivered``, ``lost``, ``p50_ns``, ``p99_ns`` and others.

    Raises
    ------
    LinkError
        With one line that says which combination cannot be run, and what could.
    """
    import polars as pl

    from airlag.showing.run import frame_of, row

    keep = one_of(impossible, "impossible", IMPOSSIBLE) == "keep"
    base = Changes.of(link, neighbours, settings, changes, ARGUMENTS)
    asked = [*base.given, *(["neighbours"] if base.neighbours else [])]
    common: dict[str, Any] = {
        "count": whole(count, "count", 1, MOST_TRIGGERS),
        "period_ns": None if period is None else ns_of(period, "period"),
        "phase": one_of(phase, "phase", PHASES),
        "traffic": one_of(traffic, "traffic", [each for each in TRAFFIC if each != "both"]),
        "places": None if places is None else whole(places, "places", 1, 100_000),
    }
    several = {name: _values(name, value) for name, value in base.given.items()}
    roots = _roots(seeds)
    combinations = [
        Changes(link, dict(zip(several, values, strict=True)), base.neighbours)
        for values in product(*several.values())
    ]
    # What no profile can be set to is told before anything runs.
    steps = [
        step
        for each in combinations
        for step in _steps(each, payloads_of(link, size), roots, common, keep)
    ]

    def work(step: _Step) -> dict[str, Any]:
        if step.request is None:
            return _without(step, step.problem)
        try:
            with step.changes.in_units():
                told = row(bench.emulate(step.request), asked)
        except LinkError as error:
            if not keep:
                raise
            return _without(step, str(error))
        return told | ({"problem": None} if keep else {})

    frame = frame_of(list(side_by_side(work, steps)))
    # It is no setting, and stands last.
    return frame.select(pl.exclude("problem"), "problem") if keep else frame


def _steps(
    changes: Changes,
    sizes: Sequence[int | None],
    seeds: Sequence[int],
    common: Mapping[str, Any],
    keep: bool,
) -> Iterable[_Step]:
    """The rows of one combination of settings."""
    differing: dict[str, str] | None = None
    problem: str | None = None
    try:
        differing = changes.differing()
    except LinkError as error:
        if not keep:
            raise
        problem = str(error)
    for size, seed in product(sizes, seeds):
        request = None
        if differing is not None:
            request = Request(link=changes.link, size=size, seed=seed, settings=differing, **common)
        yield _Step(changes, request, size, seed, problem)


def _without(step: _Step, problem: str | None) -> dict[str, Any]:
    """The row of a combination that cannot be run."""
    from airlag.showing.run import values_of

    link = step.changes.link
    told: dict[str, Any] = {"source": link, "link": link, "size": step.size, "seed": step.seed}
    for name, text in step.changes.text().items():
        # What a profile cannot hold is told as it was asked.
        told |= values_of(link, {name: text})
    return told | {"problem": problem}


def _values(name: str, value: Any) -> list[Any]:
    """The values of one parameter."""
    if isinstance(value, str | Number) or not isinstance(value, Iterable):
        return [value]
    found = list(value)
    if not found:
        raise LinkError(f"{name} has no values to go through; give it one at least")
    return found


def _roots(seeds: Any) -> list[int]:
    """The seeds, which are several by what the argument is called."""
    if isinstance(seeds, str) or not isinstance(seeds, Iterable):
        raise LinkError(f"seeds={seeds!r}: expected several, such as range(1, 6) or [1]")
    found = [whole(each, "seeds", 0, LARGEST_SEED) for each in seeds]
    if not found:
        raise LinkError("seeds has nothing to go through; expected several, such as range(1, 6)")
    return found
