"""What links carry when they never wait, and what becomes of messages that come as they please."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from airlag._airlag import LinkError
from airlag.core.arguments import LARGEST_SEED, MOST_BYTES, one_of, whole
from airlag.questions import load
from airlag.questions.load import ARRIVALS, CARRIED, Goodput, Loaded, Offer
from airlag.questions.settings import Changes, Setting

if TYPE_CHECKING:
    from airlag.core.types import Arrivals, Carried

#: Most messages of a load, and in a queue.
MOST_MESSAGES, LONGEST_QUEUE = 1_000_000, 100_000
#: Arguments of :func:`goodput` and :func:`load` that are no settings of a profile.
ARGUMENTS = ("size", "count", "seed", "traffic", "neighbours")
LOAD_ARGUMENTS = (*ARGUMENTS, "rates_kbps", "utilisations", "queue", "arrivals")


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
    made = Changes.of(link, neighbours, settings, changes, ARGUMENTS)
    differing = made.differing()
    with made.in_units():
        return load.goodput(
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
    made = Changes.of(link, neighbours, settings, changes, LOAD_ARGUMENTS)
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
        return load.load(link, offer)


def _loads(values: Any, name: str) -> tuple[float, ...]:
    """Loads as numbers."""
    try:
        found = tuple(float(each) for each in values)
    except (TypeError, ValueError):
        found = (0.0,)
    if not all(1e-6 <= each <= 1e9 for each in found):
        raise LinkError(f"{name}={values!r}: expected numbers from 1e-6 to 1e9, such as [0.5, 0.9]")
    return found
