"""``airlag rpc test``: functional tests of calls."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from airlag.cli import options, terminal
from airlag.cli.rpc import peripheral
from airlag.cli.work import Working
from airlag.core.quantity import duration, unit_for
from airlag.views.table import Cell, Column, Table, named, prose, word

if TYPE_CHECKING:
    from airlag.core.types import RpcTest


def test(
    *,
    called: peripheral.Chosen,
    output: options.Sheet = None,
    work: Working,
) -> None:
    """Run the twelve functional tests of bleRPC against a peripheral.

    Exits with 1 if a test fails. The identity key of a real peripheral is stored on first use; a
    different key later is an error.
    """
    from airlag.rpc import RpcError
    from airlag.rpc.functional import TESTS, run

    found: list[RpcTest] = []

    async def tests() -> None:
        async with called.called() as client:
            async for each in run(client):
                found.append(each)
                step()

    with terminal.refusing(RpcError), work.progress("calling", len(TESTS)) as step:
        peripheral.run(tests())
    work.until.expect(found)
    work.finished = f"{len(found)} of {len(TESTS)} tests are finished"
    failed = not all(each["passed"] for each in found)
    work.answer(found, lambda: [_table(found)], output, [_table(found)], found=failed)


def _table(found: Sequence[RpcTest]) -> Table:
    columns = [named("test", "test"), word("", "passed")]
    columns += [Column("latency", key="latency_ns", shown=_took), prose("", "problem")]
    rows = []
    for each in found:
        style = "green" if each["passed"] else "bold red"
        mark = Cell("passed" if each["passed"] else "failed", each["passed"], style)
        rows.append((each["test"], mark, each["latency_ns"], each["problem"] or ""))
    return Table.of_values(columns, rows, margin=0)


def _took(ns: int) -> str:
    return duration(ns, unit_for([ns]))
