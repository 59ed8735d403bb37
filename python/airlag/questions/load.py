"""Saturated goodput of links, and latency, queue and loss against offered load.

>>> from airlag.questions.load import goodput, offered_load
>>> goodput("nrf24-2m", 128).kbps
>>> offered_load("nrf24-2m", 128).knee_kbps
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from airlag._airlag import LinkError
from airlag.core import records
from airlag.core.answered import Each, Key, ask
from airlag.core.arguments import LARGEST_SEED, MOST_BYTES, one_of, whole
from airlag.core.records import Term
from airlag.core.requests import Offer as Offer
from airlag.core.types import Arrivals, Carried
from airlag.questions.bench import CALLS
from airlag.questions.settings import Changes, Setting
from airlag.questions.shown import Plotted

#: Arrival processes: exactly one period apart, Poisson (the default), or Poisson bursts of eight.
ARRIVALS: tuple[Arrivals, ...] = ("periodic", "poisson", "burst")
#: What a link is asked to carry: messages (the default), or calls of one kind.
CARRIED: tuple[Carried, ...] = ("trigger", *CALLS)

#: Most messages of a load, and in a queue.
MOST_MESSAGES, LONGEST_QUEUE = 1_000_000, 100_000


def sized(traffic: str, size: int) -> str:
    """What is sent, and how long it is: ``128 B``, ``rpc-stream, 20 items``."""
    if traffic == CARRIED[0]:
        return f"{size} B"
    unit = "items" if traffic in ("rpc-stream", "rpc-upload") else "B"
    return f"{traffic}, {size} {unit}"


@dataclass(frozen=True, slots=True, repr=False)
class Goodput(Plotted, records.Goodput):
    """Saturated goodput of a link."""

    ceiling_messages = Key[int]("ceiling", "messages")
    ceiling_terms = Each(Term, "ceiling", "terms")
    ceiling_without = Key[list[str]]("ceiling", "without")

    def by_kind(self) -> dict[str, int]:
        """Time spent by class, ns, the largest first."""
        sums: dict[str, int] = {}
        for one in self.spent:
            sums[one.kind] = sums.get(one.kind, 0) + one.ns
        return dict(sorted(sums.items(), key=lambda item: -item[1]))


@dataclass(frozen=True, slots=True, repr=False)
class Loaded(Plotted, records.Load):
    """A link at offered loads."""

    offer: Offer

    @property
    def saturated(self) -> Goodput:
        """What the link carries when its sender never waits."""
        return Goodput(self.answer)


def saturated(link: str, size: int = 128, **asked: Any) -> Goodput:
    """Asks for what :func:`goodput` returns, with settings as text."""
    return Goodput(ask("goodput", link=link, size=size, **asked))


def load(link: str, offer: Offer, done: Callable[[int], None] | None = None) -> Loaded:
    """Loads a link with an offer; ``done`` is called after each load with how many there are.

    Raises
    ------
    LinkError
        With one line that says what cannot be run, and what could.
    """
    told = None if done is None else lambda _, all_of: done(all_of)
    return Loaded(ask("load", (), told, link=link, **asdict(offer)), offer)


def goodput(
    link: str,
    size: int = 128,
    *,
    count: int = 1000,
    seed: int = 1,
    traffic: Carried = "trigger",
    neighbours: str | Iterable[str] = (),
    settings: Mapping[str, Setting] | None = None,
    **changes: Setting,
) -> Goodput:
    """Sends messages one after the other and counts what arrives.

    >>> airlag.goodput("nrf24-2m", size=128).kbps

    Parameters
    ----------
    link
        Name of a link profile.
    size
        Payload, bytes.
    count
        Messages that count; a tenth as many before them fill the queues on the way.
    seed
        Root of every random number.
    traffic
        ``"trigger"``: messages. ``"rpc-…"``: calls of one kind.
    neighbours, settings, **changes
        As in :func:`airlag.run`.

    Raises
    ------
    LinkError
        With one line that says what cannot be run, and what could.
    """
    made = Changes.of(link, neighbours, settings, changes, goodput)
    differing = made.differing()
    with made.in_units():
        return saturated(
            link,
            whole(size, "size", 1, MOST_BYTES),
            count=whole(count, "count", 1, MOST_MESSAGES),
            seed=whole(seed, "seed", 0, LARGEST_SEED),
            settings=differing,
            traffic=one_of(traffic, "traffic", CARRIED),
        )


def offered_load(
    link: str,
    size: int = 128,
    *,
    rates_kbps: Iterable[float] = (),
    utilisations: Iterable[float] = (),
    queue: int = 64,
    arrivals: Arrivals = "poisson",
    count: int = 1000,
    seed: int = 1,
    traffic: Carried = "trigger",
    neighbours: str | Iterable[str] = (),
    settings: Mapping[str, Setting] | None = None,
    **changes: Setting,
) -> Loaded:
    """Offers messages to a queue in front of a link, from far less than it carries to far more.

    >>> airlag.offered_load("nrf24-2m", size=128).plot()

    Parameters
    ----------
    link
        Name of a link profile.
    size
        Payload, bytes.
    rates_kbps, utilisations
        Loads: user data in kbit/s, and parts of what the link carries when it never waits.
        Default: thirteen from 0.1 to 3 times that.
    queue
        Messages the queue in front of the link holds. A parameter of the profile of the same name
        is set through ``settings``.
    arrivals
        When messages come: ``"periodic"``, ``"poisson"`` or ``"burst"``.
    count
        Messages of each load that count.
    seed
        Root of every random number.
    traffic
        ``"trigger"``: messages. ``"rpc-…"``: calls of one kind.
    neighbours, settings, **changes
        As in :func:`airlag.run`.

    Raises
    ------
    LinkError
        With one line that says what cannot be run, and what could.
    """
    made = Changes.of(link, neighbours, settings, changes, offered_load)
    offer = Offer(
        size=whole(size, "size", 1, MOST_BYTES),
        rates_kbps=_loads(rates_kbps, "rates_kbps"),
        utilisations=_loads(utilisations, "utilisations"),
        queue=whole(queue, "queue", 1, LONGEST_QUEUE),
        arrivals=one_of(arrivals, "arrivals", ARRIVALS),
        count=whole(count, "count", 1, MOST_MESSAGES),
        seed=whole(seed, "seed", 0, LARGEST_SEED),
        settings=made.differing(),
        traffic=one_of(traffic, "traffic", CARRIED),
    )
    with made.in_units():
        return load(link, offer)


def _loads(values: Any, name: str) -> tuple[float, ...]:
    """Loads as numbers."""
    try:
        found = tuple(float(each) for each in values)
    except (TypeError, ValueError):
        found = (0.0,)
    if not all(1e-6 <= each <= 1e9 for each in found):
        raise LinkError(f"{name}={values!r}: expected numbers from 1e-6 to 1e9, such as [0.5, 0.9]")
    return found
