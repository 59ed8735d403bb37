"""``airlag links``: the link profiles, and where every constant of one comes from."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from airlag import _airlag
from airlag._airlag import LinkError
from airlag.cli import options, terminal
from airlag.cli.sensitivity import between, shown
from airlag.cli.summary import MARGIN
from airlag.json_types.link import Link
from airlag.sensitivity import sensitivity

Name = Annotated[
    str | None,
    typer.Argument(
        metavar="[NAME]", help="Profile to show. Default: list all.", show_default=False
    ),
]
Worth = Annotated[
    bool,
    typer.Option(
        "--sensitivity",
        help="Halve and double each assumed and calibrated constant, set it to the ends of its "
        "bound, and say how far median and 99 % quantile move.",
    ),
]
Size = Annotated[
    int | None,
    typer.Option(
        parser=options.payload,
        metavar="BYTES",
        help="Payload of --sensitivity, in bytes, where there is a message. Default: 128.",
    ),
]


def links(
    name: Name = None, worth: Worth = False, size: Size = None, json: options.Json = False
) -> None:
    """List the link profiles, or show one: every constant, its unit and its source.

    A constant is from a standard, a datasheet or the source of the firmware that was measured; or
    it is calibrated on one capture, or assumed. Ends in parentheses bound what it may be.
    """
    if worth:
        _weigh(name, size, json)
        return
    if size is not None:
        raise typer.BadParameter("--size is for --sensitivity")
    try:
        chosen = _airlag.links() if name is None else [name]
        profiles = [_airlag.link(each) for each in chosen]
    except LinkError as error:
        terminal.refuse(error)
    if json:
        terminal.print_json(profiles)
    elif name is None:
        terminal.output().show(_list(profiles))
    else:
        terminal.output().show(_profile(profiles[0]))


def _weigh(name: str | None, size: int | None, json: bool) -> None:
    """Says what the assumptions of a profile are worth."""
    if name is None:
        raise typer.BadParameter("--sensitivity is of one link; name it, such as nrf24-2m")
    try:
        told = sensitivity(name, size)
    except LinkError as error:
        terminal.refuse(error)
    if json:
        terminal.print_json([told.to_json()])
    else:
        terminal.output().show(shown(told))


def _grid(*columns: str) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    for column in columns:
        table.add_column(column, overflow="fold")
    return table


def _list(profiles: list[Link]) -> Table:
    table = _grid("link", "what it is")
    table.columns[0].no_wrap = True
    for profile in profiles:
        table.add_row(profile["name"], Text(profile["about"]))
    return table


def _profile(profile: Link) -> RenderableType:
    title = Text(profile["name"], style="bold")
    title.append(f"  {profile['about']}", style="not bold")
    constants = _grid("constant", "value", "source")
    constants.columns[0].no_wrap = True
    for name, constant in profile["parameters"].items():
        value = constant["value"]
        shown = str(value).lower() if isinstance(value, bool) else str(value)
        held = f"{shown} {constant['unit']}".rstrip()
        if constant["bound"] is not None:
            held += f" ({between(constant['bound'])})"
        origin = Text(constant["source"])
        if constant["from"]:
            origin.append(f": {constant['from']}", style="dim")
        constants.add_row(name, Text(held), origin)
    parts: list[RenderableType] = [title, Padding(constants, (1, 0, 0, MARGIN))]
    if profile["published"]:
        figures = _grid("published", "median", "where")
        for figure in profile["published"]:
            median = f"{figure['median_ms']:g} ms"
            size = "" if figure["size"] is None else f"{figure['size']} B"
            figures.add_row(size, median, Text(figure["from"], style="dim"))
        parts.append(Padding(figures, (1, 0, 0, MARGIN)))
    return Group(*parts)
