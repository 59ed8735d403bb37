"""From a file to a :class:`~airlag.Run`: reads, pairs, summarises, finds.

The way through is the same for a logic-analyser capture, for a run saved before and for a table of
latencies; only what is known about each differs.
"""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from airlag import _airlag, payload, store
from airlag._airlag import CaptureError, Trace, Transfers
from airlag.claim import Claim
from airlag.display import encodable
from airlag.pairing import Channel, Pairing
from airlag.runs import Finding, Outcome, Run
from airlag.selection import choose
from airlag.side_by_side import side_by_side

if TYPE_CHECKING:
    from airlag.json_types.run import Finding as FindingTold

StrPath = str | os.PathLike[str]


def analyze(
    path: StrPath,
    *,
    trigger: Channel | None = None,
    completion: Channel | None = None,
    invert: Iterable[Channel] | None = None,
    min_low_ns: int | None = None,
    overlap_ns: int | None = None,
    column: str | None = None,
    unit: str | None = None,
    link: str | None = None,
    size: int | None = None,
    keep_edges: bool = False,
    memory_bytes: int | None = None,
) -> Run:
    """Reads a capture, a saved run or a table of latencies, and says what is in it.

    Parameters
    ----------
    path
        A file of any format airlag reads, told by its content, the folder of a Saleae binary
        export, or ``-`` for standard input, which takes every format but archives and saved runs.
    trigger, completion
        Channels, by name or by position counted from 0. Default: 0 and 1; for a saved run, those
        it was paired with, which holds for the next three as well.
    invert
        Those of the two that are active low.
    min_low_ns
        A trigger counts when its wire was low at least this long before it, ns. Default: 1000.
    overlap_ns
        How long after its trigger a completion may come although further triggers came in
        between, ns. Default, and 0: only until the next trigger.
    column, unit
        Of a table of latencies: which column, and its unit where the header does not tell.
    link, size
        Link profile and payload in bytes, where the caller knows them.
    keep_edges
        Keep the raw edges of every channel in ``Run.trace``, so that the run can be saved.
    memory_bytes
        Most memory that the transfers of a capture may take, bytes, and most that its edges may.
        Default: ``airlag.MEMORY_BYTES``.

    Raises
    ------
    CaptureError
        With one line that names the file, the place, what is wrong and what would be right.
    ValueError
        With one line, when the options contradict each other.
    """
    path = Path(path)
    asked = (trigger, completion, invert, min_low_ns, overlap_ns)
    if store.is_parquet(path):
        stored = store.load(path, memory_bytes)
        link = stored.link if link is None else link
        size = stored.size if size is None else size
        if stored.trace is None:
            run = _from_table(stored.source, stored.latency_ns, stored.config, link, size)
        else:
            pairing = _stored_pairing(path, stored.config).changed(*asked)
            paired = _pair(stored.trace, pairing, str(path), places_ns(stored.config))
            config = dict(stored.config) | pairing.to_config()
            run = run_of_transfers(stored.source, paired, config, link, size)
            run = replace(run, trace=stored.trace)
        return replace(run, seed=stored.seed, version=stored.version)
    pairing = Pairing().changed(*asked)
    capture = _airlag.Input(path, memory_bytes)
    if capture.format == "latency-table":
        latency_ns = _airlag.latency_table(capture, column, unit)
        config = {"column": column, "unit": unit}
        return _from_table(_own_name(path), latency_ns, config, link, size)
    how = (
        pairing.trigger,
        pairing.completion,
        pairing.invert,
        pairing.min_low_ns,
        pairing.overlap_ns,
    )
    trace = None
    if keep_edges:
        paired, trace = _airlag.transfers_and_edges(capture, *how)
    else:
        paired = _airlag.transfers(capture, *how)
    run = run_of_transfers(_own_name(path), paired, pairing.to_config(), link, size)
    return replace(run, trace=trace)


def analyze_each(paths: Sequence[StrPath], **options: Any) -> Iterator[Run | CaptureError]:
    """Analyzes files side by side; yields, in the order given, a run or why there is none.

    Options are those of :func:`analyze`. The source of a capture is its file name, with as many
    folders in front as it takes to tell the captures apart.
    """

    def one(named: tuple[StrPath, str]) -> Run | CaptureError:
        path, source = named
        try:
            run = analyze(path, **options)
            # A saved run goes by the name of what it was made from.
            return replace(run, source=source) if run.source == _own_name(path) else run
        except CaptureError as error:
            return error

    return side_by_side(one, list(zip(paths, distinct_names(paths), strict=True)))


def analyze_many(paths: Iterable[StrPath], **options: Any) -> list[Run]:
    """Analyzes several files, and says what only shows when they are held side by side.

    Options are those of :func:`analyze`.

    Raises
    ------
    CaptureError
        Of the first file that cannot be used.
    """
    runs = []
    for result in analyze_each(list(paths), **options):
        if isinstance(result, CaptureError):
            raise result
        runs.append(result)
    return with_findings(runs, findings_across(runs))


@dataclass(frozen=True, slots=True)
class Across:
    """A finding that several runs make together.

    Attributes
    ----------
    finding
        What only shows when they are held side by side, such as a timer with a frozen phase.
    runs
        Positions of these runs among those asked about.
    """

    finding: Finding
    runs: tuple[int, ...]


def findings_across(runs: Sequence[Run]) -> list[Across]:
    """What runs show together that look like one configuration; the others are left alone."""
    clocked = [
        (index, run.transfers) for index, run in enumerate(runs) if run.transfers is not None
    ]
    found = _airlag.findings_across([transfers for _, transfers in clocked])
    return [
        Across(Finding(**raw), tuple(clocked[position][0] for position in positions))
        for positions, raw in found
    ]


def with_findings(runs: Sequence[Run], across: Sequence[Across]) -> list[Run]:
    """The runs, each with what it shows together with others added to its findings."""
    more = [tuple(a.finding for a in across if index in a.runs) for index in range(len(runs))]
    return [
        replace(run, findings=(*run.findings, *its)) for run, its in zip(runs, more, strict=True)
    ]


def _own_name(path: StrPath) -> str:
    return encodable(Path(path).name)


def distinct_names(paths: Sequence[StrPath]) -> list[str]:
    """File names, all with as many folders in front as it takes to tell the paths apart."""
    parts = [Path(encodable(os.fspath(path))).absolute().parts for path in paths]
    for depth in itertools.count(1):
        names = ["/".join(of[-depth:]) for of in parts]
        if len(set(names)) == len(set(parts)):
            return names
    raise AssertionError("whole paths tell themselves apart")


def run_of_edges(path: Path, trace: Trace) -> Run:
    """A run that keeps all edges of a capture, with its first two channels paired.

    A saved run is paired as it was. One channel makes no transfers, and that is no error here.
    """
    if store.is_parquet(path):
        return analyze(path, keep_edges=True)
    if len(trace.names) < 2:
        empty = Trace.from_edges([], [], trace.epoch_unix_ns, trace.sample_rate_hz)
        paired = _airlag.pair(empty)
    else:
        paired = _pair(trace, Pairing(), str(path))
    return replace(
        run_of_transfers(_own_name(path), paired, Pairing().to_config(), None, None), trace=trace
    )


def places_ns(config: Mapping[str, Any]) -> Sequence[int]:
    """Where each place of a saved run begins, ns; empty if there is one only."""
    found: Sequence[int] = config.get("apart", {}).get("places_ns", ())
    return found


def _pair(trace: Trace, pairing: Pairing, where: str, places_ns: Sequence[int] = ()) -> Transfers:
    wires = (pairing.trigger, pairing.completion)
    chosen = choose(trace, wires, pairing.invert, where)
    return _airlag.pair(chosen, pairing.min_low_ns, pairing.overlap_ns, places_ns)


def _stored_pairing(path: Path, config: Any) -> Pairing:
    try:
        return Pairing.from_config(config).changed()
    except (TypeError, ValueError):
        raise CaptureError(
            f"{path}: metadata {store.KEY}: config does not say how to pair; save the run again"
        ) from None


def run_of_transfers(
    source: str,
    transfers: Transfers,
    config: Any,
    link: str | None,
    size: int | None,
    *,
    look: bool = True,
) -> Run:
    """The run these transfers make: summarised, with its findings if to ``look`` for any."""
    size = payload.of(link, size)
    claim = Claim.of(source, link, size)
    summary = transfers.summary()
    return Run(
        source=source,
        trigger_ns=transfers.trigger_ns,
        completion_ns=transfers.completion_ns,
        outcome=transfers.outcome,
        spurious_ns=transfers.spurious_ns,
        glitch_ns=transfers.glitch_ns,
        start_ns=transfers.start_ns,
        end_ns=transfers.end_ns,
        latency=summary["latency_ns"],
        delivery=summary["delivery"],
        findings=_findings(
            _airlag.findings(
                transfers,
                service_ns=config.get("service_ns"),
                claimed_bytes=claim.size,
                baud=claim.baud,
            ),
        )
        if look
        else (),
        link=link,
        size=size,
        config=config,
        transfers=transfers,
    )


def _from_table(
    source: str, latency_ns: Any, config: Any, link: str | None, size: int | None
) -> Run:
    size = payload.of(link, size)
    claim = Claim.of(source, link, size)
    none = np.empty(0, np.int64)
    return Run(
        source=source,
        trigger_ns=None,
        completion_ns=latency_ns,
        outcome=np.full(len(latency_ns), Outcome.DELIVERED, np.uint8),
        spurious_ns=none,
        glitch_ns=none,
        start_ns=0,
        end_ns=0,
        latency=_airlag.summary(latency_ns),
        findings=_findings(
            _airlag.table_findings(latency_ns, claimed_bytes=claim.size, baud=claim.baud),
        ),
        link=link,
        size=size,
        config=config,
    )


def _findings(raw: Iterable[FindingTold]) -> tuple[Finding, ...]:
    return tuple(Finding(**finding) for finding in raw)
