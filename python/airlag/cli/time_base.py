"""Terminal output on a pulse per second, and on times derived from it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from airlag.core.display import printable, short_name
from airlag.core.quantity import count, duration, unit_for
from airlag.core.types import PulsePerSecond
from airlag.views.table import Paragraph, fact


def pulse_lines(found: PulsePerSecond) -> Iterator[Paragraph]:
    """Pulses of a capture, and the clock that timestamped them."""
    parts = [f"{count(found['pulses'])} pulses", f"{count(found['missing'])} missing"]
    if found["first_missing_s"] is not None:
        first, longest = count(found["first_missing_s"]), count(found["longest_gap_s"])
        parts[-1] += f" (the first {first} s after the first pulse; longest gap {longest} s)"
    parts.append(f"{count(found['spurious'])} spurious edges")
    low, high = found["ppm_range"]
    parts.append(f"clock {found['ppm']:+.3f} ppm ({low:+.3f} to {high:+.3f})")
    parts.append(f"jitter {_or_unknown(found['jitter_ns'])}")
    channel = printable(found["channel"])
    yield fact("pulse per second", f"channel {channel}: {', '.join(parts)}")


def base_lines(every: Sequence[PulsePerSecond]) -> Iterator[Paragraph]:
    """Pulses of each joined capture, and the errors of times derived from them."""
    for found in every:
        if len(every) > 1:
            yield fact(short_name(found["source"]))
        yield from pulse_lines(found)
        errors = [
            f"{_or_unknown(found['interpolation_ns'])} between pulses",
            f"{_or_unknown(found['extrapolation_ns'])} in the second before and after them",
        ]
        if found["longest_gap_s"] > 1:
            errors.append(f"{_or_unknown(found['gap_ns'])} in the longest gap")
        yield fact("largest time error", f"{', '.join(errors)}, measured by leaving out pulses")
        if found["clock_error_ns"] is not None:
            error_s = found["clock_error_ns"] / 1e9
            yield fact("recorded start", f"{error_s:+.3f} s off the nearest second of the pulses")
        if found["left_out"]:
            text = (
                f"{count(found['left_out'])} edges, more than a second before or after the pulses"
            )
            yield fact("left out", text)


def _or_unknown(ns: float | None) -> str:
    return "unknown" if ns is None else duration(ns, unit_for([max(ns, 1)]), digits=3)
