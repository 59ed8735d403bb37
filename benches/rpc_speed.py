"""Calls of 8 KiB in a session, from Python, beside ``blerpc-protocol`` in the same run.

Going out, a request is encrypted and cut into containers; coming in, containers are put together
and decrypted. Both do all of it as their users call it, over packets of an MTU of 247: airlag's
central also looks after the call it belongs to. Taken in turn, so that a slow spell of the machine
hits both.

Run it with ``make bench``, or ``python benches/rpc_speed.py``.
"""

from __future__ import annotations

import os
import platform
import statistics
import sys
from collections.abc import Callable
from time import perf_counter_ns

from blerpc_protocol import (
    BlerpcCryptoSession,
    CommandPacket,
    CommandType,
    Container,
    ContainerAssembler,
    ContainerSplitter,
)

from airlag._airlag import RpcCentral, RpcPeripheral

MTU = 247
ROUNDS = 300
DATA = bytes(range(256)) * 32
#: DataWriteRequest with a field 1 of 8192 bytes.
WRITE = b"\x0a\x80\x40" + DATA
#: FlashReadRequest of 8192 bytes at 0.
READ = b"\x10\x80\x40"


class Airlag:
    """A central and a peripheral with a session."""

    def __init__(self) -> None:
        self.central = RpcCentral(MTU, bytes(range(32)))
        self.peripheral = RpcPeripheral(MTU, bytes(range(1, 33)), identity_seed=bytes(32))
        while self.exchange():
            pass
        assert self.central.events() == [("ready", None, "")]

    def exchange(self) -> bool:
        """Delivers all waiting packets; returns whether there were any."""
        up, down = self.central.outgoing_all(), self.peripheral.outgoing_all()
        for packet in up:
            self.peripheral.received(packet, 0)
        for packet in down:
            self.central.received(packet, 0)
        return bool(up or down)

    def going_out(self) -> int:
        """From a message to its containers, ns."""
        begin = perf_counter_ns()
        self.central.call("data_write", WRITE)
        packets = self.central.outgoing_all()
        spent = perf_counter_ns() - begin
        for packet in packets:
            self.peripheral.received(packet, 0)
        while self.exchange():
            pass
        assert [event[0] for event in self.central.events()] == ["reply"]
        return spent

    def coming_in(self) -> int:
        """From containers to their message, ns."""
        self.central.call("flash_read", READ)
        for packet in self.central.outgoing_all():
            self.peripheral.received(packet, 0)
        packets = self.peripheral.outgoing_all()
        begin = perf_counter_ns()
        self.central.received_all(packets, 0)
        [(name, _, message)] = self.central.events()
        spent = perf_counter_ns() - begin
        assert isinstance(message, bytes)
        assert name == "reply"
        assert message.endswith(DATA)
        return spent


class Package:
    """The same of the package: its session, splitter and assembler."""

    def __init__(self) -> None:
        self.central = BlerpcCryptoSession(bytes(16), is_central=True)
        self.peripheral = BlerpcCryptoSession(bytes(16), is_central=False)
        self.splitter = ContainerSplitter(MTU)

    def going_out(self) -> int:
        """From a message to its containers, ns."""
        begin = perf_counter_ns()
        command = CommandPacket(CommandType.REQUEST, "data_write", WRITE)
        sealed = self.central.encrypt(command.serialize())
        packets = [container.serialize() for container in self.splitter.split(sealed)]
        spent = perf_counter_ns() - begin
        assert len(packets) > 8_192 // MTU
        return spent

    def coming_in(self) -> int:
        """From containers to their message, ns."""
        command = CommandPacket(CommandType.RESPONSE, "flash_read", WRITE)
        sealed = self.peripheral.encrypt(command.serialize())
        packets = [container.serialize() for container in self.splitter.split(sealed)]
        begin = perf_counter_ns()
        assembler = ContainerAssembler()
        whole = None
        for packet in packets:
            whole = assembler.feed(Container.deserialize(packet))
        assert whole is not None
        opened = CommandPacket.deserialize(self.central.decrypt(whole))
        spent = perf_counter_ns() - begin
        assert opened.data.endswith(DATA)
        return spent


def compare(what: str, ours: Callable[[], int], theirs: Callable[[], int]) -> None:
    """Measures both in turns, and prints how many times as long the package takes."""
    spent: list[tuple[int, int]] = [(ours(), theirs()) for _ in range(ROUNDS)]
    ours_us, theirs_us = (statistics.median(side) / 1_000 for side in zip(*spent, strict=True))
    ratios = statistics.quantiles([theirs / ours for ours, theirs in spent], n=4)
    sys.stdout.write(
        f"{what}: airlag {ours_us:.1f} µs, blerpc-protocol {theirs_us:.1f} µs\n"
        f"  airlag is {ratios[1]:.2f} times as fast ({ratios[0]:.2f} to {ratios[2]:.2f})\n"
    )


def main() -> None:
    """Takes both ways."""
    which = f"{platform.python_implementation()} {platform.python_version()}"
    sys.stdout.write(f"# {which}, {os.cpu_count()} cores\n")
    airlag, package = Airlag(), Package()
    compare("8 KiB encrypted and cut into containers", airlag.going_out, package.going_out)
    compare("8 KiB put together and decrypted", airlag.coming_in, package.coming_in)


if __name__ == "__main__":
    main()
