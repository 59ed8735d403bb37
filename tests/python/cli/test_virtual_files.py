"""A virtual run written as a capture file is a capture like any other, to us and to sigrok."""

from __future__ import annotations

import json
import struct
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from told import Airlag

import airlag as library
from airlag import Trace
from airlag.questions.bench import Request, emulate
from peers import program
from traces import edges_of


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A saved run, some of it lost: short enough for a session with a sample every nanosecond."""
    request = Request(
        "nrf24-2m",
        128,
        count=12,
        # Far apart: edges alone do not tell which of two messages on the way a completion is of.
        period_ns=20_000_000,
        seed=4,
        settings={"frame_loss": "0.3", "retransmit_count": "1"},
    )
    run = emulate(request)
    assert 0 < len(run.latency_ns) < 12
    path = tmp_path_factory.mktemp("virtual") / "run.parquet"
    library.save(run, path)
    return path


def saleae_binary(trace: Trace, folder: Path) -> None:
    """The two channels as Logic 2 exports them: a file each, edges in seconds."""
    folder.mkdir()
    for number, ((begin_ns, end_ns, initial, edges_ns),) in enumerate(edges_of(trace)):
        head = struct.pack(
            "<8siiIddQ",
            b"<SALEAE>",
            0,
            0,
            int(initial),
            begin_ns / 1e9,
            end_ns / 1e9,
            len(edges_ns),
        )
        edges = struct.pack(f"<{len(edges_ns)}d", *(edge / 1e9 for edge in edges_ns))
        (folder / f"digital_{number}.bin").write_bytes(head + edges)


@pytest.mark.parametrize("suffix", ["csv", "vcd", "sr", "bin"])
def test_every_format_gives_the_same_statistics(suffix: str, saved: Path, airlag: Airlag) -> None:
    name = f"run.{suffix}"
    if suffix == "bin":
        saleae_binary(library.read(saved), Path(name))
    else:
        assert airlag("convert", saved, name).code == 0
    (ours,), (theirs,) = (json.loads(airlag("analyze", "--json", of).out) for of in (saved, name))
    for key in ("triggers", "delivered", "lost", "censored", "spurious", "latency_ns"):
        assert theirs[key] == ours[key], key


@pytest.fixture
def sigrok() -> Callable[..., None]:
    """Runs sigrok-cli, which must have nothing to say."""
    sigrok_cli = program("sigrok-cli", "sigrok-cli")

    def call(*arguments: str) -> None:
        done = subprocess.run([sigrok_cli, *arguments], capture_output=True, text=True, timeout=60)
        assert (done.returncode, done.stderr) == (0, "")

    return call


@pytest.mark.parametrize("suffix", ["sr", "vcd"])
def test_sigrok_opens_a_virtual_capture_and_finds_its_edges(
    suffix: str, saved: Path, airlag: Airlag, sigrok: Callable[..., None]
) -> None:
    assert airlag("convert", saved, f"ours.{suffix}").code == 0
    sigrok("-i", f"ours.{suffix}", "-O", "vcd", "-o", "theirs.vcd")
    # Reading a dump, version 0.7.2 puts a line before the dump it writes that is no part of it.
    text = Path("theirs.vcd").read_text("utf-8")
    Path("theirs.vcd").write_text(text[text.index("$") :], "utf-8")
    ours, theirs = (
        [[segment[3] for segment in channel] for channel in edges_of(library.read(path))]
        for path in (saved, "theirs.vcd")
    )
    assert theirs == ours
