"""An attacker between two radios that are UDP sockets, as a program of its own.

``mirror ADDRESS`` sends every burst back, as a burst of the peer and as its answer. ``relay``
forwards everything, records each datagram as a line of hexadecimal digits in a file, and replays
those of another file. With ``--harm SHARE`` it drops, holds back, repeats, changes and forges that
share of the datagrams each; with ``--flood RATE`` it sends so many random ones a second to both.
"""

from __future__ import annotations

import argparse
import random
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


class Harm:
    """The fate of a datagram."""

    def __init__(self, share: float) -> None:
        self.share = share
        self.random = random.Random(1)
        self.held: list[tuple[float, int, bytes]] = []

    def forged(self, length: int) -> bytes:
        """A burst of one frame of random bytes, or an answer."""
        kind, frame = self.random.choice((BURST, ANSWER)), self.random.randbytes(length)
        head = bytes([kind]) + self.random.randbytes(HEAD - 1)
        return head + (bytes([length]) if kind == BURST else b"") + frame

    def of(self, to: int, datagram: bytes) -> list[bytes]:
        """What is sent at once in its place."""
        draw = self.random.random() / self.share if self.share else 9.0
        if draw < 1:
            return []
        if draw < 2:
            self.held.append((time.monotonic() + self.random.random() / 5, to, datagram))
            return []
        if draw < 3:
            return [datagram, datagram]
        if draw < 4:
            at = self.random.randrange(len(datagram))
            changed = datagram[at] ^ self.random.randrange(1, 256)
            return [datagram[:at] + bytes([changed]) + datagram[at + 1 :]]
        if draw < 5:
            return [self.forged(self.random.randrange(1, 33)), datagram]
        return [datagram]

    def due(self) -> list[tuple[int, bytes]]:
        """What was held back for long enough: behind what came after it."""
        now = time.monotonic()
        due = [(to, datagram) for until, to, datagram in self.held if until <= now]
        self.held = [each for each in self.held if each[0] > now]
        return due


def relay(asked: argparse.Namespace) -> None:
    """Forwards datagrams between two sockets, each bound to one address and sending to another."""
    near, far = asked.ways[:2], asked.ways[2:]
    radios = [_bound(own) for own, _ in (near, far)]
    peers = [_address(peer) for _, peer in (near, far)]
    old = [] if asked.repeat is None else asked.repeat.read_text().split()
    begun, sent, flooded, harm = time.monotonic(), 0, 0, Harm(asked.harm)

    def send(to: int, datagram: bytes) -> None:
        radios[to].sendto(datagram, peers[to])

    with asked.record.open("w") as kept:
        while True:
            ready, _, _ = select.select(radios, [], [], 0.001)
            for radio in ready:
                datagram, _ = radio.recvfrom(4096)
                to = 1 - radios.index(radio)
                for each in harm.of(to, datagram):
                    send(to, each)
                kept.write(f"{datagram.hex()}\n")
                kept.flush()
            for to, datagram in harm.due():
                send(to, datagram)
            while old and sent < (time.monotonic() - begun) * asked.rate:
                for to in range(2):
                    send(to, bytes.fromhex(old[sent % len(old)]))
                sent += 1
            while flooded < (time.monotonic() - begun) * asked.flood:
                for to in range(2):
                    send(to, harm.forged(32))
                flooded += 1


def main(words: list[str]) -> None:
    parser = argparse.ArgumentParser()
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("mirror").add_argument("own")
    between = commands.add_parser("relay")
    between.add_argument("ways", nargs=4)
    between.add_argument("--record", type=Path, required=True)
    between.add_argument("--repeat", type=Path)
    between.add_argument("--rate", type=float, default=200)
    between.add_argument("--harm", type=float, default=0)
    between.add_argument("--flood", type=float, default=0)
    asked = parser.parse_args(words)
    if asked.command == "mirror":
        mirror(asked.own)
    else:
        relay(asked)


if __name__ == "__main__":
    main(sys.argv[1:])
