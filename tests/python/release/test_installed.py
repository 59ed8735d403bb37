"""From a wheel to a first answer, in an environment without Rust, caches and network."""

from __future__ import annotations

import json
import re
import shutil
import signal
import subprocess
import sys
import zipfile
from pathlib import Path
from urllib.request import urlopen

import pytest
from outside import Outside

# Installers compile what they install, which takes minutes where other work has the cores.
pytestmark = [pytest.mark.peers, pytest.mark.timeout(600)]

ROOT = Path(__file__).resolve().parents[3]
#: The command of the tree under test.
OURS = Path(sys.executable).with_name("airlag")


def answers(outside: Outside, command: Path | str, *before: str) -> None:
    """A first answer is that of the tree, and so is the version."""
    ask = ("run", "nrf24-2m", "--json")
    version = subprocess.run([OURS, "--version"], capture_output=True, text=True, check=True)
    assert outside.run(command, *before, "--version") == version.stdout
    ours = subprocess.run([OURS, *ask], capture_output=True, text=True, check=True)
    assert json.loads(outside.run(command, *before, *ask)) == json.loads(ours.stdout)


def studio_answers(outside: Outside, command: Path) -> None:
    """The page is served, and the core that it loads."""
    words = [str(command), "studio", "--no-open"]
    with subprocess.Popen(
        words, env=outside.environment, cwd=outside.home, stdout=subprocess.PIPE, text=True
    ) as serving:
        try:
            assert serving.stdout is not None
            address = serving.stdout.readline().split()[-1]
            with urlopen(address) as page:
                text = page.read().decode()
            assert "<title>" in text
            for name in re.findall(r'(?:src|href)="\.?/?([\w./-]+\.(?:js|css))"', text):
                with urlopen(address + name) as part:
                    assert part.read(), name
        finally:
            serving.send_signal(signal.SIGINT)
            serving.wait(30)


def test_nothing_outside_can_compile(outside: Outside) -> None:
    path = outside.environment["PATH"]
    assert [name for name in ("cargo", "cc", "gcc", "rustc") if shutil.which(name, path=path)] == []
    assert not (outside.home / ".cargo").exists()


def test_uv_tool_install(outside: Outside) -> None:
    outside.run("uv", "tool", "install", "airlag")
    command = outside.home / ".local" / "bin" / "airlag"
    answers(outside, command)
    studio_answers(outside, command)


def test_uvx(outside: Outside, tmp_path_factory: pytest.TempPathFactory) -> None:
    elsewhere = tmp_path_factory.mktemp("ours")
    ours = subprocess.run([OURS, "demo"], cwd=elsewhere, capture_output=True, text=True, check=True)
    assert "lost-is-not-late.csv" in ours.stdout
    assert outside.run("uvx", "airlag", "demo") == ours.stdout


def test_pipx(outside: Outside) -> None:
    outside.run("pipx", "install", "--pip-args=--no-compile", "airlag")
    answers(outside, outside.home / ".local" / "bin" / "airlag")


def test_pip(outside: Outside) -> None:
    python = outside.environment["UV_PYTHON"]
    outside.run(python, "-m", "venv", "venv")
    programs = outside.home / "venv" / "bin"
    pip = (programs / "python", "-m", "pip", "install", "--quiet", "--no-compile")
    outside.run(*pip, "airlag")
    answers(outside, programs / "airlag")
    answers(outside, programs / "python", "-m", "airlag")


def test_one_wheel_serves_every_python(wheel: Path) -> None:
    _, _, python, abi, platform = wheel.stem.split("-")
    assert (python, abi) == ("cp311", "abi3")
    assert platform.startswith(("manylinux", "macosx"))


def test_the_wheel_has_what_an_install_needs_and_nothing_else(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    for part in ("_airlag.pyi", "py.typed", "cli/words/shared.toml", "studio/index.html"):
        assert f"airlag/{part}" in names
    assert [name for name in names if name.endswith(("LICENSE-MIT", "airlag-py.cyclonedx.json"))]
    compiled = [name for name in names if name.endswith(".so")]
    assert compiled == ["airlag/_airlag.abi3.so"]
    tops = {name.partition("/")[0] for name in names}
    assert {top for top in tops if not top.startswith("airlag")} == set()
    assert [name for name in names if "__pycache__" in name or "/tests/" in name] == []


def test_a_package_is_as_small_as_its_page_says(wheel: Path, sdist: Path) -> None:
    page = (ROOT / "docs" / "platforms.md").read_text("utf-8")
    limits = dict(re.findall(r"^\| (wheel|source distribution) \|.*\| (\d+) MB \|$", page, re.M))
    assert wheel.stat().st_size <= int(limits["wheel"]) * 1_000_000
    assert sdist.stat().st_size <= int(limits["source distribution"]) * 1_000_000


def test_the_bill_of_materials_lists_every_crate_with_its_licence(wheel: Path) -> None:
    archive = zipfile.ZipFile(wheel)
    name = next(name for name in archive.namelist() if name.endswith(".cyclonedx.json"))
    components = json.loads(archive.read(name))["components"]
    names = {component["name"] for component in components}
    assert {"airlag-study", "airlag-trace", "numpy", "pyo3", "smoltcp"} <= names
    assert [each["name"] for each in components if not each.get("licenses")] == []
