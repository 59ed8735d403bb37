"""What an install brings: few distributions and little on the disk, and nothing unasked."""

from __future__ import annotations

import re
import tomllib
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest
from packaging.markers import default_environment
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

import airlag._airlag

ROOT = Path(__file__).resolve().parents[2]
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
EXTRAS: dict[str, list[str]] = PROJECT["optional-dependencies"]
#: What a default install may have, distributions and bytes.
MOST = 15
MOST_BYTES = 250_000_000


def direct(extras: set[str]) -> list[Requirement]:
    """What the project asks for with these extras."""
    texts = [*PROJECT["dependencies"], *(text for extra in extras for text in EXTRAS[extra])]
    return [Requirement(text) for text in texts]


def required(name: str, extras: set[str]) -> list[Requirement]:
    """What a distribution asks for; nothing where it is not installed here."""
    if name == "airlag":
        return direct(extras)
    try:
        texts = metadata.requires(name) or []
    except metadata.PackageNotFoundError:
        return []
    return [Requirement(text) for text in texts]


def installed(*extras: str) -> set[str]:
    """Names of all that an install with these extras brings, itself among them."""
    seen: set[tuple[str, str]] = set()
    left = [Requirement(f"airlag[{','.join(extras)}]" if extras else "airlag")]
    while left:
        wanted = left.pop()
        name = canonicalize_name(wanted.name)
        for extra in ("", *wanted.extras):
            if (name, extra) in seen:
                continue
            seen.add((name, extra))
            environment = {**default_environment(), "extra": extra}
            left += [
                each
                for each in required(name, {extra} - {""})
                if each.marker is None or each.marker.evaluate(environment)
            ]
    return {name for name, _ in seen}


def bytes_of(name: str) -> int:
    files = metadata.files(name)
    assert files is not None, name
    return sum(file.size or 0 for file in files)


def test_a_default_install_has_few_distributions() -> None:
    names = installed()
    assert {"airlag", "numpy", "rich", "typer"} <= names
    assert len(names) <= MOST, sorted(names)


def test_a_default_install_is_small() -> None:
    compiled = Path(airlag._airlag.__file__).stat().st_size
    package = sum(path.stat().st_size for path in (ROOT / "python").rglob("*.py"))
    others = installed() - {"airlag"}
    held = {name: bytes_of(name) for name in sorted(others)}
    assert held["numpy"] > 10_000_000
    assert compiled + package + sum(held.values()) <= MOST_BYTES, held


def test_a_default_install_has_no_data_frames_and_none_of_the_extras() -> None:
    heavy = {"bleak", "bumble", "distributed", "jsonschema", "optuna", "pandas", "polars", "scipy"}
    assert installed() & heavy == set()


@pytest.mark.parametrize("extra", ["ble", "dask", "frames", "sweep", "tune"])
def test_an_extra_brings_neither_matplotlib_nor_what_is_under_the_lgpl(extra: str) -> None:
    names = installed(extra)
    assert len(names) > len(installed())
    assert names & {"matplotlib", "libusb1", "libusb-package"} == set()
    for name in names - {"airlag"}:
        try:
            about = metadata.metadata(name)
        except metadata.PackageNotFoundError:
            continue  # It is of another platform.
        # Older packages give their whole licence, with those of what their wheels carry.
        stated = [
            about.get("License-Expression") or (about.get("License") or "").partition("\n")[0]
        ]
        stated += about.get_all("Classifier") or []
        assert not any("LGPL" in text or "Lesser General" in text for text in stated), name


@pytest.mark.parametrize(
    ("extra", "brings", "said"),
    [("bumble", "libusb1", "libusb (LGPL)"), ("indices", "matplotlib", "Matplotlib")],
)
def test_an_extra_that_brings_such_a_thing_says_so(extra: str, brings: str, said: str) -> None:
    assert brings in installed(extra)
    row = next(
        line for line in (ROOT / "README.md").read_text().splitlines() if f"| `{extra}` |" in line
    )
    assert said in row


def test_every_extra_is_listed_with_what_it_is_for() -> None:
    listed = (ROOT / "README.md").read_text()
    first = re.findall(r"^\| (`[^|]+`) \|", listed, re.MULTILINE)
    named = {name for cell in first for name in re.findall(r"`([^`]+)`", cell)}
    assert set(EXTRAS) - named == set()
