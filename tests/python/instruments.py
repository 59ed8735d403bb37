# Names and arguments of the servicer are those of the package.
# ruff: noqa: ARG002, N802
"""Stand-ins for instruments: a Logic 2 server, and a board and a PPK2 on pseudo terminals."""

from __future__ import annotations

import os
import pty
import struct
import threading
import time
import tty
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import grpc
from saleae.grpc import saleae_pb2, saleae_pb2_grpc

from airlag._airlag import Trace


def saleae_binary(trace: Trace, channel: int) -> bytes:
    """A channel as Logic 2 exports it: ``digital_N.bin``, version 0."""
    ((begin, end, initial),) = trace.segments(channel)
    edges = trace.edges_ns(channel, 0)
    head = struct.pack("<8siiIddQ", b"<SALEAE>", 0, 0, initial, begin / 1e9, end / 1e9, len(edges))
    return head + (edges / 1e9).astype("<f8").tobytes()


class Logic2(saleae_pb2_grpc.ManagerServicer):
    """Answers as Logic 2 does; what it recorded is a trace of the virtual bench."""

    def __init__(self, trace: Trace, *, major: int = 1) -> None:
        self.trace, self.major = trace, major
        #: Calls so far, in order.
        self.calls: list[str] = []
        self.started: Any = None
        #: Set where waiting fails or never ends.
        self.wait_error: str | None = None
        self.export_error: str | None = None
        self.hangs = False
        self.waits = threading.Event()
        self.stopped = threading.Event()

    def GetAppInfo(self, request: Any, context: Any) -> Any:
        version = saleae_pb2.Version(major=self.major, minor=0, patch=0)
        info = saleae_pb2.AppInfo(api_version=version, application_version="2.4.13")
        return saleae_pb2.GetAppInfoReply(app_info=info)

    def StartCapture(self, request: Any, context: Any) -> Any:
        self.calls.append("start")
        self.started = request
        return saleae_pb2.StartCaptureReply(capture_info=saleae_pb2.CaptureInfo(capture_id=7))

    def WaitCapture(self, request: Any, context: Any) -> Any:
        self.calls.append("wait")
        self.waits.set()
        if self.wait_error is not None:
            context.abort(grpc.StatusCode.ABORTED, self.wait_error)
        if self.hangs:
            self.stopped.wait(30)
        return saleae_pb2.WaitCaptureReply()

    def StopCapture(self, request: Any, context: Any) -> Any:
        self.calls.append("stop")
        self.stopped.set()
        return saleae_pb2.StopCaptureReply()

    def ExportRawDataBinary(self, request: Any, context: Any) -> Any:
        self.calls.append("export")
        if self.export_error is not None:
            context.abort(grpc.StatusCode.ABORTED, self.export_error)
        for channel in request.logic_channels.digital_channels:
            file = Path(request.directory) / f"digital_{channel}.bin"
            file.write_bytes(saleae_binary(self.trace, channel))
        return saleae_pb2.ExportRawDataBinaryReply()

    def CloseCapture(self, request: Any, context: Any) -> Any:
        self.calls.append("close")
        return saleae_pb2.CloseCaptureReply()


@contextmanager
def serving(logic: Logic2) -> Iterator[str]:
    """Serves it on a free port; yields its address."""
    with ThreadPoolExecutor(4) as pool:
        server = grpc.server(pool)
        saleae_pb2_grpc.add_ManagerServicer_to_server(logic, server)
        port = server.add_insecure_port("127.0.0.1:0")
        server.start()
        try:
            yield f"logic2://127.0.0.1:{port}"
        finally:
            logic.stopped.set()
            server.stop(None).wait()


def crc16(data: bytes) -> int:
    """CRC-16 with polynomial 0x1021 and preset 0xFFFF, bit by bit."""
    crc = 0xFFFF
    for byte in data:
        crc ^= byte << 8
        for _ in range(8):
            crc = (crc << 1 ^ (0x1021 if crc & 0x8000 else 0)) & 0xFFFF
    return crc


def on_line(kind: int, body: bytes) -> bytes:
    """A frame of a board as it is on the line: checksum, byte stuffing and delimiter."""
    message = bytes([kind]) + crc16(bytes([kind]) + body).to_bytes(2, "big") + body
    stuffed = bytearray()
    for part in message.split(b"\0"):
        while len(part) >= 254:
            stuffed += b"\xff" + part[:254]
            part = part[254:]
        stuffed += bytes([len(part) + 1]) + part
    return bytes(stuffed) + b"\0"


def unframed(line: bytes) -> tuple[int, bytes]:
    """Kind and body of a frame without its zero."""
    blocks, at = [], 0
    while at < len(line):
        blocks.append(line[at + 1 : at + line[at]])
        at += line[at]
    message = b"\0".join(blocks)
    kind, body = message[:1], message[3:]
    assert crc16(kind + body) == int.from_bytes(message[1:3], "big")
    return kind[0], body


def leb128(value: int) -> bytes:
    """A number in groups of seven bits."""
    encoded = bytearray()
    while value >= 0x80:
        encoded.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*encoded, value])


START, STOP = on_line(0xE1, b"\2\xff"), on_line(0xE2, b"")


class OnTerminal:
    """An instrument at the other end of a pseudo terminal."""

    def __init__(self) -> None:
        self.unplugs = False
        self.heard = bytearray()
        self.has_sent = threading.Event()
        self.controller, terminal = pty.openpty()
        tty.setraw(terminal)
        self.device = os.ttyname(terminal)
        self._terminal: int | None = terminal
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Lets go of the line; what it read last ends with it."""
        if self._terminal is not None:
            os.close(self._terminal)
            self._terminal = None
        self._thread.join(5)

    def heard_all(self) -> bytes:
        """What the host sent until it closed the line."""
        self._thread.join(0.3)
        return bytes(self.heard)

    def hear(self, order: bytes) -> None:
        """Waits until the host has sent a command."""
        while order not in self.heard:
            self.heard += os.read(self.controller, 256)

    def play(self) -> None:
        """Behaviour from the start until it is unplugged."""
        raise NotImplementedError

    def _run(self) -> None:
        try:
            self.play()
            self.has_sent.set()
            if self.unplugs:
                # What is on the line is read first.
                time.sleep(0.3)
            while not self.unplugs:
                self.heard += os.read(self.controller, 256)
        except OSError:
            # Nobody holds the other side any more.
            pass
        finally:
            os.close(self.controller)


class Board(OnTerminal):
    """A board that sends its rows once it is started."""

    def __init__(
        self, rows: Sequence[tuple[int, int]], *, tick_ps: int = 1000, version: int = 2
    ) -> None:
        #: Frames with rows, as (tick, levels).
        self.rows, self.tick_ps, self.version = rows, tick_ps, version
        self.answers = True
        super().__init__()

    def play(self) -> None:
        """Sends its rows."""
        self.hear(START)
        if not self.answers:
            return
        hello = bytes([self.version, 2]) + self.tick_ps.to_bytes(4, "big") + b"\0"
        os.write(self.controller, on_line(0xE3, hello))
        for nth in range(0, len(self.rows), 15):
            (at, levels), *rest = self.rows[nth : nth + 15]
            body = bytes([nth // 15 % 256]) + bytes(4) + at.to_bytes(8, "big") + bytes([levels])
            for tick, its in rest:
                body += leb128(tick - at) + bytes([its])
                at = tick
            os.write(self.controller, on_line(0xE4, body))


class Ppk2(OnTerminal):
    """A Power Profiler Kit II, which sends its samples once it is started.

    With its calibration, a reading of ``n`` in range 3 is ``n`` microamperes.
    """

    METADATA = (
        "Calibrated: 1\n"
        + "".join(f"R{nth}: {4e6 * 1.8 / 163_840}\n" for nth in range(5))
        + "".join(f"GS{nth}: 0.0\nGI{nth}: 1.0\nO{nth}: 0.0\nS{nth}: 0.0\n" for nth in range(5))
        + "VDD: 3000\nHW: 9173\nmode: 1\nIA: 54\nEND"
    )
    #: Commands that start and stop a measurement.
    STARTED, STOPPED = b"\x06", b"\x07"

    def __init__(self, samples: Sequence[tuple[int, int]], *, metadata: str = METADATA) -> None:
        #: Current, uA, and levels of the inputs, every 10 us.
        self.samples, self.metadata = samples, metadata
        #: Indices of lost samples.
        self.missing: range = range(0)
        super().__init__()

    def play(self) -> None:
        """Answers with its metadata, and sends its samples."""
        self.hear(b"\x19")
        os.write(self.controller, self.metadata.encode())
        self.hear(self.STARTED)
        words = [
            struct.pack("<I", ua | 3 << 14 | nth % 64 << 18 | levels << 24)
            for nth, (ua, levels) in enumerate(self.samples)
            if nth not in self.missing
        ]
        for at in range(0, len(words), 1_000):
            os.write(self.controller, b"".join(words[at : at + 1_000]))


def rows_of(trace: Trace) -> list[tuple[int, int]]:
    """A trace as a board of two channels stamps it, ns."""
    changes = [
        (int(at), channel) for channel in (0, 1) for at in trace.edges_ns(channel, 0).tolist()
    ]
    levels = sum(trace.segments(channel)[0][2] << channel for channel in (0, 1))
    rows = [(trace.begin_ns, levels)]
    for at, channel in sorted(changes):
        levels ^= 1 << channel
        rows.append((at, levels))
    return [*rows, (trace.end_ns, levels)]
