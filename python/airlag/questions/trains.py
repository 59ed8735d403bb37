"""Trains of messages back to back, and which of them arrive.

>>> from airlag.questions.trains import Train, burst
>>> burst("thread-up", Train(size=79, count=100)).delivery
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Final

from airlag.core import types
from airlag.core.answered import Answered, Key, Maybe, ask

#: What ``--traffic`` calls it.
BACK_TO_BACK: Final = "back-to-back"


@dataclass(frozen=True, slots=True)
class Train:
    """Messages to send."""

    #: Payload, bytes.
    size: int = 128
    #: Messages, handed over one after the other whatever becomes of them.
    count: int = 100
    #: How often that is done, each time with the next root seed.
    trials: int = 10
    #: From one message to the next at least, ns; ``None``: as the program and its link please.
    pace_ns: int | None = None
    #: Whether what lacks is sent again until all of it is there.
    repeat: bool = False
    #: Root of every random number of the first train.
    seed: int = 1
    #: Parameters of the profile to change, as text.
    settings: Mapping[str, str] = field(default_factory=dict)


class Shift(Answered, shape=types.Position):
    """Position of the lost messages: 0 is the first of a train, 1 the last."""

    mean = Key[float]()
    low = Key[float]("independent", 0)
    high = Key[float]("independent", 1)
    p = Key[float]()
    which = Key[types.Which]()


@dataclass(frozen=True, slots=True)
class Sent(Answered, shape=types.Burst):
    """The outcome of trains; ``train`` is what was sent."""

    train: Train
    delivery = Key[float]()
    interval = Key[tuple[float, float] | None]("delivery_interval")
    kbps = Key[float]("goodput_kbps")
    fragments = Key[int | None]()
    lost_at = Key[Sequence[int]]()
    position = Maybe(Shift)
    trials = Key[Sequence[types.Trial]]()

    @property
    def lost(self) -> int:
        """Messages that did not arrive, in all trains."""
        return sum(self.lost_at)


class Burst(Sent, shape=types.Burst):
    """Trains of messages back to back, and which of them arrived."""

    link = Key[str]()
    incidents = Key[Mapping[str, int]]()


def burst(link: str, train: Train, done: Callable[[], None] | None = None) -> Burst:
    """Sends trains of messages; ``done`` is called after each; raises :class:`LinkError`."""
    return Burst(_answer("trains", link, train, done), train)


class Remedy(Sent, shape=types.Remedy):
    """The same trains sent in another way."""

    goodput_share = Key[float]()


class Explained(Burst, shape=types.ExplainedBurst):
    """Trains of messages back to back, why some did not arrive, and remedies."""

    cause = Key[types.Cause]()
    refused = Key[int]()
    on_the_way = Key[int]()
    handed_every_ns = Key[float | None]()
    arrived_every_ns = Key[float | None]()
    under_way = Key[Sequence[float]]()

    @property
    def remedies(self) -> tuple[Remedy, ...]:
        """The quickest pace at which all arrives, selective repeat, and both."""

        def of(each: Mapping[str, Any]) -> Remedy:
            changed = {"pace_ns": each["pace_ns"], "repeat": each["repeat"]}
            return Remedy(each, replace(self.train, **changed))

        return tuple(of(each) for each in self.answer["remedies"])


def explain(link: str, train: Train, done: Callable[[], None] | None = None) -> Explained:
    """As :func:`burst`, and where messages are lost, sends the trains in other ways too."""
    return Explained(_answer("explain-trains", link, train, done), train)


def _answer(
    question: str, link: str, train: Train, done: Callable[[], None] | None
) -> Mapping[str, Any]:
    told = None if done is None else lambda *_: done()
    found: Mapping[str, Any] = ask(question, told=told, link=link, **asdict(train))
    return found
