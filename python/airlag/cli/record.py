"""``airlag record``: records an instrument into a run."""

from __future__ import annotations

import tempfile
from functools import partial
from pathlib import Path
from typing import Annotated, Any, cast

from airlag._airlag import LinkError, parse_sample_rate
from airlag.cli import options, signals, terminal
from airlag.cli.fail_on import FailOn, failures
from airlag.cli.options import checked, given, real
from airlag.cli.run_details import costs, missed, object_of
from airlag.cli.summary import summary
from airlag.cli.time_base import pulse_lines
from airlag.cli.work import Working
from airlag.core.quantity import count, parse_duration
from airlag.core.types import Recorded, Run
from airlag.questions import record as instruments
from airlag.questions import store
from airlag.questions.charge import NOTHING


def _channels(text: str) -> list[str]:
    return [channel.strip() for channel in text.split(",") if channel.strip()]


_rates = checked("sample rate", "a number and a unit, such as 10MHz", parse_sample_rate)
_volts = real("threshold", 0, 5, "a number of volts")


def record(
    *,
    instrument: str | None = None,
    output: options.RunFile = None,
    setup: Path | None = None,
    channels: Annotated[Any, _channels] = None,
    rate: Annotated[int | None, _rates] = None,
    lasting: Annotated[int | None, parse_duration] = None,
    threshold: Annotated[float | None, _volts] = None,
    pps: str | None = None,
    pairing: options.Pairing,
    link: str | None = None,
    size: Annotated[int | None, options.payload] = None,
    deadline: options.Deadline = None,
    fail_on: FailOn = None,
    work: Working,
    memory: options.Memory = None,
) -> None:
    """Record a run from an instrument: a logic analyser, a current meter or a board.

    Ctrl-C or an error ends the recording and keeps the data. After an error, the exit code is 2.
    """
    typed = {"instrument": instrument, "channels": channels, "rate_hz": rate, "lasting": lasting}
    typed |= {"threshold_v": threshold, "pps": pps, "link": link, "size": size} | pairing
    with terminal.refusing(LinkError):
        wanted = ({} if setup is None else instruments.options_of(setup)) | given(**typed)
    if "instrument" not in wanted:
        terminal.refuse("write an instrument, such as sigrok:fx2lafw, or --setup FILE")
    _check_place(output, force=work.force)
    with signals.answered(), terminal.refusing(ValueError):
        done = instruments.record(**wanted, memory_bytes=memory)
    if "lasting" in wanted:
        work.until.stop(done.stopped)
    if done.ended is not None:
        work.errors.append(done.ended)
    write = partial(store.save, done.run, force=work.force)
    if not work.keep(output, write) and output is not None:
        # A recording cannot be repeated, so it is kept wherever there is space.
        work.keep(Path(tempfile.mkdtemp(prefix="airlag-")) / output.name, write)
    shown: Run | Recorded = object_of(done.run, deadline)
    if done.lost_samples:
        terminal.complain(f"{done.run.source}: {missing_samples(done.lost_samples)}")
    more = [*missed(done.run, deadline), *costs(done.run, NOTHING)]
    if done.pps is not None:
        more += pulse_lines(done.pps)
        shown = cast("Recorded", {**shown, "pps": done.pps})
    if done.no_pps is not None:
        work.errors.append(done.no_pps)
    work.show(shown, lambda: [summary(done.run, *more)])
    failed = failures(fail_on, [done.run.to_json()])
    work.end(f"{count(len(done.run.outcome))} triggers were recorded", found=failed)


def missing_samples(lost: int) -> str:
    """Returns the warning for lost samples."""
    return f"{count(lost)} samples are missing; no transfer or charge is measured across them"


def _check_place(output: Path | None, *, force: bool) -> None:
    """Exits before recording if the output cannot be written."""
    if output is None:
        return
    if not output.parent.is_dir():
        terminal.refuse(f"-o {output}: folder {output.parent} does not exist; create it first")
    if output.exists() and not force:
        terminal.refuse(f"-o {output} exists; choose another name, or replace it with --force")
