"""Channels of a trace, chosen as the readers choose those of a file."""

from __future__ import annotations

from collections.abc import Sequence

from airlag._airlag import CaptureError, Trace
from airlag.core.quantity import parse_whole


def choose(trace: Trace, channels: Sequence[str], invert: Sequence[str], where: str) -> Trace:
    """These channels of a trace, by name or by position counted from 0, in this order.

    Those also listed in ``invert`` are turned over. ``where`` names the trace in the error when it
    lacks a channel.

    Raises :class:`CaptureError`.
    """
    positions = [_position(trace.names, channel, where) for channel in channels]
    return Trace.from_edges(
        [trace.names[position] for position in positions],
        [
            [
                (begin, end, initial ^ (channel in invert), trace.edges_ns(position, segment))
                for segment, (begin, end, initial) in enumerate(trace.segments(position))
            ]
            for channel, position in zip(channels, positions, strict=True)
        ],
        trace.epoch_unix_ns,
        trace.sample_rate_hz,
    )


def _position(names: list[str], channel: str, where: str) -> int:
    if channel in names:
        return names.index(channel)
    position = parse_whole(channel, 0, len(names) - 1)
    if position is not None:
        return position
    present = ", ".join(names) or "none"
    raise CaptureError(f'{where}: no channel "{channel}"; the file has {present}')
