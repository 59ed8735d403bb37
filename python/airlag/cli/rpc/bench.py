"""``airlag rpc bench``: call latency and throughput, with published figures."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from airlag.cli import options, terminal
from airlag.cli.rpc import peripheral
from airlag.cli.rpc.peripheral import Peripheral, nearest_platform
from airlag.cli.work import Working
from airlag.core.display import to_json
from airlag.core.quantity import number
from airlag.views.table import Cell, Column, Table, Tables, Value, named, word

if TYPE_CHECKING:
    from airlag.core.types import RpcBenchmark


def bench(
    *,
    called: peripheral.Chosen,
    gains: bool = False,
    output: options.Sheet = None,
    work: Working,
) -> None:
    """Run the six benchmarks of bleRPC and compare them with published figures."""
    from airlag.rpc import RpcError

    if gains and (called.over != peripheral.VIRTUAL or called.named):
        terminal.refuse("--gains is only available on the virtual bench")
    rows: list[RpcBenchmark] = []
    with terminal.refusing(RpcError), work.until:
        if called.over == peripheral.VIRTUAL:
            _virtual(called, rows, gains)
        else:
            peripheral.run(_measured(called, rows))
    work.until.expect(rows)
    tables = _gains(rows) if gains else [_table(rows)]
    work.show(rows, lambda: [Tables(tables)])
    if output is not None and output.suffix.lower() == ".json":
        if work.keep_bytes(output, (to_json(rows) + "\n").encode()):
            terminal.wrote([output], aside=work.json)
    else:
        work.table(output, tables)
    work.end(f"{len(rows)} benchmarks are finished")


def _virtual(called: Peripheral, rows: list[RpcBenchmark], gains: bool) -> None:
    """Adds the benchmarks of one platform; by default, of all that have published figures."""
    from airlag.rpc import speed

    known = speed.platforms()
    chosen = [each["name"] for each in known if None not in each["published"].values()]
    if called.platform or called.named:
        # A custom link has no platform with published figures.
        chosen = [called.platform or "linux"]
    for each in chosen:
        if gains:
            rows += speed.virtual(each, called.seed, called.settings, gains=True)
        else:
            rows += speed.virtual(each, called.seed, called.settings, called.named)


async def _measured(called: Peripheral, rows: list[RpcBenchmark]) -> None:
    """Adds each benchmark as it finishes, timed by the transport's clock."""
    from airlag.rpc import speed

    async with called.called() as client:
        async for row in speed.measure(client, called.platform or nearest_platform()):
            rows.append(row)


def _table(rows: Sequence[RpcBenchmark]) -> Table:
    columns = [
        named("platform", "platform"),
        word("benchmark", "benchmark"),
        Column("published", key="published", shown="{:.1f}".format),
        Column("this run", key="measured", shown=number),
        word("", "unit"),
        Column("error", "%", "off_percent", shown=_off, absent=""),
        word("model", "fitted"),
    ]
    note = "model fitted: a constant of the model was fitted to the published value"
    return Table.of_values(columns, map(_values, rows), note, margin=0)


def _values(row: RpcBenchmark) -> Iterator[Cell | Value]:
    """Published, measured, unit, error, and whether a constant was fitted to the figure."""
    published, measured = row["published"], row["measured"]
    yield from (row["platform"], row["benchmark"], published, measured, row["unit"])
    off = None
    if published is not None and measured is not None:
        off = 100 * (measured / published - 1)
    yield off
    yield Cell("fitted" if row["fitted"] and off is not None else "", row["fitted"])


def _off(percent: float) -> str:
    # Zero has no sign.
    return f"{percent:+.0f}" if abs(percent) >= 0.5 else "0"


#: Short benchmark names for adjacent columns.
_SHORT = {
    "flash_read_throughput": "read",
    "flash_read_overhead": "1 B read",
    "echo_roundtrip": "echo",
    "data_write_throughput": "write",
    "counter_stream": "stream",
    "counter_upload": "upload",
}


def _gains(rows: Sequence[RpcBenchmark]) -> list[Table]:
    """One table per platform, with one line per improvement."""
    units = {row["benchmark"]: row["unit"] for row in rows}
    tables = []
    for platform in dict.fromkeys(row["platform"] for row in rows):
        columns = [named(platform, "gain")]
        columns += [
            Column(unit, key=f"{name} {unit}", group=_SHORT[name], shown=number)
            for name, unit in units.items()
        ]
        of_it = [row for row in rows if row["platform"] == platform]
        lines = []
        for gain in dict.fromkeys(row.get("gain", "") for row in of_it):
            of_gain = [row for row in of_it if row.get("gain", "") == gain]
            lines.append((gain, *(row["measured"] for row in of_gain)))
        tables.append(Table.of_values(columns, lines, of={"platform": platform}, margin=0))
    return tables
