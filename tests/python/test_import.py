from __future__ import annotations

import subprocess
import sys

LATER = ("polars", "altair", "vl_convert", "typer", "rich")


def test_importing_airlag_loads_neither_tables_nor_charts_nor_the_command_line() -> None:
    program = f"import sys, airlag; print([m for m in {LATER!r} if m in sys.modules])"
    told = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert told.stdout == "[]\n"


def test_the_command_line_starts_without_charts_and_tables() -> None:
    program = "import sys, airlag.cli; print([m for m in ('polars', 'altair') if m in sys.modules])"
    told = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert told.stdout == "[]\n"
