"""``airlag explain``: where the milliseconds go, slice by slice, and what to change."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from airlag import _airlag
from airlag._airlag import CaptureError, LinkError
from airlag.cli import options, sheet, terminal
from airlag.cli.charge import Battery, Rate
from airlag.cli.explained_train import explain_train
from airlag.cli.explanation import charges, explanation, slices
from airlag.cli.goodput import messages_of
from airlag.cli.law import Region, chosen
from airlag.cli.run import TRAINS, Pace, Repeat, Seed, Trials
from airlag.cli.settings import Neighbours, Settings, pairs_of
from airlag.core import paths, payload
from airlag.core.types import Aim
from airlag.core.types import Region as RegionName
from airlag.questions import budget
from airlag.questions.bench import CALL_SIZES, CALLS, Request
from airlag.questions.budget import AIMS, Advice, Explained
from airlag.questions.charge import Supply
from airlag.questions.trains import BACK_TO_BACK, Train

#: Payload where none is asked for: one that a radio has to cut into pieces.
SIZE = 128
#: The link of a call that is named alone.
CALLED = "rpc-macos"


def _aim(text: str) -> str:
    if text not in AIMS:
        raise typer.BadParameter(f"{text[:20]!r} is unknown; write {' or '.join(AIMS)}")
    return text


What = Annotated[
    str,
    typer.Argument(
        metavar="LINK|RUN|CALL",
        help="A link profile, a run of one that airlag run -o kept, or a call, such as rpc-echo.",
        show_default=False,
    ),
]
Size = Annotated[
    int | None,
    typer.Option(
        "--size",
        parser=options.payload,
        metavar="BYTES",
        help=f"Payload, where there is a message. Default: {SIZE}.",
    ),
]
For = Annotated[
    str | None,
    typer.Option(
        "--for",
        parser=_aim,
        metavar="|".join(AIMS),
        help="Which quantile the advice is to make smaller: p50 or p99. Default: tail.",
    ),
]
TrafficOption = Annotated[
    str | None,
    options.choice(
        "traffic",
        (*CALLS, BACK_TO_BACK),
        about="Explain calls, or trains of messages, instead of single messages.",
    ),
]
Count = Annotated[
    int | None,
    typer.Option(
        "--count",
        parser=messages_of,
        metavar="N",
        help="Messages of a train. Default: 100.",
        rich_help_panel=TRAINS,
    ),
]
Output = Annotated[
    Path | None,
    typer.Option(
        "-o",
        "--output",
        metavar="FILE",
        help="Draw the packet as a timeline, .svg, .png or .html, or write the table of its "
        "slices, .csv, .md or .json; the name tells the format.",
    ),
]


def explain(
    what: What,
    size: Size = None,
    settings: Settings = None,
    neighbours: Neighbours = None,
    seed: Seed = None,
    aim: For = None,
    traffic: TrafficOption = None,
    messages: Count = None,
    trials: Trials = None,
    pace: Pace = None,
    repeat: Repeat = False,
    output: Output = None,
    region: Region = None,
    battery: Battery = None,
    rate: Rate = None,
    force: options.Force = False,
    json: options.Json = False,
    memory: options.Memory = None,
) -> None:
    """Say where the time goes, slice by slice, and which change is worth how much.

    Every latency is the sum of its slices, to the nanosecond. Every gain is measured: the bench
    runs again with the change.

    A call by its name is that over the link it was published for.

    With --traffic back-to-back: why messages of a train do not arrive, and what a pace and
    selective repeat make of it.
    """
    of_trains = {"--count": messages, "--trials": trials, "--pace": pace, "--repeat": repeat}
    if what in CALLS:
        what, traffic = CALLED, what
    if traffic == BACK_TO_BACK:
        given: dict[str, object] = {"--for": aim, "-o": output, "--region": region}
        given |= {"--battery": battery, "--rate": rate}
        for option, unwanted in given.items():
            if unwanted:
                terminal.refuse(f"{option} is not for {traffic}; leave one of them out")
        pairs = pairs_of(settings, neighbours)
        train = Train(
            size=SIZE if size is None else size,
            count=messages or 100,
            trials=trials or 10,
            pace_ns=pace,
            repeat=repeat,
            seed=1 if seed is None else seed,
            settings=pairs,
        )
        explain_train(what, train, json=json)
        return
    for option, trained in of_trains.items():
        if trained:
            terminal.refuse(f"{option} is for --traffic {BACK_TO_BACK}; add that")
    told_aim: Aim = "median" if aim == "median" else "tail"
    where = chosen(region)
    table = output if sheet.is_sheet(output) else None
    chart = output if table is None else None
    _drawable(chart)
    with terminal.progress("explaining", 1) as step:
        try:
            supply = Supply.of(battery, rate)
            told = _explained(
                what, size, (settings, neighbours), seed, memory, traffic, where, supply
            )
            nothing = told.budget is None
            advice = None if nothing else budget.advise(told.request, told_aim, where)
            _draw(told, advice, chart, force)
        except (CaptureError, LinkError) as error:
            terminal.refuse(error)
        step()
    if json:
        terminal.print_json([told.advised(advice)])
    else:
        terminal.output().show(explanation(told, advice, where, supply))
    terminal.wrote([] if chart is None else [chart], aside=json)
    for unwritten in options.write([slices(told), charges(told)], table, force=force, aside=json):
        terminal.refuse(unwritten)


def _explained(
    what: str,
    size: int | None,
    changed: tuple[Sequence[str] | None, Sequence[str] | None],
    seed: int | None,
    memory: int | None,
    traffic: str | None,
    region: RegionName | None,
    supply: Supply,
) -> Explained:
    """Runs a link, or repeats a saved run."""
    path = Path(what)
    asked: dict[str, Any] = {"region": region}
    asked |= {"battery": supply.battery, "per_second": supply.per_second}
    if what not in _airlag.links() and (path.suffix or paths.exists(path)):
        settings, neighbours = changed
        given = {
            "--size": size,
            "--set": settings,
            "--neighbour": neighbours,
            "--seed": seed,
            "--traffic": traffic,
        }
        for option, value in given.items():
            if value:
                terminal.refuse(f"{what} is a run, made already; {option} is for a link")
        return budget.explain_saved(path, memory, asked)
    pairs = pairs_of(*changed)
    called = next((call for call in CALLS if call == traffic), None)
    usual = SIZE if called is None else CALL_SIZES[called]
    (known,) = payload.of_each([what], None if size is None else [size], [usual])[what]
    request = Request(
        what,
        known,
        seed=1 if seed is None else seed,
        settings=pairs,
        traffic=called or "trigger",
        **asked,
    )
    return budget.explain(request)


def _drawable(path: Path | None) -> None:
    """Refuses a name that tells no format before the bench has run."""
    if path is None:
        return
    from airlag.views.pages import output, packet

    try:
        output.ending(path, packet.RULE)
    except ValueError as why:
        terminal.refuse(why)


def _draw(told: Explained, advice: Advice | None, path: Path | None, force: bool) -> None:
    if path is None:
        return
    from airlag.views.pages.packet import write_packet

    try:
        write_packet(told, path, advice, force=force)
    except ValueError as why:
        terminal.refuse(why)
    except OSError as error:
        terminal.refuse(
            f"{path}: cannot be written ({error.strerror or error}); choose another place"
        )
