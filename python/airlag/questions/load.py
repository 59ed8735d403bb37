"""Saturated goodput of links, and latency, queue and loss against offered load.

>>> from airlag.questions.load import Offer, goodput, load
>>> goodput("nrf24-2m", 128).kbps
>>> load("nrf24-2m", Offer(size=128)).knee_kbps
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from airlag.core.answered import Answered, Each, Key, ask
from airlag.questions.bench import CALLS
from airlag.questions.shown import Plotted

if TYPE_CHECKING:
    from airlag.core.types import Arrivals, Carried, Latency, SliceClass

#: Arrival processes: exactly one period apart, Poisson (the default), or Poisson bursts of eight.
ARRIVALS: tuple[Arrivals, ...] = ("periodic", "poisson", "burst")
#: What a link is asked to carry: messages (the default), or calls of one kind.
CARRIED: tuple[Carried, ...] = ("trigger", *CALLS)


def sized(traffic: str, size: int) -> str:
    """What is sent, and how long it is: ``128 B``, ``rpc-stream, 20 items``."""
    if traffic == CARRIED[0]:
        return f"{size} B"
    unit = "items" if traffic in ("rpc-stream", "rpc-upload") else "B"
    return f"{traffic}, {size} {unit}"


class Term(Answered):
    """One thing that a cycle of an endless stream cannot save.

    Attributes
    ----------
    name
        What it is.
    count, each_ns
        How often, and how long each time, ns.
    source
        Which document, formula or constant says so.
    """

    name = Key[str]("name")
    count = Key[int]("count")
    each_ns = Key[int]("each_ns")
    source = Key[str]("source")


class Spent(Answered):
    """Time that a link spends on one thing while its sender never waits.

    Attributes
    ----------
    name, kind
        A slice of time, and its class: medium, answer, radio, bus, work, wait, other.
    ns
        How long, ns.
    """

    name = Key[str]("name")
    kind = Key["SliceClass"]("class")
    ns = Key[int]("ns")


@dataclass(frozen=True, slots=True, repr=False)
class Goodput(Plotted, Answered):
    """Saturated goodput of a link.

    Attributes
    ----------
    link, size, seed, settings
        What ran: profile, payload in bytes, random seed, and the constants that were changed.
    kbps
        User data, kbit/s.
    ceiling_kbps
        Upper bound by the formulas of the link, kbit/s.
    ceiling_messages, ceiling_terms
        So many messages take these at least.
    delivered, lost
        Messages that arrived during the measurement, and those that did not although a later one
        did.
    elapsed_ns
        Duration of the measurement, ns.
    gap
        Quantiles of the time from one arrival to the next, ns; ``None`` where too few came.
    spent
        Time spent on each slice, the largest first.
    incidents
        Named events, with counts.
    traffic
        Messages, or calls of one kind; see :data:`CARRIED`.
    """

    link = Key[str]("link")
    size = Key[int]("size")
    seed = Key[int]("seed")
    settings = Key[Mapping[str, str]]("settings")
    kbps = Key[float]("goodput_kbps")
    ceiling_kbps = Key["float | None"]("ceiling_kbps")
    ceiling_messages = Key[int]("ceiling", "messages")
    ceiling_terms = Each(Term, "ceiling", "terms")
    delivered = Key[int]("delivered")
    lost = Key[int]("lost")
    elapsed_ns = Key[int]("elapsed_ns")
    gap = Key["Latency | None"]("gap_ns")
    spent = Each(Spent, "spent")
    incidents = Key[Mapping[str, int]]("incidents")
    traffic = Key["Carried"]("traffic")

    def by_kind(self) -> dict[str, int]:
        """Time spent by class, ns, the largest first."""
        sums: dict[str, int] = {}
        for one in self.spent:
            sums[one.kind] = sums.get(one.kind, 0) + one.ns
        return dict(sorted(sums.items(), key=lambda item: -item[1]))


class Point(Answered):
    """One offered load in the steady state.

    Attributes
    ----------
    offered_kbps, goodput_kbps
        User data offered, and what arrived of it, kbit/s.
    utilisation
        Offered load as a share of the saturated goodput.
    queue_mean
        Messages in the queue, averaged over time.
    offered
        Messages.
    lost, refused
        Messages of these that did not arrive; of those, the ones that found the queue full.
    latency
        ``latency_ns`` of the documented JSON, from the queue to the other board; ``None`` when
        nothing arrived.
    delivered_nc
        Total charge drawn by each end per delivered message, nC; empty without current data.
    """

    offered_kbps = Key[float]("offered_kbps")
    goodput_kbps = Key[float]("goodput_kbps")
    utilisation = Key[float]("utilisation")
    queue_mean = Key[float]("queue_mean")
    offered = Key[int]("offered")
    lost = Key[int]("lost")
    refused = Key[int]("refused")
    latency = Key["Latency | None"]("latency_ns")
    delivered_nc = Key[Mapping[str, float]]("delivered_nc")


@dataclass(frozen=True, slots=True)
class Offer:
    """What to offer.

    Attributes
    ----------
    size
        Payload, bytes.
    rates_kbps, utilisations
        Loads: user data in kbit/s, and parts of what the link carries when it never waits; neither:
        thirteen from 0.1 to 3 times that.
    queue
        Messages the queue in front of the link holds.
    arrivals
        When messages come, see :data:`ARRIVALS`.
    count
        Messages of each load that count.
    seed
        Root of every random number.
    settings
        Parameters of the profile to change, as text.
    traffic
        Messages, or calls of one kind; see :data:`CARRIED`.
    """

    size: int = 128
    rates_kbps: Sequence[float] = ()
    utilisations: Sequence[float] = ()
    queue: int = 64
    arrivals: Arrivals = "poisson"
    count: int = 1000
    seed: int = 1
    settings: Mapping[str, str] = field(default_factory=dict)
    traffic: Carried = "trigger"


@dataclass(frozen=True, slots=True, repr=False)
class Loaded(Plotted, Answered):
    """A link at offered loads.

    Attributes
    ----------
    offer
        What was offered.
    saturated
        What the link carries when its sender never waits.
    points
        One a load, the lightest first.
    knee_kbps
        The largest load that arrives: of which at least 98 % as large a part does as at the best of
        the points; ``None`` when the points do not hold it.
    """

    offer: Offer
    points = Each(Point, "points")
    knee_kbps = Key["float | None"]("knee_kbps")

    @property
    def saturated(self) -> Goodput:
        """What the link carries when its sender never waits."""
        return Goodput(self.answer)


def goodput(
    link: str,
    size: int = 128,
    *,
    count: int = 1000,
    seed: int = 1,
    settings: Mapping[str, str] | None = None,
    traffic: Carried = "trigger",
) -> Goodput:
    """Send messages one after the other and count what arrives.

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
    settings
        Parameters of the profile to change, as text.
    traffic
        Messages, or calls of one kind; see :data:`CARRIED`.

    Raises
    ------
    LinkError
        With one line that says what cannot be run, and what could.
    """
    asked: dict[str, Any] = {
        "link": link,
        "size": size,
        "count": count,
        "seed": seed,
        "traffic": traffic,
    }
    return Goodput(ask("goodput", **asked, settings=dict(settings or {})))


def load(link: str, offer: Offer, done: Callable[[int], None] | None = None) -> Loaded:
    """Offer messages to a queue in front of a link, from far less than it carries to far more.

    Parameters
    ----------
    link
        Name of a link profile.
    offer
        What to offer.
    done
        Called after each load with how many there are.

    Raises
    ------
    LinkError
        With one line that says what cannot be run, and what could.
    """
    told = None if done is None else lambda _, all_of: done(all_of)
    return Loaded(ask("load", (), told, link=link, **asdict(offer)), offer)
