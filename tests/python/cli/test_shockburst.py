"""The dissector of Enhanced ShockBurst frames for Wireshark, on files that ``--sniff`` writes."""

from __future__ import annotations

import json
import subprocess
from itertools import pairwise
from pathlib import Path

import pytest
from told import Airlag

from peers import program

DISSECTOR = Path(__file__).parents[3] / "docs" / "wireshark" / "shockburst.lua"
FIELDS = ("address", "rate", "length", "identity", "no_ack", "retransmission", "wrong_length")

pytestmark = pytest.mark.peers


def dissected(capture: Path, *options: str) -> list[dict[str, str]]:
    """Fields of each frame, without their prefix."""
    words = [program("tshark", "tshark"), "-r", str(capture), "-X", f"lua_script:{DISSECTOR}"]
    words += [*options, "-T", "fields", "-E", "separator=|"]
    words += [word for name in FIELDS for word in ("-e", f"shockburst.{name}")]
    told = subprocess.run(words, capture_output=True, text=True, check=True)
    return [dict(zip(FIELDS, line.split("|"), strict=True)) for line in told.stdout.splitlines()]


def test_frames_of_a_message_their_acknowledgements_and_retransmissions(
    airlag: Airlag, folder: Path
) -> None:
    words = ("nrf24-2m", "--size", "64", "--count", "40", "--set", "frame_loss=0.3")
    told = airlag("run", *words, "--sniff", "air.pcapng", "--json")
    (run,) = json.loads(told.out)
    assert run["delivered"] == 40
    frames = dissected(folder / "air.pcapng")
    data = [each for each in frames if each["length"] != "0"]
    first = [each for each in data if each["retransmission"] == "0"]
    # A message of 64 B takes two frames of 32 B.
    assert len(first) == 2 * 40
    assert len(first) < len(data)
    assert all(each["length"] == "32" and each["rate"] == "2000" for each in data)
    assert all(each["wrong_length"] == "" for each in frames)
    assert len({each["address"] for each in frames}) == 1
    # Successive frames differ in their identity, so that the receiver knows what it has.
    identities = [int(each["identity"]) for each in first]
    assert all((b - a) % 4 == 1 for a, b in pairwise(identities))


def test_the_address_length_is_found_or_set(airlag: Airlag, folder: Path) -> None:
    words = ("nrf24-2m", "--size", "12", "--count", "2", "--set", "address_width=5")
    assert airlag("run", *words, "--sniff", "air.pcapng").code == 0
    for options in ((), ("-o", "shockburst.address_width:5")):
        frames = dissected(folder / "air.pcapng", *options)
        assert {len(each["address"].split(":")) for each in frames} == {5}
    assert all(
        each["wrong_length"]
        for each in dissected(folder / "air.pcapng", "-o", "shockburst.address_width:4")
    )
