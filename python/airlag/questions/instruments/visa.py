"""Oscilloscopes through PyVISA: the screen of models with Keysight or Rigol commands."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any
from warnings import catch_warnings

import numpy as np
from numpy.typing import NDArray

from airlag._airlag import LinkError, Trace
from airlag.core.extras import library
from airlag.questions.instruments.instrument import Plan, Recorded, stopping

#: Answer timeout, ms.
TIMEOUT_MS = 10_000
#: Hysteresis on each side of the threshold, as a fraction of the voltage span.
HYSTERESIS = 0.1


def record(address: str, plan: Plan, folder: Path) -> Recorded:
    """Records the screen of the oscilloscope ``RESOURCE?backend=@py``."""
    del folder
    visa = library("pyvisa", "visa")
    resource, _, query = address.partition("?")
    key, _, backend = query.partition("=")
    channels = plan.numbers("visa")
    if not resource or (query and (key != "backend" or not backend)):
        raise LinkError(
            f"visa:{address}: not a VISA resource; write it like visa:TCPIP::192.0.2.7::INSTR"
        )
    scope = None
    try:
        # Problems that PyVISA warns of also appear in its return values.
        with catch_warnings(action="ignore"):
            manager = visa.ResourceManager(backend or "@py")
            scope = manager.open_resource(resource, open_timeout=TIMEOUT_MS)
            scope.timeout = TIMEOUT_MS
            scope.read_termination = scope.write_termination = "\n"
            scope.query("*IDN?")
            return _screen(scope, channels, plan)
    # Errors of PyVISA, of its backend, of sockets, and of text that is not a waveform.
    except (visa.errors.Error, OSError, ValueError) as error:
        why = " ".join(str(error).split())[:160] or type(error).__name__
        raise LinkError(
            f"visa:{resource}: {why}; expected an oscilloscope with :WAVeform:DATA?"
        ) from None
    finally:
        if scope is not None:
            scope.close()


def _screen(scope: Any, channels: list[int], plan: Plan) -> Recorded:
    stopped = None
    try:
        time.sleep((plan.lasting_ns or 0) / 1e9)
    except BaseException as raised:
        stopped = stopping(raised)
    scope.write(":STOP")
    try:
        waves = [_waveform(scope, channel) for channel in channels]
    finally:
        scope.write(":RUN")
    begin, step_s = waves[0][0], waves[0][1]
    segments = [[_digital(volts, round(step_s * 1e12), plan.threshold_v)] for _, _, volts in waves]
    if any(wave[:2] != (begin, step_s) for wave in waves):
        raise ValueError("the channels have different time bases")
    names = [f"CH{channel}" for channel in channels]
    return Recorded(Trace.from_edges(names, segments, None, 1 / step_s), None, stopped)


def _waveform(scope: Any, channel: int) -> tuple[float, float, NDArray[np.float64]]:
    """Returns the first sample time, s, the sample interval, s, and the voltages."""
    scope.write(f":WAVeform:SOURce CHANnel{channel}")
    scope.write(":WAVeform:FORMat ASCii")
    # Format, type, points, count, then increment, origin and reference of x and of y.
    preamble = [float(each) for each in scope.query(":WAVeform:PREamble?").split(",")]
    if len(preamble) < 7 or not preamble[4] > 0:
        raise ValueError("the preamble is not that of a waveform")
    text: str = scope.query(":WAVeform:DATA?")
    if text.startswith("#"):
        # Header of a block: the number of digits, then its length in that many digits.
        text = text[2 + int(text[1]) :]
    volts = np.array([float(each) for each in text.split(",") if each.strip()])
    if len(volts) < 2:
        raise ValueError("the waveform is empty")
    return preamble[5] - preamble[6] * preamble[4], preamble[4], volts


def _digital(
    volts: NDArray[np.float64], step_ps: int, threshold_v: float | None
) -> tuple[int, int, bool, NDArray[np.int64]]:
    """Returns start, end, initial level and edges of a waveform, ns from its first sample."""
    low, high = float(volts.min()), float(volts.max())
    middle = (low + high) / 2 if threshold_v is None else threshold_v
    margin = HYSTERESIS * (high - low)
    # Between the two thresholds the level is unchanged; initially it is that of the first crossing.
    is_known = (volts > middle + margin) | (volts < middle - margin)
    where = np.flatnonzero(is_known)
    if not len(where):
        return 0, (len(volts) - 1) * step_ps // 1000, bool(volts[0] > middle), np.empty(0, np.int64)
    levels = volts[where] > middle
    changes = where[1:][levels[1:] != levels[:-1]].astype(np.int64)
    end_ns = (len(volts) - 1) * step_ps // 1000
    return 0, end_ns, bool(levels[0]), changes * step_ps // 1000
