"""``airlag capacity``: delivered share of a network against its number of devices."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated, Any

from airlag.cli import options
from airlag.cli.options import given, lasting, real, several, whole
from airlag.cli.run import Seed
from airlag.cli.work import Working
from airlag.core.answered import ask
from airlag.core.quantity import UNITS, count, number, parse_whole
from airlag.core.types import CapacityNetwork, Reception, SpreadingFactors
from airlag.views.table import Column, Table, named, time

_devices = several("number of devices", "such as 10,100", lambda one: parse_whole(one, 1, 10**6))
_radius = real("radius", 1, 1e6, "a distance", {"m": 0, "km": 3}, "2km")
_scan = lasting("time", 10**6, 10**11)


def capacity(
    *,
    network: CapacityNetwork | None = None,
    devices: Annotated[Sequence[int] | None, _devices] = None,
    size: Annotated[int | None, options.payload] = None,
    period: Annotated[int | None, lasting("period", 10**6, 10**15)] = None,
    duration: Annotated[int | None, lasting("duration", 10**9, 10**17)] = None,
    gateways: Annotated[int | None, whole("number of gateways", 1, 10_000, 4)] = None,
    radius: Annotated[float | None, _radius] = None,
    channels: Annotated[int | None, whole("number of channels", 1, 8, 8)] = None,
    spreading_factors: SpreadingFactors | None = None,
    scan_interval: Annotated[int | None, _scan] = None,
    scan_window: Annotated[int | None, _scan] = None,
    unacknowledged: bool = False,
    reception: Reception | None = None,
    seed: Seed = None,
    output: options.Sheet = None,
    work: Working,
) -> None:
    """Measure the delivered share of a network of many devices against its size."""
    asked = given(devices=devices, size=size, period_ns=period, duration_ns=duration, seed=seed)
    asked |= given(network=network, gateways=gateways, radius_m=radius, channels=channels)
    asked |= given(spreading_factors=spreading_factors, reception=reception)
    asked |= given(scan_interval_ns=scan_interval, scan_window_ns=scan_window)
    asked |= given(acknowledged=False if unacknowledged else None)
    found = work.each("simulating", [asked], lambda each, _: ask("capacity", **each))
    tables = [_table(each) for each in found]
    work.answer(found, lambda: tables, output, tables)


#: Times that only some networks have.
TIMES = ("latency", "update_interval")
MS = UNITS[2]
PERCENT: dict[str, Any] = {"unit": "%", "shown": lambda part: f"{100 * part:.1f}"}
COLUMNS = [
    named("devices", "devices", shown=count, style=""),
    named("SF", "spreading_factor"),
    Column("with SF", key="devices_of_factor", shown=count),
    time("airtime", MS, "airtime_ns"),
    Column("load G", key="load", shown=number),
    Column("delivered", key="delivered_share", **PERCENT),
    Column("formula", key="predicted_share", **PERCENT),
    Column("frames", key="frames_per_message", hidden=True),
    Column("given up", key="channel_access_failure_share", hidden=True),
    *(
        time(of, MS, f"{key}_{of}_ns", group=key.replace("_", " "))
        for key in TIMES
        for of in ("p50", "p99")
    ),
]


def _table(found: dict[str, Any]) -> Table:
    """One row per number of devices and group, without columns that the network does not have."""
    rows = [*_rows(found["points"])]
    columns = [each for each in COLUMNS if any(row.get(each.key) is not None for row in rows)]
    cells = [[row.get(each.key) for each in columns] for row in rows]
    return Table.of_values(columns, cells, f"formula: {found['formula']}")


def _rows(points: list[dict[str, Any]]) -> Iterator[dict[str | None, Any]]:
    for point in points:
        times = {f"{key}_{of}": ns for key in TIMES for of, ns in (point[key] or {}).items()}
        row: dict[Any, Any] = point | times
        if len(point["groups"]) > 1:
            yield row | {"spreading_factor": "all", "devices_of_factor": point["devices"]}
        for one in point["groups"]:
            factor = {"spreading_factor": one["name"][2:], "devices_of_factor": one["devices"]}
            kept = factor if one["name"] != "all" else {}
            yield row | one | kept | {"devices": point["devices"]}
