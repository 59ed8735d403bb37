"""``airlag run``: runs on the virtual bench, reported as ``airlag analyze`` reports captures."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Annotated

from rich.console import RenderableType

from airlag._airlag import LinkError
from airlag.cli import options, sheet, terminal
from airlag.cli.burst import back_to_back
from airlag.cli.fail_on import FailOn, failures
from airlag.cli.options import given, lasting, whole
from airlag.cli.real_bench import on_bench
from airlag.cli.run_details import (
    Rate,
    costs,
    event_lines,
    missed,
    object_of,
    regulation_lines,
    wire_overhead,
)
from airlag.cli.settings import Changes, is_span, span
from airlag.cli.summary import of_runs, runs_table, side_by_side, summary
from airlag.cli.work import Work, Working, run_folder, separated
from airlag.core import payload
from airlag.core.arguments import LARGEST_SEED, MOST_BYTES, MOST_TRIGGERS
from airlag.core.quantity import parse_whole
from airlag.core.types import Phase, Region
from airlag.questions import bench, store
from airlag.questions.analysis import findings_across, with_findings
from airlag.questions.bench import TRAFFIC, WAYS, Request
from airlag.questions.charge import Supply
from airlag.questions.identity import traffic_in_words
from airlag.questions.runs import Run
from airlag.questions.trains import BACK_TO_BACK, Train
from airlag.views.table import Paragraph

#: Default payloads: those of the latency comparison, bytes.
SIZES = (12, 128, 1024)
#: Error for an option that does not apply to this traffic.
_MEANS_NOTHING = "{{}} does not apply to --traffic {}; omit it, or use --traffic {}"

#: Comma-separated payloads, bytes.
payloads = options.several(
    "list of payloads",
    "bytes and commas, such as 12,128",
    lambda word: parse_whole(word, 0, MOST_BYTES),
)

Sizes = Annotated[Sequence[int] | None, payloads]
Period = Annotated[int | None, lasting("period", 10**3, 10**13)]
Trials = Annotated[int | None, whole("number of trains", 1, 10_000, 10)]
Pace = Annotated[int | None, lasting("pace", 10**3, 10**12)]
Seed = Annotated[int | None, whole("seed", 0, LARGEST_SEED, 1, "a whole number")]


def run(
    *,
    links: list[str],
    setup: Path | None = None,
    sizes: Sizes = None,
    count: Annotated[int | None, whole("number of triggers", 1, MOST_TRIGGERS, 1000)] = None,
    period: Period = None,
    phase: Phase | None = None,
    offset: Annotated[int | None, lasting("offset", 0, 10**13)] = None,
    places: Annotated[int | None, whole("number of locations", 1, 100_000, 20)] = None,
    traffic: Annotated[str | None, (*TRAFFIC, BACK_TO_BACK)] = None,
    trials: Trials = None,
    pace: Pace = None,
    repeat: bool = False,
    changes: Changes,
    seed: Seed = None,
    output: str | None = None,
    sniff: options.Sniff = None,
    deadline: options.Deadline = None,
    region: Region | None = None,
    battery: str | None = None,
    rate: Rate = None,
    fail_on: FailOn = None,
    work: Working,
) -> None:
    """Run links on the virtual bench: same seed, same numbers, on every machine.

    With --setup, run one link on a real bench and compare it with the virtual bench.
    """
    if setup is not None:
        only_virtual: dict[str, object] = {"--phase": phase, "--offset": offset, "--places": places}
        only_virtual |= {"--traffic": traffic, "--trials": trials, "--pace": pace, "--sniff": sniff}
        only_virtual |= {"--repeat": repeat, "--deadline": deadline, "--region": region}
        only_virtual |= {"--battery": battery, "--rate": rate}
        terminal.refuse_given(only_virtual, "{} has no effect with --setup; leave it out")
        (one, *others) = span(changes, dict.fromkeys(links, (None,)))
        if others:
            terminal.refuse("--setup is for one link and one value of each parameter")
        asked = given(sizes=sizes, count=count, period_ns=period, seed=seed)
        file = Path(output) if output is not None and sheet.is_sheet(output) else None
        made = on_bench(setup, one.link, asked, one.settings, output, file, work)
        failed = failures(fail_on, (each.to_json() for each in made))
        work.end(work.finished, found=failed)
        return
    if traffic == BACK_TO_BACK:
        only_trigger: dict[str, object] = {"--period": period, "--phase": phase, "--sniff": sniff}
        only_trigger |= {"--offset": offset}
        only_trigger |= {"--deadline": deadline, "--places": places, "--region": region}
        only_trigger |= {"--battery": battery, "--rate": rate, "--fail-on": fail_on}
        terminal.refuse_given(only_trigger, _MEANS_NOTHING.format(traffic, "trigger"))
        train = Train(**given(count=count, trials=trials, pace_ns=pace, repeat=repeat, seed=seed))
        with terminal.refusing(ValueError):
            kept = None if output is None else options.table_or_chart(output)
        trains = span(changes, dict.fromkeys(links, sizes or SIZES))
        back_to_back(trains, train, kept, work)
        return
    supply = Supply.of(battery, rate)
    only_trains = {"--trials": trials, "--pace": pace, "--repeat": repeat}
    terminal.refuse_given(only_trains, _MEANS_NOTHING.format(traffic or "trigger", BACK_TO_BACK))
    typed = None if sizes is None else list(dict.fromkeys(sizes))
    spanned = span(changes, payload.of_each(links, typed, SIZES))
    stimulus = given(count=count, period_ns=period, phase=phase, offset_ns=offset, places=places)
    stimulus |= given(seed=seed, traffic=traffic, deadline_ns=deadline, region=region)
    stimulus |= given(battery=supply.battery, per_second=supply.per_second)
    requests = [
        Request(each.link, each.size, settings=each.settings, **stimulus) for each in spanned
    ]
    table = Path(output) if output is not None and sheet.is_sheet(output) else None
    targets = _targets(requests, output if table is None else None)
    _check_sniffer(requests, sniff)
    runs: list[Run] = []
    with work.progress("running", len(requests)) as step:
        results = bench.emulate_each(requests)
        if sniff is not None:
            results = iter([_sniffed(requests[0], sniff, work)])
        for paths, result in zip(targets, results, strict=True):
            if isinstance(result, LinkError):
                work.errors.append(str(result))
            else:
                for target, each in zip(paths, result, strict=True):
                    work.keep(target, partial(store.save, each, force=work.force))
                    runs.append(replace(each, trace=None))
            step()
    work.until.expect(runs)

    across = findings_across(runs)

    def shown() -> Iterator[RenderableType]:
        yield from separated(
            [summary(each, *_beside(each, deadline, region, supply))] for each in runs
        )
        yield from side_by_side(runs, across, _name)
        if len(runs) > 1 and is_span(spanned, typed):
            yield from ("", of_runs(runs))

    complete = with_findings(runs, across)
    work.show([object_of(run, None) for run in complete], shown)
    work.table(table, [runs_table(runs)] if runs else [])
    failed = failures(fail_on, (run.to_json() for run in complete))
    work.end(f"{len(runs)} of {sum(map(len, targets))} runs are finished", found=failed)


def _beside(
    run: Run, deadline_ns: int | None, region: Region | None, supply: Supply
) -> Iterator[Paragraph]:
    """Yields the lines printed between latencies and findings."""
    yield from missed(run, deadline_ns)
    yield from wire_overhead(run)
    yield from event_lines(run)
    yield from costs(run, supply)
    yield from regulation_lines(run, region)


def _name(run: Run) -> str:
    traffic = traffic_in_words(run.config)
    words = payload.words(run.source, run.size)
    return " ".join(words if traffic is None else [*words, traffic])


def _targets(requests: Sequence[Request], output: str | None) -> list[list[Path | None]]:
    """Output path of each run of each request."""
    ways = [WAYS if each.traffic == "both" else (None,) for each in requests]
    if output is None:
        return [[None for _ in each] for each in ways]
    folder = run_folder(output, sum(map(len, ways)), "runs")
    if folder is None:
        return [[Path(output)]]
    return [
        [folder / bench.file_name(request, way) for way in each]
        for request, each in zip(requests, ways, strict=True)
    ]


def _check_sniffer(requests: Sequence[Request], sniff: Path | None) -> None:
    """Exits if a sniffer cannot record these runs."""
    if sniff is None:
        return
    if len(requests) > 1:
        terminal.refuse(
            f"--sniff {sniff} is one file for {len(requests)} runs; name one link and one --size"
        )
    if requests[0].places is not None:
        terminal.refuse(f"--sniff {sniff} records one location; omit --places")
    if requests[0].traffic != "trigger":
        terminal.refuse(f"--sniff {sniff} needs --traffic trigger; omit one of them")


def _sniffed(request: Request, capture: Path, work: Work) -> tuple[Run, ...] | LinkError:
    """Runs a request with a sniffer, saves its capture, and reports omitted frames."""
    try:
        run, frames = bench.sniff(request)
    except LinkError as error:
        return error
    work.keep_bytes(capture, frames.pcapng, "path with --sniff")
    for family, count in frames.left_out.items():
        terminal.complain(f"{capture}: without {count} frames of {family}, which has no link type")
    if frames.over_limit:
        terminal.complain(
            f"{capture}: without the last {frames.over_limit} frames; choose a smaller --count"
        )
    return (run,)
