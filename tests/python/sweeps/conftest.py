"""One sweep, and what it gives."""

from __future__ import annotations

from pathlib import Path

import pytest
from told_sweeps import SLOW, sweep


@pytest.fixture(scope="session")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("sweep") / "slow.toml"
    path.write_text(SLOW)
    return path


@pytest.fixture(scope="session")
def whole(file: Path) -> Path:
    """What one process makes of it, in one go."""
    folder = file.parent / "whole"
    told = sweep(file, folder, "--workers", "1")
    assert (told["runs"], told["before"], told["complete"]) == (48, 0, True)
    return folder
