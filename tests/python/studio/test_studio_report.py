"""The script and style of reports are those that the studio's sources give."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from peers import absent, program

ROOT = Path(__file__).parents[3]
STUDIO = ROOT / "studio"
KEPT = ROOT / "python" / "airlag" / "views" / "pages" / "built"

pytestmark = pytest.mark.peers


def test_the_files_of_reports_are_built_from_the_present_sources(tmp_path: Path) -> None:
    node = program("node", "nodejs")
    if not (STUDIO / "node_modules" / "esbuild").is_dir():
        absent("no esbuild: npm ci in studio/")
    subprocess.run([node, "scripts/report.js", tmp_path], cwd=STUDIO, check=True)
    made = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    assert sorted(made) == ["report.css", "report.js"]
    kept = {path.name: path.read_bytes() for path in KEPT.iterdir()}
    assert made == kept, "python/airlag/views/pages/built is stale: npm run report in studio/"
