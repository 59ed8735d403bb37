"""Sweeps over settings, payloads and seeds, as a data frame or a dataset."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from numbers import Number
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, overload

from airlag._airlag import LinkError
from airlag.core.arguments import (
    LARGEST_SEED,
    MOST_TRIGGERS,
    Duration,
    mapping,
    ns_of,
    one_of,
    whole,
)
from airlag.core.extras import need_polars
from airlag.core.types import Phase
from airlag.questions.bench import PHASES, TRAFFIC
from airlag.questions.run import OneWay, payloads_of
from airlag.questions.settings import Changes, Setting, text_of
from airlag.questions.sweeps.file import SweepError, load, sweep_of
from airlag.questions.sweeps.plan import Sweep

if TYPE_CHECKING:
    import polars as pl

    from airlag.questions.sweeps.task import Done

#: Handling of invalid combinations.
IMPOSSIBLE = ("raise", "keep")

#: Sweep file: its path, or its content.
File = PathLike[str] | Mapping[str, Any]


@overload
def sweep(
    link: str | File,
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
    design: Mapping[str, Any] | None = None,
    out: None = None,
    scheduler: Any = None,
    **changes: Setting | Iterable[Setting],
) -> pl.DataFrame: ...
@overload
def sweep(
    link: str | File,
    size: int | Iterable[int] | None = None,
    *,
    out: str | PathLike[str],
    seeds: Iterable[int] = (1,),
    count: int = 1000,
    period: Duration | None = None,
    phase: Phase = "uniform",
    traffic: OneWay = "trigger",
    places: int | None = None,
    neighbours: str | Iterable[str] = (),
    impossible: str = "raise",
    settings: Mapping[str, Setting | Iterable[Setting]] | None = None,
    design: Mapping[str, Any] | None = None,
    scheduler: Any = None,
    **changes: Setting | Iterable[Setting],
) -> pl.LazyFrame: ...
def sweep(
    link: str | File,
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
    design: Mapping[str, Any] | None = None,
    out: str | PathLike[str] | None = None,
    scheduler: Any = None,
    **changes: Setting | Iterable[Setting],
) -> pl.DataFrame | pl.LazyFrame:
    """Runs a link with every combination of settings, payloads and seeds, on all cores.

    >>> airlag.sweep("ble-nus-notify", connection_interval=["7.5ms", "30ms"], size=[12, 128])

    Parameters
    ----------
    link
        Name of a link profile, or a ``.toml`` file of ``airlag sweep``, as a path or as its
        content. With such a file, no other arguments than ``out`` and ``scheduler`` are accepted.
    size
        Payloads, bytes. Default: 128 for links with messages.
    seeds
        Random seeds; each combination runs once with each seed.
    count, period, phase, traffic, places, neighbours
        As in :func:`airlag.run`, common to all runs.
    impossible
        ``"raise"``: an invalid combination is an error. ``"keep"``: an invalid combination is a row
        without results, with the reason in the column ``problem``.
    settings, **changes
        Profile parameters as in :func:`airlag.run`: for each, one value or several values to sweep.
    design
        Parameters that vary jointly over space-filling points:
        ``{"kind": "sobol", "points": 64, "over": {"range": {"from": 1, "to": 50}}}``.
    out
        Folder of a dataset of Parquet files, which grows as runs finish. A repeated call resumes
        the sweep. Default: no dataset; all results are held in memory.
    scheduler
        ``"threads"`` of this process, ``"local"`` processes, the address of a Dask scheduler such
        as ``"tcp://host:8786"``, or a Dask cluster or client. Default: threads; with ``out``,
        processes.

    Returns
    -------
    polars.DataFrame or polars.LazyFrame
        One row per run. The seed varies fastest, then the size, then the settings. Columns: each
        setting in the parameter's own unit, then ``size``, ``seed``, ``triggers``, ``delivered``,
        ``lost``, ``p50_ns``, ``p99_ns`` and others. With ``out``, a lazy frame of the dataset.

    Raises
    ------
    LinkError
        A combination cannot run. One line states this combination and what is expected.
    PoolError
        A ``RuntimeError``: the scheduler failed. The message has one line.
    OSError
        The dataset cannot be written.
    ModuleNotFoundError
        Polars is not installed. The message has one line.
    """
    need_polars("a sweep")
    if isinstance(link, str) and not link.endswith(".toml"):
        given: dict[str, Any] = {"count": count, "period": period, "phase": phase}
        given |= {"traffic": traffic, "places": places, "impossible": impossible, "design": design}
        made = Changes.of(link, neighbours, settings, changes, sweep)
        several = {name: _values(name, value) for name, value in made.given.items()}
        try:
            asked = _asked(made, several, payloads_of(link, size), _roots(seeds), given)
            return _run(asked, out, scheduler, of_link=True)
        except LinkError as error:
            # An error about a plain number contains that number.
            said = str(error)
            meant = {n: next((v for v in vs if str(v) in said), vs[0]) for n, vs in several.items()}
            with Changes(link, meant, ()).in_units():
                raise
    if size is not None or settings or changes or neighbours or design or [*seeds] != [1]:
        raise LinkError("a sweep from a file accepts no options but out, scheduler")
    return _run(_of_file(link), out, scheduler, of_link=False)


def _of_file(file: str | File) -> Sweep:
    try:
        if isinstance(file, Mapping):
            return sweep_of(file, "sweep")
        if not isinstance(file, str | PathLike):
            raise LinkError(
                f"link={file!r}: expected the name of a profile, such as 'nrf24-2m', or a sweep"
            )
        return load(Path(file))
    except SweepError as error:
        raise LinkError(str(error)) from None


def _run(
    sweep: Sweep, out: str | PathLike[str] | None, scheduler: Any, *, of_link: bool
) -> pl.DataFrame | pl.LazyFrame:
    """Runs a sweep, and returns its frame."""
    from airlag.questions.sweeps import dataset
    from airlag.questions.sweeps.run import in_memory, to_folder

    if out is not None:
        try:
            to_folder(sweep, Path(out), "local" if scheduler is None else scheduler)
        except SweepError as error:
            raise LinkError(str(error)) from None
        return dataset.scan(Path(out))
    found = in_memory(sweep, "threads" if scheduler is None else scheduler)
    return _of_link(found, keep=sweep.keep_impossible) if of_link else dataset.table(sweep, found)


def _of_link(found: Sequence[Done], *, keep: bool) -> pl.DataFrame:
    """One row per run of one link."""
    import polars as pl

    from airlag.questions.run_rows import frame_of

    if not keep:
        return frame_of([each.values for each in found])
    frame = frame_of([{**each.values, "problem": each.problem} for each in found])
    # A result rather than a setting, so it comes last.
    return frame.select(pl.exclude("problem"), "problem")


def _asked(
    made: Changes,
    several: Mapping[str, Sequence[Any]],
    sizes: Sequence[int | None],
    seeds: Sequence[int],
    given: Mapping[str, Any],
) -> Sweep:
    """Returns the arguments in the form of a sweep file's content."""
    keep = one_of(given["impossible"], "impossible", IMPOSSIBLE) == "keep"
    asked: dict[str, Any] = {
        "links": [made.link],
        "seeds": list(seeds),
        "count": whole(given["count"], "count", 1, MOST_TRIGGERS),
        "phase": one_of(given["phase"], "phase", PHASES),
        "traffic": one_of(given["traffic"], "traffic", [one for one in TRAFFIC if one != "both"]),
        "impossible": "keep" if keep else "refuse",
        "set": {
            name: [text_of(name, value) for value in values] for name, values in several.items()
        },
    }
    if made.neighbours:
        asked["set"]["neighbours"] = ";".join(made.neighbours)
    if given["period"] is not None:
        asked["period"] = f"{ns_of(given['period'], 'period')}ns"
    if given["places"] is not None:
        asked["places"] = whole(given["places"], "places", 1, 100_000)
    if given["design"] is not None:
        asked["design"] = dict(mapping(given["design"], "design"))
    over = asked.get("design", {}).get("over", {})
    if sizes != [None] and "size" not in over:
        asked["sizes"] = list(sizes)
    try:
        return sweep_of(asked, "sweep", tried=not keep)
    except SweepError as error:
        raise LinkError(str(error)) from None


def _values(name: str, value: Any) -> list[Any]:
    """Values of one parameter."""
    if isinstance(value, str | Number) or not isinstance(value, Iterable):
        return [value]
    found = list(value)
    if not found:
        raise LinkError(f"{name} has no values; expected at least one")
    return found


def _roots(seeds: Any) -> list[int]:
    """Validates the seeds."""
    if isinstance(seeds, str) or not isinstance(seeds, Iterable):
        raise LinkError(f"seeds={seeds!r}: expected several, such as range(1, 6) or [1]")
    found = [whole(each, "seeds", 0, LARGEST_SEED) for each in seeds]
    if not found:
        raise LinkError("seeds is empty; expected several, such as range(1, 6)")
    return found
