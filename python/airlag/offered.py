"""What links carry when they never wait, and what becomes of messages that come as they please.

>>> from airlag.offered import Offer, goodput, load
>>> goodput("nrf24-2m", 128).kbps
>>> load("nrf24-2m", Offer(size=128)).knee_kbps
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, get_args

from airlag import _airlag, answers
from airlag.bench import CALLS
from airlag.json_types import load as json_types
from airlag.json_types.explanation import SliceClass
from airlag.json_types.load import Arrivals, Carried
from airlag.json_types.run import Latency
from airlag.shown import Plotted

if TYPE_CHECKING:
    from airlag.showing.load import GoodputShowing, LoadedShowing

#: When messages come: exactly one period apart, whenever they please (the default), or eight at a
#: time whenever they please.
ARRIVALS: tuple[Arrivals, ...] = get_args(Arrivals)
#: What a link is asked to carry: messages (the default), or calls of one kind.
CARRIED: tuple[Carried, ...] = ("trigger", *CALLS)


def sized(traffic: str, size: int) -> str:
    """What is sent, and how long it is: ``128 B``, ``rpc-stream, 20 items``."""
    if traffic == CARRIED[0]:
        return f"{size} B"
    unit = "items" if traffic in ("rpc-stream", "rpc-upload") else "B"
    return f"{traffic}, {size} {unit}"


@dataclass(frozen=True, slots=True)
class Term:
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

    name: str
    count: int
    each_ns: int
    source: str


@dataclass(frozen=True, slots=True)
class Spent:
    """What a link's time went to while it never waited.

    Attributes
    ----------
    name, kind
        A slice of time, and its class: medium, answer, radio, bus, work, wait, other.
    ns
        How long, ns.
    """

    name: str
    kind: SliceClass
    ns: int


@dataclass(frozen=True, slots=True, repr=False)
class Goodput(Plotted):
    """What a link carries when its sender never waits, in the steady state.

    Attributes
    ----------
    link, size, seed, settings
        What ran: profile, payload in bytes, root seed, and the constants that were changed.
    kbps
        User data, kbit/s.
    ceiling_kbps
        What the formulas of the link allow, kbit/s.
    ceiling_messages, ceiling_terms
        So many messages take these at least.
    delivered, lost
        Messages that came while the watch ran, and those passed by.
    elapsed_ns
        From the message at which the watch started to the last, ns.
    gap
        Quantiles of the time from one arrival to the next, ns; ``None`` where too few came.
    spent
        What that time went to, most first; empty where it was not asked for.
    incidents
        What happened that has a name of its own, and how often.
    traffic
        Messages, or calls of one kind; see :data:`CARRIED`.
    """

    link: str
    size: int
    seed: int
    settings: Mapping[str, str]
    kbps: float
    ceiling_kbps: float | None
    ceiling_messages: int
    ceiling_terms: Sequence[Term]
    delivered: int
    lost: int
    elapsed_ns: int
    gap: Latency | None
    spent: Sequence[Spent]
    incidents: Mapping[str, int]
    traffic: Carried = "trigger"

    @classmethod
    def of(
        cls, link: str, size: int, seed: int, settings: Mapping[str, str], raw: answers.Goodput
    ) -> Goodput:
        """From what the compiled half gives."""
        ceiling = raw["ceiling"]
        return cls(
            link=link,
            size=size,
            seed=seed,
            settings=dict(settings),
            kbps=raw["goodput_kbps"],
            ceiling_kbps=raw["ceiling_kbps"],
            ceiling_messages=ceiling["messages"],
            ceiling_terms=tuple(Term(**term) for term in ceiling["terms"]),
            delivered=raw["delivered"],
            lost=raw["lost"],
            elapsed_ns=raw["elapsed_ns"],
            gap=raw["gap_ns"],
            spent=tuple(Spent(one["name"], one["class"], one["ns"]) for one in raw["spent"]),
            incidents=dict(raw["incidents"]),
        )

    def _showing(self) -> GoodputShowing:
        from airlag.showing.load import GoodputShowing

        return GoodputShowing(self)

    def by_kind(self) -> dict[str, int]:
        """What the time went to by class, ns, most first."""
        sums: dict[str, int] = {}
        for one in self.spent:
            sums[one.kind] = sums.get(one.kind, 0) + one.ns
        return dict(sorted(sums.items(), key=lambda item: -item[1]))

    def _facts(self) -> json_types.Saturated:
        return {
            "link": self.link,
            "size": self.size,
            "seed": self.seed,
            "settings": dict(self.settings),
            "goodput_kbps": self.kbps,
            "ceiling_kbps": self.ceiling_kbps,
            "delivered": self.delivered,
            "lost": self.lost,
            "elapsed_ns": self.elapsed_ns,
            "traffic": self.traffic,
        }

    def to_json(self) -> json_types.Goodput:
        """The goodput as one object of the documented ``--json`` array."""
        return {
            **self._facts(),
            "gap_ns": None if self.gap is None else {**self.gap},
            "spent": [{"name": one.name, "class": one.kind, "ns": one.ns} for one in self.spent],
            "incidents": dict(self.incidents),
        }


@dataclass(frozen=True, slots=True)
class Point:
    """What became of one load, in the steady state.

    Attributes
    ----------
    offered_kbps, goodput_kbps
        User data offered, and what arrived of it, kbit/s.
    utilisation
        What was offered as a part of what the link carries when it never waits.
    queue_mean
        Messages in the queue, on average over time.
    offered
        Messages.
    lost, refused
        Of these, those that did not arrive; of those, the ones that found the queue full.
    latency
        ``latency_ns`` of the documented JSON, from the queue to the other board, of the messages
        that arrived; ``None`` when none did.
    delivered_nc
        What each end drew in all, by message that arrived, nC; empty where nobody lists it.
    """

    offered_kbps: float
    goodput_kbps: float
    utilisation: float
    queue_mean: float
    offered: int
    lost: int
    refused: int
    latency: Latency | None
    delivered_nc: Mapping[str, float]

    @classmethod
    def of(cls, raw: json_types.Point) -> Point:
        """From what the compiled half gives."""
        return cls(
            offered_kbps=raw["offered_kbps"],
            goodput_kbps=raw["goodput_kbps"],
            utilisation=raw["utilisation"],
            queue_mean=raw["queue_mean"],
            offered=raw["offered"],
            lost=raw["lost"],
            refused=raw["refused"],
            latency=raw["latency_ns"],
            delivered_nc=raw["delivered_nc"],
        )

    def to_json(self) -> json_types.Point:
        """The point as a JSON object."""
        return {
            "offered_kbps": self.offered_kbps,
            "goodput_kbps": self.goodput_kbps,
            "utilisation": self.utilisation,
            "queue_mean": self.queue_mean,
            "offered": self.offered,
            "lost": self.lost,
            "refused": self.refused,
            "latency_ns": None if self.latency is None else {**self.latency},
            "delivered_nc": dict(self.delivered_nc),
        }


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
class Loaded(Plotted):
    """A link under load.

    Attributes
    ----------
    offer
        What was offered.
    saturated
        What the link carries when it never waits.
    points
        One a load, the lightest first.
    knee_kbps
        The largest load that arrives: of which at least 98 % as large a part does as at the best of
        the points; ``None`` when the points do not hold it.
    """

    offer: Offer
    saturated: Goodput
    points: Sequence[Point]
    knee_kbps: float | None

    def _showing(self) -> LoadedShowing:
        from airlag.showing.load import LoadedShowing

        return LoadedShowing(self)

    def to_json(self) -> json_types.Load:
        """The load as one object of the documented ``--json`` array."""
        return {
            **self.saturated._facts(),
            "queue": self.offer.queue,
            "arrivals": self.offer.arrivals,
            "points": [point.to_json() for point in self.points],
            "knee_kbps": self.knee_kbps,
        }


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
    changed = dict(settings or {})
    raw = _airlag.goodput_link(link, size, count, seed, changed, traffic)
    return replace(Goodput.of(link, size, seed, changed, raw), traffic=traffic)


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
    raw = _airlag.load_link(link, offer, dict(offer.settings), done)
    saturated = Goodput.of(link, offer.size, offer.seed, offer.settings, raw)
    return Loaded(
        offer=offer,
        saturated=replace(saturated, traffic=offer.traffic),
        points=tuple(Point.of(point) for point in raw["points"]),
        knee_kbps=raw["knee_kbps"],
    )
