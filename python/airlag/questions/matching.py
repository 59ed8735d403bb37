"""Captures held against the virtual bench, under their own trigger times.

:func:`match` takes one link profile: how far apart are capture and bench, and where did the clocks
stand. :func:`rank` takes all of them: which explains the capture best, if any does.

Nothing of a profile is fitted but what nobody writes down when a capture is taken: phases of ticks
and slots, crystals, the fill of a ring. See ``docs/matching.md``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from threading import Lock
from typing import TYPE_CHECKING, Any

from airlag import _airlag
from airlag._airlag import LinkError, Transfers
from airlag.core import payload, profiles
from airlag.core.answered import Answered, Each, Key, Part, ask, loads, reply_to
from airlag.core.pairing import Pairing
from airlag.core.patterns import chosen
from airlag.questions.analysis import run_of_transfers
from airlag.questions.file_name import Claim
from airlag.questions.runs import Run
from airlag.questions.shown import Plotted

if TYPE_CHECKING:
    from airlag.core import types

#: What a parameter of a profile is set to.
Setting = int | float | str | bool
#: Triggers of a capture that are used unless the caller asks for more.
COUNT = 10_000
#: The same of a ranking.
OF_A_RANKING = 1_000


class Fitted(Answered):
    """A value a capture leaves free, and what explains the capture best; ``unit`` may be empty."""

    name = Key[str]("name")
    value = Key[Setting]("value")
    unit = Key[str]("unit")


class QuantileError(Answered):
    """One quantile of the capture and of the bench, ns; ``error`` is a share of the captured."""

    captured_ns = Key[float]("captured_ns")
    virtual_ns = Key[float]("virtual_ns")
    error_ns = Key[float]("error_ns")
    error = Key[float]("error")


class Fate(Answered):
    """Outcome of the triggers that were used."""

    triggers = Key[int]("triggers")
    delivered = Key[int]("delivered")
    lost = Key[int]("lost")


def _errors(each: Mapping[str, Any]) -> Mapping[str, QuantileError]:
    return {p: QuantileError(error) for p, error in each.items()}


@dataclass(frozen=True, slots=True, repr=False)
class Match(Plotted, Answered):
    """One link profile held against a capture.

    Attributes
    ----------
    link, size
        Profile, and payload in bytes; ``None`` where there is no message.
    ks
        Largest distance of the two distribution functions (Kolmogorov and Smirnov).
    ks_chance
        What ``ks`` exceeds once in 20 times for two sets as large as these of independent latencies
        from one distribution.
    distance
        Least share ``e`` such that all but ``e`` of the latencies agree within a factor ``1 + e``.
    shape
        ``ks`` once the bench is moved onto the capture, by the difference of whichever quantile of
        ``quantile_error`` fits best: whether it varies as the capture does.
    explains
        Whether the median is near, and no more speaks against the profile than ``tolerance``.
    verdict
        The same in a sentence: what speaks most against it, and how few transfers there are where
        they prove little.
    evidence
        What speaks against it, by name, 0 to 1 each: see ``docs/matching.md``.
    contradiction
        What speaks most against it, in words.
    tolerance
        How much may speak against a profile that explains a capture.
    score
        Of a ranking: the sum of ``evidence``, plus what its freedom costs; ``None`` of a match.
    quantile_error
        By ``p1``, ``p25``, ``p50``, ``p75``, ``p99``.
    free
        How many values the capture left free.
    fitted
        Those of them that explain something.
    captured, virtual
        What became of the triggers.
    settings
        What was set differently from the profile.
    run
        The transfers of the bench, with their edges; ``None`` in a ranking.
    capture
        The run that was held against it; ``None`` in a ranking.
    """

    run: Run | None = field(default=None, compare=False)
    capture: Run | None = field(default=None, compare=False)
    link = Key[str]("link")
    size = Key["int | None"]("size")
    ks = Key[float]("ks")
    ks_chance = Key[float]("ks_chance")
    distance = Key[float]("distance")
    shape = Key[float]("shape")
    explains = Key[bool]("explains")
    verdict = Key[str]("verdict")
    evidence = Key["types.MatchEvidence"]("evidence")
    contradiction = Key[str]("contradiction")
    tolerance = Key[float]("tolerance")
    quantile_error = Part(_errors, "quantile_error")
    free = Key[int]("free")
    fitted = Each(Fitted, "fitted")
    captured = Part(Fate, "captured")
    virtual = Part(Fate, "virtual")
    settings = Key[Mapping[str, Setting]]("settings")
    score = Key["float | None"]("score")


class Tried(Fitted):
    """A parameter over the values a user could have chosen.

    Attributes
    ----------
    name, unit
        Which parameter.
    value
        What fits best.
    own
        What the profile has.
    distance, own_distance
        How far the bench is from the capture with either.
    next_distance
        The same with the next best value.
    """

    own = Key[Setting]("own")
    distance = Key[float]("distance")
    own_distance = Key[float]("own_distance")
    next_distance = Key[float]("next_distance")


@dataclass(frozen=True, slots=True, repr=False)
class Ranking(Plotted, Answered):
    """All link profiles held against a capture.

    Attributes
    ----------
    candidates
        Those that were looked at: what explains the capture before what does not, nearest first.
    impossible
        Profiles and sizes that cannot take as long as the capture did.
    unlike
        Those that can, but vary otherwise whatever the capture leaves free.
    tried
        What could have been set differently in the nearest profile, where it makes a difference.
    best
        The profile that explains the capture; ``None`` if none does.
    next
        The nearest profile of another kind than the first; ``None`` if none was looked at.
    certainty
        How sure the answer is; ``None`` where no profile explains the capture. ``"clear"``: of such
        answers at least 95 % are right; ``"likely"``: at least 80 %; ``"ambiguous"``: fewer.
    odds
        How likely the answer is right, 0 to 1; ``None`` where there is none.
    reason
        Why no profile explains the capture; ``None`` if one does.
    """

    candidates = Each(Match, "ranking")
    impossible = Key[int]("impossible")
    unlike = Key[int]("unlike")
    tried = Each(Tried, "tried")
    certainty = Key["types.Certainty | None"]("certainty")
    odds = Key["float | None"]("odds")
    reason = Key["str | None"]("reason")

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
    told: Callable[[int], None] | None = None,
) -> Match:
    """Holds a capture against one link profile.

    Parameters
    ----------
    run
        The capture, as :func:`airlag.analyze` reads it.
    link
        Name of a link profile.
    size
        Payload, bytes; ``None``: what the run or its name says, where the link has a message.
    count
        Triggers of the capture that are used at most.
    seed
        Root of every random number of the bench.
    settings
        Parameters of the profile to change, as text; they are not fitted.
    told
        Is told how far it is, in percent of what it may come to, as that grows.

    Raises
    ------
    LinkError
        With one line that says what cannot be matched, and what could.
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
        _percent(told),
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
    told: Callable[[int], None] | None = None,
) -> Ranking:
    """Holds a capture against every link profile.

    Parameters are those of :func:`match`. Where no size is known, each profile is held against it
    with what it could have sent to take as long.

    Parameters
    ----------
    among, without
        Only profiles whose name is like one of these patterns, such as ``"ble-*"``, and none whose
        name is like one of those.

    Raises
    ------
    LinkError
        With one line, when nothing of the capture can be matched.
    """
    pairing = Pairing.from_config(run.config)
    try:
        names = chosen(_airlag.links(), among, without)
    except ValueError as error:
        raise LinkError(str(error)) from None
    asked = {
        "links": names,
        "size": size_of(run, size),
        "count": count,
        "seed": seed,
        **_paired_as(pairing),
    }
    return Ranking(ask("rank", [_transfers(run)], _percent(told), **asked))


def _paired_as(pairing: Pairing) -> dict[str, Any]:
    return {"min_low_ns": pairing.min_low_ns, "overlap_ns": pairing.overlap_ns}


def _percent(told: Callable[[int], None] | None) -> Callable[[int, int], None] | None:
    """Reports each percent once, and never less than before."""
    if told is None:
        return None
    said = 0
    lock = Lock()

    def tell(done: int, _: int) -> None:
        nonlocal said
        with lock:
            if done > said:
                said = done
                told(done)

    return tell


def size_of(run: Run, size: int | None) -> int | None:
    """Payload of a capture, bytes: what the caller, the run or its name says."""
    return Claim.of(run.source, None, run.size if size is None else size).size


def _transfers(run: Run) -> Transfers:
    if run.transfers is None:
        raise LinkError(
            f"{run.source}: a table of latencies has no triggers to repeat; expected a capture"
        )
    return run.transfers
