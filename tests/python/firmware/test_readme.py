"""The wiring table names the pins that the images use, no more and no fewer."""

from __future__ import annotations

import re

from .conftest import ROOT

FOLDER = ROOT / "firmware/stm32f429"


def test_the_wiring_table_has_the_pins_of_the_board() -> None:
    rows = re.findall(r"^\| [^|]+ \| (P[A-I]\d+) \|", (FOLDER / "README.md").read_text(), re.M)
    used = re.findall(r"\bp\.(P[A-I]\d+)\b", (FOLDER / "src/board.rs").read_text())
    assert set(rows) == set(used)


def test_every_image_is_in_the_readme() -> None:
    images = {path.stem for path in (FOLDER / "src/bin").glob("*.rs")}
    table = (FOLDER / "README.md").read_text().split("## Wiring")[0]
    assert images <= set(re.findall(r"`([a-z0-9-]+)`", table))
