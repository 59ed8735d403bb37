"""The files of `make wheel`, and an environment without anything else."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from outside import Outside

from peers import absent

ROOT = Path(__file__).resolve().parents[3]


def one(pattern: str) -> Path:
    """The only file of ``dist`` that matches."""
    found = sorted((ROOT / "dist").glob(pattern))
    if len(found) != 1:
        absent(f"dist has {len(found)} files {pattern}, not one; make wheel builds it")
    return found[0]


@pytest.fixture(scope="session")
def wheel() -> Path:
    return one("airlag-*.whl")


@pytest.fixture(scope="session")
def sdist() -> Path:
    return one("airlag-*.tar.gz")


@pytest.fixture(scope="session")
def index(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the wheel, and the wheels of what it depends on as they are locked."""
    folder = tmp_path_factory.mktemp("index")
    (folder / wheel.name).symlink_to(wheel)
    download = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps"]
    download += ["--only-binary=:all:", "--require-hashes"]
    download += ["-r", str(ROOT / "requirements" / "run.lock")]
    subprocess.run([*download, "-d", str(folder)], check=True)
    return folder


@pytest.fixture
def outside(index: Path, tmp_path: Path) -> Outside:
    """No toolchain, no cache, no index but the folder, and none of the settings of this process."""
    programs = tmp_path / "programs"
    programs.mkdir()
    for name in ("uv", "uvx", "pipx"):
        installer = Path(sys.executable).with_name(name)
        assert installer.exists(), f"{name} is locked in requirements/dev.lock"
        (programs / name).symlink_to(installer)
    # A script of uvx finds its interpreter with them.
    for name in ("dirname", "realpath"):
        found = shutil.which(name)
        assert found is not None
        (programs / name).symlink_to(found)
    python = Path(getattr(sys, "_base_executable", sys.executable)).resolve()
    environment = {
        "HOME": str(tmp_path),
        "LANG": "C.UTF-8",
        "PATH": str(programs),
        "PIPX_DEFAULT_PYTHON": str(python),
        "PIP_FIND_LINKS": str(index),
        "PIP_NO_CACHE_DIR": "1",
        "PIP_NO_INDEX": "1",
        "UV_FIND_LINKS": str(index),
        "UV_NO_CONFIG": "1",
        "UV_NO_INDEX": "1",
        "UV_OFFLINE": "1",
        "UV_PYTHON": str(python),
        "UV_PYTHON_DOWNLOADS": "never",
    }
    # Where libraries of the interpreter need it to start.
    if "LD_LIBRARY_PATH" in os.environ:
        environment["LD_LIBRARY_PATH"] = os.environ["LD_LIBRARY_PATH"]
    return Outside(tmp_path, environment)
