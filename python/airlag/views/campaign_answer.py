"""What the runs of a campaign say to its question: a table, and sentences with their numbers.

Nothing here is written by hand for one campaign: every number is of the runs.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, Self

from airlag.core import profiles, quantity
from airlag.core.quantity import Unit, number
from airlag.questions.campaign import (
    TIMES,
    Measure,
    Point,
    Published,
    Question,
    Series,
    Value,
    series,
)
from airlag.views.campaign_results import UNKNOWN

QUANTILES: tuple[Literal["p50", "p99"], ...] = ("p50", "p99")
#: What a measure is called on an axis and in a sentence.
CALLED: dict[Measure, str] = {
    "latency": "latency",
    "gap": "time from one arrival to the next",
    "completion": "time to the last arrival of a train",
    "goodput": "goodput",
    "delivery": "delivery",
}
#: What options of programs are called on the axis.
NOUNS = ("message", "pace", "utilisation")
#: Lines that differ by less than this are called alike.
ALIKE = 0.02


@dataclass(frozen=True, slots=True)
class Axis:
    """What is across."""

    name: str
    #: Empty for a plain number.
    unit: str
    #: What values are divided by to be in that unit.
    divisor: float
    #: Whether it is a number of what its name says: hops, senders.
    counted: bool = False

    @classmethod
    def of(cls, question: Question, points: Sequence[Point]) -> Self:
        """The axis of a question."""
        x = question.x
        if x == "size":
            return cls("message", "B", 1.0)
        turned = [point.at for point in points]
        unit = ""
        if x != "utilisation":
            known = profiles.link(points[0].link)["parameters"].get(x)
            # An option of the program goes before a constant of that name.
            swept = x in points[0].settings
            unit = known["unit"] if known is not None and swept else "ns" if x == "pace" else ""
        name = x.replace("_", " ")
        if unit != "ns":
            whole = all(isinstance(value, float) and value.is_integer() for value in turned)
            return cls(name, unit, 1.0, counted=whole and not unit and _is_plural(name))
        told = quantity.unit_for(value for value in turned if isinstance(value, float))
        return cls(name, told.name, told.ns)

    def say(self, value: Value) -> str:
        """A value in words: ``128 B``, ``3 hops``, ``rate 250``."""
        if isinstance(value, str):
            return f"{self.name} {value}"
        unit = self.unit
        if self.counted:
            unit = _singular(self.name) if value == 1 else self.name
        return f"{value / self.divisor:g} {unit}".rstrip()

    def at(self, value: Value) -> str:
        """Where something is, in a sentence: ``with a pace of 16 ms``, ``with 3 hops``."""
        if isinstance(value, str) or self.counted:
            return f"with {self.say(value)}"
        return f"{self._with} {self.say(value)}"

    def span(self, first: Value, last: Value) -> str:
        """From where to where: ``with a pace of 0 ms to 20 ms``, ``from 1 to 3 hops``."""
        if isinstance(first, str):
            return f"from {self.say(first)} to {self.say(last)}"
        if self.counted:
            return f"from {first:g} to {self.say(last)}"
        return f"{self._with} {self.say(first)} to {self.say(last)}"

    @property
    def _with(self) -> str:
        # What a profile calls a parameter need be no noun: "device send", "co processor stops at".
        return f"with a {self.name} of" if self.name in NOUNS else f"with {self.name}"

    @property
    def title(self) -> str:
        """What stands under it."""
        return f"{self.name}, {self.unit}" if self.unit else self.name


class Column(NamedTuple):
    """A column of the table: its head, its key in a file, and for each run a value and its text.

    A key has the unit of the values.
    """

    head: str
    key: str
    values: Sequence[Value | None]
    texts: Sequence[str]


@dataclass(frozen=True, slots=True)
class Answer:
    """A question, its lines, and what they say."""

    question: Question
    lines: Sequence[Series]
    axis: Axis
    #: Unit of all times.
    unit: Unit

    @classmethod
    def of(cls, question: Question, points: Sequence[Point]) -> Self:
        """Put points on their lines."""
        times = [point.quantiles(question.y) for point in points]
        unit = quantity.unit_for(each["p50"] for each in times if each is not None)
        return cls(question, series(points), Axis.of(question, points), unit)

    @property
    def points(self) -> list[Point]:
        """The points of all lines: a row of the table each."""
        return [point for line in self.lines for point in line.points]

    @property
    def columns(self) -> list[Column]:
        """The table: what each run is, what it lost, and what is known of the rest."""
        points, axis, y = self.points, self.axis, self.question.y
        names = [line.name for line in self.lines for _ in line.points]
        places = [at for line in self.lines for at in line.at]
        across = [at if isinstance(at, str) else f"{at / axis.divisor:g}" for at in places]
        sent, lost = [point.sent for point in points], [point.lost for point in points]
        ns = "_ns" if axis.unit in quantity.NS_PER_UNIT else ""
        found = [
            Column("", "line", names, names),
            Column(axis.title, f"{self.question.x}{ns}", places, across),
            Column("messages", "messages", sent, list(map(quantity.count, sent))),
            Column("lost", "lost", lost, list(map(quantity.share, lost, sent))),
        ]

        def known(head: str, key: str, values: list[float | None], of: float, digits: int) -> None:
            texts = [UNKNOWN if one is None else number(one / of, digits) for one in values]
            found.append(Column(head, key, values, texts))

        times = [point.quantiles(y) for point in points]
        for name in QUANTILES if y in TIMES else ():
            head = f"{'gap ' if y == 'gap' else ''}{name}, {self.unit.name}"
            values = [None if told is None else told[name] for told in times]
            known(head, f"{y}_{name}_ns", values, self.unit.ns, 4)
        kbps = [point.kbps for point in points]
        if any(each is not None for each in kbps):
            known("goodput, kbit/s", "goodput_kbps", kbps, 1.0, 4)
        at = [None if (one := point.lost_position) is None else 100 * one for point in points]
        if any(each is not None for each in at):
            known("lost at, %", "lost_at_percent", at, 1.0, 3)
        return found

    @property
    def heads(self) -> list[str]:
        """Heads of the table."""
        return [column.head for column in self.columns]

    def rows(self) -> list[list[str]]:
        """Cells of the table, a row a run."""
        return list(map(list, zip(*(column.texts for column in self.columns), strict=True)))

    @property
    def of_delivered(self) -> bool:
        """Whether its quantiles leave out what was lost, as that has no latency."""
        return self.question.y in TIMES and any(point.lost for point in self.points)

    def sentences(self) -> list[str]:
        """What the runs say, a sentence or two a line, and what differs between the lines."""
        told = [" ".join(self._of_line(line)) for line in self.lines]
        return [*told, *self._between(), *map(_beside, self.question.published)]

    def _measured(self, point: Point) -> dict[str, float]:
        """Values of a point: quantiles in ns, kbit/s, or a share; empty where there are none."""
        y = self.question.y
        told, value = point.quantiles(y), point.single(y)
        if y in TIMES:
            return {} if told is None else {name: told[name] for name in QUANTILES}
        if value is None:
            return {}
        return {CALLED[y]: (point.sent - point.lost) / point.sent if y == "delivery" else value}

    def _write(self, value: float | None) -> str:
        """A value of those in words."""
        if value is None:
            return "nothing"
        if self.question.y in TIMES:
            return quantity.duration(value, self.unit)
        percent = self.question.y == "delivery"
        return quantity.percent(value) if percent else f"{number(value)} kbit/s"

    def _figures(self, point: Point) -> str:
        told = {name: self._write(value) for name, value in self._measured(point).items()}
        if self.question.y in TIMES:
            return " and ".join(f"{name} {text}" for name, text in told.items()) or "nothing"
        name = CALLED[self.question.y]
        return f"{told.get(name, 'nothing')} {name}"

    def _of_line(self, line: Series) -> Iterable[str]:
        first, last = line.points[0], line.points[-1]
        ends = self.axis.span(line.at[0], line.at[-1])
        if len(line.points) == 1:
            yield f"{line.name}: {self._figures(first)} {self.axis.at(line.at[0])}."
        else:
            yield f"{line.name}: {ends}, {self._grown(first, last)}{self._peak(line)}."
        if self.question.y != "delivery":
            yield self._lost(line)

    def _grown(self, first: Point, last: Point) -> str:
        """How values move from one point to another."""
        before, after, times = self._measured(first), self._measured(last), self.question.y in TIMES
        if times and not (before and after):
            return f"{self._figures(first)} becomes {self._figures(last)}"
        parts = []
        for name in before if times else (CALLED[self.question.y],):
            low, high = before.get(name), after.get(name)
            one, other = self._write(low), self._write(high)
            text = f"{name} goes from {one} to {other}"
            if times and low and high is not None and high != low:
                text += f" ({_times(high / low)})"
            parts.append(text if times or one != other else f"{name} stays at {one}")
        return ", ".join(parts)

    def _peak(self, line: Series) -> str:
        """Where a line, or its median, is highest, if that is at neither of its ends."""
        values = [next(iter(self._measured(point).values()), 0.0) for point in line.points]
        top = max(range(len(values)), key=values.__getitem__)
        if values[top] <= max(values[0], values[-1]) * (1 + ALIKE):
            return ""
        what = "the longest p50" if self.question.y in TIMES else "the most"
        return f"; {what} is {self._write(values[top])}, {self.axis.at(line.at[top])}"

    def _lost(self, line: Series) -> str:
        worst = max(
            zip(line.at, line.points, strict=True), key=lambda pair: 1 - (pair[1].delivery or 0.0)
        )
        if worst[1].lost == 0:
            return "Nothing is lost."
        part = quantity.share(worst[1].lost, worst[1].sent)
        told = f"At most {part} are lost, {self.axis.at(worst[0])}"
        lossy = max(nth for nth, point in enumerate(line.points) if point.lost)
        if lossy + 1 < len(line.at) and isinstance(line.at[-1], float):
            told += f", and none from {self.axis.say(line.at[lossy + 1])} on"
        return f"{told}."

    def _between(self) -> Iterable[str]:
        """Each line against the first, at the place of both where they differ most."""
        base = self.lines[0]
        for line in self.lines[1:]:
            pairs = [
                (at, base.points[list(base.at).index(at)], other)
                for at, other in zip(line.at, line.points, strict=True)
                if at in base.at
            ]
            if not pairs:
                continue
            at, one, other = max(pairs, key=lambda pair: self._apart(pair[1], pair[2]))
            told = self._against(one, other)
            where = self.axis.at(at) + ", where they differ most" * (len(pairs) > 1)
            if self._apart(one, other) < ALIKE:
                limit = f"{100 * ALIKE:g} %"
                yield f"{line.name} nowhere differs from {base.name} by more than {limit}."
            elif told:
                yield f"{where[0].upper()}{where[1:]}, {line.name} against {base.name}: {told}."

    def _apart(self, one: Point, other: Point) -> float:
        """How far two points are from each other: logarithm of a ratio, or share delivered."""
        if self.question.y == "delivery":
            return abs((other.delivery or 0.0) - (one.delivery or 0.0))
        before, after = self._measured(one), self._measured(other)
        ratios = [
            abs(math.log(after[name] / low))
            for name, low in before.items()
            if low > 0 and after.get(name, 0.0) > 0
        ]
        return max(ratios, default=0.0)

    def _against(self, one: Point, other: Point) -> str:
        before, after = self._measured(one), self._measured(other)
        if self.question.y == "delivery":
            told = (self._write(next(iter(of.values()), None)) for of in (after, before))
            return " delivered instead of ".join(told)
        return ", ".join(
            f"{name} is {_times(after[name] / low)}"
            for name, low in before.items()
            if low > 0 and name in after and (after[name] or self.question.y in TIMES)
        )


def _beside(published: Published) -> str:
    """What others published, and where."""
    title = next(s["title"] for s in profiles.sources() if s["key"] == published.cite)
    return f"Published: {published.says} ({title}: {published.at})."


def _is_plural(name: str) -> bool:
    return name.endswith("s") and not name.endswith("ss")


def _singular(name: str) -> str:
    return f"{name[:-3]}y" if name.endswith("ies") else name[:-1]


def _times(ratio: float) -> str:
    return "the same" if abs(ratio - 1) < ALIKE else f"{number(ratio, 3)} times as much"
