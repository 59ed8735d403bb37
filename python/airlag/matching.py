"""Captures held against the virtual bench, under their own trigger times.

:func:`match` takes one link profile: how far apart are capture and bench, and where did the clocks
stand. :func:`rank` takes all of them: which explains the capture best, if any does.

Nothing of a profile is fitted but what nobody writes down when a capture is taken: phases of ticks
and slots, crystals, the fill of a ring. See ``docs/matching.md``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from airlag import _airlag, answers, payload
from airlag._airlag import LinkError, Transfers
from airlag.analysis import run_of_transfers
from airlag.claim import Claim
from airlag.json_types import matching as json_types
from airlag.json_types.matching import Certainty, Setting
from airlag.pairing import Pairing
from airlag.patterns import chosen
from airlag.runs import Run
from airlag.shown import Plotted

if TYPE_CHECKING:
    from airlag.showing.matching import MatchShowing, RankingShowing

#: Triggers of a capture that are used unless the caller asks for more.
COUNT = 10_000
#: The same of a ranking.
OF_A_RANKING = 1_000


@dataclass(frozen=True, slots=True)
class Fitted:
    """A value a capture leaves free, and what explains the capture best; ``unit`` may be empty."""

    name: str
    value: Setting
    unit: str

    def to_json(self) -> json_types.Fitted:
        """The value as a JSON object."""
        return {"name": self.name, "value": self.value, "unit": self.unit}


@dataclass(frozen=True, slots=True)
class QuantileError:
    """One quantile of the capture and of the bench, ns; ``error`` is a share of the captured."""

    captured_ns: float
    virtual_ns: float
    error_ns: float
    error: float

    def to_json(self) -> json_types.QuantileError:
        """The quantile as a JSON object."""
        return {
            "captured_ns": self.captured_ns,
            "virtual_ns": self.virtual_ns,
            "error_ns": self.error_ns,
            "error": self.error,
        }


@dataclass(frozen=True, slots=True)
class Fate:
    """What became of the triggers that were used."""

    triggers: int
    delivered: int
    lost: int

    def to_json(self) -> json_types.Fate:
        """What became of them as a JSON object."""
        return {"triggers": self.triggers, "delivered": self.delivered, "lost": self.lost}


@dataclass(frozen=True, slots=True, repr=False)
class Match(Plotted):
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

    link: str
    size: int | None
    ks: float
    ks_chance: float
    distance: float
    shape: float
    explains: bool
    verdict: str
    evidence: json_types.Evidence
    contradiction: str
    tolerance: float
    quantile_error: Mapping[str, QuantileError]
    free: int
    fitted: tuple[Fitted, ...]
    captured: Fate
    virtual: Fate
    settings: Mapping[str, Setting] = field(default_factory=dict)
    score: float | None = None
    run: Run | None = field(default=None, compare=False)
    capture: Run | None = field(default=None, compare=False)

    def _showing(self) -> MatchShowing:
        from airlag.showing.matching import MatchShowing

        return MatchShowing(self)

    def to_json(self) -> json_types.Candidate:
        """What ``airlag match --json`` adds to the object of the capture."""
        return {
            "link": self.link,
            "size": self.size,
            "ks": self.ks,
            "ks_chance": self.ks_chance,
            "distance": self.distance,
            "shape": self.shape,
            "explains": self.explains,
            "verdict": self.verdict,
            "evidence": {**self.evidence},
            "tolerance": self.tolerance,
            "quantile_error": {p: error.to_json() for p, error in self.quantile_error.items()},
            "free": self.free,
            "fitted": [one.to_json() for one in self.fitted],
            "captured": self.captured.to_json(),
            "virtual": self.virtual.to_json(),
            "settings": dict(self.settings),
            "score": self.score,
        }


@dataclass(frozen=True, slots=True)
class Tried:
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

    name: str
    unit: str
    value: Setting
    own: Setting
    distance: float
    own_distance: float
    next_distance: float

    def to_json(self) -> json_types.Tried:
        """The parameter as a JSON object."""
        return {
            "name": self.name,
            "unit": self.unit,
            "value": self.value,
            "own": self.own,
            "distance": self.distance,
            "own_distance": self.own_distance,
            "next_distance": self.next_distance,
        }


@dataclass(frozen=True, slots=True, repr=False)
class Ranking(Plotted):
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

    candidates: tuple[Match, ...]
    impossible: int
    unlike: int
    tried: tuple[Tried, ...]
    best: Match | None
    next: Match | None
    certainty: Certainty | None
    odds: float | None
    reason: str | None

    def _showing(self) -> RankingShowing:
        from airlag.showing.matching import RankingShowing

        return RankingShowing(self)

    def to_json(self) -> json_types.Explained | json_types.Unexplained:
        """What ``airlag match --json`` adds to the object of the capture."""
        best, facts = self.best, self._facts()
        if best is not None:
            return {**best.to_json(), **facts}
        return {
            "link": None,
            "ks": None,
            "quantile_error": None,
            "fitted": None,
            "evidence": None,
            **facts,
        }

    def _facts(self) -> json_types.RankingFacts:
        return {
            "ranking": [each.to_json() for each in self.candidates],
            "impossible": self.impossible,
            "unlike": self.unlike,
            "certainty": self.certainty,
            "odds": self.odds,
            "next": None if self.next is None else self.next.link,
            "tried": [each.to_json() for each in self.tried],
            "reason": self.reason,
        }


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
    _airlag.link(link, settings)
    known = payload.of(link, size_of(run, None)) if size is None else size
    if known is None and payload.of(link, 1) is not None:
        raise LinkError(
            f"{run.source}: the payload is not known; say it with --size, such as --size 128"
        )
    pairing = Pairing.from_config(run.config)
    found, paired, trace = _airlag.match_link(
        _transfers(run),
        link,
        known,
        count,
        seed,
        settings,
        pairing.min_low_ns,
        pairing.overlap_ns,
        told,
    )
    fitted = {one["name"]: str(one["value"]) for one in found["fitted"]}
    config = Pairing(min_low_ns=pairing.min_low_ns, overlap_ns=pairing.overlap_ns).to_config() | {
        "capture": run.source,
        "count": found["captured"]["triggers"],
        "phase": "captured",
        "settings": settings | fitted,
    }
    made = run_of_transfers(link, paired, config, link, known)
    held = _match(
        {**found, "size": known, "score": None, "settings": {**settings}},
        replace(made, seed=seed, trace=trace),
    )
    return replace(held, capture=run)


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
    found = _airlag.rank_links(
        _transfers(run),
        names,
        size_of(run, size),
        count,
        seed,
        pairing.min_low_ns,
        pairing.overlap_ns,
        told,
    )
    candidates = tuple(_match(each) for each in found["candidates"])
    return Ranking(
        candidates=candidates,
        impossible=found["impossible"],
        unlike=found["unlike"],
        tried=tuple(Tried(**each) for each in found["tried"]),
        best=candidates[0] if found["explained"] else None,
        next=None if found["next"] is None else candidates[found["next"]],
        certainty=found["certainty"],
        odds=found["odds"],
        reason=found["reason"],
    )


def size_of(run: Run, size: int | None) -> int | None:
    """Payload of a capture, bytes: what the caller, the run or its name says."""
    return Claim.of(run.source, None, run.size if size is None else size).size


def _transfers(run: Run) -> Transfers:
    if run.transfers is None:
        raise LinkError(
            f"{run.source}: a table of latencies has no triggers to repeat; expected a capture"
        )
    return run.transfers


def _match(found: answers.Ranked, run: Run | None = None) -> Match:
    return Match(
        link=found["link"],
        size=found["size"],
        ks=found["ks"],
        ks_chance=found["ks_chance"],
        distance=found["distance"],
        shape=found["shape"],
        explains=found["explains"],
        verdict=found["verdict"],
        evidence=found["evidence"],
        contradiction=found["contradiction"],
        tolerance=found["tolerance"],
        score=found["score"],
        quantile_error={p: QuantileError(**error) for p, error in found["quantile_error"].items()},
        free=found["free"],
        fitted=tuple(Fitted(**one) for one in found["fitted"]),
        captured=Fate(**found["captured"]),
        virtual=Fate(**found["virtual"]),
        settings=found["settings"],
        run=run,
    )
