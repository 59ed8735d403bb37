"""Where along a run its findings happen: a line at a moment, a band over a stretch."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from airlag.questions.runs import Finding
from airlag.views.pages.sheet import Row
from airlag.views.pages.spec import Columns

#: Below the top of the panel, px: the first name, and how far the next is below it.
FIRST, NEXT = 9.0, 13.0


@dataclass(frozen=True, slots=True)
class Moment:
    """What happened to some transfers of a run.

    Attributes
    ----------
    first, last
        The transfers it is true of; the same one where something changed with it.
    says
        In a few words, after the name of the finding.
    """

    first: int
    last: int
    says: str


def of(row: Row) -> list[Moment]:
    """The findings of a run that have a place in it, in the order they are listed.

    Losses and censored transfers have marks of their own, one each.
    """
    return [found for finding in row.run.findings for found in _placed(row, finding)]


def everywhere(row: Row) -> list[str]:
    """Names of the findings that are true of the run as a whole."""
    placed = {finding.name for finding in row.run.findings if any(_placed(row, finding))} | _MARKED
    return [finding.name for finding in row.run.findings if finding.name not in placed]


#: Findings whose transfers each have a mark.
_MARKED = {"lost-transfers", "censored-end"}


def _placed(row: Row, finding: Finding) -> Iterator[Moment]:
    evidence, last = finding.evidence, len(row.run.outcome) - 1
    match finding.name, evidence:
        case "trend", {"at_index": int(at)} if at <= last:
            yield Moment(at, at, f"trend: jump at transfer {at}")
        case "lost-transfers", {"dead_from": int(at)} if at <= last:
            yield Moment(at, last, f"lost-transfers: nothing arrives from transfer {at} on")
        case "warm-up", {"count": int(many)} if 0 < many <= len(row.index):
            yield Moment(0, int(row.index[many - 1]), f"warm-up: the first {many}")


def table(row: Row) -> Columns:
    """Bands and lines of the findings of a run with a clock, with their names."""
    found = of(row)
    first = np.array([each.first for each in found], np.int64)
    last = np.array([each.last for each in found], np.int64)
    return {
        "i": first - 0.5,
        "i2": last + 0.5,
        "x": row.since_start(first),
        "x2": row.since_start(last),
        "px": [FIRST + NEXT * nth for nth in range(len(found))],
        "text": [each.says for each in found],
    }
