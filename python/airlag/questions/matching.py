"""Comparison of captures with the virtual bench, which replays the trigger times of a capture.

:func:`match` compares a capture with one link profile and fits clock phases. :func:`rank` compares
a capture with all profiles, and finds the profile that explains it best, if any profile does.

Only parameters that captures do not record are fitted: phases of ticks and slots, frequencies of
crystals, and fill levels of ring buffers. See ``docs/matching.md``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from airlag import _airlag
from airlag._airlag import LinkError, Transfers
from airlag.core import payload, profiles, records, types
from airlag.core.answered import Answered, Each, Key, ask, loads, reply_to
from airlag.core.pairing import Pairing
from airlag.core.records import TriedSetting
from airlag.questions.analysis import run_of_transfers
from airlag.questions.runs import Run
from airlag.questions.shown import Plottable

#: Default maximum of triggers used.
COUNT = 10_000
#: Default maximum of triggers used for a ranking.
OF_A_RANKING = 1_000


@dataclass(frozen=True, slots=True, repr=False)
class Match(Plottable, records.MatchCandidate):
    """Comparison of one link profile with a capture.

    Attributes
    ----------
    run
        Run of the virtual bench, with its edges; ``None`` for a candidate of a ranking.
    capture
        Run of the capture; ``None`` for a candidate of a ranking.
    """

    run: Run | None = field(default=None, compare=False)
    capture: Run | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True, repr=False)
class Ranking(Plottable, Answered, shape=types.UnexplainedCapture):
    """Comparison of all link profiles with the capture ``source``: candidates, best match first."""

    source: str = field(default="", compare=False)

    candidates = Each(Match, "ranking")
    impossible = Key[int]()
    unlike = Key[int]()
    tried = Each(TriedSetting)
    certainty = Key[types.Certainty | None]()
    certainty_text = Key[str | None]()
    odds = Key[float | None]()
    reason = Key[str | None]()

    @property
    def best(self) -> Match | None:
        """Best match if it explains the capture, otherwise ``None``."""
        return None if self.answer["link"] is None else self.candidates[0]

    @property
    def next(self) -> Match | None:
        """Nearest candidate of another kind of link than the best match; ``None`` without one."""
        link = self.answer["next"]
        return next((each for each in self.candidates if each.link == link), None)


def match(
    run: Run,
    link: str,
    size: int | None = None,
    *,
    count: int = COUNT,
    seed: int = 1,
    settings: Mapping[str, str] | None = None,
    on_progress: Callable[[int, int], None] | None = None,
) -> Match:
    """Compares a run with one profile; ``settings`` are text. See :func:`airlag.match`.

    ``on_progress`` gets the finished percentage of the maximum work, and 100 at the end.
    """
    settings = dict(settings or {})
    profiles.link(link, settings)
    known = payload.of(link, size_of(run, None)) if size is None else size
    if known is None and payload.of(link, 1) is not None:
        raise LinkError(f"{run.source}: unknown payload; specify it, such as --size 128")
    pairing = Pairing.from_config(run.config)
    reply = reply_to(
        "match",
        [_transfers(run)],
        on_progress,
        link=link,
        size=known,
        count=count,
        seed=seed,
        settings=settings,
        **_paired_as(pairing),
    )
    answer = loads(reply)
    fitted = {one["name"]: str(one["value"]) for one in answer["fitted"]}
    config = Pairing(min_low_ns=pairing.min_low_ns, overlap_ns=pairing.overlap_ns).to_config() | {
        "capture": run.source,
        "count": answer["captured"]["triggers"],
        "phase": "captured",
        "settings": settings | fitted,
    }
    paired = reply.transfers[0]
    assert paired is not None
    made = run_of_transfers(link, paired, config, link, known)
    return Match(answer, replace(made, seed=seed, trace=reply.traces[0]), run)


def rank(
    run: Run,
    size: int | None = None,
    *,
    count: int = OF_A_RANKING,
    seed: int = 1,
    among: Iterable[str] | None = None,
    without: Iterable[str] | None = None,
    on_progress: Callable[[int, int], None] | None = None,
) -> Ranking:
    """Compares a run with all profiles; see :func:`airlag.match` and :func:`match`.

    If the payload is unknown, each profile runs with payloads that give the captured latency.
    """
    pairing = Pairing.from_config(run.config)
    patterns = None if among is None else list(among)
    asked = {
        "links": _airlag.chosen_links(patterns, list(without or ())),
        "size": size_of(run, size),
        "count": count,
        "seed": seed,
        **_paired_as(pairing),
    }
    return Ranking(ask("rank", [_transfers(run)], on_progress, **asked), run.source)


def _paired_as(pairing: Pairing) -> dict[str, Any]:
    return {"min_low_ns": pairing.min_low_ns, "overlap_ns": pairing.overlap_ns}


def size_of(run: Run, size: int | None) -> int | None:
    """Payload of a capture, bytes, from the caller, the run or its name."""
    known = run.size if size is None else size
    return _airlag.claimed_bytes(run.source) if known is None else known


def _transfers(run: Run) -> Transfers:
    if run.transfers is None:
        raise LinkError(
            f"{run.source}: a table of latencies has no triggers to replay; expected a capture"
        )
    return run.transfers
