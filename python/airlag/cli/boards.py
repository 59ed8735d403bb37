"""``airlag boards``: boards on serial lines, with their settings and counters."""

from __future__ import annotations

from collections.abc import Iterator
from json import loads
from typing import Any

from rich.console import RenderableType
from rich.text import Text

from airlag import _airlag
from airlag.cli import terminal
from airlag.cli.work import Work, separated
from airlag.core.quantity import count
from airlag.core.types import Board
from airlag.views.table import Column, Paragraph, Table, Value, word


def boards(
    *,
    devices: list[str] | None = None,
    settings: list[str] | None = None,
    runs: bool | None = None,
    json: bool = False,
) -> None:
    """List boards on serial lines, with the firmware, settings and counters of each board.

    To change settings of a running board, the command stops the board and starts it again.
    """
    if not devices:
        given: dict[str, object] = {"--set": settings, "--start/--stop": runs is not None}
        terminal.refuse_given(given, "{} needs a DEVICE; write one such as /dev/ttyACM0")
        devices = _airlag.connected_boards()
    if not devices:
        terminal.refuse("no board of airlag is connected by USB; write a DEVICE, or connect one")

    def board(device: str, _: object) -> Any:
        return loads(_airlag.configure_board(device, settings or [], runs=runs))

    work = Work(json=json)
    answers = work.each("reading", devices, board)
    work.answer(answers, lambda: separated(map(_shown, answers)))


def _shown(board: Board) -> Iterator[RenderableType]:
    words = [board["board"], f"{board['image']} {board['airlag']}", board["role"], board["state"]]
    details = ", ".join([*filter(None, words), f"protocol {board['protocol']}"])
    yield Text.assemble((board["device"], "bold"), f"  {details}")
    numbers = [Column(name, shown=count) for name in ("value", "lowest", "highest")]
    rows: list[list[Value]] = [
        [one["name"], one["value"], one["lowest"], one["highest"], one["unit"]]
        for one in board["settings"]
    ]
    if rows:
        yield Table.of_values([word("setting"), *numbers, word("unit")], rows)
    if counters := [f"{one['name']} {count(one['value'])}" for one in board["counters"]]:
        yield Paragraph(f"counters: {', '.join(counters)}")
