"""What a file may cost: every reader keeps to one limit, and says which option raises it."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

import numpy as np
import pytest

import airlag
from airlag import _airlag

MIB = 2**20
#: What Python, numpy and the program itself take before a capture is opened, with address space
#: that is reserved and never touched.
PROGRAM = 1024 * MIB

#: A command that runs under a limit on its address space, and says how much it used.
LIMITED = """
import resource, sys
resource.setrlimit(resource.RLIMIT_AS, (int(sys.argv[1]), int(sys.argv[1])))
from airlag.cli import command_line
sys.exit(command_line(sys.argv[2:]))
"""


def limited(most_bytes: int, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", LIMITED, str(most_bytes), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=100)


def session(path: Path, samples: bytes, repeats: int) -> Path:
    """A sigrok session of eight wires in which samples repeat."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("version", "2")
        probes = "".join(f"probe{n}=D{n}\n" for n in range(1, 9))
        metadata = "[device 1]\ncapturefile=logic-1\nsamplerate=1 MHz\nunitsize=1\n"
        archive.writestr("metadata", metadata + probes)
        with archive.open("logic-1-1", "w") as member:
            for _ in range(repeats):
                member.write(samples)
    return path


@pytest.fixture(scope="module")
def bomb(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file of 64 KB with 512 million edges."""
    path = tmp_path_factory.mktemp("bomb") / "bomb.sr"
    return session(path, b"\x00\xff" * (MIB // 2), 64)


@pytest.mark.parametrize(
    "command",
    [
        "analyze {bomb}",
        "analyze {bomb} -o {folder}/kept.parquet",
        "convert {bomb} {folder}/out.vcd",
    ],
)
def test_a_small_file_of_many_edges_is_refused_within_the_limit(
    bomb: Path, tmp_path: Path, command: str
) -> None:
    words = command.format(bomb=bomb, folder=tmp_path).split()
    ended = limited(PROGRAM + 256 * MIB, *words, "--memory", "64MiB")
    assert ended.returncode == 2, ended.stderr
    assert ended.stderr.count("\n") == 1
    assert "the memory limit of 64MiB; raise it with --memory 128MiB" in ended.stderr
    assert [path.name for path in tmp_path.iterdir()] == []


def test_an_archive_may_unpack_to_sixteen_times_the_limit(tmp_path: Path) -> None:
    quiet = session(tmp_path / "quiet.sr", bytes(MIB), 33)
    with pytest.raises(
        airlag.CaptureError, match=r"33.0MiB or more; expected at most 32MiB .* 2MiB"
    ):
        airlag.read(quiet, memory_bytes=2 * MIB)
    assert airlag.read(quiet, memory_bytes=3 * MIB).end_ns == 33 * MIB * 1000


def test_the_environment_raises_the_limit_for_every_command(
    bomb: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AIRLAG_MEMORY", "5MiB")
    ended = limited(PROGRAM + 256 * MIB, "report", str(bomb))
    assert "the memory limit of 5MiB" in ended.stderr


def transfers(path: Path, count: int) -> Path:
    """A Logic 2 CSV of transfers that take 400 to 500 us, 156 bytes each."""
    rise = 1_000_000 * np.arange(1, count + 1)
    done = rise + 400_000 + np.random.default_rng(1).integers(0, 100_000, count)
    rows = np.stack([rise, done, done + 50_000, rise + 700_000], axis=1)
    levels = ("1,0", "1,1", "1,0", "0,0")
    with path.open("w") as file:
        file.write("Time [s],Channel 0,Channel 1\n0.000000000,0,0\n")
        for four in rows.tolist():
            for at_ns, level in zip(four, levels, strict=True):
                file.write(f"{at_ns // 10**9}.{at_ns % 10**9:09d},{level}\n")
    return path


def test_a_capture_of_many_transfers_takes_what_the_documentation_says(tmp_path: Path) -> None:
    # Peaks of one process with few transfers and one with many; what lies between is their cost.
    peak = """
import sys, airlag
run = airlag.analyze(sys.argv[1])
print(open("/proc/self/status").read().split("VmHWM:")[1].split()[0])
"""
    few, many = 50_000, 450_000
    taken = []
    for count in (few, many):
        path = transfers(tmp_path / f"{count}.csv", count)
        ended = subprocess.run(
            [sys.executable, "-c", peak, path], capture_output=True, text=True, check=True
        )
        taken.append(int(ended.stdout) * 1024)
    per_transfer = (taken[1] - taken[0]) / (many - few)
    assert per_transfer < 128
    refused = many * 104 - MIB
    with pytest.raises(airlag.CaptureError, match="memory limit"):
        airlag.analyze(tmp_path / f"{many}.csv", memory_bytes=refused)
    run = airlag.analyze(tmp_path / f"{many}.csv", memory_bytes=refused + 2 * MIB)
    assert len(run.outcome) == many


def test_the_default_is_told_and_used() -> None:
    assert _airlag.MEMORY_BYTES == airlag.MEMORY_BYTES == 2 * 1024 * MIB
