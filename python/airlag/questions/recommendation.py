"""Choice of a link: the best configuration of every profile, checked against each requirement.

The main criterion is delivery within the deadline. Lost messages and late messages both miss the
deadline. Delivery at a distance, regulatory limits, battery life and peak current are optional
criteria. Price and licences are not assessed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from airlag import _airlag
from airlag.core import records, requests
from airlag.core.answered import Each, Key, Maybe, loads, reply_to
from airlag.questions.shown import Plottable

if TYPE_CHECKING:
    from airlag.core.types import RecommendVerdict as Verdict

#: Verdicts on a candidate, best first: meets the requirements, too close to a limit, undecided,
#: fails.
VERDICTS: tuple[Verdict, ...] = ("passes", "close", "undecided", "fails")

#: Minimum and maximum of each numeric requirement, by name.
LIMITS = _airlag.requirement_limits()


class Task(requests.Task):
    """Requirements of a link."""

    @property
    def name(self) -> str:
        """Name of the percentile: ``p99``."""
        return f"p{self.percentile:g}"

    @property
    def needs_battery(self) -> bool:
        """Whether a battery or its life is a requirement."""
        return self.battery is not None or self.battery_years is not None

    def question(self) -> dict[str, Any]:
        """Returns the question to the core."""
        asked = asdict(self)
        return {"range": asked.pop("distance"), **asked}


class Seen(records.RecommendedRun):
    """Results of a candidate: messages in time and lost, of ``n`` with a known outcome."""

    in_time = Key[int]("in_time", "count")
    in_time_interval95 = Key["Sequence[float]"]("in_time", "interval95")
    lost = Key[int]("lost", "count")
    loss_interval95 = Key["Sequence[float]"]("lost", "interval95")


class Candidate(records.Recommended):
    """Best configuration of a profile, with its results."""

    seen = Maybe(Seen)

    @property
    def tuned(self) -> int:
        """Number of settings that tuning changed."""
        return len(self.answer["tuned_settings"])


@dataclass(frozen=True, slots=True, repr=False)
class Recommendation(Plottable, records.Recommendation):
    """Verdict on each candidate link against the requirements in ``task``, best link first."""

    #: Requirements of the link.
    task: Task
    candidates = Each(Candidate)

    def those_that(self, verdict: Verdict) -> Sequence[Candidate]:
        """Returns the candidates with this verdict, best first."""
        return [each for each in self.candidates if each.verdict == verdict]


def recommend(task: Task, done: Callable[[int, int], None] | None = None) -> Recommendation:
    """Evaluates every profile with its tuning options; see :func:`attempt`.

    If a signal handler raises an exception, it propagates.
    """
    result, stopped = attempt(task, done)
    if stopped is not None:
        raise stopped
    return result


def attempt(
    task: Task, done: Callable[[int, int], None] | None = None
) -> tuple[Recommendation, BaseException | None]:
    """Evaluates every profile with its tuning options, until a signal handler raises an exception.

    Parameters
    ----------
    task
        Requirements of the link.
    done
        Called with the CPU time spent so far and the total expected, both in ms of one core.

    Returns
    -------
    tuple
        The recommendation, and the exception of the signal handler or ``None``. After an
        exception, candidates that were not evaluated are undecided.

    Raises
    ------
    LinkError
        The task is invalid. The message is one line: the cause, and what is expected.
    """
    reply = reply_to("recommend", on_progress=done, partial=True, **task.question())
    return Recommendation(loads(reply), task), reply.stopped
