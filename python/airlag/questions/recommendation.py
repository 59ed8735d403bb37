"""Which link to choose: the nearest configuration of every profile, against each requirement.

What counts is delivery within the deadline: a message that is lost misses it as one that is late
does. Delivery at a distance, regulatory limits, battery life and peak current are criteria where
they are required. Price and licences are not judged.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from airlag import _airlag
from airlag.core import records, requests
from airlag.core.answered import Each, Key, Maybe, loads, reply_to
from airlag.questions.charge import USUAL_BATTERY, USUAL_RATE
from airlag.questions.shown import Plotted

if TYPE_CHECKING:
    from airlag.core.types import RecommendVerdict as Verdict

#: Verdicts on a candidate, the best first: it meets the requirements, it is too near to a limit,
#: it is not decided, it does not meet them.
VERDICTS: tuple[Verdict, ...] = ("passes", "close", "undecided", "fails")

#: Default work of a search, in seconds of one core, and its limits.
USUAL_BUDGET_S = 30.0
LOWEST_BUDGET_S, HIGHEST_BUDGET_S = 0.1, 1e6

#: Percentiles that a number of messages a bench can send shows.
LOWEST_PERCENTILE, HIGHEST_PERCENTILE = 50.0, 99.99
#: Shares of lost messages that it shows.
LOWEST_LOSS, HIGHEST_LOSS = 1e-4, 0.5


class Task(requests.Task):
    """What a link is wanted for."""

    @property
    def name(self) -> str:
        """What the percentile is called: ``p99``."""
        return f"p{self.percentile:g}"

    @property
    def rate(self) -> float:
        """Messages a second for the battery life."""
        if self.per_second is not None:
            return self.per_second
        return USUAL_RATE if self.period_ns is None else 1e9 / self.period_ns

    @property
    def lasting(self) -> tuple[str, float | None, float] | None:
        """Battery, years it has to last, and messages a second; ``None``: no battery."""
        if self.battery is None and self.battery_years is None:
            return None
        return self.battery or USUAL_BATTERY, self.battery_years, self.rate

    @property
    def between(self) -> str | None:
        """What is between the radios; ``None`` where they are beside each other."""
        if self.distance is None:
            return None
        return self.environment or _airlag.ENVIRONMENT

    def question(self) -> dict[str, Any]:
        """The question that the core is asked."""
        asked = asdict(self)
        return {"range": asked.pop("distance"), **asked}


class Seen(records.RecommendedRun):
    """What the bench saw of a candidate: messages in time and lost, of ``n`` with a known fate."""

    in_time = Key[int]("in_time", "count")
    in_time_interval95 = Key["Sequence[float]"]("in_time", "interval95")
    lost = Key[int]("lost", "count")
    loss_interval95 = Key["Sequence[float]"]("lost", "interval95")


class Candidate(records.Recommended):
    """The nearest configuration of a profile, and how it does."""

    seen = Maybe(Seen)

    @property
    def tuned(self) -> int:
        """How many of the settings tune it."""
        return len(self.answer["tuned_settings"])


@dataclass(frozen=True, slots=True, repr=False)
class Recommendation(Plotted, records.Recommendation):
    """A task, and every candidate for it, the best first."""

    #: What a link is wanted for.
    task: Task
    candidates = Each(Candidate)

    def those_that(self, verdict: Verdict) -> Sequence[Candidate]:
        """The candidates with this verdict, the best first."""
        return [each for each in self.candidates if each.verdict == verdict]


def recommend(task: Task, done: Callable[[int, int], None] | None = None) -> Recommendation:
    """Judges every profile, and what it can be tuned to.

    As :func:`attempt`; a signal handler that raises ends it.
    """
    told, stopped = attempt(task, done)
    if stopped is not None:
        raise stopped
    return told


def attempt(
    task: Task, done: Callable[[int, int], None] | None = None
) -> tuple[Recommendation, BaseException | None]:
    """Judges every profile, and what it can be tuned to, until a signal handler raises.

    Parameters
    ----------
    task
        What a link is wanted for.
    done
        Called with the work spent and the work foreseen, in milliseconds of one core.

    Returns
    -------
    tuple
        All candidates and ``None``, or with those undecided that were not judged until then,
        and what was raised.

    Raises
    ------
    LinkError
        With one line that says what nobody can be asked, and what could.
    """
    reply = reply_to("recommend", told=done, partial=True, **task.question())
    return Recommendation(loads(reply), task), reply.stopped
