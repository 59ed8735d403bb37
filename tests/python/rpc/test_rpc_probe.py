"""``airlag probe rpc:`` against the peripheral of ``blerpc-protocol``, over TCP."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from package_ends import PackagePeripheral

import airlag

pytestmark = pytest.mark.real_time


def framed(message: bytes) -> bytes:
    """Encodes under 254 bytes by consistent overhead byte stuffing, with a final zero."""
    groups = message.split(b"\0")
    assert all(len(group) < 254 for group in groups)
    return b"".join(bytes([len(group) + 1]) + group for group in groups) + b"\0"


def deframed(frame: bytes) -> bytes:
    at, groups = 0, []
    while at < len(frame):
        groups.append(frame[at + 1 : at + frame[at]])
        at += frame[at]
    return b"\0".join(groups)


@contextmanager
def peripheral(encryption: bool) -> Iterator[tuple[str, PackagePeripheral]]:
    """Serves a peripheral of the package on a port. Yields its target."""
    served = PackagePeripheral(247, encryption=encryption)

    def serve() -> None:
        connection, _ = listener.accept()
        rest = b""
        with connection:
            while data := connection.recv(4096):
                *frames, rest = (rest + data).split(b"\0")
                for frame in frames:
                    served.received(deframed(frame))
                    while (container := served.outgoing()) is not None:
                        connection.sendall(framed(container))

    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield f"rpc:tcp://127.0.0.1:{listener.getsockname()[1]}", served
        thread.join(10)


@pytest.mark.parametrize("encryption", [True, False])
@pytest.mark.parametrize("size", [12, 200])
def test_the_echo_of_the_package_is_probed(encryption: bool, size: int) -> None:
    with peripheral(encryption) as (target, served):
        done = airlag.probe(target, size=size, count=50, pattern="closed-loop")
    assert done.run.count(airlag.Outcome.DELIVERED) == 50
    assert served.encrypted == encryption
    assert done.round_trip_ns is not None
    assert 0 < done.round_trip_ns["min"] <= done.round_trip_ns["p50"]
    # An echo has no timestamps.
    assert done.forward_ns is done.return_ns is done.residence_ns is None
    assert done.clock["offset_ns"] is done.clock["offset_uncertainty_ns"] is None
    with pytest.raises(airlag.LinkError, match="no timestamps"):
        done.run_of("forward")
