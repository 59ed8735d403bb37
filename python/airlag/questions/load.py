"""Saturated goodput of links; latency, queueing and loss of links against offered load.

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
from airlag.questions.shown import Plottable

#: Arrival processes: exactly one period apart, Poisson (the default), or Poisson bursts of eight.
ARRIVALS: tuple[Arrivals, ...] = ("periodic", "poisson", "burst")
#: Traffic kinds: messages (the default), or RPC calls of one method.
CARRIED: tuple[Carried, ...] = ("trigger", *CALLS)

#: Maximum messages per load, and queue length.
MOST_MESSAGES, LONGEST_QUEUE = 1_000_000, 100_000


def sized(traffic: str, size: int) -> str:
    """Describes traffic and size, such as ``128 B`` or ``rpc-stream, 20 items``."""
    if traffic == CARRIED[0]:
        return f"{size} B"
    unit = "items" if traffic in ("rpc-stream", "rpc-upload") else "B"
    return f"{traffic}, {size} {unit}"


@dataclass(frozen=True, slots=True, repr=False)
class Goodput(Plottable, records.Goodput):
    """Saturated goodput of a link: the sender always has a message ready."""

    ceiling_messages = Key[int]("ceiling", "messages")
    ceiling_terms = Each(Term, "ceiling", "terms")
    ceiling_without = Key[list[str]]("ceiling", "without")

    def by_kind(self) -> dict[str, int]:
        """Returns the measured time of each kind of activity, ns, longest first."""
        sums: dict[str, int] = {}
        for one in self.spent:
            sums[one.kind] = sums.get(one.kind, 0) + one.ns
        return dict(sorted(sums.items(), key=lambda item: -item[1]))


@dataclass(frozen=True, slots=True, repr=False)
class Loaded(Plottable, records.Load):
    """Latency, queueing and loss of a link as functions of the offered load."""

    offer: Offer

    @property
    def saturated(self) -> Goodput:
        """Saturated goodput of the link."""
        return Goodput(self.answer)


def saturated(link: str, size: int = 128, **asked: Any) -> Goodput:
    """Returns the result of :func:`goodput`, with settings as text."""
    return Goodput(ask("goodput", link=link, size=size, **asked))


def load(link: str, offer: Offer, done: Callable[[int], None] | None = None) -> Loaded:
    """Runs a link at each load of ``offer``; calls ``done(number of all loads)`` after each load.

    Raises
    ------
    LinkError
        The link cannot run. The message is one line: the cause, and what is expected.
    """
    on_progress = None if done is None else lambda _, all_of: done(all_of)
    return Loaded(ask("load", (), on_progress, link=link, **asdict(offer)), offer)


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
    """Measures the saturated goodput of a link, with messages sent one after the other.

    >>> airlag.goodput("nrf24-2m", size=128).kbps

    Parameters
    ----------
    link
        Name of a link profile.
    size
        Payload, bytes.
    count
        Number of measured messages. The warm-up before them has a tenth of this number.
    seed
        Random seed.
    traffic
        ``"trigger"`` sends messages; ``"rpc-echo"`` etc. make remote procedure calls.
    neighbours, settings, **changes
        Same meaning as for :func:`airlag.run`.

    Raises
    ------
    LinkError
        The link cannot run. The message is one line: the cause, and what is expected.
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
    """Measures latency, queueing and loss of a link as functions of the offered load.

    >>> airlag.offered_load("nrf24-2m", size=128).plot()

    Parameters
    ----------
    link
        Name of a link profile.
    size
        Payload, bytes.
    rates_kbps, utilisations
        Offered loads, as user data in kbit/s or as multiples of the saturated goodput. Default:
        thirteen multiples from 0.1 to 3.
    queue
        Capacity of the queue in front of the link, messages. To set a profile parameter that is
        also called ``queue``, use ``settings``.
    arrivals
        Arrival process of the messages: ``"periodic"``, ``"poisson"`` or ``"burst"``.
    count
        Number of measured messages of each load, after the warm-up.
    seed
        Random seed.
    traffic
        ``"trigger"`` sends messages; ``"rpc-echo"`` etc. make remote procedure calls.
    neighbours, settings, **changes
        Same meaning as for :func:`airlag.run`.

    Raises
    ------
    LinkError
        The link cannot run. The message is one line: the cause, and what is expected.
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
    """Validates loads as numbers."""
    try:
        found = tuple(float(each) for each in values)
    except (TypeError, ValueError):
        found = (0.0,)
    if not all(1e-6 <= each <= 1e9 for each in found):
        raise LinkError(f"{name}={values!r}: expected numbers from 1e-6 to 1e9, such as [0.5, 0.9]")
    return found
