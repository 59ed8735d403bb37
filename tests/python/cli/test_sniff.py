"""Recordings of sniffers through the command line: streams, choice of one, saved runs, errors."""

from __future__ import annotations

import json
import struct
from pathlib import Path
from typing import Any

import pytest
from told import Airlag

import airlag as api

LOSSY = ("ble-nimble-fixed-write", "--size", "100", "--count", "60", "--period", "500ms")
LOSSY += ("--set", "frame_loss=0.1")
PACKET = b"\x06\x00\x00\x00"


@pytest.fixture
def sniff(airlag: Airlag, folder: Path) -> Path:
    """A recording of the bench, in which frames are lost on the link."""
    told = airlag("run", *LOSSY, "--sniff", "sniff.pcapng")
    assert told.code == 0, told.err
    return folder / "sniff.pcapng"


def blocks(file: bytes) -> list[bytes]:
    found = []
    while file:
        (length,) = struct.unpack_from("<I", file, 4)
        found.append(file[:length])
        file = file[length:]
    return found


def analyzed(airlag: Airlag, *arguments: str) -> Any:
    told = airlag("analyze", *arguments, "--json")
    assert told.code == 0, told.err
    (run,) = json.loads(told.out)
    return run


def test_intervals_retransmissions_and_latencies_are_reported(airlag: Airlag, sniff: Path) -> None:
    run = analyzed(airlag, sniff.name)
    found = run["sniff"]
    (connection,) = found["connections"]
    assert connection["interval_ns"] == pytest.approx(30_000_000, rel=1e-4)
    assert connection["events_missed"] == 0
    writes, answers = found["streams"]
    assert (writes["frames"], answers["frames"]) == (60, 60)
    assert writes["retransmissions"] > 0
    assert writes["missed"] == answers["missed"] == 0
    assert run["channels"] == [writes["name"], "delivered"]
    assert (run["delivered"], run["lost"]) == (60, 0)
    assert run["latency_ns"] == writes["latency_ns"]
    # Interframe space of 150 us after the delivered transmission.
    later = writes["acknowledged_ns"]["min"] - writes["latency_ns"]["min"]
    assert later == 150_000


def test_what_the_sniffer_missed_is_reported_and_not_lost(airlag: Airlag, sniff: Path) -> None:
    kept = [
        block
        for nth, block in enumerate(blocks(sniff.read_bytes()))
        if not (block.startswith(PACKET) and nth % 9 == 0)
    ]
    Path("missed.pcapng").write_bytes(b"".join(kept))
    whole, run = analyzed(airlag, sniff.name), analyzed(airlag, "missed.pcapng")
    before, after = (each["sniff"]["streams"][0] for each in (whole, run))
    assert after["missed"] + after["acks_missed"] > 0
    assert after["retransmissions"] <= before["retransmissions"]
    assert run["lost"] == 0
    assert run["censored"] > 0
    assert "sniffer-loss" in [finding["name"] for finding in run["findings"]]
    told = airlag("analyze", "missed.pcapng", "--fail-on", "sniffer-loss")
    assert told.code == 1
    assert "not recorded" in told.out


def test_a_stream_is_selected_by_name_or_position(airlag: Airlag, sniff: Path) -> None:
    names = [each["name"] for each in analyzed(airlag, sniff.name)["sniff"]["streams"]]
    by_name = analyzed(airlag, sniff.name, "--trigger", names[1])
    by_position = analyzed(airlag, sniff.name, "--trigger", "1")
    assert by_name == by_position
    assert by_name["sniff"]["selected"] == 1
    told = airlag("channels", sniff.name, "--json")
    (surveyed,) = json.loads(told.out)
    assert [(each["name"], each["rises"]) for each in surveyed["channels"]] == [
        (name, 60) for name in names
    ]


def test_a_saved_stream_has_the_same_transfers(airlag: Airlag, sniff: Path) -> None:
    kept = [block for nth, block in enumerate(blocks(sniff.read_bytes())) if nth % 11 != 10]
    Path("missed.pcapng").write_bytes(b"".join(kept))
    told = airlag("analyze", "missed.pcapng", "-o", "run.parquet")
    assert told.code == 0, told.err
    fresh, saved = api.analyze("missed.pcapng"), api.analyze("run.parquet")
    assert list(fresh.outcome) == list(saved.outcome)
    assert list(fresh.latency_ns) == list(saved.latency_ns)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--trigger", "9"), 'no channel "9"; the file has 0x'),
        (("--completion", "1"), "has no channels; choose a stream with trigger"),
    ],
)
def test_a_stream_that_is_not_there_is_one_line(
    airlag: Airlag, sniff: Path, arguments: tuple[str, ...], said: str
) -> None:
    told = airlag("analyze", sniff.name, *arguments)
    assert told.code == 2
    assert said in told.err
    assert told.err.count("\n") == 1


def test_a_file_that_cannot_be_used_is_one_line(airlag: Airlag, sniff: Path) -> None:
    content = sniff.read_bytes()
    # Ethernet, in a pcap file without packets of a radio.
    ethernet = struct.pack("<IHHIIIIIIII", 0xA1B2C3D4, 2, 4, 0, 0, 65535, 1, 0, 0, 4, 4) + b"abcd"
    for name, file, said in (
        ("cut.pcapng", content[:-3], "the file ends inside a packet"),
        ("wired.pcap", ethernet, "link type 1 is not supported; expected Bluetooth LE (251"),
        ("empty.pcapng", b"".join(blocks(content)[:2]), "the file has no packets; expected"),
    ):
        Path(name).write_bytes(file)
        told = airlag("analyze", name)
        assert told.code == 2, told.out
        assert said in told.err
        assert told.err.startswith(f"airlag: {name}: ")
        assert told.err.count("\n") == 1
    told = airlag("convert", sniff.name, "edges.vcd")
    assert told.code == 2
    assert "packets of a sniffer" in told.err
