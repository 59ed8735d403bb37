"""Sparse one-way flow between two network namespaces: 64 bytes every 100 ms.

This file runs as a program in each namespace (``python sparse_flow.py hear …`` and ``send …``) and
uses only the standard library. Both programs read one monotonic clock, which the namespaces share.
"""

import json
import select
import socket
import struct
import sys
import time

#: Bytes of an IPv4 packet and of its headers; period, ns.
PACKET, HEADERS = 64, 28
PERIOD_NS = 100_000_000

_HEAD = struct.Struct("<QQ")


def send(host: str, port: int, window_ns: int) -> int:
    """Sends until the end of the window; returns the number of packets."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
        begin, sent = time.monotonic_ns(), 0
        while sent * PERIOD_NS < window_ns:
            time.sleep(max(0, begin + sent * PERIOD_NS - time.monotonic_ns()) / 1e9)
            head = _HEAD.pack(sent, time.monotonic_ns())
            sender.sendto(head.ljust(PACKET - HEADERS, b"\0"), (host, port))
            sent += 1
    return sent


def hear(port: int) -> list[int]:
    """Returns the latencies of packets received until standard input ends, ns, in send order."""
    took: dict[int, int] = {}
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as receiver:
        receiver.bind(("", port))
        sys.stdout.write("ready\n")
        sys.stdout.flush()
        while True:
            readable, _, _ = select.select([receiver, sys.stdin], [], [])
            if receiver in readable:
                data = receiver.recv(2_048)
                now = time.monotonic_ns()
                if len(data) == PACKET - HEADERS:
                    number, sent = _HEAD.unpack_from(data)
                    took.setdefault(number, now - sent)
            elif sys.stdin in readable:
                return [took[number] for number in sorted(took)]


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["send", host, port, window_ns]:
            json.dump(send(host, int(port), int(window_ns)), sys.stdout)
        case ["hear", port]:
            json.dump(hear(int(port)), sys.stdout)
        case _:
            sys.exit("usage: sparse_flow.py send HOST PORT WINDOW_NS, or sparse_flow.py hear PORT")
