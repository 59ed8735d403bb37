"""``airlag explain``: where the milliseconds go, slice by slice, and what to change."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

from airlag import _airlag
from airlag.cli import options, terminal
from airlag.cli.burst import explain_train
from airlag.cli.charge import Rate
from airlag.cli.explanation import charges, explanation, slices
from airlag.cli.match import ranked
from airlag.cli.options import given
from airlag.cli.run import Pace, Seed, Trials
from airlag.cli.settings import Range, Settings, pairs_of, placed
from airlag.cli.work import Working, table_or_chart
from airlag.core import paths, payload
from airlag.core.types import Aim, Region
from airlag.questions import budget, matching, store
from airlag.questions.analysis import analyze
from airlag.questions.bench import CALL_SIZES, CALLS, Request
from airlag.questions.budget import Explanation
from airlag.questions.charge import Supply
from airlag.questions.trains import BACK_TO_BACK, Train

#: Payload where none is asked for: one that a radio has to cut into pieces.
SIZE = 128
#: The link of a call that is named alone.
CALLED = "rpc-macos"


Size = Annotated[int | None, options.payload]


def explain(
    *,
    what: str,
    size: Size = None,
    settings: Settings = None,
    distance: Range = None,
    environment: str | None = None,
    neighbours: list[str] | None = None,
    seed: Seed = None,
    aim: Aim | None = None,
    traffic: Annotated[str | None, (*CALLS, BACK_TO_BACK)] = None,
    messages: Annotated[int | None, options.messages] = None,
    trials: Trials = None,
    pace: Pace = None,
    repeat: bool = False,
    output: Path | None = None,
    region: Region | None = None,
    battery: str | None = None,
    rate: Rate = None,
    work: Working,
    memory: options.Memory = None,
) -> None:
    """Show where the time goes, slice by slice, and the measured gain of each change.

    Every latency is the sum of its slices, to the nanosecond. Every gain is measured: the bench
    runs again with the change.

    A call by its name is that over the link it was published for. A capture is matched first; the
    link that explains it is then run at the capture's trigger period, at any phase.

    With --traffic back-to-back: why messages of a train do not arrive, and what a pace and
    selective repeat make of it.
    """
    settings = placed(settings, distance, environment)
    of_trains = {"--count": messages, "--trials": trials, "--pace": pace, "--repeat": repeat}
    if what in CALLS:
        what, traffic = CALLED, what
    if traffic == BACK_TO_BACK:
        of_runs: dict[str, object] = {"--for": aim, "-o": output, "--region": region}
        of_runs |= {"--battery": battery, "--rate": rate}
        terminal.refuse_given(of_runs, f"{{}} is not for {traffic}; leave one of them out")
        train = Train(
            **given(size=size, count=messages, trials=trials, pace_ns=pace, seed=seed),
            repeat=repeat,
            settings=pairs_of(settings, neighbours),
        )
        explain_train(what, train, work)
        return
    terminal.refuse_given(of_trains, f"{{}} is for --traffic {BACK_TO_BACK}; add that")
    table, chart = table_or_chart(output)
    with terminal.progress("explaining", 1):
        supply = Supply.of(battery, rate)
        found: matching.Ranking | None = None
        if _is_capture(what, memory):
            of_links = {"--set": settings, "--neighbour": neighbours, "--traffic": traffic}
            terminal.refuse_given(of_links, f"{what} is a capture; {{}} is for a link")
            run = analyze(what, memory_bytes=memory)
            found, request = budget.matched(run, size, 1 if seed is None else seed)
            request = replace(request, region=region, battery=supply.battery)
            told = budget.explain(replace(request, per_second=supply.per_second))
        else:
            changed = (settings, neighbours)
            told = _explained(what, size, changed, seed, memory, traffic, region, supply)
        nothing = told.budget is None
        advice = None if nothing else budget.advise(told.request, aim or "tail", region)
        if chart is not None:
            from airlag.views.pages.packet import write_packet

            with terminal.refusing(ValueError), terminal.writing(chart):
                write_packet(told, chart, advice, force=work.force)
            work.wrote.append(chart)
    shown = [] if found is None else [ranked(found)]
    told = replace(told, advice=advice, match=found)
    work.show([told.to_json()], lambda: [*shown, explanation(told, region, supply)])
    work.table(table, [slices(told), charges(told)])
    work.end()


def _is_capture(what: str, memory: int | None) -> bool:
    """Whether it is a file with edges that no bench made."""
    path = Path(what)
    if what in _airlag.links() or not paths.exists(path):
        return False
    return not store.is_parquet(path) or store.load(path, memory).seed is None


def _explained(
    what: str,
    size: int | None,
    changed: tuple[Sequence[str] | None, Sequence[str] | None],
    seed: int | None,
    memory: int | None,
    traffic: str | None,
    region: Region | None,
    supply: Supply,
) -> Explanation:
    """Runs a link, or repeats a saved run."""
    path = Path(what)
    asked: dict[str, Any] = {"region": region}
    asked |= {"battery": supply.battery, "per_second": supply.per_second}
    if what not in _airlag.links() and (path.suffix or paths.exists(path)):
        own: dict[str, object] = {"--size": size, "--set": changed[0], "--neighbour": changed[1]}
        own |= {"--seed": seed, "--traffic": traffic}
        terminal.refuse_given(own, f"{what} is a run, made already; {{}} is for a link")
        return budget.explain_saved(path, memory, asked)
    called = next((call for call in CALLS if call == traffic), None)
    usual = SIZE if called is None else CALL_SIZES[called]
    (known,) = payload.of_each([what], None if size is None else [size], [usual])[what]
    request = Request(
        what,
        known,
        seed=1 if seed is None else seed,
        settings=pairs_of(*changed),
        traffic=called or "trigger",
        **asked,
    )
    return budget.explain(request)
