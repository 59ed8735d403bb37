"""Packets a second of the virtual bench, beside ns-3 and SimPy in the same run.

airlag's 802.15.4 does what ns-3's lr-wpan does: CSMA-CA, data frame, acknowledgement, interframe
space. Its nRF24 goes further: program, driver, bus, emulated nRF24L01+, air, and back. SimPy has no
radio at all. All run on one core, in turn, so that a slow spell of the machine hits all of them.

Run it with ``make bench``, or ``python benches/packet_speed.py``. ns-3 comes from the package
``libns3-dev``; without it, or without a C++ compiler, its rows say so.
"""

from __future__ import annotations

import json
import os
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
PACKETS = HERE / "target" / "release" / "packets"
ROUNDS = 5
NS3_LIBRARIES = ["lr-wpan", "spectrum", "propagation", "mobility", "network", "core"]


def seconds_of(command: list[str]) -> list[dict[str, float]]:
    """Output of a measurement, lines of JSON."""
    run = subprocess.run(command, capture_output=True, text=True, check=True)
    return [json.loads(line) for line in run.stdout.splitlines()]


def build_ns3(folder: Path) -> Path | None:
    """The ns-3 peer, if this machine can build it."""
    header = Path("/usr/include/ns3/lr-wpan-module.h")
    compiler = shutil.which("c++")
    if compiler is None or not header.exists():
        return None
    program = folder / "lr_wpan"
    libraries = [f"-lns3-{name}" for name in NS3_LIBRARIES]
    source = str(HERE / "peers" / "lr_wpan.cc")
    subprocess.run(
        [compiler, "-O2", "-std=c++17", source, "-o", str(program), *libraries], check=True
    )
    return program


def rate(measured: dict[str, float]) -> float:
    """Acknowledged packets per second of wall time."""
    return measured["confirmed"] / measured["seconds"]


def compare(what: str, contenders: dict[str, list[str]]) -> None:
    """Measures all in turns, and compares the first with each of the others."""
    rates: dict[str, list[float]] = {name: [] for name in contenders}
    for _ in range(ROUNDS):
        for name, command in contenders.items():
            rates[name].append(rate(seconds_of(command)[0]))
    first, *_ = rates.values()
    sys.stdout.write(f"\n{what}, packets a second on one core\n")
    for name, seen in rates.items():
        ratios = [a / b for a, b in zip(first, seen, strict=True)]
        sys.stdout.write(
            f"  {name:36} median {statistics.median(seen):11,.0f}  best {max(seen):11,.0f}"
            f"  airlag is {statistics.median(ratios):5.1f} x as quick\n"
        )


def exchanges(ns3: Path | None) -> None:
    """Acknowledged packets: two nodes, one after the other; and a hundred around one."""
    pair = {
        "airlag, 802.15.4": [str(PACKETS), "wpan", "1", "1000000"],
        "airlag, nRF24 with driver and bus": [str(PACKETS), "exchange", "500000"],
        "SimPy, stores": [sys.executable, str(HERE / "peers" / "simpy_exchange.py"), "50000"],
    }
    star = {"airlag, 802.15.4": [str(PACKETS), "wpan", "99", "100000"]}
    if ns3:
        pair["ns-3, lr-wpan"] = [str(ns3), "1", "50000"]
        star["ns-3, lr-wpan"] = [str(ns3), "99", "5000"]
    compare("acknowledged exchange of two nodes", pair)
    compare("99 nodes to one coordinator, a frame a second each", star)
    if not ns3:
        sys.stdout.write("  ns-3, lr-wpan: not measured; install libns3-dev and a C++ compiler\n")


def crowd() -> None:
    """The same exchange with an increasing number of listening radios."""
    sys.stdout.write("\nthe nRF24 exchange among listening neighbours, us of wall time a packet\n")
    count = 100_000
    for row in seconds_of([str(PACKETS), "crowd", str(count)]):
        took = row["seconds"] / count * 1e6
        sys.stdout.write(f"  {row['neighbours']:4} neighbours {took:8.2f}\n")


def connections() -> None:
    """Notifications over one, ten and a hundred Bluetooth LE connections in one air."""
    rounds = [seconds_of([str(PACKETS), "ble", "100000"]) for _ in range(ROUNDS)]
    sys.stdout.write("\nBluetooth LE connections that share an air, notifications a second\n")
    for place, row in enumerate(rounds[0]):
        links = row["links"]
        # From the same round, so that a slow phase of the machine affects both.
        costs = [seen[place]["seconds"] / seen[place]["arrived"] for seen in rounds]
        alone = [seen[0]["seconds"] / seen[0]["arrived"] for seen in rounds]
        ratio = statistics.median(a / b for a, b in zip(costs, alone, strict=True))
        sys.stdout.write(
            f"  {links:4} links  median {1 / statistics.median(costs):11,.0f}"
            f"  best {1 / min(costs):11,.0f}  {row['events'] / row['arrived']:5.1f} events each"
            f"  a packet costs {ratio:4.2f} x that of 1 link\n"
        )


def networks() -> None:
    """LoRaWAN networks of equal density, and a large one around few gateways."""
    rounds = [seconds_of([str(PACKETS), "uplinks"]) for _ in range(ROUNDS)]
    sys.stdout.write("\nLoRaWAN networks, us of wall time a frame\n")
    for place, row in enumerate(rounds[0]):
        costs = [seen[place]["seconds"] / seen[place]["frames"] for seen in rounds]
        # From the same round, so that a slow phase of the machine affects both.
        least = [seen[0]["seconds"] / seen[0]["frames"] for seen in rounds]
        ratio = statistics.median(a / b for a, b in zip(costs, least, strict=True))
        sys.stdout.write(
            f"  {row['devices']:6} devices, {row['gateways']:4} gateways"
            f"  median {statistics.median(costs) * 1e6:6.2f}  best {min(costs) * 1e6:6.2f}"
            f"  {ratio:4.2f} x the first  {row['arrivals'] / row['frames']:5.2f} arrivals each"
            f"  {statistics.median(seen[place]['seconds'] for seen in rounds):6.2f} s in all\n"
        )


def profiles() -> None:
    """1,000 triggers of every profile: the slowest."""
    rows = sorted(seconds_of([str(PACKETS), "profiles"]), key=lambda row: -row["seconds"])
    sys.stdout.write(f"\n1,000 triggers of a profile: the slowest five of {len(rows)} runs, s\n")
    for row in rows[:5]:
        link, size = row["link"], row["size"]
        sys.stdout.write(f"  {link:28} {size:5} B {row['seconds']:7.3f}\n")


def main() -> None:
    """Prints all tables."""
    manifest = str(HERE / "Cargo.toml")
    build = ["cargo", "build", "--release", "--quiet", "--manifest-path", manifest]
    subprocess.run([*build, "--bin", "packets"], check=True)
    sys.stdout.write(f"{platform.machine()}, {os.cpu_count()} cores\n")
    with tempfile.TemporaryDirectory() as folder:
        exchanges(build_ns3(Path(folder)))
    crowd()
    connections()
    networks()
    profiles()


if __name__ == "__main__":
    main()
