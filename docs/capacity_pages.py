"""Pictures and tables of the page on capacity: delivered share against the number of devices."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from airlag.core.answered import ask
from airlag.views.pages.output import drawn_svg

FOLDER = Path(__file__).parent
#: Panels by rule for overlapping frames.
PANELS = {
    "collisions": "without capture, as pure ALOHA",
    "levels": "by signal levels, eight demodulators",
}
LORAWAN = (100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000)
#: Further networks: panel, question, numbers of devices.
CROWDS = (
    ("Bluetooth LE tags, 31 B each second", {"network": "ble"}, (10, 30, 100, 300, 1_000, 2_000)),
    (
        "IEEE 802.15.4, 12 B each second, acknowledged",
        {"network": "ieee802154"},
        (10, 30, 100, 150, 200, 250, 300, 400),
    ),
)
#: Lines of the panels of further networks.
RULES = {"collisions": "all in range, without capture", "levels": "by signal levels"}
#: Printed tables, by name of their block.
TABLES = {
    "capacity": (
        "--devices",
        "1000,10000",
        "--gateways",
        "4",
        "--radius",
        "2km",
        "--spreading-factors",
        "adaptive",
    ),
    "capacity-tags": ("--network", "ble", "--devices", "100,1000", "--gateways", "2"),
    "capacity-csma": ("--network", "ieee802154", "--devices", "50,200,300"),
}


def pictures() -> dict[str, str]:
    """SVG by file name."""
    return {
        "capacity.svg": _drawn("capacity.vl.json", _by_factor()),
        "capacity-crowds.svg": _drawn("capacity_crowds.vl.json", _crowds()),
    }


def _drawn(chart: str, values: Iterator[dict[str, Any]]) -> str:
    spec = json.loads((FOLDER / chart).read_text())
    return drawn_svg(spec | {"datasets": {"capacity": list(values)}})


def _by_factor() -> Iterator[dict[str, Any]]:
    for reception, panel in PANELS.items():
        found = ask("capacity", devices=LORAWAN, reception=reception)
        for point in found["points"]:
            for one in point["groups"]:
                yield _shares(one) | {
                    "panel": panel,
                    "devices": point["devices"],
                    "factor": one["name"],
                }


def _crowds() -> Iterator[dict[str, Any]]:
    for panel, question, devices in CROWDS:
        for reception, rule in RULES.items():
            found = ask("capacity", **question, devices=devices, reception=reception)
            for point in found["points"]:
                (one,) = point["groups"]
                yield _shares(one) | {"panel": panel, "devices": point["devices"], "rule": rule}


def _shares(group: dict[str, Any]) -> dict[str, float]:
    keys = {"delivered": "delivered_share", "formula": "predicted_share"}
    return {name: 100 * group[key] for name, key in keys.items()}
