"""Runs of a real bench: a board or a command triggers, an instrument records."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, cast

from airlag._airlag import LinkError, Trigger
from airlag.core import plan_file, records
from airlag.core.answered import Each, ask
from airlag.questions import record as instruments
from airlag.questions.runs import Run


class Plan(records.SetupPlan):
    """Runs of a real bench, from its setup file."""

    works = Each(records.SetupWork)


def load(path: Path, link: str, **given: Any) -> Plan:
    """Reads a setup file; raises :class:`LinkError` for a missing or invalid file.

    Values in ``given`` replace ``sizes``, ``count``, ``period_ns`` and ``seed`` of the file.
    """

    def read(text: str, _: str) -> Plan:
        return Plan(ask("setup", file=text, link=link, **given))

    return plan_file.read(path, read, LinkError)


def trigger_of(plan: Plan) -> Trigger:
    """Returns the trigger; raises :class:`LinkError` for an invalid console address."""
    return Trigger(plan.console, plan.expected, plan.timeout_ns, plan.sender, plan.receiver)


@dataclass(frozen=True, slots=True)
class Made:
    """Result of a run on a real bench.

    Attributes
    ----------
    run
        The recorded run.
    lost_samples
        Number of samples that the instrument lost.
    stopped
        Exception of the signal handler, if a signal ended the run early.
    """

    run: Run
    lost_samples: int = 0
    stopped: BaseException | None = None


def run(plan: Plan, work: records.SetupWork, trigger: Trigger) -> Made:
    """Makes one run. After a signal, the run ends, the boards stop, and the recorded data is kept.

    Raises
    ------
    LinkError
        A command, a board or the instrument failed. The message is one line.
    """
    trigger.prepare(work.prepare, work.setup, work.settings)
    trigger.start(work.go, work.command, plan.lead_ns, plan.timeout_ns + plan.lasting_ns)
    recording = cast("dict[str, Any]", {**plan.recording})
    recording |= {"lasting": plan.lasting_ns, "link": work.link, "size": work.size}
    try:
        done = instruments.record(**recording)
    except BaseException:
        trigger.finish(cancel=True)
        raise
    if done.stopped is None:
        counters = trigger.finish()
    else:
        counters = {}
        # An error of the boards must not replace the signal.
        with suppress(LinkError):
            trigger.finish(cancel=True)
        if not len(done.run.outcome):
            raise done.stopped
    if done.ended is not None and done.stopped is None:
        raise LinkError(done.ended)
    if not len(done.run.outcome):
        raise LinkError(f"{done.run.source}: no trigger was recorded; check the wires")
    noted = {"count": plan.count, "repetition": work.repetition, "counters": counters}
    named = replace(done.run, source=work.name, config={**done.run.config, **noted})
    return Made(named, done.lost_samples, done.stopped)
