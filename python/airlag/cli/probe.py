"""``airlag probe``: measures a live endpoint."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from functools import partial
from json import dumps
from pathlib import Path
from typing import Annotated, Any

from rich.console import RenderableType
from rich.text import Text

from airlag._airlag import latency_strip, latency_view
from airlag.cli import signals, terminal
from airlag.cli.fail_on import FailOn, failures
from airlag.cli.options import RunFile, given, whole
from airlag.cli.run import Seed
from airlag.cli.summary import headline, rest_of_summary
from airlag.cli.work import Working
from airlag.core.quantity import count as counted
from airlag.core.quantity import duration, number, parse_duration, unit_for
from airlag.questions import probe as probes
from airlag.questions import store
from airlag.questions.probe import SIZE, Probed
from airlag.views.table import Cell, Column, Paragraph, Table, Value, named

#: Quantiles of the table.
QUANTILES = ("min", "p50", "p95", "p99", "max")


def probe(
    *,
    target: str,
    period: Annotated[int | None, parse_duration] = None,
    size: Annotated[int | None, whole("size", 12, 2_048, SIZE)] = None,
    count: Annotated[int | None, whole("count", 1, 10**9, 100)] = None,
    lasting: Annotated[int | None, parse_duration] = None,
    poisson: bool = False,
    burst: Annotated[int | None, whole("burst", 1, 1_000, 4)] = None,
    sweep: Annotated[int | None, parse_duration] = None,
    schedule: Path | None = None,
    closed_loop: bool = False,
    timeout: Annotated[int | None, parse_duration] = None,
    clock: probes.Clock | None = None,
    way: probes.Way | None = None,
    fail_on: FailOn = None,
    seed: Seed = None,
    output: RunFile = None,
    work: Working,
    stream: bool = False,
    metrics: str | None = None,
) -> None:
    """Measure round trips, one-way delays and losses of a live endpoint.

    The endpoint is airlag reflect, another STAMP reflector, or a board that runs the reflector of
    crates/app. One-way delays are printed with the uncertainty of the clock offset.
    """
    patterns: Mapping[probes.Pattern, object] = {
        "poisson": poisson,
        "bursts": burst,
        "swept": sweep,
        "schedule": schedule,
        "closed-loop": closed_loop,
    }
    chosen = [pattern for pattern, given in patterns.items() if given]
    if len(chosen) > 1:
        terminal.refuse("use one of --poisson, --burst, --sweep, --schedule and --closed-loop")
    if way is not None and output is None:
        terminal.refuse("--way requires -o")
    if stream and work.json:
        terminal.refuse("use one of --json and --stream, which ends with the same object")
    journal = None if output is None else output.with_suffix(".journal")
    with signals.answered():
        done = probes.probe(
            target,
            pattern=chosen[0] if chosen else "periodic",
            schedule_ns=() if schedule is None else _times(schedule),
            journal=journal,
            force=work.force,
            on_progress=_progress(stream=stream),
            **given(period=period, size=size, count=count, lasting=lasting, burst=burst),
            **given(sweep=sweep, timeout=timeout, clock=clock, seed=seed, metrics=metrics),
        )
    if not stream:
        terminal.status("")
    if count is not None or lasting is not None:
        work.until.stop(done.stopped)
    work.json |= stream
    kept = done.run_of(way or "round-trip")
    if work.keep(output, partial(store.save, kept, force=work.force)) and journal is not None:
        journal.unlink()
    if stream:
        _print_line(done.to_json())
        terminal.wrote(work.wrote, aside=True)
    else:
        work.show(done.to_json(), lambda: _shown(done, closed_loop=closed_loop))
    failed = failures(fail_on, [done.to_json()])
    work.end(f"{counted(len(done.run.outcome))} messages were sent", found=failed)


def _times(path: Path) -> list[int]:
    try:
        return sorted(int(line) for line in path.read_text("utf-8").split())
    except (OSError, ValueError, UnicodeDecodeError) as error:
        terminal.refuse(f"{path}: {error}; expected send times in ns, one per line")


def _progress(*, stream: bool) -> probes.OnProgress | None:
    """Progress callback: JSON lines, a status line of the terminal, or ``None``."""
    if not stream:
        return (lambda now: terminal.status(_line(now))) if sys.stderr.isatty() else None
    seconds = 0

    def line(now: Mapping[str, Any]) -> None:
        nonlocal seconds
        if now["elapsed_ns"] // 10**9 > seconds:
            seconds = now["elapsed_ns"] // 10**9
            _print_line(now)

    return line


def _print_line(value: Mapping[str, Any]) -> None:
    sys.stdout.write(dumps(value) + "\n")
    sys.stdout.flush()


def _line(now: Mapping[str, Any]) -> str:
    left = "" if now["remaining_ns"] is None else f"{now['remaining_ns'] / 1e9:.0f} s left  "
    strip = f"p99 {duration(now['p99_ns'])}  {latency_strip(now['bins_ns'])}"
    line = f"{now['elapsed_ns'] / 1e9:.1f} s  {counted(now['answered'])}/{counted(now['sent'])}"
    return f"{line}  {left}{strip if now['answered'] else 'no answer'}"


def _shown(done: Probed, *, closed_loop: bool) -> Iterator[RenderableType]:
    yield headline(done.run)
    if done.round_trip_ns is not None:
        yield _delays(done)
        if closed_loop:
            lost = done.lost_forward + done.lost_return + done.lost_unknown
            yield Paragraph(latency_view(done.run.latency_ns, lost))
        stamped = done.forward_ns is not None
        yield Paragraph(_clock(done) if stamped else Text("no timestamps from the far end"))
    yield Paragraph(_counts(done))
    yield from rest_of_summary(done.run)


def _delays(done: Probed) -> Table:
    delays: dict[str, Any] = {
        "round trip": done.round_trip_ns,
        "forward": done.forward_ns,
        "return": done.return_ns,
        "at the far end": done.residence_ns,
        "send delay": done.send_delay_ns,
        "carrier": done.carrier_round_trip_ns,
    }
    unit = unit_for([done.answer["round_trip_ns"]["p50"]])
    columns = [named("", "delay"), *(Column(f"{q} {unit.name}", key=q) for q in QUANTILES)]
    rows: list[list[Cell | Value]] = [
        [name, *(Cell(number(of[q] / unit.ns), of[q]) for q in QUANTILES)]
        for name, of in delays.items()
        if of is not None
    ]
    return Table.of_values(columns, rows)


def _clock(done: Probed) -> Text:
    clock = done.clock
    uncertainty, skew = clock["offset_uncertainty_ns"], clock["skew_ppm"]
    text = Text.assemble(("clock  ", "bold"), clock["kind"])
    if clock["kind"] == "estimated":
        text.append(f", offset {duration(clock['offset_ns'] or 0)}")
    if uncertainty is None:
        text.append(", not synchronized: one-way delays are invalid", "bold red")
    else:
        text.append(f"; one-way delays ± {duration(uncertainty)}")
    if skew is not None:
        text.append(f"; skew {skew:+.3f} ppm")
    if clock["steps_ns"]:
        text.append(f"; set {counted(len(clock['steps_ns']))} times")
    return text


def _counts(done: Probed) -> Text:
    parts = {
        "lost forward": done.lost_forward,
        "lost on return": done.lost_return,
        "lost, direction unknown": done.lost_unknown,
        "duplicates": done.duplicates,
        "reordered": done.reordered,
        "after the timeout": done.too_late,
        "sent late": done.late_sends,
    }
    words = [f"{name} {counted(many)}" for name, many in parts.items() if many]
    if (episodes := done.loss_episodes) is not None:
        words.append(f"loss episodes {counted(episodes['n'])}, longest {episodes['longest']}")
    return Text(" · ".join(words) or "nothing lost, duplicated, reordered or sent late")
