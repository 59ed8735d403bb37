"""A board that stamps edges itself, on a serial line (``airlag_link::edges``)."""

from __future__ import annotations

from pathlib import Path

from airlag import _airlag
from airlag._airlag import LinkError
from airlag.core.quantity import parse_whole
from airlag.questions.instruments.instrument import Plan, Recorded

BAUD = 115_200


def record(address: str, plan: Plan, folder: Path) -> Recorded:
    """Records what the board at a serial device, such as ``/dev/ttyACM0?baud=921600``, stamps."""
    del folder
    device, _, query = address.partition("?")
    name, _, value = query.partition("=")
    baud = parse_whole(value, 1, 20_000_000) if name == "baud" else None
    if not device or (query and baud is None):
        raise LinkError(
            f"board:{address}: no serial device; write one such as board:/dev/ttyACM0?baud=921600"
        )
    trace, ended, stopped = _airlag.record_board(
        Path(device),
        baud=baud or BAUD,
        lasting_ns=plan.lasting_ns,
        memory_bytes=plan.memory_bytes,
    )
    return Recorded(trace, ended, stopped)
