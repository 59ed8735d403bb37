"""One result of each kind there is."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import airlag
from airlag import Run


def made(kind: str, virtual: Run, capture: Path, table: Path) -> Any:
    """One result of each kind there is."""
    match kind:
        case "virtual":
            return virtual
        case "capture":
            return airlag.analyze(capture)
        case "edges":
            return airlag.analyze(capture, keep_edges=True)
        case "table":
            return airlag.analyze(table)
        case "apart":
            return airlag.run("nrf24-2m", size=32, count=60, range="30m", environment="office")
        case "match":
            return airlag.match(capture, "nrf24-2m", 12, count=50)
        case "ranking":
            return airlag.match(capture, size=12, count=50)
        case "goodput":
            return airlag.goodput("nrf24-2m", count=50)
        case "load":
            return airlag.offered_load("nrf24-2m", count=50, utilisations=[0.5])
        case "recommendation":
            return airlag.recommend("20ms", 32, links=["nrf24-2m"])
        case "tuned":
            return airlag.tune("nrf24-2m", 32, minimise="p99,loss", count=50, trials=8)
        case "indices":
            return airlag.indices("nrf24-2m", 32, over="window=1..3", count=50, samples=2)
        case "explanation":
            return airlag.explain(virtual, advice=False)
        case "comparison":
            return airlag.compare(virtual, capture)
        case "profile":
            return airlag.links()["nrf24-2m"]
    raise AssertionError(kind)


KINDS = (
    "virtual", "capture", "edges", "table", "apart", "match", "ranking", "goodput", "load",
    "recommendation", "tuned", "indices", "explanation", "comparison", "profile",
)  # fmt: skip
