"""``airlag run LINK --setup``: runs of a real bench, compared with the virtual bench."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from airlag._airlag import CaptureError, LinkError
from airlag.cli import signals, terminal
from airlag.cli.record import missing_samples
from airlag.cli.run_details import object_of
from airlag.cli.work import Work, run_folder
from airlag.core.quantity import count, unit_for
from airlag.core.records import SetupWork
from airlag.core.types import Charge
from airlag.questions import bench, matching, real_bench, store
from airlag.questions.analysis import analyze
from airlag.questions.bench import Request
from airlag.questions.charge import charge_in_words, ends_of
from airlag.questions.matching import Match
from airlag.questions.real_bench import Plan
from airlag.questions.runs import Outcome, Run
from airlag.views.table import Column, Table, named, prose, word
from airlag.views.table import time as time_column


@dataclass(frozen=True, slots=True)
class Compared:
    """A run of the real bench and its comparison. ``why`` is the reason if ``match`` is missing."""

    work: SetupWork
    run: Run
    match: Match | None
    why: str
    charge: Charge | None
    interrupted: bool = False

    @property
    def name(self) -> str:
        """Name of the run, and of its file."""
        return self.run.source

    def to_json(self) -> dict[str, Any]:
        """Returns one object of the documented ``--json`` array."""
        matched = None if self.match is None else self.match.to_json()
        return {
            **object_of(self.run, None),
            "name": self.name,
            "repetition": self.work.repetition,
            "interrupted": self.interrupted,
            "counters": self.run.config.get("counters") or None,
            "match": matched,
            "virtual_charge": self.charge,
        }


def on_bench(
    setup: Path,
    link: str,
    given: Mapping[str, Any],
    settings: Mapping[str, str],
    output: str | None,
    sheet: Path | None,
    work: Work,
) -> list[Run]:
    """Makes the runs of a setup file, prints them beside the virtual bench, and returns them."""
    with terminal.refusing(LinkError):
        plan = real_bench.load(setup, link, **given)
        trigger = real_bench.trigger_of(plan)
    folder = None if output is None or sheet is not None else run_folder(output, 2, "runs")
    found: list[Compared] = []
    with work.progress("running", len(plan.works)) as step:
        for nth, each in enumerate(plan.works):
            kept = None if folder is None else folder / f"{each.name}.parquet"
            try:
                run = None if work.force else _kept(kept, each, plan)
                if run is None:
                    time.sleep(plan.pause_ns / 1e9 if nth else 0)
                    with signals.answered():
                        made = real_bench.run(plan, each, trigger)
                    run, lost = made.run, made.lost_samples
                    if lost:
                        terminal.complain(f"{each.name}: {missing_samples(lost)}")
                    if made.stopped is not None:
                        found.append(_interrupted(each, run, kept, work))
                        raise made.stopped
                    work.keep(kept, partial(store.save, run, force=work.force))
                found.append(_compared(each, run, plan, settings))
            except (CaptureError, LinkError) as error:
                work.errors.append(f"{each.name}: {error}")
            step()
    work.until.expect(found)
    finished = sum(not one.interrupted for one in found)
    work.finished = f"{finished} of {len(plan.works)} runs are finished"
    found.sort(key=lambda one: (one.run.size or 0, one.work.repetition))
    tables = [_table(found)] if found else []
    work.show([one.to_json() for one in found], lambda: tables)
    work.table(sheet, tables)
    return [one.run for one in found]


def _kept(path: Path | None, work: SetupWork, plan: Plan) -> Run | None:
    """Returns the saved run of an earlier call; ``None`` if there is none."""
    if path is None or not path.exists():
        return None
    run = analyze(path, keep_edges=True)
    noted = (run.link, run.size, run.config.get("count"), run.config.get("repetition"))
    if noted != (work.link, work.size, plan.count, work.repetition):
        raise LinkError(f"{path} holds another run; choose another folder, or use --force")
    return run


def _interrupted(work: SetupWork, run: Run, kept: Path | None, command: Work) -> Compared:
    """Keeps a run that a signal ended, under a name that no complete run has."""
    run = replace(run, source=f"{work.name}-interrupted")
    if kept is not None:
        names = (run.source, *(f"{run.source}-{nth}" for nth in range(2, 1_000)))
        free = (path for name in names if not (path := kept.with_name(f"{name}.parquet")).exists())
        command.keep(next(free, kept), partial(store.save, run))
    return Compared(work, run, None, "interrupted", None, interrupted=True)


def _compared(work: SetupWork, run: Run, plan: Plan, settings: Mapping[str, str]) -> Compared:
    """Compares the run with the virtual bench at the same trigger times."""
    match, why, charge = None, "", None
    try:
        match = matching.match(run, work.link, work.size, seed=plan.seed, settings=settings)
        if run.charge is not None:
            request = Request(
                work.link, work.size, plan.count, plan.period_ns, seed=plan.seed, settings=settings
            )
            charge = bench.emulate(request).charge
    except LinkError as error:
        why = str(error)
    return Compared(work, run, match, why, charge)


def _table(found: Sequence[Compared]) -> Table:
    medians = [one.run.latency["p50"] for one in found if one.run.latency is not None]
    unit = unit_for(medians)
    columns = [named("run", "name"), Column("", "B", "size_bytes", absent="")]
    columns += [Column(name, key=name, shown=count) for name in ("triggers", "delivered")]
    for group in ("measured", "virtual"):
        columns += [
            time_column(name, unit, f"{group}_{name}_ns", group=group, absent="")
            for name in ("p50", "p99")
        ]
    if has_charge := any(one.run.charge is not None for one in found):
        columns += [word(f"{of} charge", f"{of}_charge") for of in ("measured", "virtual")]
    columns.append(prose("virtual bench", "verdict"))
    return Table.of_values(columns, [_row(one, has_charge) for one in found])


def _row(one: Compared, has_charge: bool) -> list[Any]:
    run, match = one.run, one.match
    arrived = run.count(Outcome.DELIVERED) + run.count(Outcome.LATE)
    row: list[Any] = [one.name, run.size, len(run.outcome), arrived]
    latency: Mapping[str, Any] = run.latency or {}
    virtual = None if match is None or match.run is None else match.run.latency
    for of in (latency, virtual or {}):
        row += [of.get(name) for name in ("p50", "p99")]
    if has_charge:
        row += [_charge(run.charge, run.charge), _charge(one.charge, run.charge)]
    if match is None:
        return [*row, one.why]
    return [*row, "as predicted" if match.explains else match.contradiction]


def _charge(of: Charge | None, measured: Charge | None) -> str:
    """Returns the charge per message at the measured end, in words."""
    known = dict(ends_of(of))
    found = (known[end]["marginal_nc"] for end, _ in ends_of(measured) if end in known)
    return ", ".join(charge_in_words(nc) for nc in found if nc is not None)
