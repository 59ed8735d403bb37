"""A capture held against link profiles, as ``--json`` prints it."""

from typing import Annotated, Literal, NotRequired, TypedDict

from airlag.json_types.run import Count, Nonnegative, QuantileName, Share, Transfers

#: What a parameter of a profile is set to.
Setting = int | float | str | bool
Certainty = Literal["clear", "likely", "ambiguous"]


class Fitted(TypedDict):
    """A value a capture leaves free, and what explains the capture best."""

    name: str
    value: Setting
    unit: Annotated[str, "May be empty."]


class QuantileError(TypedDict):
    """One quantile of the capture and of the bench."""

    captured_ns: float
    virtual_ns: float
    error_ns: Annotated[float, "Virtual less captured, ns."]
    error: Annotated[float, "The same as a share of the captured."]


class Fate(TypedDict):
    """What became of the triggers that were used."""

    triggers: Count
    delivered: Count
    lost: Count


class Evidence(TypedDict):
    """What speaks against a profile, 0 to 1 each."""

    place: Annotated[Share, "Its median lies elsewhere."]
    variation: Annotated[Share, "Its latencies are spread otherwise."]
    order: Annotated[Share, "One latency does not follow another as in the capture."]
    lost: Annotated[Share, "It loses another share."]
    clock: Annotated[Share, "It does not complete on the clock that the capture shows."]
    lattice: Annotated[Share, "Its latencies stand on a lattice that the capture does not show."]


class Candidate(TypedDict):
    """One link profile held against a capture."""

    link: Annotated[str, "Link profile."]
    size: Annotated[Count | None, "Payload, bytes; null where there is no message."]
    ks: Annotated[Share, "Largest distance of the distribution functions."]
    ks_chance: Annotated[
        Nonnegative, "What ks exceeds once in 20 times by chance, for sets as large as these."
    ]
    distance: Annotated[
        Nonnegative, "Least share e such that all but e of the latencies agree within 1 + e."
    ]
    shape: Annotated[Share, "ks once the bench is moved onto the capture."]
    explains: Annotated[bool, "Whether the profile explains the capture."]
    verdict: Annotated[str, "The same in a sentence, with what speaks most against it."]
    evidence: Evidence
    tolerance: Annotated[
        Nonnegative, "How much may speak against a profile that explains a capture."
    ]
    quantile_error: Annotated[dict[QuantileName, QuantileError], "By quantile."]
    free: Annotated[Count, "How many values the capture left free."]
    fitted: Annotated[list[Fitted], "Those of them that explain something."]
    captured: Fate
    virtual: Fate
    settings: Annotated[dict[str, Setting], "What was set differently from the profile."]
    score: Annotated[
        Nonnegative | None, "Of a ranking: what speaks against it, and what its freedom costs."
    ]


class Tried(Fitted):
    """A parameter over the values a user could have chosen."""

    own: Annotated[Setting, "What the profile has."]
    distance: Annotated[Nonnegative, "Of the bench to the capture, with the value."]
    own_distance: Annotated[Nonnegative, "The same with what the profile has."]
    next_distance: Annotated[Nonnegative, "The same with the next best value."]


class RankingFacts(TypedDict):
    """All link profiles held against a capture."""

    ranking: Annotated[list[Candidate], "Those that were looked at, the nearest first."]
    impossible: Annotated[Count, "How many cannot take as long."]
    unlike: Annotated[Count, "How many vary otherwise whatever is free."]
    certainty: Annotated[Certainty | None, "How sure the answer is: what its odds are called."]
    odds: Annotated[Share | None, "How likely the answer is right."]
    next: Annotated[str | None, "The nearest profile of another kind than the first."]
    tried: list[Tried]
    reason: Annotated[str | None, "Why no profile explains the capture."]


class Explained(Candidate, RankingFacts):
    """A ranking whose first profile explains the capture."""


class Unexplained(RankingFacts):
    """A ranking no profile of which explains the capture."""

    link: None
    ks: None
    quantile_error: None
    fitted: None
    evidence: None


class MatchedCapture(Transfers, Candidate):
    """A capture held against one link profile."""


class ExplainedCapture(Transfers, Explained):
    """A capture, and the profile that explains it best."""


class UnexplainedCapture(Transfers, Unexplained):
    """A capture that no profile explains."""

    size: Annotated[Count | None, "Payload, bytes, where known."]
    settings: Annotated[
        NotRequired[dict[str, str]], "Of a saved virtual run: what was set; absent of a capture."
    ]
