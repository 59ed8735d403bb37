"""An attacker between two radios that are UDP sockets, as a program of its own.

``mirror ADDRESS`` sends every burst back, as a burst of the peer and as its answer. ``relay``
forwards everything, records each datagram as a line of hexadecimal digits in a file, and replays
those of another file.
"""

from __future__ import annotations

import argparse
import select
import socket
import sys
import time
from pathlib import Path

BURST, ANSWER = 0xB5, 0xA5
#: Bytes before the first frame of a burst, and before the frame of an answer.
HEAD = 5


def _address(text: str) -> tuple[str, int]:
    host, port = text.rsplit(":", 1)
    return host, int(port)


def _bound(text: str) -> socket.socket:
    bound = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    bound.bind(_address(text))
    return bound


def mirror(own: str) -> None:
    radio = _bound(own)
    while True:
        datagram, peer = radio.recvfrom(4096)
        if datagram[0] == BURST:
            first = datagram[HEAD + 1 : HEAD + 1 + datagram[HEAD]]
            radio.sendto(bytes([ANSWER]) + datagram[1:HEAD] + first, peer)
            radio.sendto(datagram, peer)


def relay(ways: list[tuple[str, str]], record: Path, repeated: Path | None, rate: float) -> None:
    """Forwards datagrams between two sockets, each bound to one address and sending to another."""
    radios = [_bound(own) for own, _ in ways]
    peers = [_address(peer) for _, peer in ways]
    old = [] if repeated is None else repeated.read_text().split()
    begun, sent = time.monotonic(), 0
    with record.open("w") as kept:
        while True:
            ready, _, _ = select.select(radios, [], [], 0.001)
            for radio in ready:
                datagram, _ = radio.recvfrom(4096)
                to = 1 - radios.index(radio)
                radios[to].sendto(datagram, peers[to])
                kept.write(f"{datagram.hex()}\n")
                kept.flush()
            while old and sent < (time.monotonic() - begun) * rate:
                datagram = bytes.fromhex(old[sent % len(old)])
                for radio, peer in zip(radios, peers, strict=True):
                    radio.sendto(datagram, peer)
                sent += 1


def main(words: list[str]) -> None:
    parser = argparse.ArgumentParser()
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("mirror").add_argument("own")
    between = commands.add_parser("relay")
    between.add_argument("ways", nargs=4)
    between.add_argument("--record", type=Path, required=True)
    between.add_argument("--repeat", type=Path)
    between.add_argument("--rate", type=float, default=200)
    asked = parser.parse_args(words)
    if asked.command == "mirror":
        mirror(asked.own)
    else:
        near, far = asked.ways[:2], asked.ways[2:]
        relay([tuple(near), tuple(far)], asked.record, asked.repeat, asked.rate)


if __name__ == "__main__":
    main(sys.argv[1:])
