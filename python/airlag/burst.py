"""Trains of messages back to back, and which of them arrive.

>>> from airlag.burst import Train, burst
>>> burst("thread-up", Train(size=79, count=100)).delivery
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from airlag import _airlag

if TYPE_CHECKING:
    from airlag import answers
    from airlag.json_types import burst as json_types

#: What ``--traffic`` calls it.
BACK_TO_BACK: Final = "back-to-back"


@dataclass(frozen=True, slots=True)
class Train:
    """Messages to send.

    Attributes
    ----------
    size
        Payload, bytes.
    count
        Messages, handed over one after the other whatever becomes of them.
    trials
        How often that is done, each time with the next root seed.
    pace_ns
        From one message to the next at least, ns; ``None``: as the program and its link please.
    repeat
        Whether what lacks is sent again until all of it is there.
    seed
        Root of every random number of the first train.
    settings
        Parameters of the profile to change, as text.
    """

    size: int = 128
    count: int = 100
    trials: int = 10
    pace_ns: int | None = None
    repeat: bool = False
    seed: int = 1
    settings: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Shift:
    """Where lost messages were: 0 is the first of a train, 1 the last.

    Attributes
    ----------
    mean
        Mean position of the lost messages.
    low, high
        Between these it is with 95 % probability if losses are independent.
    p
        Probability that independent losses are as far from the middle.
    which
        Which messages are lost, with 95 % confidence; ``any`` where independent losses would be.
    """

    mean: float
    low: float
    high: float
    p: float
    which: json_types.Which


@dataclass(frozen=True, slots=True)
class Burst:
    """What became of trains of messages.

    Attributes
    ----------
    link, train
        What ran.
    delivery
        Messages that arrived, as a part of all.
    interval
        Its 95 % confidence interval, by how much trains differ; ``None`` of a single one.
    kbps
        User data that arrived, kbit/s of the time until the last of a train did.
    fragments
        Frames the link cuts a message into, any of which loses it; ``None`` where it cuts none.
    lost_at
        Trains in which the message at each position was lost.
    position
        Where losses were; ``None`` if nothing was lost, or everything.
    trials
        Each train.
    incidents
        What happened that has a name of its own, and how often.
    """

    link: str
    train: Train
    delivery: float
    interval: tuple[float, float] | None
    kbps: float
    fragments: int | None
    lost_at: Sequence[int]
    position: Shift | None
    trials: Sequence[json_types.Trial]
    incidents: Mapping[str, int]

    @property
    def lost(self) -> int:
        """Messages that did not arrive, in all trains."""
        return sum(self.lost_at)

    def to_json(self) -> json_types.Burst:
        """The trains as one object of the documented ``--json`` array."""
        train, position = self.train, self.position
        return {
            "link": self.link,
            "size": train.size,
            "seed": train.seed,
            "settings": dict(train.settings),
            "traffic": BACK_TO_BACK,
            "count": train.count,
            "pace_ns": train.pace_ns,
            "repeat": train.repeat,
            "delivery": self.delivery,
            "delivery_interval": None if self.interval is None else list(self.interval),
            "goodput_kbps": self.kbps,
            "fragments": self.fragments,
            "lost_at": list(self.lost_at),
            "position": None
            if position is None
            else {
                "mean": position.mean,
                "independent": [position.low, position.high],
                "p": position.p,
                "which": position.which,
            },
            "trials": [{**one} for one in self.trials],
            "incidents": dict(self.incidents),
        }


def burst(link: str, train: Train, done: Callable[[], None] | None = None) -> Burst:
    """Send trains of messages, and see which of them arrive.

    Parameters
    ----------
    link
        Name of a link profile.
    train
        What to send.
    done
        Called after each train.

    Raises
    ------
    LinkError
        With one line that says what cannot be run, and what could.
    """
    raw = _airlag.burst_link(link, train, dict(train.settings), done)
    return _of(link, train, raw)


@dataclass(frozen=True, slots=True)
class Remedy:
    """The same trains sent in another way.

    Attributes
    ----------
    burst
        What became of them.
    goodput_share
        Their goodput as a part of that of the trains explained.
    """

    burst: Burst
    goodput_share: float

    def to_json(self) -> json_types.Remedy:
        """The remedy as a JSON object."""
        return {
            "pace_ns": self.burst.train.pace_ns,
            "repeat": self.burst.train.repeat,
            "delivery": self.burst.delivery,
            "goodput_kbps": self.burst.kbps,
            "goodput_share": self.goodput_share,
        }


@dataclass(frozen=True, slots=True)
class Explained:
    """Why messages of trains do not arrive, and what makes them.

    Attributes
    ----------
    burst
        The trains.
    cause
        Where most of what was lost was lost.
    refused, on_the_way
        Lost messages of which the sending program knew, and the others.
    handed_every_ns, arrived_every_ns
        From one message handed over, and from one arrival, to the next on average, ns; ``None``
        where there is no next.
    under_way
        By position: messages handed over by then that arrived later, on average over the trains.
    remedies
        The quickest pace at which all arrives, selective repeat, and both, where they help.
    """

    burst: Burst
    cause: json_types.Cause
    refused: int
    on_the_way: int
    handed_every_ns: float | None
    arrived_every_ns: float | None
    under_way: Sequence[float]
    remedies: Sequence[Remedy]

    def to_json(self) -> json_types.ExplainedBurst:
        """The explanation as one object of the documented ``--json`` array."""
        return {
            **self.burst.to_json(),
            "cause": self.cause,
            "refused": self.refused,
            "on_the_way": self.on_the_way,
            "handed_every_ns": self.handed_every_ns,
            "arrived_every_ns": self.arrived_every_ns,
            "under_way": list(self.under_way),
            "remedies": [each.to_json() for each in self.remedies],
        }


def explain(link: str, train: Train, done: Callable[[], None] | None = None) -> Explained:
    """Send trains of messages, and where some are lost, send them in other ways too.

    Parameters
    ----------
    link
        Name of a link profile.
    train
        What to send.
    done
        Called after each train, those sent in other ways included.

    Raises
    ------
    LinkError
        With one line that says what cannot be run, and what could.
    """
    raw = _airlag.explain_burst(link, train, dict(train.settings), done)
    remedies = []
    for each in raw["remedies"]:
        other = replace(train, pace_ns=each["pace_ns"], repeat=each["repeat"])
        remedies.append(Remedy(_of(link, other, each), each["goodput_share"]))
    return Explained(
        burst=_of(link, train, raw),
        cause=raw["cause"],
        refused=raw["refused"],
        on_the_way=raw["on_the_way"],
        handed_every_ns=raw["handed_every_ns"],
        arrived_every_ns=raw["arrived_every_ns"],
        under_way=tuple(raw["under_way"]),
        remedies=tuple(remedies),
    )


def _of(link: str, train: Train, raw: answers.Burst) -> Burst:
    """From what the compiled half gives."""
    position = raw["position"]
    return Burst(
        link=link,
        train=train,
        delivery=raw["delivery"],
        interval=raw["delivery_interval"],
        kbps=raw["goodput_kbps"],
        fragments=raw["fragments"],
        lost_at=tuple(raw["lost_at"]),
        position=None
        if position is None
        else Shift(position["mean"], *position["independent"], position["p"], position["which"]),
        trials=tuple(raw["trials"]),
        incidents=dict(raw["incidents"]),
    )
