"""One run: transfers of a capture or of the virtual bench, with statistics and findings.

Reports, comparisons and files treat captured and virtual runs alike.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from enum import IntEnum
from typing import TYPE_CHECKING, Any, Literal, cast, get_args, overload

import numpy as np
from numpy.typing import NDArray

from airlag import _airlag
from airlag.core import types
from airlag.core.types import Charge, Law, Region
from airlag.questions.shown import Chart, Plottable, chart_of

if TYPE_CHECKING:
    from airlag._airlag import Trace, Transfers

#: Value of ``completion_ns`` where there is no completion.
NONE: int = -(2**63)
#: Quantiles of every latency distribution.
Percentile = Literal["p1", "p5", "p25", "p50", "p75", "p95", "p99"]


#: JSON keys common to all runs; the others are ``facts``.
_OF_ANY_RUN = types.Run.__annotations__.keys() - {"deadline"}


class Outcome(IntEnum):
    """Outcome of a trigger; values of ``Run.outcome``."""

    DELIVERED = 0
    LOST = 1
    CENSORED = 2
    LATE = 3


#: Names of all findings, in report order.
FINDINGS: tuple[types.FindingName, ...] = get_args(types.FindingName)


@dataclass(frozen=True, slots=True)
class Finding:
    """A property of a run that affects the interpretation of its results.

    ``evidence`` contains the numbers that show the property; their keys state the units.
    """

    name: types.FindingName
    evidence: Mapping[str, int | float | list[int]]
    message: str
    advice: str

    def to_json(self) -> types.Finding:
        """Returns the finding as a dictionary: an entry of ``findings`` in the JSON of a run."""
        return cast("types.Finding", asdict(self))


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Run(Plottable):
    """One run: its transfers, statistics and findings.

    Attributes
    ----------
    source
        File name of the capture, or name of the link profile.
    trigger_ns
        Trigger times, ns, int64, shape ``(n,)``; ``None`` for a latency table, which has no clock.
        Element ``i`` of every array of shape ``(n,)`` belongs to the same transfer.
    completion_ns
        Completion times, ns, int64, shape ``(n,)``; :data:`NONE` if missing. For a latency table:
        the latencies.
    outcome
        :class:`Outcome` codes, uint8, shape ``(n,)``.
    spurious_ns, glitch_ns
        Times of spurious completions, and of glitches of the trigger channel, ns.
    start_ns, end_ns
        Start and end of the observation, ns.
    latency
        Latency statistics, as ``latency_ns`` in the JSON; ``None`` if nothing was delivered.
    delivery
        Delivery ratio, as ``delivery`` in the JSON; ``None`` if no outcome is known.
    findings
        Findings, in the order in which a report lists them.
    link, size, seed
        Link profile, payload in bytes, and random seed; ``None`` if unknown.
    config
        Reading and pairing options.
    transfers
        The transfers as an object of the Rust core, for comparisons; ``None`` for a latency table.
    trace
        Raw edges of every channel; ``None`` if they were not kept.
    version
        airlag version that saved the run; ``None`` if it was not saved.
    law
        Regulatory verdict of each region; empty if the bench has no radio.
    answer
        JSON object that the Rust core returned for the run; empty for a run built by hand.
    """

    source: str
    trigger_ns: NDArray[np.int64] | None
    completion_ns: NDArray[np.int64]
    outcome: NDArray[np.uint8]
    spurious_ns: NDArray[np.int64]
    glitch_ns: NDArray[np.int64]
    start_ns: int
    end_ns: int
    latency: types.Latency | None
    findings: Sequence[Finding] = ()
    link: str | None = None
    size: int | None = None
    seed: int | None = None
    config: Mapping[str, Any] = field(default_factory=dict)
    delivery: types.Delivery | None = None
    transfers: Transfers | None = None
    trace: Trace | None = None
    version: str | None = None
    law: Mapping[Region, Law] = field(default_factory=dict)
    answer: Mapping[str, Any] = field(default_factory=dict)

    def plot(self, kind: str = "distribution") -> Chart:
        """Returns one of the charts of a report.

        Parameters
        ----------
        kind
            ``"distribution"``, ``"time"``, ``"percentile"``, ``"box"``, ``"ridge"``, ``"fold"``,
            ``"deadline"``, ``"charge"`` or ``"league"``.

        Raises
        ------
        ValueError
            If the chart is unknown or does not apply to this run. The message is one line.
        """
        return chart_of(self, kind)

    @property
    def latency_ns(self) -> NDArray[np.int64]:
        """Latencies of the completed transfers, ns, in trigger order."""
        if self.trigger_ns is None:
            return self.completion_ns
        done = self.completion_ns != NONE
        latency_ns: NDArray[np.int64] = self.completion_ns[done] - self.trigger_ns[done]
        return latency_ns

    @property
    def fates_ns(self) -> NDArray[np.int64]:
        """Latencies of the transfers with a known outcome, ns, in trigger order.

        :data:`NONE` represents a lost transfer.
        """
        if self.trigger_ns is None:
            return self.completion_ns
        known = self.outcome != Outcome.CENSORED
        trigger_ns, completion_ns = self.trigger_ns[known], self.completion_ns[known]
        fates_ns: NDArray[np.int64] = np.where(
            completion_ns == NONE, NONE, completion_ns - trigger_ns
        )
        return fates_ns

    def count(self, outcome: Outcome) -> int:
        """Returns the number of transfers with this outcome."""
        return int(np.count_nonzero(self.outcome == outcome))

    @property
    def channels(self) -> tuple[str, str] | None:
        """Names of the trigger and completion channels; ``None`` without channels."""
        return None if self.transfers is None else self.transfers.names

    @property
    def charge(self) -> Charge | None:
        """Charge and current of both ends; ``None`` if neither measured nor listed."""
        noted: Charge | None = self.config.get("charge", self.answer.get("charge"))
        return noted

    @property
    def apart(self) -> types.Apart | None:
        """Distance and simulated locations; ``None`` if the radios are side by side."""
        found: types.Apart | None = self.answer.get("apart")
        return found

    @property
    def facts(self) -> dict[str, Any]:
        """Entries of the JSON, by key, that only some runs have, mostly virtual runs."""
        return {key: self.answer[key] for key in self.answer if key not in _OF_ANY_RUN}

    def to_json(self) -> types.Run:
        """Returns the run as a dictionary: one entry of the array that ``--json`` prints."""
        document = {key: self.answer[key] for key in self.answer if key in _OF_ANY_RUN}
        document |= {"source": self.source, "link": self.link, "size": self.size, "seed": self.seed}
        document["channels"] = None if self.channels is None else [*self.channels]
        if self.charge is not None:
            document["charge"] = self.charge
        document["findings"] = [finding.to_json() for finding in self.findings]
        return cast("types.Run", document)


class Runs(Plottable, Sequence[Run]):
    """A sequence of runs with a table, a data frame and charts.

    >>> airlag.Runs([airlag.analyze("a.csv"), airlag.analyze("b.csv")]).plot("percentile")
    """

    __slots__ = ("_runs",)

    def __init__(self, runs: Iterable[Run]) -> None:
        self._runs = tuple(runs)

    def __len__(self) -> int:
        return len(self._runs)

    def __iter__(self) -> Iterator[Run]:
        return iter(self._runs)

    @overload
    def __getitem__(self, index: int) -> Run: ...
    @overload
    def __getitem__(self, index: slice) -> Runs: ...
    def __getitem__(self, index: int | slice) -> Run | Runs:
        found = self._runs[index]
        return found if isinstance(found, Run) else Runs(found)

    def plot(self, kind: str = "distribution") -> Chart:
        """Returns one of the charts of a report, drawn for all runs.

        Parameters
        ----------
        kind
            As in :meth:`airlag.Run.plot`.

        Raises
        ------
        ValueError
            If the chart is unknown or does not apply to these runs. The message is one line.
        """
        return chart_of(self, kind)


def misses(run: Run, deadlines_ns: Sequence[int]) -> list[types.Deadline]:
    """Returns the JSON object ``deadline`` for each deadline, ns.

    Empty if no outcome is known. Latency tables have no losses.
    """
    return _airlag.misses(run.fates_ns, [int(each) for each in deadlines_ns])
