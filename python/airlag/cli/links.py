"""``airlag links``: the link profiles, and where every constant of one comes from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated, cast

import typer
from rich.console import Group, RenderableType
from rich.text import Text

from airlag import _airlag
from airlag._airlag import LinkError
from airlag.cli import options
from airlag.cli import sensitivity as weighed
from airlag.cli.paragraph import Paragraph
from airlag.cli.table import Cell, Column, Table, Tables, Value, named, prose, time, word
from airlag.cli.work import Working
from airlag.core import profiles
from airlag.core.quantity import UNITS, duration, number, unit_for
from airlag.core.types import Link, Parameter, Settable
from airlag.questions.sensitivity import sensitivity


def links(
    *,
    name: str | None = None,
    worth: bool = False,
    size: Annotated[int | None, options.payload] = None,
    output: options.Sheet = None,
    work: Working,
) -> None:
    """List the link profiles, or show one: every constant, its unit and its source.

    A constant is from a standard, a datasheet or the source of the firmware that was measured; or
    it is calibrated on one capture, or assumed. Ends in parentheses bound what it may be.
    """
    if worth:
        if name is None:
            raise typer.BadParameter("--sensitivity is of one link; name it, such as nrf24-2m")
        told = sensitivity(name, size)
        work.show([told.to_json()], lambda: weighed.shown(told))
        work.table(output, [weighed.table(told, told.constants)])
        work.end()
        return
    found = [profiles.link(each) for each in _chosen(name)]
    alone = name is not None and [each["name"] for each in found] == [name]
    tables = _constants(found[0]) if alone else _families(found, size)
    work.show(found, lambda: [_profile(found[0], tables[0], size) if alone else Tables(tables)])
    work.table(output, tables)
    work.end()


def _chosen(name: str | None) -> list[str]:
    """The profile of that name, those of that family, or those whose names are like it.

    Raises
    ------
    LinkError
        When there is none; one line.
    """
    known = _airlag.links()
    if name is None or name in known:
        return known if name is None else [name]
    found = [each for each in known if profiles.link(each)["kind"] == name]
    found = found or _airlag.links_like(f"{name}-*") or _airlag.links_like(name)
    if not found:
        # It says which names are near.
        profiles.link(name)
    return found


def _families(found: Sequence[Link], size: int | None) -> list[Table]:
    """The profiles of each kind of link, with their limits where a payload is given."""
    columns = [named("link", "link", style="")]
    if size is not None:
        columns.append(time("floor", UNITS[2], "floor_ns"))
        columns.append(Column("ceiling", "kbit/s", "ceiling_kbps", shown=number))
        columns.append(Column("published", "ms", "published_ns"))
    columns.append(prose("what it is", "about"))
    families: dict[str, list[Link]] = {}
    for profile in found:
        families.setdefault(profile["kind"], []).append(profile)
    return [
        Table.of_values(
            columns,
            [[*_row(profile, size)] for profile in members],
            of={"family": kind, "size_bytes": size} if size is not None else {"family": kind},
            title=Text(kind, "bold"),
        )
        for kind, members in families.items()
    ]


def _row(profile: Link, size: int | None) -> Iterator[Cell | Value]:
    name = profile["name"]
    yield name
    about = profile["about"]
    if size is not None:
        try:
            floor, ceiling = _limits(name, size)
        except LinkError as error:
            # Not every link takes messages of every length.
            floor, ceiling, about = None, None, str(error)
        figures = [each["median_ms"] for each in profile["published"] if each["size"] == size]
        yield from (floor, ceiling)
        yield Cell(f"{figures[0]:g}", round(figures[0] * 1e6)) if figures else None
    yield about


def _limits(name: str, size: int) -> tuple[int | None, float | None]:
    """What a message takes at least, ns, and how much is carried at most, kbit/s."""
    if _airlag.payloads(name, [size]) == [None]:
        return _floor(name, None), None
    return _floor(name, size), _airlag.link_ceiling(name, size)


def _floor(name: str, size: int | None) -> int | None:
    floor = profiles.floor(name, size)
    # A floor without terms is one that nobody has worked out for this kind of link.
    return floor["ns"] if floor["terms"] else None


def _profile(profile: Link, constants: Table, size: int | None) -> RenderableType:
    title = Text(profile["name"], style="bold")
    title.append(f"  {profile['about']}", style="not bold")
    parts: list[RenderableType] = [title]
    if size is not None:
        parts.append(Paragraph(_told(profile["name"], size)))
    parts += [Text(""), constants]
    if profile["published"]:
        parts += [Text(""), _published(profile)]
    others = {
        name: known
        for name, known in profiles.parameters(profile["name"]).items()
        if name not in profile["parameters"]
    }
    if others:
        parts += [Text(""), _others(others)]
    return Group(*parts)


def _told(name: str, size: int) -> Text:
    floor, ceiling = _limits(name, size)
    words = [f"{size} B"]
    words += [] if floor is None else [f"floor {duration(floor, unit_for([floor]))}"]
    words += [] if ceiling is None else [f"ceiling {number(ceiling)} kbit/s"]
    return Text(" · ".join(words))


def _constants(profile: Link) -> list[Table]:
    columns = [
        named("constant", "constant", style=""),
        word("value", "value"),
        Column("unit", key="unit", hidden=True),
        prose("what it is", "about"),
        Column("choices", key="choices", hidden=True),
        *(
            Column(end, key=end, hidden=True)
            for end in ("least", "most", "bound_low", "bound_high")
        ),
        Column("source", key="source", hidden=True),
        Column("from", key="from", hidden=True),
    ]
    found = profile["parameters"].items()
    rows = [[*_constant(name, constant)] for name, constant in found]
    below = [[Paragraph(_origin(constant), margin=4)] for _, constant in found]
    return [Table.of_values(columns, rows, of={"link": profile["name"]}, below=below)]


def _constant(name: str, constant: Parameter) -> Iterator[Cell | Value]:
    value, bound = constant["value"], constant["bound"]
    held = f"{_word(value)} {constant['unit']}".rstrip()
    if bound is not None:
        span = weighed.between(bound)
        held += f" ({span})"
    yield from (name, Cell(held, value), constant["unit"])
    yield from (Cell(about(constant), constant["about"]), " ".join(constant["choices"]))
    for ends in (constant["between"], bound):
        yield from cast("list[float | None]", ends or (None, None))
    yield from (constant["source"], constant["from"])


def _word(value: Value) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def about(known: Settable) -> str:
    """What a parameter is, and what it may be."""
    words, between = known["choices"], known["between"]
    may = [" | ".join(words)] if words else []
    if between is not None:
        may.insert(0, f"{between[0]:.15g} to {between[1]:.15g}")
    return f"{known['about']}; {', or '.join(may)}" if may else known["about"]


def _origin(constant: Parameter) -> Text:
    where = f": {constant['from']}" if constant["from"] else ""
    return Text(f"{constant['source']}{where}", "dim")


def _published(profile: Link) -> Table:
    columns = [
        word("published"),
        Column("median", "ms"),
        prose("where", style="dim"),
    ]
    rows = [
        (
            "" if figure["size"] is None else f"{figure['size']} B",
            f"{figure['median_ms']:g}",
            figure["from"],
        )
        for figure in profile["published"]
    ]
    return Table.of_values(columns, rows)


def _others(known: dict[str, Settable]) -> Table:
    """What can be set too, and is the same for every link where it is not."""
    rows = [(name, each["unit"], about(each)) for name, each in known.items()]
    columns = [named("can be set too", style=""), word("unit"), prose("what it is")]
    return Table.of_values(columns, rows)
