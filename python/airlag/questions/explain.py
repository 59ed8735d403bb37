"""Where the time of a link goes, and what to change."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from airlag import _airlag
from airlag._airlag import LinkError
from airlag.core import paths, types
from airlag.core.arguments import LARGEST_SEED, Duration, ns_of, one_of, whole
from airlag.core.records import Advice
from airlag.core.types import Aim, Call
from airlag.questions import bench, budget
from airlag.questions.bench import CALLS, Request
from airlag.questions.budget import AIMS, Explained
from airlag.questions.capture import StrPath
from airlag.questions.run import payload_of
from airlag.questions.runs import Run
from airlag.questions.settings import Changes, Setting
from airlag.questions.shown import Plotted


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Explanation(Plotted, Explained, shape=types.ExplainedRun):
    """Where the time of a run went, the floor below it, and what a change is worth.

    Attributes
    ----------
    run
        The run, transfer by transfer.
    budget
        Its time, slice by slice; ``None`` when nothing arrived.
    floor
        What a message takes when software costs nothing and nothing is lost.
    advice
        What to change; ``None`` when nothing arrived, or nobody asked.
    """

    advice: Advice | None

    def to_json(self) -> types.ExplainedRun:
        """One object of ``airlag explain --json``."""
        return cast("types.ExplainedRun", self.advised(self.advice))


def explain(
    what: str | StrPath | Run,
    size: int | None = None,
    *,
    aim: Aim = "tail",
    advice: bool = True,
    period: Duration | None = None,
    seed: int | None = None,
    traffic: Call | None = None,
    neighbours: str | Iterable[str] = (),
    settings: Mapping[str, Setting] | None = None,
    **changes: Setting,
) -> Explanation:
    """Says where the time goes, slice by slice, and which change is worth how much.

    >>> airlag.explain("nrf24-2m", size=128).plot()

    Parameters
    ----------
    what
        Name of a link profile; a run of the virtual bench, which is repeated with its slices; or
        the file it was saved to. With a run, only ``aim`` and ``advice`` may be given.
    size
        Payload, bytes. Default: 128 where the link has a message.
    aim
        Which quantile the advice is to make smaller: ``"tail"`` or ``"median"``.
    advice
        Whether to try changes at all: each is a run of its own.
    period
        From trigger to trigger, such as ``"200ms"``. Default: as :func:`airlag.run`.
    seed
        Root of every random number. Default: 1.
    traffic
        A call, such as ``"rpc-echo"``, instead of a message.
    neighbours, settings, **changes
        As in :func:`airlag.run`.

    Raises
    ------
    LinkError
        With one line that says what cannot be run, and what could.
    CaptureError
        With one line, when a file is no run of the virtual bench.
    """
    wanted = one_of(aim, "aim", AIMS)
    given: dict[str, object] = {"size": size, "period": period, "seed": seed, "traffic": traffic}
    given |= {"neighbours": neighbours, "settings": settings, **changes}
    if isinstance(what, Run):
        _alone(what.source, given)
        told = budget.explain(_again(what))
    elif _is_file(what):
        _alone(str(what), given)
        told = budget.explain_saved(Path(what))
    else:
        link = str(what)
        made = Changes.of(link, neighbours, settings, changes, explain)
        request = Request(
            link=link,
            size=payload_of(link, size),
            period_ns=None if period is None else ns_of(period, "period"),
            seed=1 if seed is None else whole(seed, "seed", 0, LARGEST_SEED),
            settings=made.differing(),
            traffic="trigger" if traffic is None else one_of(traffic, "traffic", CALLS),
        )
        with made.in_units():
            told = budget.explain(request)
    tried = advice and told.budget is not None
    found = budget.advise(told.request, wanted) if tried else None
    return Explanation(told.answer, told.run, told.request, found)


def _is_file(what: str | StrPath) -> bool:
    if not isinstance(what, str):
        return True
    path = Path(what)
    return what not in _airlag.links() and (bool(path.suffix) or paths.exists(path))


def _alone(source: str, given: Mapping[str, object]) -> None:
    """Tells of arguments that mean nothing for a run that was made already."""
    for name, value in given.items():
        if value is not None and value != ():
            raise LinkError(f"{source} is a run, made already; {name} is for a link")


def _again(run: Run) -> Request:
    """What makes a run of the virtual bench once more."""
    config = run.config
    if run.seed is None or run.link is None or "phase" not in config or "capture" in config:
        raise LinkError(
            f"{run.source}: a capture has edges and no slices; find the link that explains it "
            "with airlag.match(run), then explain that link"
        )
    if config.get("traffic", "trigger") == "both":
        raise LinkError(f"{run.source}: traffic both ways; explain follows messages one way")
    return bench.repeated(run.link, run.size, run.seed, config)
