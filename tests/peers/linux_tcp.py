"""What the Linux TCP stack sends: a packet log of one connection between two network namespaces.

Each namespace has a TUN device, and this program is the wire between the two: it logs every packet,
carries it over after a delay, and drops those it is told to. Namespaces and devices have no name
outside this process and are gone with it. It needs root.

    python3 linux_tcp.py '{"writes": [10, 20], "nagle": true, "delayed": false, "drops": [],
                           "warm_up": 0, "one_way_ms": 20, "last_ms": 500}'

``warm_up`` bytes open the congestion window first. ``writes`` are handed over one right after the
other, ``drops`` are numbers of packets of the sender with data, from 0, and ``last_ms`` is how long
it is watched from the first write on. It prints a line a packet: from the first of the writes on in
us, ``>`` from the sender or ``<``, flags, offset of the first byte in its stream, bytes.
Where it may not make namespaces it says why and exits with 3.
"""

from __future__ import annotations

import ctypes
import fcntl
import json
import os
import select
import socket
import struct
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

CLONE_NEWNET = 0x40000000
TUNSETIFF = 0x400454CA
IFF_TUN_NO_PI = 0x1001
SIOCSIFADDR, SIOCSIFNETMASK, SIOCSIFFLAGS = 0x8916, 0x891C, 0x8914
IFF_UP = 1
TCP_CONGESTION = 13
NAME = b"wire"
ADDRESSES = ["192.168.4.1", "192.168.4.2"]
PORT = 49_152
WARM_UP = 0.5

#: What smoltcp has not, or our stack does not use.
SETTINGS = {"tcp_timestamps": "0", "tcp_sack": "0"}


def unshare_network() -> None:
    """Moves this thread to a new network namespace."""
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.unshare(CLONE_NEWNET) != 0:
        number = ctypes.get_errno()
        raise OSError(number, f"unshare: {os.strerror(number)}")


def elsewhere(act: Callable[[], Any]) -> Any:
    """Calls ``act`` in a thread with its own network namespace, which its sockets keep."""
    done: list[Any] = []

    def there() -> None:
        try:
            unshare_network()
            done.append(act())
        except OSError as problem:
            done.append(problem)

    thread = threading.Thread(target=there)
    thread.start()
    thread.join()
    [result] = done
    if isinstance(result, OSError):
        raise result
    return result


def end(address: str) -> tuple[int, socket.socket]:
    """A TUN device that is up at ``address``, and a TCP socket beside it."""
    for name, value in SETTINGS.items():
        Path(f"/proc/sys/net/ipv4/{name}").write_text(value)
    device = os.open("/dev/net/tun", os.O_RDWR)
    fcntl.ioctl(device, TUNSETIFF, struct.pack("16sH22x", NAME, IFF_TUN_NO_PI))
    # Disables all unrequested traffic: no neighbours, no routers.
    silent = Path("/proc/sys/net/ipv6/conf") / NAME.decode() / "disable_ipv6"
    if silent.exists():
        silent.write_text("1")
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as control:
        for request, four in ((SIOCSIFADDR, address), (SIOCSIFNETMASK, "255.255.255.0")):
            place = struct.pack("HH4s8x", socket.AF_INET, 0, socket.inet_aton(four))
            fcntl.ioctl(control, request, struct.pack("16s16s8x", NAME, place))
        fcntl.ioctl(control, SIOCSIFFLAGS, struct.pack("16sH22x", NAME, IFF_UP))
    link = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    link.setsockopt(socket.IPPROTO_TCP, TCP_CONGESTION, b"reno")
    return device, link


class Wire:
    """Carries packets between two devices, and records them."""

    def __init__(self, devices: list[int], one_way: float) -> None:
        self.devices, self.one_way = devices, one_way
        self.log: list[tuple[float, int, bytes]] = []
        self.data, self.drops = 0, set[int]()
        self.first = [0, 0]
        self.waiting: list[tuple[float, int, bytes]] = []

    def begin(self, drops: list[int]) -> None:
        """What comes from here on counts: streams begin where they are."""
        for side in (0, 1):
            packet = [packet for _, one, packet in self.log if one == side][-1]
            # A SYN counts as a byte.
            self.first[side] = sequence(packet) + len(payload(packet)) + ("S" in flags(packet))
        self.log, self.data, self.drops = [], 0, set(drops)

    def takes(self, side: int, packet: bytes) -> None:
        """A packet came out of the device on one side."""
        if packet[0] >> 4 != 4 or packet[9] != socket.IPPROTO_TCP:
            return
        now = time.monotonic()
        self.log.append((now, side, packet))
        if side == 0 and payload(packet):
            self.data += 1
            if self.data - 1 in self.drops:
                return
        self.waiting.append((now + self.one_way, 1 - side, packet))

    def run(self) -> None:
        """Runs for ever; packets keep their order."""
        while True:
            wait = self.waiting[0][0] - time.monotonic() if self.waiting else None
            ready, _, _ = select.select(
                self.devices, [], [], None if wait is None else max(wait, 0)
            )
            for device in ready:
                self.takes(self.devices.index(device), os.read(device, 2_048))
            while self.waiting and self.waiting[0][0] <= time.monotonic():
                _, to, packet = self.waiting.pop(0)
                os.write(self.devices[to], packet)


def payload(packet: bytes) -> bytes:
    """What a TCP segment carries."""
    header = (packet[0] & 15) * 4
    (total,) = struct.unpack_from(">H", packet, 2)
    return packet[header + (packet[header + 12] >> 4) * 4 : total]


def sequence(packet: bytes) -> int:
    """The sequence number of its first byte."""
    number: int
    (number,) = struct.unpack_from(">I", packet, (packet[0] & 15) * 4 + 4)
    return number


def flags(packet: bytes) -> str:
    """One letter each."""
    bits = packet[(packet[0] & 15) * 4 + 13]
    return "".join(letter for bit, letter in enumerate("FSRPA") if bits >> bit & 1)


def line(begin: float, first: list[int], at: float, side: int, packet: bytes) -> str:
    """A packet as it is printed."""
    offset = (sequence(packet) - first[side]) % 2**32
    microseconds = round((at - begin) * 1e6)
    return f"{microseconds} {'><'[side]} {flags(packet)} {offset} {len(payload(packet))}"


def main() -> None:
    """Makes the connection, writes, and prints."""
    asked = json.loads(sys.argv[1])
    (near, sender), (far, listener) = (elsewhere(lambda a=a: end(a)) for a in ADDRESSES)
    wire = Wire([near, far], asked["one_way_ms"] / 1e3)
    threading.Thread(target=wire.run, daemon=True).start()
    listener.bind((ADDRESSES[1], PORT))
    listener.listen()
    sender.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, not asked["nagle"])
    sender.connect((ADDRESSES[1], PORT))
    receiver, _ = listener.accept()
    if asked["warm_up"]:
        sender.sendall(bytes(asked["warm_up"]))
    # The handshake and that are over for both, whose acknowledgements the kernel thinks over again.
    time.sleep(WARM_UP)
    receiver.setsockopt(socket.IPPROTO_TCP, socket.TCP_QUICKACK, not asked["delayed"])
    wire.begin(asked["drops"])
    for count in asked["writes"]:
        sender.send(bytes([7]) * count)
    time.sleep(asked["last_ms"] / 1e3)
    log = list(wire.log)
    begin = log[0][0]
    for at, side, packet in log:
        sys.stdout.write(line(begin, wire.first, at, side, packet) + "\n")


if __name__ == "__main__":
    try:
        main()
    except OSError as problem:
        sys.stderr.write(f"no network namespaces: {problem}\n")
        sys.exit(3)
