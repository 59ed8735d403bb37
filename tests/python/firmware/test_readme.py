"""Wiring tables name the pins that the images use, no more and no fewer."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from .conftest import ROOT

FOLDER = ROOT / "firmware/stm32f429"
PICO = ROOT / "firmware/rp2040"
UNO = ROOT / "firmware/avr"
NRF = ROOT / "firmware/nrf52840"
ESP = ROOT / "firmware/esp32c6"

#: A setting that an image declares.
SETTING = re.compile(r'\bsetting\("(\w+)"')


def test_the_wiring_table_has_the_pins_of_the_board() -> None:
    rows = re.findall(r"^\| [^|]+ \| (P[A-I]\d+) \|", (FOLDER / "README.md").read_text(), re.M)
    used = re.findall(r"\bp\.(P[A-I]\d+)\b", (FOLDER / "src/board.rs").read_text())
    assert set(rows) == set(used)


def test_the_pictures_of_the_board_have_all_pins_but_its_light() -> None:
    pictures = (ROOT / "docs/pictures").glob("nucleo-*.svg")
    drawn = {pin for one in pictures for pin in re.findall(r">(P[A-I]\d+)<", one.read_text())}
    table = (FOLDER / "README.md").read_text()
    wired = re.findall(r"^\| [^|]+ \| (P[A-I]\d+) \| CN", table, re.M)
    assert drawn == set(wired)


def test_the_wiring_table_and_picture_have_the_pins_of_a_pico() -> None:
    rows = re.findall(r"^\| GP(\d+) \| \d+ \|", (PICO / "README.md").read_text(), re.M)
    used = re.findall(r"\bp\.PIN_(\d+)\b", (PICO / "src/board.rs").read_text())
    assert set(rows) == set(used)
    picture = (ROOT / "docs/pictures/pico-wiring.svg").read_text()
    assert re.findall(r">GP(\d+)<", picture) == rows


def test_the_wiring_table_has_the_pins_of_an_end() -> None:
    rows = re.findall(r"^\| [^|]+ \| GP(\d+) \| [^|]+ \|", (PICO / "README.md").read_text(), re.M)
    used = re.findall(r"\bp\.PIN_(\d+)\b", (PICO / "src/end.rs").read_text())
    assert sorted(rows) == sorted(used)


def test_the_table_of_an_uno_has_the_pins_of_its_emulator_and_its_sketches() -> None:
    table = (UNO / "README.md").read_text()
    rows = dict(re.findall(r"^\| (\w+)[^|]* \| (\d+) \|$", table, re.M))
    link = (UNO / "emulator/link.js").read_text()
    connected = {
        **dict(re.findall(r"^const (TRIGGER|STROBE) = (\d+);", link, re.M)),
        **dict(re.findall(r"^  (select): (\d+)", link, re.M)),
        **dict(re.findall(r'name: "(\w+)",[^}]* pin: (\d+)', link)),
    }
    names = {"trigger": "TRIGGER", "strobe": "STROBE", "CSN": "select", "CE": "CE", "IRQ": "IRQ"}
    assert {names[signal]: pin for signal, pin in rows.items()} == connected
    for end, signal in (("sender", "TRIGGER"), ("receiver", "STROBE")):
        sketch = (UNO / f"sketches/{end}/{end}.ino").read_text()
        assert f"{signal} = {connected[signal]};" in sketch
        assert f"RF24 radio({connected['CE']}, {connected['select']});" in sketch


@pytest.mark.parametrize("board", ["dk", "dongle"])
def test_the_wiring_table_and_picture_have_the_pins_of_an_nrf52840(board: str) -> None:
    table = (NRF / "README.md").read_text()
    rows = re.findall(rf"^\| `{board}-\*` \| (P\d\.\d\d) \| ([^|]+) \|", table, re.M)
    used = re.findall(r"\bp\.P(\d)_(\d\d)\b", (NRF / f"src/{board}.rs").read_text())
    assert sorted(pin for pin, _ in rows) == sorted(f"P{port}.{pin}" for port, pin in used)
    picture = (ROOT / f"docs/pictures/nrf52840-{board}.svg").read_text()
    wired = [pin for pin, place in rows if place != "on the board"]
    assert re.findall(r">(P\d\.\d\d)<", picture) == wired


def test_the_wiring_table_and_picture_have_the_pins_of_an_esp32c6() -> None:
    rows = re.findall(r"^\| (GPIO\d+) \| J3-\d+ \|", (ESP / "README.md").read_text(), re.M)
    used = re.findall(r"\bp\.(GPIO\d+)\b", (ESP / "src/board.rs").read_text())
    assert sorted(rows) == sorted(used)
    picture = (ROOT / "docs/pictures/esp32c6-devkitc-1.svg").read_text()
    assert re.findall(r">(GPIO\d+)<", picture) == rows


def test_the_readme_has_the_settings_and_the_rates_of_an_esp32c6() -> None:
    table = (ESP / "README.md").read_text()
    own = ("src/espnow.rs", "ieee802154/src/lib.rs", "wifi/src/plan.rs", "ble/src/plan.rs")
    sources = ("../ends/src/settings.rs", *own)
    named = {name for each in sources for name in SETTING.findall((ESP / each).read_text())}
    rows = re.findall(r"^\| `(\w+)` \| [^|]+ \| [^|]+ \|$", table, re.M)
    assert set(rows) == named
    rates = re.findall(r"Self::new\((\w+), \w+, RATE_\w+\)", (ESP / "src/rate.rs").read_text())
    listed = table.split("Rates of ESP-NOW are ")[1].split("kbit/s")[0]
    assert sorted(re.findall(r"\d+", listed), key=int) == [rate.replace("_", "") for rate in rates]


@pytest.mark.parametrize(("board", "own"), [(FOLDER, ["src/serial.rs"]), (PICO, [])])
def test_the_readme_has_the_settings_of_a_board_with_radios_on_spi(
    board: Path, own: list[str]
) -> None:
    shared = [f"../ends/src/{name}.rs" for name in ("settings", "nrf24", "sx127x")]
    named = {name for each in shared + own for name in SETTING.findall((board / each).read_text())}
    table = (board / "README.md").read_text().split("| setting | default | range |")[1]
    assert set(re.findall(r"^\| `(\w+)` \|", table.split("\n\n")[0], re.M)) == named


@pytest.mark.parametrize(
    "folder", [FOLDER, PICO, NRF, ESP], ids=["stm32f429", "rp2040", "nrf52840", "esp32c6"]
)
def test_every_image_is_in_the_readme(folder: Path) -> None:
    packages = (folder, *(path.parent for path in folder.glob("*/Cargo.toml")))
    images = {path.stem for each in packages for path in (each / "src/bin").glob("*.rs")}
    table = (folder / "README.md").read_text().split("## Wiring")[0]
    assert images <= set(re.findall(r"`([a-z0-9-]+)`", table))
