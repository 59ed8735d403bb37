"""Trains of messages back to back, and which of them arrive.

>>> from airlag.questions.trains import Train, burst
>>> burst("thread-up", Train(size=79, count=100)).delivery
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final

from airlag.core.answered import Answered, Key, Maybe, ask

if TYPE_CHECKING:
    from airlag.core import types

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


class Shift(Answered):
    """Position of the lost messages: 0 is the first of a train, 1 the last.

    Attributes
    ----------
    mean
        Mean position of the lost messages.
    low, high
        Its 95 % interval if losses are independent.
    p
        Probability that independent losses are as far from the middle.
    which
        Which messages are lost, with 95 % confidence; ``any`` where independent losses would be.
    """

    mean = Key[float]("mean")
    low = Key[float]("independent", 0)
    high = Key[float]("independent", 1)
    p = Key[float]("p")
    which = Key["types.Which"]("which")


@dataclass(frozen=True, slots=True)
class Sent(Answered):
    """The outcome of trains.

    Attributes
    ----------
    train
        What was sent.
    delivery
        Share of the messages that arrived.
    interval
        Its 95 % confidence interval, from the spread over trains; ``None`` for a single train.
    kbps
        User data that arrived, kbit/s of the time until the last arrival of a train.
    fragments
        Frames of a message, any of which loses it; ``None`` where the link does not fragment.
    lost_at
        By position: trains in which the message was lost.
    position
        Position of the losses; ``None`` if nothing was lost, or everything.
    trials
        Each train.
    """

    train: Train
    delivery = Key[float]("delivery")
    interval = Key["tuple[float, float] | None"]("delivery_interval")
    kbps = Key[float]("goodput_kbps")
    fragments = Key["int | None"]("fragments")
    lost_at = Key[Sequence[int]]("lost_at")
    position = Maybe(Shift, "position")
    trials = Key["Sequence[types.Trial]"]("trials")

    @property
    def lost(self) -> int:
        """Messages that did not arrive, in all trains."""
        return sum(self.lost_at)


class Burst(Sent):
    """Trains of messages back to back, and which of them arrived.

    Attributes
    ----------
    link
        What ran.
    incidents
        Named events, with counts.
    """

    link = Key[str]("link")
    incidents = Key[Mapping[str, int]]("incidents")


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
    return Burst(_answer("trains", link, train, done), train)


class Remedy(Sent):
    """The same trains sent in another way.

    Attributes
    ----------
    goodput_share
        Goodput as a share of that of the explained trains.
    """

    goodput_share = Key[float]("goodput_share")


class Explained(Burst):
    """Trains of messages back to back, why some did not arrive, and remedies.

    Attributes
    ----------
    cause
        Where most messages were lost.
    refused, on_the_way
        Lost messages of which the sending program was told, and the others.
    handed_every_ns, arrived_every_ns
        Mean time from one transmission, and from one arrival, to the next, ns; ``None`` for a
        single one.
    under_way
        By position: messages sent by then that arrived later, averaged over the trains.
    remedies
        The quickest pace at which all arrives, selective repeat, and both, where they help.
    """

    cause = Key["types.Cause"]("cause")
    refused = Key[int]("refused")
    on_the_way = Key[int]("on_the_way")
    handed_every_ns = Key["float | None"]("handed_every_ns")
    arrived_every_ns = Key["float | None"]("arrived_every_ns")
    under_way = Key[Sequence[float]]("under_way")

    @property
    def remedies(self) -> tuple[Remedy, ...]:
        """The quickest pace at which all arrives, selective repeat, and both."""

        def of(each: Mapping[str, Any]) -> Remedy:
            changed = {"pace_ns": each["pace_ns"], "repeat": each["repeat"]}
            return Remedy(each, replace(self.train, **changed))

        return tuple(of(each) for each in self.answer["remedies"])


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
    return Explained(_answer("explain-trains", link, train, done), train)


def _answer(
    question: str, link: str, train: Train, done: Callable[[], None] | None
) -> Mapping[str, Any]:
    told = None if done is None else lambda *_: done()
    found: Mapping[str, Any] = ask(question, told=told, link=link, **asdict(train))
    return found
