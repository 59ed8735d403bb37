"""Campaigns: many runs of the virtual bench, described in one file.

docs/campaigns.md lists all keys of the file. A campaign with a ``question`` draws several lines
over one axis. Each run of the campaign is one point of a line.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, cast

from airlag._airlag import LinkError
from airlag.core import plan_file, records
from airlag.core.answered import Each, ask
from airlag.core.parallel import side_by_side
from airlag.core.records import CampaignAsked as Question
from airlag.core.records import CampaignPublished as Published
from airlag.core.types import Measure
from airlag.questions.bench import TRAFFIC, Request

if TYPE_CHECKING:
    from airlag.core.types import CampaignPlan, Latency

__all__ = [
    "TIMES",
    "Answer",
    "Campaign",
    "CampaignError",
    "Measure",
    "Point",
    "Published",
    "Question",
    "Value",
    "Work",
    "load",
    "measure_each",
]

#: Measures that are durations.
TIMES: Sequence[Measure] = ("latency", "gap", "completion")

#: Position on the horizontal axis: a number, or a category name.
Value = float | str


class CampaignError(ValueError):
    """A campaign that cannot run; the message gives location, cause and what is expected."""


class Work(records.CampaignWork):
    """One run of a campaign."""

    @property
    def request(self) -> Request:
        """Request to the bench; only for traffic that starts at triggers."""
        traffic = next((each for each in TRAFFIC if each == self.traffic), TRAFFIC[0])
        return Request(
            self.link,
            self.size,
            self.count,
            self.period_ns,
            self.phase,
            seed=self.seed,
            settings=self.settings,
            traffic=traffic,
        )


class Campaign(records.CampaignPlan):
    """Plan of a campaign."""

    works = Each(Work)

    @property
    def captures(self) -> Mapping[tuple[str, int | None], Path]:
        """Capture files by link and payload, relative to the folder of captures."""
        plan = cast("CampaignPlan", self.answer)
        return {(one["link"], one["size"]): Path(one["file"]) for one in plan["captures"]}

    @property
    def requests(self) -> tuple[Request, ...]:
        """Requests to the bench for a campaign whose traffic starts at triggers."""
        return tuple(work.request for work in self.works)


def load(path: Path) -> Campaign:
    """Reads a campaign; raises :class:`CampaignError` if it is missing or invalid."""
    return plan_file.read(
        path, lambda text, name: Campaign(ask("campaign", file=text, name=name)), CampaignError
    )


class Point(records.CampaignPoint):
    """Outcome of one run."""

    @property
    def delivery(self) -> float | None:
        """Share of delivered messages among those with a known outcome."""
        return 1 - self.lost / self.sent if self.sent else None

    def quantiles(self, measure: Measure) -> Latency | None:
        """Quantiles of a duration, ns; ``None`` if it was not measured."""
        return cast("Latency | None", self.answer.get(f"{measure}_ns"))


def measure_each(works: Sequence[Work]) -> Iterator[Point | LinkError]:
    """Executes runs in parallel; yields a point or an error for each, in the order given."""
    return side_by_side(lambda work: Point(ask("point", **work.answer)), works, LinkError)


@dataclass(frozen=True, slots=True)
class Answer(records.CampaignAnswer):
    """Answer to the question of a campaign."""

    question: Question
    points: Sequence[Point]

    @classmethod
    def of(cls, question: Question, points: Sequence[Point]) -> Answer:
        """Builds the answer from at least one point."""
        given = [point.answer for point in points]
        return cls(ask("campaign-answer", asked=question.answer, points=given), question, points)
