"""``airlag rpc bench``: how fast calls are, beside what was published."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from airlag._airlag import LinkError
from airlag.cli import options, terminal
from airlag.cli.rpc import peripheral, running
from airlag.cli.rpc.peripheral import Peripheral, here
from airlag.cli.run import Seed
from airlag.cli.settings import Settings
from airlag.cli.summary import bare_table
from airlag.cli.until import Until
from airlag.json_types.rpc import RpcBenchmark, RpcPlatform
from airlag.quantity import number

Gains = Annotated[
    bool,
    typer.Option(
        "--gains",
        help="What can be done better on the same link, each by itself and together.",
        rich_help_panel=peripheral.BENCH,
    ),
]
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
    gains: Gains = False,
    output: Output = None,
    force: options.Force = False,
    json: options.Json = False,
) -> None:
    """Run the six benchmarks of bleRPC, and put what was published beside them."""
    from airlag.rpc import RpcError

    if output is not None and output.suffix.lower() != ".json":
        terminal.refuse(f"-o {output}: the name does not tell the format; end it with .json")
    called = peripheral.chosen(over, platform, link, address, plain, seed, settings)
    if gains and (called.over != peripheral.VIRTUAL or link):
        terminal.refuse("--gains compares settings of a platform's link on the virtual bench")
    rows: list[RpcBenchmark] = []
    until = Until()
    try:
        with until:
            if called.over == peripheral.VIRTUAL:
                _virtual(called, platform, link, rows, gains)
            else:
                running.run(_measured(called, platform, rows))
    except (LinkError, RpcError) as error:
        terminal.refuse(error)
    until.expect(rows)
    if json:
        terminal.print_json(rows)
    elif gains:
        _show_gains(rows)
    else:
        _show(rows)
    if output is not None:
        _keep(rows, output, force)
        terminal.wrote([output], aside=json)
    until.tell(f"{len(rows)} benchmarks had run until then")


def _virtual(
    called: Peripheral,
    platform: RpcPlatform | None,
    link: str | None,
    rows: list[RpcBenchmark],
    gains: bool,
) -> None:
    """Adds the benchmarks of a platform; by default, of all of which figures were published."""
    from airlag.rpc import speed

    known = speed.platforms()
    chosen = [each["name"] for each in known if None not in each["published"].values()]
    if platform or link:
        # A link that was never measured is nobody's in particular.
        chosen = [platform or "linux"]
    for each in chosen:
        if gains:
            rows += speed.gains(each, called.seed, called.settings)
        else:
            rows += speed.virtual(each, called.seed, called.settings, link)


async def _measured(
    called: Peripheral, platform: RpcPlatform | None, rows: list[RpcBenchmark]
) -> None:
    """Adds each benchmark to those that are there, by the clock of the transport."""
    from airlag.rpc import speed

    async with called.called() as client:
        async for row in speed.measure(client, platform or here()):
            rows.append(row)


def _show(rows: Sequence[RpcBenchmark]) -> None:
    table = bare_table()
    table.columns[0].header = "platform"
    for name in ("benchmark", "published", "measured", "", "off by", ""):
        right = name in ("published", "measured", "off by")
        table.add_column(name, justify="right" if right else "left")
    for row in rows:
        table.add_row(row["platform"], row["benchmark"], *_figures(row))
    terminal.output().show(table)


def _figures(row: RpcBenchmark) -> tuple[str, str, str, str, str]:
    """Published, measured, unit, how far off, and whether a constant is fitted on it."""
    measured, unit = number(row["measured"]), row["unit"]
    if row["published"] is None:
        return "–", measured, unit, "", ""
    off = 100 * (row["measured"] / row["published"] - 1)
    told = "fitted" if row["fitted"] else ""
    # Nothing off is neither more nor less.
    shown = f"{off:+.0f} %" if abs(off) >= 0.5 else "0 %"
    return f"{row['published']:.1f}", measured, unit, shown, told


#: What a column of a benchmark is called where there are six beside each other.
_SHORT = {
    "flash_read_throughput": "read",
    "flash_read_overhead": "of 1 B",
    "echo_roundtrip": "echo",
    "data_write_throughput": "write",
    "counter_stream": "stream",
    "counter_upload": "upload",
}


def _show_gains(rows: Sequence[RpcBenchmark]) -> None:
    """A table a platform: a line for each thing that is done better."""
    units = {row["benchmark"]: row["unit"] for row in rows}
    for platform in dict.fromkeys(row["platform"] for row in rows):
        table = bare_table()
        table.columns[0].header = platform
        for name, unit in units.items():
            table.add_column(f"{_SHORT[name]}\n{unit}", justify="right")
        of_it = [row for row in rows if row["platform"] == platform]
        for gain in dict.fromkeys(row.get("gain", "") for row in of_it):
            of_gain = [row for row in of_it if row.get("gain", "") == gain]
            table.add_row(gain, *(number(row["measured"]) for row in of_gain))
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
