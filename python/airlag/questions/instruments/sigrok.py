"""Instruments with a sigrok driver, through the program ``sigrok-cli``.

``sigrok-cli`` writes its file during the recording, so that an early end does not lose the data.
"""

from __future__ import annotations

import shutil
import signal
import subprocess
from pathlib import Path

from airlag._airlag import CaptureError, LinkError
from airlag.core.children import child
from airlag.questions import capture
from airlag.questions.instruments.instrument import Plan, Recorded, stopping

#: Time allowed beyond the duration of a recording, and for termination, s.
GRACE_S, END_S = 15.0, 10.0


def record(address: str, plan: Plan, folder: Path) -> Recorded:
    """Records with the driver ``address``, as ``sigrok-cli --driver`` takes it."""
    program = shutil.which("sigrok-cli")
    if program is None:
        raise LinkError("sigrok-cli is not installed; apt-get install sigrok-cli")
    if not address:
        raise LinkError("sigrok: the driver is missing; write it like sigrok:fx2lafw")
    file, log = folder / "capture.sr", folder / "log"
    command = [program, "--driver", address, "--output-file", str(file)]
    if plan.rate_hz is not None:
        command += ["--config", f"samplerate={plan.rate_hz}"]
    if plan.channels:
        command += ["--channels", ",".join(plan.channels)]
    seconds = None if plan.lasting_ns is None else plan.lasting_ns / 1e9
    if plan.lasting_ns is None:
        command.append("--continuous")
    elif plan.rate_hz is None:
        command += ["--time", str(-(-plan.lasting_ns // 1_000_000))]
    else:
        command += ["--samples", str(-(-plan.lasting_ns * plan.rate_hz // 10**9))]
    ended = stopped = None
    # sigrok-cli would end at a key press or end of input. This process forwards Ctrl-C.
    with (
        log.open("wb") as said,
        child(
            command, stdin=subprocess.PIPE, stdout=said, stderr=said, start_new_session=True
        ) as process,
    ):
        try:
            process.wait(None if seconds is None else seconds + GRACE_S)
        except subprocess.TimeoutExpired:
            ended = f"sigrok:{address}: running {GRACE_S:g} s too long; try a lower --rate"
        except BaseException as raised:
            stopped = stopping(raised)
        finally:
            _end(process)
    told = log.read_text("utf-8", "replace").strip().splitlines()
    why = told[-1] if told else f"exit code {process.returncode}"
    try:
        trace = capture.read(file, memory_bytes=plan.memory_bytes)
    except CaptureError as error:
        if stopped is not None:
            why = "interrupted before the first sample"
        elif file.exists() and process.returncode == 0 and not told:
            why = str(error).partition(": ")[2]
        raise LinkError(f"sigrok:{address}: nothing was recorded: {why}") from None
    if stopped is None and ended is None:
        if process.returncode != 0:
            ended = f"sigrok:{address}: {why}"
        elif plan.lasting_ns is not None and _is_short(trace.end_ns - trace.begin_ns, plan):
            # sigrok-cli does not report a full disk or an unplugged device as an error.
            ended = (
                f"sigrok:{address}: ended after {(trace.end_ns - trace.begin_ns) / 1e9:.3g} s of "
                f"{seconds:g} s; is the disk of {folder.parent} full, or the device unplugged?"
            )
    return Recorded(trace, ended, stopped)


def _is_short(recorded_ns: int, plan: Plan) -> bool:
    # Drivers that limit the time end at a packet boundary.
    sample_ns = 0 if plan.rate_hz is None else 10**9 // plan.rate_hz
    return recorded_ns + sample_ns < (plan.lasting_ns or 0) * (0.9 if plan.rate_hz is None else 1)


def _end(process: subprocess.Popen[bytes]) -> None:
    """Terminates the process; killing it may block its device, so this is only the last resort."""
    if process.poll() is None:
        process.send_signal(signal.SIGINT)
    try:
        process.wait(END_S)
    except subprocess.TimeoutExpired:
        process.kill()
