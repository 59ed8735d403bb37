"""Explains the latency of a link: slices, and advice."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path

from airlag import _airlag
from airlag._airlag import LinkError
from airlag.core import paths
from airlag.core.arguments import LARGEST_SEED, Duration, ns_of, one_of, whole
from airlag.core.types import Aim, Call
from airlag.questions import bench, budget
from airlag.questions.analysis import analyze
from airlag.questions.bench import CALLS, Request
from airlag.questions.budget import AIMS, Explanation
from airlag.questions.capture import StrPath
from airlag.questions.matching import Ranking
from airlag.questions.run import payload_of
from airlag.questions.runs import Run
from airlag.questions.settings import Changes, Setting


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
    """Splits the latency of a link into slices, and measures the gain of each possible change.

    >>> airlag.explain("nrf24-2m", size=128).plot()

    Parameters
    ----------
    what
        Name of a link profile, a virtual run, a capture, or the file of a run or capture. For a
        virtual run, which is repeated to record its slices, only ``aim`` and ``advice`` apply. For
        a capture, which is first matched with the profiles, ``size`` and ``seed`` also apply.
    size
        Payload, bytes. Default: 128 for links with messages; for captures, that of the best match.
    aim
        Quantile that the advice reduces: ``"tail"`` or ``"median"``.
    advice
        Whether to measure changes of the link, each in a run.
    period
        Trigger period, such as ``"200ms"``. Default: as in :func:`airlag.run`.
    seed
        Random seed. Default: 1.
    traffic
        Remote procedure call, such as ``"rpc-echo"``. Default: one-way messages.
    neighbours, settings, **changes
        As in :func:`airlag.run`.

    Raises
    ------
    LinkError
        The link cannot run. The message is one line: the cause, and what is expected.
    CaptureError
        The file is unusable, or no link explains the capture. The message is one line.
    """
    wanted = one_of(aim, "aim", AIMS)
    given: dict[str, object] = {"size": size, "period": period, "seed": seed, "traffic": traffic}
    given |= {"neighbours": neighbours, "settings": settings, **changes}
    found: Ranking | None = None
    saved = isinstance(what, Run) or _is_file(what)
    captured = _captured(what) if saved else None
    if captured is not None:
        _alone(f"{captured.source} is a capture", given | {"size": None, "seed": None})
        found, request = budget.matched(captured, size, _seed(seed))
        explained = budget.explain(request)
    elif isinstance(what, Run):
        _alone(f"{what.source} is a finished run", given)
        explained = budget.explain(_again(what))
    elif saved:
        _alone(f"{what} is a finished run", given)
        explained = budget.explain_saved(Path(what))
    else:
        link = str(what)
        made = Changes.of(link, neighbours, settings, changes, explain)
        request = Request(
            link=link,
            size=payload_of(link, size),
            period_ns=None if period is None else ns_of(period, "period"),
            seed=_seed(seed),
            settings=made.differing(),
            traffic="trigger" if traffic is None else one_of(traffic, "traffic", CALLS),
        )
        with made.in_units():
            explained = budget.explain(request)
    tried = advice and explained.budget is not None
    changed = budget.advise(explained.request, wanted) if tried else None
    return replace(explained, advice=changed, match=found)


def _seed(seed: int | None) -> int:
    return 1 if seed is None else whole(seed, "seed", 0, LARGEST_SEED)


def _is_file(what: str | StrPath) -> bool:
    if not isinstance(what, str):
        return True
    path = Path(what)
    return what not in _airlag.links() and (bool(path.suffix) or paths.exists(path))


def _captured(what: str | StrPath | Run) -> Run | None:
    run = what if isinstance(what, Run) else analyze(what)
    return run if run.seed is None else None


def _alone(what: str, given: Mapping[str, object]) -> None:
    for name, value in given.items():
        if value is not None and value != ():
            raise LinkError(f"{what}; {name} applies to a link")


def _again(run: Run) -> Request:
    config = run.config
    if run.link is None or run.seed is None or "phase" not in config:
        raise LinkError(f"{run.source}: contains no request, so it cannot be repeated")
    if config.get("traffic", "trigger") == "both":
        raise LinkError(f"{run.source}: bidirectional traffic; explain supports one-way messages")
    return bench.repeated(run.link, run.size, run.seed, config)
