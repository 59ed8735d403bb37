"""``airlag run``: links on the virtual bench, told as ``airlag analyze`` tells captures."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Annotated, cast

from rich.console import RenderableType

from airlag._airlag import LinkError
from airlag.cli import options, sheet, terminal
from airlag.cli.burst import back_to_back
from airlag.cli.charge import Battery, Rate, costs
from airlag.cli.fail_on import FailOn, failures
from airlag.cli.law import Region, lawful
from airlag.cli.options import argument, lasting, option, whole
from airlag.cli.paragraph import Paragraph
from airlag.cli.runs_table import of_runs, runs_table
from airlag.cli.settings import (
    Environment,
    Neighbours,
    Range,
    SpannedSettings,
    is_span,
    pairs_of,
    placed,
    span,
)
from airlag.cli.summary import side_by_side, summary
from airlag.cli.virtual import beyond_the_wire, happened, missed, object_of
from airlag.cli.work import Work, apart, pcapng, run_folder, table_or_chart
from airlag.core import payload
from airlag.core.arguments import LARGEST_SEED, MOST_BYTES, MOST_TRIGGERS
from airlag.core.quantity import parse_whole
from airlag.core.types import Phase, Traffic
from airlag.core.types import Region as RegionName
from airlag.questions import bench, store
from airlag.questions.analysis import findings_across, with_findings
from airlag.questions.bench import RUN_PHASES, TRAFFIC, WAYS, Request
from airlag.questions.charge import Supply
from airlag.questions.identity import traffic_in_words
from airlag.questions.runs import Run
from airlag.questions.trains import BACK_TO_BACK, Train

#: Payloads where none are asked for: those of the latency comparison, bytes.
SIZES = (12, 128, 1024)
#: What is said of an option that one kind of traffic has not, and the other has.
_MEANS_NOTHING = "{{}} means nothing with --traffic {}; leave it out, or write --traffic {}"
#: Title of the options in ``--help`` that only ``--traffic back-to-back`` has.
TRAINS = "Trains, with --traffic back-to-back"

Names = Annotated[list[str], argument("LINK", "Link profiles; airlag links lists them.")]
#: Payloads with commas between them, bytes.
payloads = options.several(
    "list of payloads",
    "bytes and commas, such as 12,128",
    lambda word: parse_whole(word, 0, MOST_BYTES),
)
_stimulus = options.panel("When to send")
_trains = options.panel(TRAINS)

Sizes = Annotated[
    Sequence[int] | None,
    option(
        "--size BYTES,…",
        "Payloads of the links that have a message, such as 12,128,1024, the default.",
        payloads,
    ),
]
COUNT = _stimulus(
    "--count N",
    "Triggers. Default: 1000; messages of a train: 100.",
    whole("number of triggers", 1, MOST_TRIGGERS, 1000),
)
Period = Annotated[
    int | None,
    _stimulus(
        "--period TIME",
        "From trigger to trigger. Default: 200ms, or as much longer as the link needs.",
        lasting("period", 10**3, 10**13),
    ),
]
PLACES = _stimulus(
    "--places N",
    "Places that triggers are spread over where --set range= puts the radios apart: each with "
    "a shadowing of its own. Default: 20; 1 where the environment has none.",
    whole("number of places", 1, 100_000, 20),
)
PHASE = _stimulus(
    "--phase",
    "frozen: exactly one period apart. uniform: each up to half a period late, as what a user "
    "sends is. aligned: --offset after a transmission that the link makes on its own, such as a "
    "beacon or a connection event, and one period apart at least. Default: uniform.",
    RUN_PHASES,
)
OFFSET = _stimulus(
    "--offset TIME",
    "With --phase aligned: from the beginning of a transmission to the trigger. Default: 0ns.",
    lasting("offset", 0, 10**13),
)
TRAFFIC_OPTION = _stimulus(
    "--traffic",
    "trigger: a message there. echo: there and back, for the round trip. both: each board "
    "sends, at triggers of its own; two runs, there and back. back-to-back: trains of --count "
    "messages, one after the other, and which of them arrive. rpc-…: a call of --size bytes or "
    "items, until its answer is there. Default: trigger.",
    (*TRAFFIC, BACK_TO_BACK),
)
Trials = Annotated[
    int | None,
    _trains(
        "--trials N",
        "Trains, each with the next seed. Default: 10.",
        whole("number of trains", 1, 10_000, 10),
    ),
]
Pace = Annotated[
    int | None,
    _trains(
        "--pace TIME",
        "From one message to the next at least. Default: as the program and its link please.",
        lasting("pace", 10**3, 10**12),
    ),
]
Repeat = Annotated[
    bool,
    _trains(
        "--repeat", "Selective repeat: what the receiver lacks is sent again until it has all."
    ),
]
Seed = Annotated[
    int | None,
    option(
        "--seed N",
        "Root of every random number. Default: 1.",
        whole("seed", 0, LARGEST_SEED, 1, "a whole number"),
    ),
]
OUTPUT = option(
    "-o --output FILE.parquet|FOLDER/|FILE.csv",
    "Keep every transfer and every edge in FILE.parquet. Several runs need a folder (ending in "
    "/, or one that exists), where each is named after its link, its payload and all that is "
    "not as by default. FILE.csv, .md or .json: a table of the runs, one a row. Of trains: "
    "that, or a chart of what was lost, FILE.svg, .png or .html.",
)
SNIFF = option(
    "--sniff FILE.pcapng",
    "Keep every frame on the air in FILE.pcapng, for Wireshark; one run only.",
)


def run(
    links: Names,
    sizes: Sizes = None,
    count: Annotated[int | None, COUNT] = None,
    period: Period = None,
    phase: Annotated[Phase | None, PHASE] = None,
    offset: Annotated[int | None, OFFSET] = None,
    places: Annotated[int | None, PLACES] = None,
    traffic: Annotated[str | None, TRAFFIC_OPTION] = None,
    trials: Trials = None,
    pace: Pace = None,
    repeat: Repeat = False,
    settings: SpannedSettings = None,
    distance: Range = None,
    environment: Environment = None,
    neighbours: Neighbours = None,
    seed: Seed = None,
    output: Annotated[str | None, OUTPUT] = None,
    sniff: Annotated[str | None, SNIFF] = None,
    deadline: options.Deadline = None,
    region: Region = None,
    battery: Battery = None,
    rate: Rate = None,
    fail_on: FailOn = None,
    force: options.Force = False,
    json: options.Json = False,
) -> None:
    """Run links on the virtual bench: same seed, same numbers, on every machine."""
    settings = placed(settings, distance, environment)
    pairs = pairs_of(settings, neighbours)
    root = 1 if seed is None else seed
    work = Work(force=force, json=json)
    if traffic == BACK_TO_BACK:
        only_trigger: dict[str, object] = {"--period": period, "--phase": phase, "--sniff": sniff}
        only_trigger |= {"--offset": offset}
        only_trigger |= {"--deadline": deadline, "--places": places, "--region": region}
        only_trigger |= {"--battery": battery, "--rate": rate, "--fail-on": fail_on}
        terminal.refuse_given(only_trigger, _MEANS_NOTHING.format(traffic, "trigger"))
        train = Train(
            count=count or 100, trials=trials or 10, pace_ns=pace, repeat=repeat, seed=root
        )
        kept = table_or_chart(None if output is None else Path(output))
        trains = span(pairs, dict.fromkeys(links, sizes or SIZES))
        back_to_back(trains, train, kept, work)
        return
    sent = cast("Traffic", traffic or "trigger")
    supply = Supply.of(battery, rate)
    only_trains = {"--trials": trials, "--pace": pace, "--repeat": repeat}
    terminal.refuse_given(only_trains, _MEANS_NOTHING.format(sent, BACK_TO_BACK))
    typed = None if sizes is None else list(dict.fromkeys(sizes))
    spanned = span(pairs, payload.of_each(links, typed, SIZES))
    requests = [
        Request(
            each.link,
            each.size,
            count or 1000,
            period,
            phase or "uniform",
            offset,
            root,
            each.settings,
            sent,
            places,
            deadline_ns=deadline,
            region=region,
            battery=supply.battery,
            per_second=supply.per_second,
        )
        for each in spanned
    ]
    table = Path(output) if output is not None and sheet.is_sheet(output) else None
    targets = _targets(requests, output if table is None else None)
    capture = _capture(requests, sniff)
    runs: list[Run] = []
    with work.progress("running", len(requests)) as step:
        results = bench.emulate_each(requests)
        if capture is not None:
            results = iter([_sniffed(requests[0], capture, work)])
        for paths, result in zip(targets, results, strict=True):
            if isinstance(result, LinkError):
                work.errors.append(str(result))
            else:
                for target, each in zip(paths, result, strict=True):
                    work.keep(target, partial(store.save, each, force=force))
                    runs.append(replace(each, trace=None))
            step()
    work.until.expect(runs)

    across = findings_across(runs)

    def shown() -> Iterator[RenderableType]:
        yield from apart([summary(each, *_beside(each, deadline, region, supply))] for each in runs)
        yield from side_by_side(runs, across, _name)
        if len(runs) > 1 and is_span(spanned, typed):
            yield from ("", of_runs(runs))

    complete = with_findings(runs, across)
    work.show([object_of(run, None) for run in complete], shown)
    work.table(table, [runs_table(runs)] if runs else [])
    failed = failures(fail_on, (run.to_json() for run in complete))
    work.end(f"{len(runs)} of {sum(map(len, targets))} runs are finished", found=failed)


def _beside(
    run: Run, deadline_ns: int | None, region: RegionName | None, supply: Supply
) -> Iterator[Paragraph]:
    """What is said of a run between its latencies and its findings."""
    yield from missed(run, deadline_ns)
    yield from beyond_the_wire(run)
    yield from happened(run)
    yield from costs(run, supply)
    yield from lawful(run, region)


def _name(run: Run) -> str:
    traffic = traffic_in_words(run.config)
    words = payload.words(run.source, run.size)
    return " ".join(words if traffic is None else [*words, traffic])


def _targets(requests: Sequence[Request], output: str | None) -> list[list[Path | None]]:
    """Where each run of each request is kept."""
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


def _capture(requests: Sequence[Request], sniff: str | None) -> Path | None:
    """Where the frames are kept."""
    if sniff is None:
        return None
    if len(requests) > 1:
        terminal.refuse(
            f"--sniff {sniff} is one file for {len(requests)} runs; name one link and one --size"
        )
    if requests[0].places is not None:
        terminal.refuse(f"--sniff {sniff} hears one place; leave --places out")
    if requests[0].traffic != "trigger":
        terminal.refuse(f"--sniff {sniff} goes with --traffic trigger; leave one of them out")
    return pcapng(sniff)


def _sniffed(request: Request, capture: Path, work: Work) -> tuple[Run, ...] | LinkError:
    """Runs with a sniffer and saves what it heard; says what is not in the file."""
    try:
        run, frames = bench.sniff(request)
    except LinkError as error:
        return error
    work.keep_bytes(capture, frames.pcapng, "place with --sniff")
    for family, count in frames.left_out.items():
        terminal.complain(f"{capture}: without {count} frames of {family}, which has no link type")
    if frames.over_limit:
        terminal.complain(
            f"{capture}: without the last {frames.over_limit} frames; choose a smaller --count"
        )
    return (run,)
