"""Analysis of files: reading, pairing, statistics and findings, which form a :class:`~airlag.Run`.

Logic-analyser captures, saved runs and latency tables are analysed in the same steps.
"""

from __future__ import annotations

import itertools
import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from airlag import _airlag
from airlag._airlag import CaptureError, Trace, Transfers
from airlag.core.answered import ask, loads, reply_to
from airlag.core.display import encodable
from airlag.core.pairing import Channel, Pairing
from airlag.core.parallel import side_by_side
from airlag.questions import matched, store
from airlag.questions.runs import Finding, Outcome, Run

if TYPE_CHECKING:
    from airlag._airlag import Reply
    from airlag.core import types

StrPath = str | os.PathLike[str]
#: Key of ``Run.config``: channel with a pulse per second, which is not paired.
PULSES = "pps"
#: Stimulus keys of a virtual run.
_STIMULUS = frozenset({"period_ns", "phase", "service_ns"})


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
    """Analyzes a capture, a recording of a sniffer, a saved run or a latency table.

    Parameters
    ----------
    path
        A file of any supported format, which is recognised by its content; the folder of a Saleae
        binary export; or ``-`` for standard input, which accepts no archives and no saved runs.
    trigger, completion
        Channels by name or by position from 0. Default: the first channel that is not the other
        one. For a saved run, these and the next three default to the saved pairing. For a sniffer,
        ``trigger`` selects a stream. Default: the stream with the most acknowledged frames.
    invert
        Which of the channels ``trigger`` and ``completion`` are active-low.
    min_low_ns
        Minimum low time before a valid trigger, ns. Default: 1000.
    overlap_ns
        Maximum delay of a completion after its trigger if later triggers come in between, ns.
        With the default of 0, a completion must come before the next trigger.
    column, unit
        Column of a latency table, and the unit of its values if the header contains no unit.
    link, size
        Link profile and payload in bytes, if known.
    keep_edges
        Keep the raw edges of every channel in ``Run.trace``, so that the run can be saved.
    memory_bytes
        Memory limit for the transfers of a capture, bytes. The edges of the capture have a separate
        limit of the same size. Default: ``airlag.MEMORY_BYTES``.

    Raises
    ------
    CaptureError
        If the file is unusable. One line with file, position, cause and what is expected.
    ValueError
        If options contradict each other. One line.
    """
    path = Path(path)
    asked = (trigger, completion, invert, min_low_ns, overlap_ns)
    if store.is_parquet(path):
        stored = store.load(path, memory_bytes)
        link = stored.link if link is None else link
        size = stored.size if size is None else size
        if stored.trace is None:
            times = np.ascontiguousarray(stored.latency_ns, np.int64)
            reply = _ask([times], source=stored.source, link=link, size=size)
            run = _run_of_table(loads(reply), times, stored.config)
        else:
            pairing = _stored_pairing(path, stored.config).changed(*asked)
            channels = without_pulses(stored.trace, stored.config, path)
            paired = _pair(channels, pairing, str(path), places_ns(stored.config))
            if pairing == _stored_pairing(path, stored.config):
                paired = matched.restored(paired, stored.config, str(path))
            config = dict(stored.config) | pairing.to_config()
            run = run_of_transfers(stored.source, paired, config, link, size)
            run = replace(run, trace=stored.trace)
        return replace(run, seed=stored.seed, version=stored.version)
    written_by = _airlag.journal_of(path)
    if written_by == "emulate":
        return run_of_journal(_airlag.read_journal(path))
    if written_by == "probe":
        return run_of_probes(_airlag.answered_journal(path))
    pairing = Pairing().changed(*asked)
    capture = _airlag.Input(path, memory_bytes)
    source = _own_name(path)
    is_table = capture.format == "latency-table"
    read = {"column": column, "unit": unit} if is_table else pairing.to_config()
    more = {} if is_table else {"keep_edges": keep_edges}
    reply = _ask([capture], source=source, link=link, size=size, **read, **more)
    transfers = reply.transfers[0]
    if transfers is None:
        return _run_of_table(loads(reply), reply.latencies_ns[0], read)
    if capture.format in ("pcapng", "pcap"):
        # Frames are matched by sequence number, which edges do not show.
        read = pairing_of_probes(transfers, reply.traces[0])
    return replace(run_of_arrays(loads(reply), transfers, read), trace=reply.traces[0])


def analyze_each(paths: Sequence[StrPath], **options: Any) -> Iterator[Run | CaptureError]:
    """Analyzes files in parallel; yields a run or an error per file, in the order of the files.

    Options are those of :func:`analyze`. The ``source`` of a capture is its file name. If
    several captures have the same file name, ``source`` also contains parent folders.
    """

    def one(named: tuple[StrPath, str]) -> Run:
        path, source = named
        run = analyze(path, **options)
        # A saved run keeps the source that its file contains.
        return replace(run, source=source) if run.source == _own_name(path) else run

    named = list(zip(paths, distinct_names(paths), strict=True))
    return side_by_side(one, named, CaptureError)


def analyze_many(paths: Iterable[StrPath], **options: Any) -> list[Run]:
    """Analyzes several files, and adds findings that only a comparison of the files reveals.

    Options are those of :func:`analyze`.

    Raises
    ------
    CaptureError
        For the first file that is unusable.
    """
    runs = []
    for result in analyze_each(list(paths), **options):
        if isinstance(result, CaptureError):
            raise result
        runs.append(result)
    return with_findings(runs, findings_across(runs))


@dataclass(frozen=True, slots=True)
class Across:
    """A finding across several runs."""

    #: Finding that requires a comparison, such as a timer with a frozen phase.
    finding: Finding
    #: Indices of the affected runs.
    runs: tuple[int, ...]


def findings_across(runs: Sequence[Run]) -> list[Across]:
    """Returns findings across runs of the same configuration; other runs are ignored."""
    clocked = [
        (index, run.transfers) for index, run in enumerate(runs) if run.transfers is not None
    ]
    return [
        Across(Finding(**each["finding"]), tuple(clocked[position][0] for position in each["runs"]))
        for each in ask("across", [transfers for _, transfers in clocked])
    ]


def with_findings(runs: Sequence[Run], across: Sequence[Across]) -> list[Run]:
    """Adds findings across runs to the findings of each run."""
    more = [tuple(a.finding for a in across if index in a.runs) for index in range(len(runs))]
    return [
        replace(run, findings=(*run.findings, *its)) for run, its in zip(runs, more, strict=True)
    ]


def _own_name(path: StrPath) -> str:
    return encodable(Path(path).name)


def distinct_names(paths: Sequence[StrPath]) -> list[str]:
    """Returns file names, all with the number of parent folders that makes them unique."""
    parts = [Path(encodable(os.fspath(path))).absolute().parts for path in paths]
    for depth in itertools.count(1):
        names = ["/".join(of[-depth:]) for of in parts]
        if len(set(names)) == len(set(parts)):
            return names
    raise AssertionError("full paths are distinct")


def run_of_edges(
    path: Path,
    trace: Trace,
    pairing: Pairing | None = None,
    link: str | None = None,
    size: int | None = None,
    *,
    source: str | None = None,
) -> Run:
    """Returns a run with all edges of a capture, and with the transfers of two of its channels.

    Without ``pairing``, a saved run keeps its pairing. A capture with one channel has no transfers.
    """
    if pairing is None and store.is_parquet(path):
        return analyze(path, keep_edges=True)
    pairing = pairing or Pairing()
    if len(trace.names) < 2:
        empty = Trace.from_edges([], [], trace.epoch_unix_ns, trace.sample_rate_hz)
        paired = _airlag.pair(empty)
    else:
        paired = _pair(trace, pairing, str(path))
    run = run_of_transfers(source or _own_name(path), paired, pairing.to_config(), link, size)
    return replace(run, trace=trace)


def without_pulses(trace: Trace, config: Mapping[str, Any], path: Path) -> Trace:
    """Channels that can be paired: all but the pulse per second of a recorded run."""
    pulses = config.get(PULSES)
    names = [name for name in trace.names if name != pulses]
    return trace if len(names) == len(trace.names) else trace.chosen(names, [], path)


def places_ns(config: Mapping[str, Any]) -> Sequence[int]:
    """Start of each simulated location in a saved run, ns; empty if there is only one."""
    found: Sequence[int] = config.get("apart", {}).get("places_ns", ())
    return found


def _pair(trace: Trace, pairing: Pairing, where: str, places_ns: Sequence[int] = ()) -> Transfers:
    chosen = trace.chosen_pair(pairing.trigger, pairing.completion, list(pairing.invert), where)
    return _airlag.pair(chosen, pairing.min_low_ns, pairing.overlap_ns, places_ns)


def _stored_pairing(path: Path, config: Any) -> Pairing:
    try:
        return Pairing.from_config(config).changed()
    except (TypeError, ValueError):
        raise CaptureError(
            f"{path}: metadata {store.KEY}: config contains no pairing; save the run again"
        ) from None


def _ask(given: Sequence[Any], **facts: Any) -> Reply:
    return reply_to("analyze", given, **facts)


def run_of_transfers(
    source: str, transfers: Transfers, config: Any, link: str | None, size: int | None
) -> Run:
    """Builds a run from transfers, with statistics and findings."""
    noted = ("service_ns", "apart", "causes", "settings", "traffic", "way")
    facts = {key: config[key] for key in noted if key in config}
    if config.keys() >= _STIMULUS:
        stimulus = (*_STIMULUS, "offset_ns")
        facts["stimulus"] = {key: config[key] for key in stimulus if key in config}
    reply = _ask([transfers], source=source, link=link, size=size, **facts)
    return run_of_arrays(loads(reply), transfers, config)


def run_of_journal(way: Mapping[str, Any], *, alone: bool = False) -> Run:
    """Builds the run of one emulated direction; ``alone``: the other direction has no traffic.

    Events are counted for both directions together, so they explain losses only with ``alone``.
    """
    about, incidents = json.loads(way["about"]), dict(way["incidents"])
    events = incidents if alone else {}
    causes = {
        "not_taken": 0,
        "given_up": 0,
        "retries": events.get("retry", 0),
        "overload": None,
        "events": {name: times for name, times in events.items() if name != "retry"},
        "delays_acks": False,
        "sleeps_between_beacons": False,
    }
    config = {
        **Pairing().to_config(),
        **{key: about[key] for key in about.keys() - {"link", "size", "seed"}},
        "incidents": incidents,
        "causes": causes,
        "late_ns": dict(way["late_ns"]),
    }
    link, size = about["link"], about["size"]
    run = run_of_transfers(link, way["transfers"], config, link, size)
    return replace(run, seed=about["seed"], trace=way["trace"])


def run_of_probes(reply: Reply) -> Run:
    """Builds a run from the round trips of a probe session."""
    transfers, trace = reply.transfers[0], reply.traces[0]
    assert transfers is not None
    run = run_of_arrays(loads(reply), transfers, pairing_of_probes(transfers, trace))
    return replace(run, trace=trace)


def pairing_of_probes(transfers: Transfers, trace: Trace | None) -> dict[str, Any]:
    """Pairing of a saved probe session, or of a stream that a sniffer recorded."""
    # Delayed messages may be close together; they are not glitches.
    config: dict[str, Any] = dict(Pairing(min_low_ns=0).to_config())
    # Answers are matched by sequence number, which edges do not show.
    if (kept := matched.beside_edges(transfers, trace)) is not None:
        config[matched.KEY] = kept
    return config


def run_of_arrays(answer: Mapping[str, Any], transfers: Transfers, config: Any) -> Run:
    """Builds a run from an answer of the core and its transfers."""
    arrays = ("trigger_ns", "completion_ns", "outcome", "spurious_ns", "glitch_ns")
    evidence = {name: getattr(transfers, name) for name in (*arrays, "start_ns", "end_ns")}
    return _run(answer, config, **evidence, transfers=transfers)


def _run_of_table(answer: Mapping[str, Any], latency_ns: Any, config: Any) -> Run:
    none = np.empty(0, np.int64)
    return _run(
        answer,
        config,
        trigger_ns=None,
        completion_ns=latency_ns,
        outcome=np.full(len(latency_ns), Outcome.DELIVERED, np.uint8),
        spurious_ns=none,
        glitch_ns=none,
        start_ns=0,
        end_ns=0,
    )


def _run(answer: Mapping[str, Any], config: Any, **evidence: Any) -> Run:
    return Run(
        **evidence,
        **{key: answer[key] for key in ("source", "link", "size", "seed", "delivery")},
        latency=answer["latency_ns"],
        findings=_findings(answer["findings"]),
        config=config,
        answer=answer,
    )


def _findings(raw: Iterable[types.Finding]) -> tuple[Finding, ...]:
    return tuple(Finding(**finding) for finding in raw)
