"""``airlag run``: links on the virtual bench, told as ``airlag analyze`` tells captures."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from airlag._airlag import LinkError
from airlag.cli import options, sheet, terminal
from airlag.cli.burst import Asked, back_to_back, chart_path
from airlag.cli.charge import Battery, Rate, costs
from airlag.cli.law import Region, chosen, lawful
from airlag.cli.missed import missed
from airlag.cli.paragraph import Paragraph
from airlag.cli.runs_table import runs_table
from airlag.cli.settings import Neighbours, SpannedSettings, is_span, pairs_of, span
from airlag.cli.span_table import of_runs
from airlag.cli.summary import finding_block, summary
from airlag.cli.until import Until
from airlag.cli.virtual import beyond_the_wire, happened
from airlag.core import payload
from airlag.core.atomic import replacing
from airlag.core.paths import is_folder
from airlag.core.quantity import parse_whole
from airlag.core.types import Phase, Traffic
from airlag.core.types import Region as RegionName
from airlag.questions import bench, store
from airlag.questions.analysis import findings_across, with_findings
from airlag.questions.bench import PHASES, TRAFFIC, WAYS, Request
from airlag.questions.charge import NOTHING, Supply
from airlag.questions.identity import traffic_in_words
from airlag.questions.runs import Run
from airlag.questions.trains import BACK_TO_BACK, Train

#: Payloads where none are asked for: those of the latency comparison, bytes.
SIZES = (12, 128, 1024)
#: Title of a group in ``--help``.
STIMULUS = "When to send"
#: Title of another: what only ``--traffic back-to-back`` has.
TRAINS = "Trains, with --traffic back-to-back"

Names = Annotated[
    list[str],
    typer.Argument(
        metavar="LINK", help="Link profiles; airlag links lists them.", show_default=False
    ),
]


def payloads(text: str) -> str:
    """Payloads on the command line, with commas between them."""
    words = text.split(",")
    if any(parse_whole(word, 0, 10**9 - 1) is None for word in words):
        raise typer.BadParameter(
            f"{text[:40]!r} is no list of payloads; write bytes and commas, such as 12,128"
        )
    return text


def _count(text: str) -> int:
    return options.whole(text, "number of triggers", 1, 10_000_000, 1000)


def _places(text: str) -> int:
    return options.whole(text, "number of places", 1, 100_000, 20)


def _seed(text: str) -> int:
    seed = parse_whole(text, 0, 2**63 - 1)
    if seed is None:
        raise typer.BadParameter(f"{text[:30]!r} is no seed; write a whole number, such as 1")
    return seed


def _period(text: str) -> int:
    nanoseconds = options.duration(text)
    if not 1_000 <= nanoseconds <= 10**13:
        raise typer.BadParameter(f"{text[:40]!r} is no period; write one from 1us to 10000s")
    return nanoseconds


def _trials(text: str) -> int:
    return options.whole(text, "number of trains", 1, 10_000, 10)


def _pace(text: str) -> int:
    nanoseconds = options.duration(text)
    if not 1_000 <= nanoseconds <= 10**12:
        raise typer.BadParameter(f"{text[:40]!r} is no pace; write one from 1us to 1000s")
    return nanoseconds


Sizes = Annotated[
    str | None,
    typer.Option(
        "--size",
        parser=payloads,
        metavar="BYTES,…",
        help="Payloads of the links that have a message, such as 12,128,1024, the default.",
    ),
]
Count = Annotated[
    int | None,
    typer.Option(
        parser=_count,
        metavar="N",
        help="Triggers. Default: 1000; messages of a train: 100.",
        rich_help_panel=STIMULUS,
    ),
]
Period = Annotated[
    int | None,
    typer.Option(
        parser=_period,
        metavar="TIME",
        help="From trigger to trigger. Default: 200ms, or as much longer as the link needs.",
        rich_help_panel=STIMULUS,
    ),
]
Places = Annotated[
    int | None,
    typer.Option(
        parser=_places,
        metavar="N",
        help="Places that triggers are spread over where --set range= puts the radios apart: each "
        "with a shadowing of its own. Default: 20; 1 where the environment has none.",
        rich_help_panel=STIMULUS,
    ),
]
PhaseOption = Annotated[
    str | None,
    options.choice(
        "phase",
        PHASES,
        about="frozen: exactly one period apart. uniform: each up to half a period late, as what a "
        "user sends is. Default: uniform.",
        panel=STIMULUS,
    ),
]
TrafficOption = Annotated[
    str | None,
    options.choice(
        "traffic",
        (*TRAFFIC, BACK_TO_BACK),
        about="trigger: a message there. echo: there and back, for the round trip. both: each "
        "board sends, at triggers of its own; two runs, there and back. back-to-back: trains of "
        "--count messages, one after the other, and which of them arrive. rpc-…: a call of --size "
        "bytes or items, until its answer is there. Default: trigger.",
        panel=STIMULUS,
    ),
]
Trials = Annotated[
    int | None,
    typer.Option(
        parser=_trials,
        metavar="N",
        help="Trains, each with the next seed. Default: 10.",
        rich_help_panel=TRAINS,
    ),
]
Pace = Annotated[
    int | None,
    typer.Option(
        parser=_pace,
        metavar="TIME",
        help="From one message to the next at least. Default: as the program and its link please.",
        rich_help_panel=TRAINS,
    ),
]
Repeat = Annotated[
    bool,
    typer.Option(
        "--repeat",
        help="Selective repeat: what the receiver lacks is sent again until it has all.",
        rich_help_panel=TRAINS,
    ),
]
Seed = Annotated[
    int | None,
    typer.Option(parser=_seed, metavar="N", help="Root of every random number. Default: 1."),
]
Output = Annotated[
    str | None,
    typer.Option(
        "-o",
        "--output",
        metavar="FILE.parquet|FOLDER/|FILE.csv",
        help="Keep every transfer and every edge in FILE.parquet. Several runs need a folder "
        "(ending in /, or one that exists), where each is named after its link, its payload and "
        "all that is not as by default. FILE.csv, .md or .json: a table of the runs, one a row. Of "
        "trains: that, or a chart of what was lost, FILE.svg, .png or .html.",
    ),
]
Sniff = Annotated[
    str | None,
    typer.Option(
        metavar="FILE.pcapng",
        help="Keep every frame on the air in FILE.pcapng, for Wireshark; one run only.",
    ),
]


def run(
    links: Names,
    sizes: Sizes = None,
    count: Count = None,
    period: Period = None,
    phase: PhaseOption = None,
    places: Places = None,
    traffic: TrafficOption = None,
    trials: Trials = None,
    pace: Pace = None,
    repeat: Repeat = False,
    settings: SpannedSettings = None,
    neighbours: Neighbours = None,
    seed: Seed = None,
    output: Output = None,
    sniff: Sniff = None,
    deadline: options.Deadline = None,
    region: Region = None,
    battery: Battery = None,
    rate: Rate = None,
    force: options.Force = False,
    json: options.Json = False,
) -> None:
    """Run links on the virtual bench: same seed, same numbers, on every machine."""
    pairs = pairs_of(settings, neighbours)
    told_phase: Phase = "frozen" if phase == "frozen" else "uniform"
    where = chosen(region)
    sent = _chosen(traffic)
    root = 1 if seed is None else seed
    asked = None if sizes is None else [int(word) for word in dict.fromkeys(sizes.split(","))]
    if traffic == BACK_TO_BACK:
        train = Train(
            count=count or 100, trials=trials or 10, pace_ns=pace, repeat=repeat, seed=root
        )
        try:
            given: dict[str, object]
            given = {"--period": period, "--phase": phase, "--sniff": sniff, "--deadline": deadline}
            given |= {"--places": places, "--region": region}
            given |= {"--battery": battery, "--rate": rate}
            _refuse(traffic, given)
            chart = chart_path(output)
            trains = span(pairs, dict.fromkeys(links, SIZES if asked is None else asked))
        except ValueError as contradiction:
            terminal.refuse(contradiction)
        back_to_back(Asked(trains, train, chart, force, json))
        return
    try:
        supply = Supply.of(battery, rate)
        _refuse(sent, {"--trials": trials, "--pace": pace, "--repeat": repeat or None})
        spanned = span(pairs, payload.of_each(links, asked, SIZES))
        requests = [
            Request(
                each.link,
                each.size,
                count or 1000,
                period,
                told_phase,
                root,
                each.settings,
                sent,
                places,
                deadline_ns=deadline,
                region=where,
                battery=supply.battery,
                per_second=supply.per_second,
            )
            for each in spanned
        ]
        table = Path(output) if output is not None and sheet.is_sheet(output) else None
        targets = _targets(requests, output if table is None else None)
        capture = _capture(requests, sniff)
    except (LinkError, ValueError) as contradiction:
        terminal.refuse(contradiction)
    runs: list[Run] = []
    kept: list[Path] = []
    errors: list[str] = []
    until = Until()
    with until, terminal.progress("running", len(requests)) as step:
        results = bench.emulate_each(requests)
        if capture is not None:
            results = iter([_sniffed(requests[0], capture, force, kept, errors)])
        for paths, result in zip(targets, results, strict=True):
            if isinstance(result, LinkError):
                errors.append(str(result))
            else:
                for target, each in zip(paths, result, strict=True):
                    _keep(each, target, force, kept, errors)
                    runs.append(replace(each, trace=None))
            step()
    until.expect(runs)
    show(runs, json, deadline, where, supply)
    if not json and len(runs) > 1 and is_span(spanned, asked):
        terminal.output().show("", of_runs(runs))
    terminal.wrote(kept, aside=json)
    if runs:
        errors += options.write([runs_table(runs)], table, force=force, aside=json)
    for error in dict.fromkeys(errors):
        terminal.complain(error)
    until.tell(f"{len(runs)} of {sum(map(len, targets))} runs are finished")
    if errors:
        raise typer.Exit(terminal.UNUSABLE)


def _refuse(traffic: str, given: Mapping[str, object]) -> None:
    """Tells of options that mean nothing for a kind of traffic."""
    for name, value in given.items():
        if value is not None:
            other = BACK_TO_BACK if traffic != BACK_TO_BACK else "trigger"
            raise ValueError(
                f"{name} means nothing with --traffic {traffic}; "
                f"leave it out, or write --traffic {other}"
            )


def show(
    runs: Sequence[Run],
    json: bool,
    deadline_ns: int | None = None,
    region: RegionName | None = None,
    supply: Supply = NOTHING,
) -> None:
    """Tells of virtual runs on standard output."""
    across = findings_across(runs)
    if json:
        complete = with_findings(runs, across)
        terminal.print_json([{**run.to_json(), **run.facts} for run in complete])
    else:
        console = terminal.output()
        for index, each in enumerate(runs):
            if index:
                console.show("")
            console.show(summary(each, *_beside(each, deadline_ns, region, supply)))
        for together in across:
            names = ", ".join(_name(runs[i]) for i in together.runs)
            title = Text(f"Side by side: {names}", style="bold")
            console.show("", title, finding_block(together.finding))


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


def _chosen(traffic: str | None) -> Traffic:
    return next((each for each in TRAFFIC if each == traffic), TRAFFIC[0])


def _targets(requests: Sequence[Request], output: str | None) -> list[list[Path | None]]:
    """Where each run of each request is kept."""
    ways = [WAYS if each.traffic == "both" else (None,) for each in requests]
    if output is None:
        return [[None for _ in each] for each in ways]
    folder = Path(output)
    if output.endswith("/") or is_folder(folder):
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise ValueError(
                f"-o {output}: {error.strerror}; expected a folder to write to"
            ) from None
        return [
            [folder / bench.file_name(request, way) for way in each]
            for request, each in zip(requests, ways, strict=True)
        ]
    if (many := sum(map(len, ways))) > 1:
        raise ValueError(
            f"-o {output} is one file for {many} runs; end it with / for a folder, or with .csv "
            "for a table"
        )
    if folder.suffix != ".parquet":
        raise ValueError(
            f"-o {output} is no run file; end it with .parquet, with / for a folder, or with .csv "
            "for a table"
        )
    return [[folder]]


def _capture(requests: Sequence[Request], sniff: str | None) -> Path | None:
    """Where the frames are kept."""
    if sniff is None:
        return None
    if len(requests) > 1:
        raise ValueError(
            f"--sniff {sniff} is one file for {len(requests)} runs; name one link and one --size"
        )
    if requests[0].places is not None:
        raise ValueError(f"--sniff {sniff} hears one place; leave --places out")
    if requests[0].traffic != "trigger":
        raise ValueError(f"--sniff {sniff} goes with --traffic trigger; leave one of them out")
    if Path(sniff).suffix != ".pcapng":
        raise ValueError(f"--sniff {sniff} is no capture file; end it with .pcapng")
    return Path(sniff)


def _sniffed(
    request: Request,
    capture: Path,
    force: bool,
    kept: list[Path],
    errors: list[str],
) -> tuple[Run, ...] | LinkError:
    """Runs with a sniffer and saves what it heard; says what is not in the file."""
    try:
        run, frames = bench.sniff(request)
    except LinkError as error:
        return error
    try:
        with replacing(capture, force=force) as file:
            file.write(frames.pcapng)
        kept.append(capture)
    except OSError as error:
        reason = error.strerror or error
        errors.append(f"{capture}: cannot be written ({reason}); choose another place with --sniff")
    for family, count in frames.left_out.items():
        terminal.complain(f"{capture}: without {count} frames of {family}, which has no link type")
    if frames.over_limit:
        terminal.complain(
            f"{capture}: without the last {frames.over_limit} frames; choose a smaller --count"
        )
    return (run,)


def _keep(run: Run, target: Path | None, force: bool, kept: list[Path], errors: list[str]) -> None:
    """Saves a run; notes where, or why it could not."""
    if target is None:
        return
    try:
        store.save(run, target, force=force)
    except OSError as error:
        reason = error.strerror or error
        errors.append(f"{target}: cannot be written ({reason}); choose another place with -o")
    else:
        kept.append(target)
