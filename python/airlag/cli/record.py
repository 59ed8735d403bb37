"""``airlag record``: an instrument into a run."""

from __future__ import annotations

import re
import tempfile
import tomllib
from collections.abc import Callable, Mapping
from decimal import Decimal
from functools import partial
from pathlib import Path
from typing import Annotated, Any

from airlag.cli import options, signals, terminal
from airlag.cli.fail_on import FailOn, failures
from airlag.cli.options import checked, given, real
from airlag.cli.run_details import missed, object_of
from airlag.cli.summary import summary
from airlag.cli.work import Working
from airlag.core.quantity import count, parse_duration
from airlag.questions import record as instruments
from airlag.questions import store

#: Longest setup file, bytes: the parser takes memory by the square of a dotted key.
LONGEST_SETUP = 8 << 10
_HERTZ = {"hz": 1, "khz": 10**3, "mhz": 10**6, "ghz": 10**9}
_RATE = re.compile(r"(\d+(?:\.\d+)?)\s*([kmg]?hz)", re.IGNORECASE | re.ASCII)


def _rate(text: str) -> int | None:
    found = _RATE.fullmatch(text.strip())
    hertz = Decimal(found[1]) * _HERTZ[found[2].lower()] if found and len(text) < 40 else 0
    return int(hertz) if 1 <= hertz <= 10**12 and hertz == int(hertz) else None


def _channels(text: str) -> list[str]:
    return [channel.strip() for channel in text.split(",") if channel.strip()]


_parsers: dict[str, Callable[[str], Any]] = {
    "channels": _channels,
    "rate": checked("sample rate", "a number and a unit, such as 10MHz", _rate),
    "for": parse_duration,
    "threshold": real("threshold", 0, 5, "a number of volts"),
}


#: Options by the arguments that they are, where the names differ.
_ARGUMENTS = {
    "rate": "rate_hz",
    "for": "lasting",
    "threshold": "threshold_v",
    "min_low": "min_low_ns",
    "overlap": "overlap_ns",
}


def record(
    *,
    instrument: str | None = None,
    output: options.RunFile = None,
    setup: Path | None = None,
    channels: Annotated[Any, _parsers["channels"]] = None,
    rate: Annotated[int | None, _parsers["rate"]] = None,
    lasting: Annotated[int | None, parse_duration] = None,
    threshold: Annotated[float | None, _parsers["threshold"]] = None,
    pairing: options.Pairing,
    link: str | None = None,
    size: Annotated[int | None, options.payload] = None,
    deadline: options.Deadline = None,
    fail_on: FailOn = None,
    work: Working,
    memory: options.Memory = None,
) -> None:
    """Record an instrument into a run: a logic analyser, or a board that stamps edges itself.

    Ctrl-C ends the record and keeps it. So does whatever goes wrong on the way, with exit code 2.
    """
    typed = {"instrument": instrument, "channels": channels, "rate": rate, "for": lasting}
    typed |= {"threshold": threshold, "link": link, "size": size}
    typed |= {name.removesuffix("_ns"): value for name, value in pairing.items()}
    file = {} if setup is None else _setup(setup, typed)
    wanted = file | given(**typed)
    if "instrument" not in wanted:
        terminal.refuse("write an instrument, such as sigrok:fx2lafw, or --setup FILE")
    _check_place(output, force=work.force)
    with signals.answered(), terminal.refusing(ValueError):
        asked = {_ARGUMENTS.get(name, name): value for name, value in wanted.items()}
        done = instruments.record(**asked, memory_bytes=memory)
    if "for" in wanted:
        work.until.stop(done.stopped)
    if done.ended is not None:
        work.errors.append(done.ended)
    write = partial(store.save, done.run, force=work.force)
    if not work.keep(output, write) and output is not None:
        # A record cannot be repeated: it is kept where there is room.
        work.keep(Path(tempfile.mkdtemp(prefix="airlag-")) / output.name, write)
    shown = object_of(done.run, deadline)
    work.show(shown, lambda: [summary(done.run, *missed(done.run, deadline))])
    failed = failures(fail_on, [done.run.to_json()])
    work.end(f"{count(len(done.run.outcome))} triggers were recorded", found=failed)


def _check_place(output: Path | None, *, force: bool) -> None:
    """Refuses a place that cannot be written to, before anything is recorded."""
    if output is None:
        return
    if not output.parent.is_dir():
        terminal.refuse(f"-o {output}: {output.parent} is no folder; make it first")
    if output.exists() and not force:
        terminal.refuse(f"-o {output} exists; choose another name, or replace it with --force")


def _setup(path: Path, known: Mapping[str, Any]) -> dict[str, Any]:
    """The table ``[record]`` of a setup file, by the names of options."""
    try:
        with path.open("rb") as file:
            content = file.read(LONGEST_SETUP + 1)
        if len(content) > LONGEST_SETUP:
            terminal.refuse(f"{path}: longer than {LONGEST_SETUP >> 10} KiB; expected a setup file")
        table = tomllib.loads(content.decode("utf-8")).get("record")
    except OSError as error:
        terminal.refuse(f"{path}: {error.strerror}; expected a setup file")
    except (ValueError, RecursionError) as error:
        terminal.refuse(f"{path}: no TOML: {error}")
    if not isinstance(table, dict):
        terminal.refuse(f"{path}: no table [record]; write one with an instrument")
    parsers = _parsers | {
        "min_low": parse_duration,
        "overlap": parse_duration,
        "size": options.payload,
        "invert": _channels,
    }
    found = {}
    for key, value in table.items():
        if key not in known:
            terminal.refuse(f"{path}: record.{key} is unknown; expected {', '.join(known)}")
        text = ",".join(map(str, value)) if isinstance(value, list) else str(value)
        try:
            found[key] = parsers.get(key, str)(text)
        except ValueError as error:
            terminal.refuse(f"{path}: record.{key}: {error}")
    return found
