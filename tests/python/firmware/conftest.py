"""The images of ``firmware/stm32f429``, each on a board of its own."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from peers import absent

from .stm32f429 import Stm32f429

ROOT = Path(__file__).resolve().parents[3]
IMAGES = ROOT / "firmware/stm32f429/target/thumbv7em-none-eabihf/release"


@pytest.fixture
def boot() -> Callable[[str], Stm32f429]:
    """Boots an image. Without images, tests are skipped, and fail where peers are required."""

    def start(name: str) -> Stm32f429:
        image = IMAGES / name
        if not image.is_file():
            absent(f"no image {name}; build it with make firmware")
        return Stm32f429(image)

    return start


@pytest.fixture(scope="session")
def messages() -> list[bytes]:
    """The first test messages of 12 bytes, from the table that the link's own test reads."""
    table = (ROOT / "crates/link/tests/messages.txt").read_text(encoding="ascii").splitlines()
    return [bytes.fromhex(line.partition(":")[2]) for line in table if not line.startswith("#")]
