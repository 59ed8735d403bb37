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


def test_the_command_line_starts_without_charts_tables_and_stacks() -> None:
    later = ("polars", "altair", "google.protobuf", "bleak", "bumble")
    program = f"import sys, airlag.cli.app; print([m for m in {later!r} if m in sys.modules])"
    told = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert told.stdout == "[]\n"
