"""Picture of the page on capacity: delivered share against the number of devices."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from airlag.core.answered import ask
from airlag.views.pages.output import drawn_svg

#: Chart without its data.
PICTURE = Path(__file__).with_name("capacity.vl.json")
DEVICES = (100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000)
#: Panels by rule for overlapping frames.
PANELS = {
    "collisions": "without capture, as pure ALOHA",
    "levels": "by signal levels, eight demodulators",
}
#: Network of the printed table.
TABLE = ("capacity", "--devices", "1000,10000", "--gateways", "4", "--radius", "2km")
TABLE += ("--spreading-factors", "adaptive")


def picture() -> str:
    """SVG of both rules with the formula, by spreading factor."""
    spec = json.loads(PICTURE.read_text())
    return drawn_svg(spec | {"datasets": {"capacity": list(_values())}})


def _values() -> Iterator[dict[str, Any]]:
    for reception, panel in PANELS.items():
        found = ask("capacity", devices=DEVICES, reception=reception)
        for point in found["points"]:
            for one in point["spreading_factors"]:
                yield {
                    "panel": panel,
                    "devices": point["devices"],
                    "factor": f"SF{one['spreading_factor']}",
                    "delivered": 100 * one["delivered_share"],
                    "formula": 100 * one["pure_aloha"],
                }
