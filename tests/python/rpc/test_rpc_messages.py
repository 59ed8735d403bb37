"""The messages of the benchmark service are what ``protoc`` makes of its ``.proto``."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
MADE = ("airlag/rpc/benchmark_pb2.py", "airlag/rpc/benchmark_pb2.pyi")


def test_committed_messages_are_what_protoc_makes(
    tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    update = request.config.getoption("--update")
    into = ROOT / "python" if update else tmp_path
    told = subprocess.run(
        [
            *(sys.executable, "-m", "grpc_tools.protoc"),
            f"-Iairlag/rpc={ROOT / 'crates/rpc/proto'}",
            *(f"--python_out={into}", f"--pyi_out={into}"),
            "airlag/rpc/benchmark.proto",
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (told.returncode, told.stderr) == (0, "")
    for name in MADE:
        made = (into / name).read_text()
        assert made == (ROOT / "python" / name).read_text(), "accept it with pytest --update"
