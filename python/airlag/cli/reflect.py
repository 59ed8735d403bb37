"""``airlag reflect``: reflector for probes."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Annotated, Any

from rich.text import Text

from airlag import _airlag
from airlag.cli import signals, terminal
from airlag.cli.options import whole
from airlag.cli.work import Until, Work
from airlag.core.quantity import count as counted
from airlag.questions import probe as probes

#: Default limit of answers per second to one address.
RATE = 20_000


def reflect(
    target: str = "udp://127.0.0.1:862",
    rate: Annotated[int | None, whole("rate", 1, 10_000_000, RATE)] = None,
    clock: probes.Clock | None = None,
    json: bool = False,
) -> None:
    """Answer the probes that arrive at an address or a serial device, until Ctrl-C.

    An answer is never longer than its probe. Without an address, airlag listens on loopback only.
    """
    error_ns = _airlag.clock_error_ns(clock or "estimated")
    reflector = _airlag.Reflector(target, rate=RATE if rate is None else rate, error_ns=error_ns)
    if not json:
        terminal.output().show(Text(f"reflecting at {reflector.name}"))
        sys.stdout.flush()
    until = Until()
    with signals.answered(), until:
        reflector.run()
    counters = zip(("answered", "ignored", "limited"), reflector.counts, strict=True)
    counts = {"target": reflector.name, **dict(counters)}
    Work(force=False, json=json).show(counts, lambda: [_reflected(counts)])


def _reflected(counts: Mapping[str, Any]) -> Text:
    return Text(
        f"answered {counted(counts['answered'])}, ignored {counted(counts['ignored'])}, "
        f"rate-limited {counted(counts['limited'])}"
    )
