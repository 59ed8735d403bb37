"""``airlag rpc test``: whether calls carry what is put into them."""

from __future__ import annotations

from collections.abc import Sequence

import typer
from rich.text import Text

from airlag._airlag import LinkError
from airlag.cli import options, terminal
from airlag.cli.rpc import peripheral, running
from airlag.cli.run import Seed
from airlag.cli.settings import Settings
from airlag.cli.summary import bare_table
from airlag.cli.until import Until
from airlag.json_types.rpc import RpcTest
from airlag.quantity import duration, unit_for


def test(
    over: peripheral.Over = None,
    platform: peripheral.Platform = None,
    link: peripheral.Link = None,
    address: peripheral.Address = None,
    plain: peripheral.Plain = False,
    settings: Settings = None,
    seed: Seed = None,
    json: options.Json = False,
) -> None:
    """Run the twelve functional tests of bleRPC against a peripheral.

    Exit code 1 when one of them fails. An identity key of a peripheral on the air is remembered
    when it is first met; if it is another one later, that is an error.
    """
    from airlag.rpc import RpcError
    from airlag.rpc.functional import TESTS, run

    called = peripheral.chosen(over, platform, link, address, plain, seed, settings)
    found: list[RpcTest] = []

    async def tests() -> None:
        async with called.called() as client:
            async for each in run(client):
                found.append(each)
                step()

    until = Until()
    try:
        with until, terminal.progress("calling", len(TESTS)) as step:
            running.run(tests())
    except (LinkError, RpcError) as error:
        terminal.refuse(error)
    until.expect(found)
    if json:
        terminal.print_json(found)
    else:
        _show(found)
    until.tell(f"{len(found)} of {len(TESTS)} tests had run until then")
    if not all(each["passed"] for each in found):
        raise typer.Exit(terminal.FOUND)


def _show(found: Sequence[RpcTest]) -> None:
    table = bare_table()
    table.columns[0].header = "test"
    for name in ("", "latency", ""):
        table.add_column(name, justify="right" if name else "left")
    for each in found:
        mark = Text("passed", "green") if each["passed"] else Text("failed", "bold red")
        took = each["latency_ns"]
        latency = "–" if took is None else duration(took, unit_for([took]))
        table.add_row(each["test"], mark, latency, each["problem"] or "")
    terminal.output().show(table)
