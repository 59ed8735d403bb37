"""Flash and static memory of the images for an ESP32-C6, as their README states them."""

from __future__ import annotations

import re

import pytest
from elftools.elf.elffile import ELFFile

from peers import absent

from .conftest import ROOT
from .test_memory import COMPILER, ROW

FOLDER = ROOT / "firmware/esp32c6"
IMAGES = FOLDER / "target/riscv32imac-unknown-none-elf/release"
TABLE = [
    (name, float(flash), float(static))
    for names, flash, static, _ in ROW.findall((FOLDER / "README.md").read_text())
    for name in re.findall(r"`([\w-]+)`", names)
]
#: Memory of the chip, in its address space (ESP32-C6 Technical Reference Manual, 5.2).
MEMORY = range(0x4080_0000, 0x4088_0000)


def test_every_image_is_in_the_table_of_sizes() -> None:
    folders = (FOLDER, *(path.parent for path in FOLDER.glob("*/Cargo.toml")))
    images = {path.stem for each in folders for path in (each / "src/bin").glob("*.rs")}
    assert {name for name, *_ in TABLE} == images


@pytest.mark.peers
@pytest.mark.parametrize(("name", "flash", "static"), TABLE)
def test_flash_and_static_memory_are_those_of_the_readme(
    name: str, flash: float, static: float
) -> None:
    if not (IMAGES / name).is_file():
        absent(f"no image {name}; build it with make firmware")
    with (IMAGES / name).open("rb") as file:
        elf = ELFFile(file)
        segments = list(elf.iter_segments("PT_LOAD"))
        held = sum(each["p_memsz"] for each in segments if each["p_vaddr"] in MEMORY)
        # The rest of the memory, which the linker's script reserves.
        stack = elf.get_section_by_name(".stack")["sh_size"]
    loaded = sum(each["p_filesz"] for each in segments)
    assert loaded / 1024 == pytest.approx(flash, rel=COMPILER)
    assert (held - stack) / 1024 == pytest.approx(static, rel=COMPILER)
