"""Advice in words: what to set and what it is worth, on a terminal, a picture and a page alike."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, cast

from airlag.core.quantity import duration, number, unit_for
from airlag.core.records import Advice, Change, Floor
from airlag.core.types import Alignment
from airlag.questions.charge import charge_in_words, current_in_words

#: Trades that are told; the rest is in ``--json``.
TRADES = 3


@dataclass(frozen=True, slots=True)
class Step:
    """One thing to do, or one thing to know about what there is to do."""

    #: ``free``: it gains and costs nothing. ``trade``: it gains at a cost. ``note``: no change.
    #: ``method``: how all this was found.
    kind: Literal["free", "trade", "note", "method"]
    #: What it is beside the others, before a colon; empty for the last two kinds.
    lead: str
    #: As a command line takes them; empty for the last two kinds.
    settings: str
    #: What it is worth, or the note.
    says: str

    @property
    def line(self) -> str:
        """All of it in one line."""
        return f"{self.lead}: {self.settings}: {self.says}" if self.lead else self.says


def steps(advice: Advice, floor: Floor) -> Iterator[Step]:
    """What to change, best first; the floor is that of the link as it is set."""
    if not advice.single:
        yield Step("note", "", "", "No cost-free change gives a significant gain.")
    for nth, change in enumerate(_best_of_each(advice.single)):
        yield _step("free", "first" if nth == 0 else "or", change, advice)
    if len(advice.combined) > 1:
        yield _step("free", "together", advice.combined[-1], advice)
    if advice.combined:
        yield Step("note", "", "", _reached(advice, floor))
    if advice.alignment is not None:
        yield _aligned(advice.alignment)
    for change in _best_of_each(advice.trades)[:TRADES]:
        yield _step("trade", "at a cost", change, advice)
    yield Step("method", "", "", _chosen(advice))


def _best_of_each(changes: Sequence[Change]) -> list[Change]:
    """Of the values of one parameter only the best one, with what it takes along."""
    best: dict[str, Change] = {}
    for change in changes:
        best.setdefault(next(iter(change.settings)), change)
    return list(best.values())


def _step(kind: Literal["free", "trade"], lead: str, change: Change, advice: Advice) -> Step:
    sets = " ".join(f"--set {name}={value}" for name, value in change.settings.items())
    quantiles = [("p50", change.p50), ("p99", change.p99)]
    if advice.aim == "tail":
        quantiles.reverse()
    told = ", ".join(_moved(name, moved) for name, moved in quantiles) + _charged(change)
    costs = f"; {', '.join(change.costs)}" if kind == "trade" else ""
    return Step(kind, lead, sets, told + costs)


def _aligned(found: Alignment) -> Step:
    """A trigger that comes a fixed time after a transmission of the link."""
    told = ", ".join(
        _moved(name, {"a": before, "b": after})
        for name, (before, after) in (("p50", found["p50_ns"]), ("p99", found["p99_ns"]))
    )
    offset = duration(found["offset_ns"], unit_for([found["offset_ns"]])).replace(" ", "")
    says = f"{told}; the program has to know when its radio transmits: interrupt or status pin"
    return Step("trade", "aligned", f"--phase aligned --offset {offset}", says)


def _charged(change: Change) -> str:
    """What it makes of what each end draws, where that is a tenth or more."""
    words = []
    charges = cast("Mapping[str, Mapping[str, Any]]", change.charges)
    for end, told in charges.items():
        for key, of, written in (
            ("marginal_nc", "a message", charge_in_words),
            ("idle_na", "between", current_in_words),
        ):
            before, after = told[key]
            if abs(after - before) >= 0.1 * max(abs(before), abs(after)):
                words.append(f"{end} {written(before)} → {written(after)} {of}")
    return f"; {', '.join(words)}" if words else ""


def _moved(name: str, moved: Mapping[str, Any]) -> str:
    before, after = moved["a"], moved["b"]
    unit = unit_for([before, after])
    percent = 100 * (after - before) / before if before else 0.0
    if abs(percent) < 0.1:
        return f"{name} {number(after / unit.ns)} {unit.name} as before"
    sign = "+" if percent > 0 else "-"
    return (
        f"{name} {number(before / unit.ns)} → {number(after / unit.ns)} {unit.name} "
        f"({sign}{abs(percent):.2g} %)"
    )


def _reached(advice: Advice, floor: Floor) -> str:
    tuned = advice.combined[-1]
    before, after = tuned.p50["a"], tuned.p50["b"]
    unit = unit_for([after])
    times = number(after / tuned.floor_ns, 3) if tuned.floor_ns else "–"
    before_times = number(before / floor.ns, 3) if floor.ns else "–"
    return (
        f"Tuned, its median of {duration(after, unit)} is {times} times the floor of "
        f"{duration(tuned.floor_ns, unit)} that these settings have; untuned it is {before_times} "
        "times its own."
    )


def _chosen(advice: Advice) -> str:
    """On how many benches what is told was chosen and measured."""
    if not advice.single and not advice.trades:
        return f"Searched {advice.tried - advice.measured} runs with another seed."
    return (
        f"Selected from {advice.tried - advice.measured} runs (seed {advice.choice_seed}), then "
        f"re-measured on {advice.measured} with the seed of this run, to exclude chance gains."
    )
