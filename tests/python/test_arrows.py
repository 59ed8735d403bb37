"""Which room may use which: the arrows of the design, read from what cargo resolves."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

#: For each room, the rooms of ours it may use directly. Anything else is an error.
ALLOWED: dict[str, set[str]] = {
    "airlag-link": set(),
    "airlag-trace": set(),
    "airlag-app": {"airlag-link"},
    "airlag-drivers": {"airlag-link"},
    "airlag-sim": set(),
    "airlag-air": {"airlag-sim"},
    # The rules of a region: a transmitter and its times in, clauses out.
    "airlag-law": {"airlag-air"},
    "airlag-models": {"airlag-air", "airlag-link", "airlag-sim"},
    # The bench: profiles, programs and runs. It depends on no kind of link, and so on no chip and
    # no stack. It judges nothing, and depends on no product: their programs are handed to it.
    "airlag-rig": {
        "airlag-air",
        "airlag-app",
        "airlag-link",
        "airlag-sim",
        "airlag-trace",
    },
    # A kind puts drivers on models, and both on a bench; one of them with a tunnel on top. Calls,
    # and IP packets over any link, are programs it hands to the bench.
    "airlag-kinds": {
        "airlag-air",
        "airlag-drivers",
        "airlag-link",
        "airlag-models",
        "airlag-rig",
        "airlag-rpc",
        "airlag-sim",
        "airlag-tunnel",
    },
    # Networks of other people's code on our air; of the models it uses frames and serial lines.
    "airlag-openthread": {"airlag-air", "airlag-link", "airlag-models", "airlag-sim"},
    # What the operating system lends, and the tunnel on it: a driver on real pins, in real time. It
    # knows no bench.
    "airlag-linux": {"airlag-drivers", "airlag-link", "airlag-tunnel"},
    # The bench that follows the wall clock, between ports of other programs. Of the models it uses
    # the device by which a TCP/IP stack at the edge of the bench sees its link.
    # Probes speak the messages of the link, answer as a board's program does, and are recorded for
    # the statistics. What an instrument on a serial line records is a trace. Probes may be calls
    # of the RPC's echo.
    "airlag-live": {
        "airlag-app",
        "airlag-link",
        "airlag-linux",
        "airlag-models",
        "airlag-rig",
        "airlag-rpc",
        "airlag-sim",
        "airlag-stats",
        "airlag-trace",
    },
    # The chips and the air of a profile, in lock step with boards that another program emulates. It
    # has no board and no program of its own: it takes the chips of a kind, and no end of a link.
    "airlag-lockstep": {"airlag-kinds", "airlag-models", "airlag-rig", "airlag-sim"},
    # Files that appear whole; captures among them.
    "airlag-files": {"airlag-trace"},
    "airlag-stats": {"airlag-trace"},
    # What needs both a bench and statistics is a question, asked of profiles that are handed in. Of
    # the simulation it uses the types of time, of the link the least size of a message, of the
    # tunnel how an IP packet looks, of networks of OpenThread their runs, of the kinds the programs
    # they hand to a bench.
    "airlag-study": {
        "airlag-kinds",
        "airlag-law",
        "airlag-link",
        "airlag-openthread",
        "airlag-rig",
        "airlag-sim",
        "airlag-stats",
        "airlag-trace",
        "airlag-tunnel",
    },
    # What a browser needs of the questions: bytes in, arrays out.
    "airlag-wasm": {"airlag-stats", "airlag-study", "airlag-trace"},
    # Of the simulation only the type of a duration, in which the bench takes a period; of the kinds
    # their profiles; of the tunnel how it is protected.
    "airlag-py": {
        "airlag-files",
        "airlag-kinds",
        # Names of regions.
        "airlag-law",
        "airlag-linux",
        "airlag-live",
        "airlag-rig",
        # Its two ends, for programs in Python.
        "airlag-rpc",
        "airlag-sim",
        "airlag-stats",
        "airlag-study",
        "airlag-trace",
        "airlag-tunnel",
    },
    # A protocol of its own, without a clock; drivers of radios that send bursts are radios to it,
    # and so is any link.
    "airlag-tunnel": {"airlag-drivers", "airlag-link"},
    # Calls, without a clock and without a link: containers in, containers out.
    "airlag-rpc": set(),
    # Makes code of descriptions, and uses none of it.
    "airlag-rpc-build": set(),
    # Not a room: hostile input for whoever reads bytes or text, or listens to a radio.
    "airlag-fuzz": {
        "airlag-app",
        "airlag-drivers",
        "airlag-kinds",
        "airlag-link",
        "airlag-live",
        "airlag-rig",
        "airlag-rpc",
        "airlag-stats",
        "airlag-trace",
        "airlag-tunnel",
    },
    # Not a room: what tests need of other people.
    "airlag-peers": set(),
}


def rooms() -> dict[str, set[str]]:
    """The workspace's crates and, for each, the crates of ours it uses outside its tests."""
    run = subprocess.run(
        ["cargo", "metadata", "--format-version", "1", "--no-deps", "--offline"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    packages = json.loads(run.stdout)["packages"]
    return {
        package["name"]: {
            dependency["name"]
            for dependency in package["dependencies"]
            if dependency.get("path") and dependency["kind"] != "dev"
        }
        for package in packages
    }


def test_every_arrow_is_one_of_the_design() -> None:
    for room, uses in rooms().items():
        assert room in ALLOWED, f"{room} is not a room of the design: add it to ALLOWED and say why"
        extra = uses - ALLOWED[room]
        assert not extra, f"{room} must not use {sorted(extra)}"


def test_the_list_of_rooms_is_complete() -> None:
    assert set(rooms()) == set(ALLOWED)


def test_a_board_uses_only_what_runs_on_boards() -> None:
    for manifest in sorted(ROOT.glob("firmware/*/Cargo.toml")):
        used = re.findall(r'path = "\.\./\.\./crates/(\w+)"', manifest.read_text())
        assert set(used) <= {"app", "drivers", "link", "rpc"}, f"{manifest.parent.name} uses {used}"


def test_statistics_never_see_the_bench() -> None:
    assert not rooms()["airlag-stats"] & {"airlag-rig", "airlag-sim", "airlag-models", "airlag-air"}


def test_a_bench_knows_no_product_and_has_no_opinion() -> None:
    products = {"airlag-law", "airlag-rpc", "airlag-stats", "airlag-tunnel"}
    assert not rooms()["airlag-rig"] & products


def crates(*selected: str) -> set[str]:
    """Crates of a build with their features, but for the extension itself."""
    command = ["cargo", "tree", "--offline", *selected, "--prefix", "none", "--format", "{p} [{f}]"]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    found = {line.removesuffix(" (*)") for line in run.stdout.splitlines()}
    return {each for each in found if each and not each.startswith("airlag-py ")}


def test_the_extension_and_the_tests_share_a_build_of_every_crate() -> None:
    as_tested = crates("--workspace", "--edges", "normal,build,dev")
    shared = ["--package", "airlag-py", "--features", "as-in-workspace"]
    assert crates(*shared, "--edges", "normal,build") <= as_tested
