"""Generated parts of docs/write-ups.md: published statements beside findings, and a picture.

The table needs the captures behind the statements, so ``--captures`` generates it. The picture
shows the published medians beside the bench's distribution.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import link_pages
import validation_tables

from airlag.views.pages.output import drawn_svg

DOCS = Path(__file__).resolve().parent
#: Statements, captures and the findings that they lead to.
STATEMENTS = DOCS / "write-ups.toml"
#: Specification of the picture, with a dataset ``medians``.
PICTURE = DOCS / "write-ups.vl.json"
#: Anchor of the article in docs/sources.md.
ARTICLE = "latency-comparison"


def captured(folder: Path) -> str:
    """Table of the statements whose captures are in ``folder``.

    Raises
    ------
    ValueError
        A capture does not lead to a finding that the statement names.
    """
    rows = []
    for each in tomllib.loads(STATEMENTS.read_text())["statement"]:
        if not all((folder / name).exists() for name in each["captures"]):
            continue
        messages = reported(folder, each["captures"])
        if missing := [name for name in each["findings"] if name not in messages]:
            raise ValueError(f"{each['captures']} do not lead to {missing}")
        found = "<br>".join(f"**{name}**: {messages[name]}" for name in each["findings"])
        files = "<br>".join(f"`{Path(name).name}`" for name in each["captures"])
        rows.append([f"[{each['at']}](sources.md#{ARTICLE})", each["published"], files, found])
    return link_pages.table(["section", "published", "capture", "`airlag analyze` reports"], rows)


def reported(folder: Path, captures: list[str]) -> dict[str, str]:
    """Messages of the findings in these captures, by name."""
    binary = Path(sys.executable).with_name("airlag")
    run = subprocess.run(
        [binary, "analyze", *captures, "--json"], cwd=folder, capture_output=True, check=True
    )
    runs: list[dict[str, Any]] = json.loads(run.stdout)
    return {one["name"]: one["message"] for each in runs for one in each["findings"]}


def picture() -> str:
    """SVG of published medians over the bench's distribution at random phase, by profile.

    Profiles with a single published payload are left out: docs/validation.md has them.
    """
    spec = json.loads(PICTURE.read_text())
    found = validation_tables.rows()
    payloads = {row.link: {each.size for each in found if each.link == row.link} for row in found}
    values = [
        {
            "profile": row.link,
            "payload": f"{row.size} B",
            "published": row.published,
            **{name: row.quantiles_ms[name] for name in ("p5", "p50", "p95")},
        }
        for row in found
        if len(payloads[row.link]) > 1
    ]
    return drawn_svg(spec | {"datasets": {"medians": values}})
