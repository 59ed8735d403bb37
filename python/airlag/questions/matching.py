"""Captures held against the virtual bench, under their own trigger times.

:func:`match` takes one link profile: how far apart are capture and bench, and where did the clocks
stand. :func:`rank` takes all of them: which explains the capture best, if any does.

Nothing of a profile is fitted but what nobody writes down when a capture is taken: phases of ticks
and slots, crystals, the fill of a ring. See ``docs/matching.md``.
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
from airlag.questions.shown import Plotted

#: Triggers of a capture that are used unless the caller asks for more.
COUNT = 10_000
#: The same of a ranking.
OF_A_RANKING = 1_000


@dataclass(frozen=True, slots=True, repr=False)
class Match(Plotted, records.MatchCandidate):
    """One link profile held against a capture.

    Attributes
    ----------
    run
        The transfers of the bench, with their edges; ``None`` in a ranking.
    capture
        The run that was held against it; ``None`` in a ranking.
    """

    run: Run | None = field(default=None, compare=False)
    capture: Run | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True, repr=False)
class Ranking(Plotted, Answered, shape=types.UnexplainedCapture):
    """All link profiles held against a capture, ``source``."""

    source: str = field(default="", compare=False)

    candidates = Each(Match, "ranking")
    impossible = Key[int]()
    unlike = Key[int]()
    tried = Each(TriedSetting)
    certainty = Key[types.Certainty | None]()
    odds = Key[float | None]()
    reason = Key[str | None]()

    @property
    def best(self) -> Match | None:
        """The profile that explains the capture; ``None`` if none does."""
        return None if self.answer["link"] is None else self.candidates[0]

    @property
    def next(self) -> Match | None:
        """The nearest profile of another kind than the first; ``None`` if none was looked at."""
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
    told: Callable[[int, int], None] | None = None,
) -> Match:
    """As :func:`airlag.match` of a run with one profile, with settings as text.

    ``told`` is called with how far it is, in percent of what it may come to, and with 100.
    """
    settings = dict(settings or {})
    profiles.link(link, settings)
    known = payload.of(link, size_of(run, None)) if size is None else size
    if known is None and payload.of(link, 1) is not None:
        raise LinkError(
            f"{run.source}: the payload is not known; say it with --size, such as --size 128"
        )
    pairing = Pairing.from_config(run.config)
    reply = reply_to(
        "match",
        [_transfers(run)],
        told,
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
    told: Callable[[int, int], None] | None = None,
) -> Ranking:
    """As :func:`airlag.match` of a run with all profiles; ``told`` is as of :func:`match`.

    Where no size is known, each profile has what it could have sent to take as long.
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
    return Ranking(ask("rank", [_transfers(run)], told, **asked), run.source)


def _paired_as(pairing: Pairing) -> dict[str, Any]:
    return {"min_low_ns": pairing.min_low_ns, "overlap_ns": pairing.overlap_ns}


def size_of(run: Run, size: int | None) -> int | None:
    """Payload of a capture, bytes: what the caller, the run or its name says."""
    known = run.size if size is None else size
    return _airlag.claimed_bytes(run.source) if known is None else known


def _transfers(run: Run) -> Transfers:
    if run.transfers is None:
        raise LinkError(
            f"{run.source}: a table of latencies has no triggers to repeat; expected a capture"
        )
    return run.transfers
