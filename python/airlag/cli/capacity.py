"""``airlag capacity``: delivered share of a LoRaWAN network against its number of devices."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated

from airlag.cli import options
from airlag.cli.options import given, lasting, real, several, whole
from airlag.cli.run import Seed
from airlag.cli.work import Working
from airlag.core.answered import ask
from airlag.core.quantity import count, number, parse_whole
from airlag.core.types import Capacity, Reception, SpreadingFactors
from airlag.views.table import Column, Table, Value, named

_devices = several("number of devices", "such as 10,100", lambda one: parse_whole(one, 1, 10**6))
_radius = real("radius", 1, 1e6, "a distance", {"m": 0, "km": 3}, "2km")


def capacity(
    *,
    devices: Annotated[Sequence[int] | None, _devices] = None,
    size: Annotated[int | None, options.payload] = None,
    period: Annotated[int | None, lasting("period", 10**6, 10**15)] = None,
    duration: Annotated[int | None, lasting("duration", 10**9, 10**17)] = None,
    gateways: Annotated[int | None, whole("number of gateways", 1, 10_000, 4)] = None,
    radius: Annotated[float | None, _radius] = None,
    channels: Annotated[int | None, whole("number of channels", 1, 8, 8)] = None,
    spreading_factors: SpreadingFactors | None = None,
    reception: Reception | None = None,
    seed: Seed = None,
    output: options.Sheet = None,
    work: Working,
) -> None:
    """Measure the delivered share of a LoRaWAN network's uplinks against its size."""
    asked = given(devices=devices, size=size, period_ns=period, duration_ns=duration, seed=seed)
    asked |= given(gateways=gateways, radius_m=radius, channels=channels, reception=reception)
    asked |= given(spreading_factors=spreading_factors)
    found = work.each("simulating", [asked], lambda each, _: ask("capacity", **each))
    tables = [Table.of_values(COLUMNS, _rows(each)) for each in found]
    work.answer(found, lambda: tables, output, tables)


COLUMNS = [
    named("network", "devices", shown=count, style=""),
    named("SF", "spreading_factor"),
    Column("devices", key="devices_of_factor", shown=count),
    Column("airtime", "ms", "airtime_ns", shown=lambda ns: number(ns / 1e6)),
    Column("load G", key="load", shown=number),
    Column("delivered", "%", "delivered_share", shown=lambda part: f"{100 * part:.1f}"),
    Column("pure ALOHA", "%", "pure_aloha", shown=lambda part: f"{100 * part:.1f}"),
]


def _rows(found: Capacity) -> Iterator[Sequence[Value]]:
    """One row per number of devices and spreading factor."""
    for point in found["points"]:
        yield point["devices"], "all", point["devices"], None, None, point["delivered_share"], None
        for one in point["spreading_factors"]:
            facts = one["airtime_ns"], one["load"], one["delivered_share"], one["pure_aloha"]
            yield point["devices"], str(one["spreading_factor"]), one["devices"], *facts
