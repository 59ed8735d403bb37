"""``airlag rpc bench``: how fast calls are, beside what was published."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, cast

import typer

from airlag import _airlag
from airlag._airlag import LinkError
from airlag.cli import options, terminal
from airlag.cli.rpc import peripheral, running
from airlag.cli.rpc.peripheral import Peripheral
from airlag.cli.run import Seed, Settings
from airlag.cli.summary import bare_table
from airlag.cli.until import Until
from airlag.json_types.rpc import RpcBenchmark, RpcPlatform
from airlag.quantity import number

Output = Annotated[
    Path | None,
    typer.Option("-o", "--output", metavar="FILE.json", help="Keep the numbers."),
]


def bench(
    over: peripheral.Over = None,
    platform: peripheral.Platform = None,
    link: peripheral.Link = None,
    address: peripheral.Address = None,
    plain: peripheral.Plain = False,
    settings: Settings = None,
    seed: Seed = None,
    output: Output = None,
    force: options.Force = False,
    json: options.Json = False,
) -> None:
    """Run the six benchmarks of bleRPC, and put what was published beside them."""
    from airlag.rpc import RpcError
    from airlag.rpc.published import PUBLISHED

    if output is not None and output.suffix.lower() != ".json":
        terminal.refuse(f"-o {output}: the name does not tell the format; end it with .json")
    called = peripheral.chosen(over, platform, link, address, plain, seed, settings)
    named = cast(RpcPlatform, platform or ("macos" if sys.platform == "darwin" else "linux"))
    rows: list[RpcBenchmark] = []
    until = Until()
    try:
        with until:
            if called.over == peripheral.VIRTUAL:
                for each in [platform] if platform else PUBLISHED:
                    rows += _airlag.rpc_bench(each, called.seed)
            else:
                running.run(_measured(called, named, rows))
    except (LinkError, RpcError) as error:
        terminal.refuse(error)
    until.expect(rows)
    if json:
        terminal.print_json(rows)
    else:
        _show(rows)
    if output is not None:
        _keep(rows, output, force)
        terminal.wrote([output], aside=json)
    until.tell(f"{len(rows)} benchmarks had run until then")


async def _measured(called: Peripheral, platform: RpcPlatform, rows: list[RpcBenchmark]) -> None:
    """Adds each benchmark to those that are there, by the clock of the transport."""
    from airlag.rpc.published import PUBLISHED
    from airlag.rpc.speed import measure

    async with called.called() as client:
        async for benchmark, measured, unit in measure(client):
            rows.append(
                {
                    "platform": platform,
                    "benchmark": benchmark,
                    "published": PUBLISHED.get(platform, {}).get(benchmark),
                    "measured": measured,
                    "unit": unit,
                }
            )


def _show(rows: Sequence[RpcBenchmark]) -> None:
    table = bare_table()
    table.columns[0].header = "platform"
    for name in ("benchmark", "published", "measured", ""):
        table.add_column(name, justify="right" if name in ("published", "measured") else "left")
    for row in rows:
        published = "–" if row["published"] is None else f"{row['published']:.1f}"
        measured = number(row["measured"])
        table.add_row(row["platform"], row["benchmark"], published, measured, row["unit"])
    terminal.output().show(table)


def _keep(rows: Sequence[RpcBenchmark], path: Path, force: bool) -> None:
    from airlag.atomic import replacing
    from airlag.display import to_json

    try:
        with replacing(path, force=force) as file:
            file.write((to_json(rows) + "\n").encode())
    except FileExistsError as error:
        terminal.refuse(error)
    except OSError as error:
        terminal.refuse(
            f"{path}: cannot be written ({error.strerror or error}); choose another place with -o"
        )
