"""Saleae analysers, through the automation server of Logic 2 (package ``logic2-automation``)."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

from airlag._airlag import CaptureError, LinkError
from airlag.core.extras import library
from airlag.core.quantity import parse_whole
from airlag.questions import capture
from airlag.questions.instruments.instrument import Plan, Recorded, stopping

PORT = 10430
#: Timeouts for the connection to Logic 2 and for a call, s.
CONNECT_S, CALL_S = 5.0, 30.0


def record(address: str, plan: Plan, folder: Path) -> Recorded:
    """Records with Logic 2 at ``//HOST:PORT?device=SERIAL``; every part has a default."""
    automation = library("saleae.automation", "logic2", lacking="logic2-automation")
    grpc = library("grpc", "logic2")
    name, _, query = address.removeprefix("//").partition("?")
    host, _, digits = name.partition(":")
    port = parse_whole(digits, 1, 65_535) if digits else PORT
    key, _, device = query.partition("=")
    if port is None or (query and (key != "device" or not device)):
        raise LinkError(
            f"logic2:{address}: no address of Logic 2; write it like logic2://127.0.0.1:{PORT}"
            "?device=SERIAL"
        )
    where = f"logic2://{host or '127.0.0.1'}:{port}"
    try:
        manager = automation.Manager.connect(
            address=host or "127.0.0.1",
            port=port,
            connect_timeout_seconds=CONNECT_S,
            grpc_channel_arguments=[("grpc.service_config", _timeouts(plan))],
        )
    except automation.IncompatibleApiVersionError:
        raise LinkError(
            f"{where}: another version of the automation interface; update Logic 2 and the package "
            "logic2-automation"
        ) from None
    except (grpc.RpcError, automation.SaleaeError) as error:
        raise LinkError(
            f"{where}: {_line(error)}; start Logic 2 and enable its automation server"
        ) from None
    failures = (grpc.RpcError, automation.SaleaeError)
    try:
        return _recorded(automation, manager, device or None, plan, folder, failures)
    except failures as error:
        raise LinkError(f"{where}: nothing was recorded: {_line(error)}") from None
    except CaptureError as error:
        raise LinkError(
            f"{where}: {error}; Logic 2 must run on this computer, and its disk must have space"
        ) from None
    finally:
        manager.close()


def _recorded(
    automation: Any,
    manager: Any,
    device: str | None,
    plan: Plan,
    folder: Path,
    failures: tuple[type[Exception], ...],
) -> Recorded:
    channels = plan.numbers("logic2")
    seconds = None if plan.lasting_ns is None else plan.lasting_ns / 1e9
    mode = (
        automation.ManualCaptureMode()
        if seconds is None
        else automation.TimedCaptureMode(duration_seconds=seconds)
    )
    session = manager.start_capture(
        device_id=device,
        device_configuration=automation.LogicDeviceConfiguration(
            enabled_digital_channels=channels,
            digital_sample_rate=plan.rate_hz,
            digital_threshold_volts=plan.threshold_v,
        ),
        capture_configuration=automation.CaptureConfiguration(capture_mode=mode),
    )
    ended = stopped = None
    try:
        if seconds is None:
            while True:
                time.sleep(0.1)
        session.wait()
    except failures as error:
        ended = f"logic2: {_line(error)}"
    except BaseException as raised:
        stopped = stopping(raised)
    if ended is not None or stopped is not None:
        try:
            session.stop()
        except failures as error:
            ended = f"logic2: {_line(error)}"
    session.export_raw_data_binary(directory=str(folder), digital_channels=channels)
    trace = capture.read(folder, memory_bytes=plan.memory_bytes)
    # A capture that was not exported stays open in Logic 2, to be saved by hand.
    session.close()
    return Recorded(trace, ended, stopped)


def _timeouts(plan: Plan) -> str:
    """Adds timeouts to gRPC calls, so that none waits forever."""
    service = "saleae.automation.Manager"
    lasting_s = CALL_S + (plan.lasting_ns or 0) / 1e9
    return json.dumps(
        {
            "methodConfig": [
                {"name": [{"service": service}], "timeout": f"{CALL_S:g}s"},
                {
                    "name": [{"service": service, "method": "WaitCapture"}],
                    "timeout": f"{lasting_s:.3f}s",
                },
            ]
        }
    )


def _line(error: Exception) -> str:
    """Formats an error of the package in one line."""
    details = getattr(error, "details", None)
    text = str(details() if callable(details) else error) or type(error).__name__
    return " ".join(text.split())[:200]
