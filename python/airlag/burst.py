"""Trains of messages back to back, and which of them arrive.

>>> from airlag.burst import Train, burst
>>> burst("thread-up", Train(size=79, count=100)).delivery
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from airlag import _airlag
from airlag.json_types import burst as json_types

#: What ``--traffic`` calls it.
BACK_TO_BACK = "back-to-back"


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
    raw = _airlag.burst_link(
        link,
        train.size,
        count=train.count,
        trials=train.trials,
        pace_ns=train.pace_ns,
        repeat=train.repeat,
        seed=train.seed,
        settings=dict(train.settings),
        done=done,
    )
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
