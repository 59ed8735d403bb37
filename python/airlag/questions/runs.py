"""One run: every transfer of a capture or of the virtual bench, its statistics and its findings.

Whatever the evidence was, from here on nothing knows where it came from. Reports, comparisons and
files all take a :class:`Run`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from enum import IntEnum
from typing import TYPE_CHECKING, Any, cast, get_args, overload

import numpy as np
from numpy.typing import NDArray

from airlag import _airlag
from airlag.core import types
from airlag.core.types import Charge, Law, Region
from airlag.questions.shown import Chart, Plotted, chart_of

if TYPE_CHECKING:
    from airlag._airlag import Trace, Transfers

#: Stands in ``completion_ns`` where there is no completion.
NONE: int = -(2**63)


#: Keys of the documented JSON of any run; what only some have are its ``facts``.
_OF_ANY_RUN = types.Run.__annotations__.keys() - {"deadline"}


class Outcome(IntEnum):
    """What became of one trigger; the codes in ``Run.outcome``."""

    DELIVERED = 0
    LOST = 1
    CENSORED = 2
    LATE = 3


#: Names of the findings there are, in the order reports list them.
FINDINGS: tuple[types.FindingName, ...] = get_args(types.FindingName)


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is true of a run and matters.

    ``evidence`` holds the numbers it rests on, units in the keys.
    """

    name: types.FindingName
    evidence: Mapping[str, int | float | list[int]]
    message: str
    advice: str

    def to_json(self) -> types.Finding:
        """The finding as the documented JSON object."""
        return cast("types.Finding", asdict(self))


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Run(Plotted):
    """Transfers of one run.

    Attributes
    ----------
    source
        File name of the capture, or name of the link profile.
    trigger_ns
        Trigger instants, ns, int64, shape ``(n,)``; ``None`` for a table of latencies, which has
        no clock. Row ``i`` of every array is the same transfer.
    completion_ns
        Completion instants, ns, int64, shape ``(n,)``; :data:`NONE` where there is none. For a
        table of latencies: the latencies.
    outcome
        :class:`Outcome` codes, uint8, shape ``(n,)``.
    spurious_ns, glitch_ns
        Completions nobody asked for, and rises of the trigger wire that are no triggers, ns.
    start_ns, end_ns
        First and last instant observed, ns.
    latency
        ``latency_ns`` of the documented JSON; ``None`` when nothing arrived.
    delivery
        ``delivery`` of the documented JSON; ``None`` when the fate of no transfer is known.
    findings
        In the order reports list them.
    link, size, seed
        Link profile, payload in bytes, root seed, where they are known.
    config
        How the run was read and paired.
    transfers
        The same transfers as the Rust core holds them, for comparisons; ``None`` for a table of
        latencies.
    trace
        Raw edges of every channel, where they were kept.
    version
        The airlag that saved it; ``None``: it is no saved run.
    law
        What each region says of what was sent; empty where no radio of the bench sent.
    answer
        What the core answered of the run: the object of the documented JSON; empty of a run that
        was made by hand.
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
        """One of the charts of a report.

        Parameters
        ----------
        kind
            ``"distribution"``, ``"time"``, ``"percentile"``, ``"box"``, ``"ridge"``, ``"fold"``,
            ``"deadline"``, ``"charge"`` or ``"league"``.

        Raises
        ------
        ValueError
            With one line, when there is no such chart, or it does not apply.
        """
        return chart_of(self, kind)

    @property
    def latency_ns(self) -> NDArray[np.int64]:
        """Latencies of the transfers that completed, ns, in trigger order."""
        if self.trigger_ns is None:
            return self.completion_ns
        done = self.completion_ns != NONE
        latency_ns: NDArray[np.int64] = self.completion_ns[done] - self.trigger_ns[done]
        return latency_ns

    @property
    def fates_ns(self) -> NDArray[np.int64]:
        """Latencies of the transfers whose fate is known, ns, in trigger order.

        :data:`NONE` stands for a lost one.
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
        """Number of transfers with this outcome."""
        return int(np.count_nonzero(self.outcome == outcome))

    @property
    def channels(self) -> tuple[str, str] | None:
        """What trigger and completion are called in the capture; ``None`` where there is none."""
        return None if self.transfers is None else self.transfers.names

    @property
    def charge(self) -> Charge | None:
        """Charge and current of the ends; ``None`` where neither listed nor measured."""
        noted: Charge | None = self.config.get("charge", self.answer.get("charge"))
        return noted

    @property
    def apart(self) -> types.Apart | None:
        """How the radios stand, and how places differ; ``None`` where they are not apart."""
        found: types.Apart | None = self.answer.get("apart")
        return found

    @property
    def facts(self) -> dict[str, Any]:
        """What only some runs have, most of them on the bench, by key of the documented JSON."""
        return {key: self.answer[key] for key in self.answer if key not in _OF_ANY_RUN}

    def to_json(self) -> types.Run:
        """The run as one object of the documented ``--json`` array."""
        told = {key: self.answer[key] for key in self.answer if key in _OF_ANY_RUN}
        told |= {"source": self.source, "link": self.link, "size": self.size, "seed": self.seed}
        told["channels"] = None if self.channels is None else [*self.channels]
        if self.charge is not None:
            told["charge"] = self.charge
        told["findings"] = [finding.to_json() for finding in self.findings]
        return cast("types.Run", told)


class Runs(Plotted, Sequence[Run]):
    """Runs in their order: a sequence with a table, a data frame and charts.

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
        """One of the charts of a report, with all of the runs on it.

        Parameters
        ----------
        kind
            As in :meth:`airlag.Run.plot`.

        Raises
        ------
        ValueError
            With one line, when there is no such chart, or it does not apply.
        """
        return chart_of(self, kind)


def misses(run: Run, deadlines_ns: Sequence[int]) -> list[types.Deadline]:
    """The object ``deadline`` of the documented JSON for each deadline, a time in ns.

    Empty when the fate of no transfer is known. Of a table of latencies nothing is lost.
    """
    return _airlag.misses(run.fates_ns, [int(each) for each in deadlines_ns])
