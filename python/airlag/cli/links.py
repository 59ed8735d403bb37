"""``airlag links``: link profiles, and the source of each constant.

With ``--sensitivity``: effect of a profile's assumptions on its latencies.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated, cast

import typer
from rich.console import Group, RenderableType
from rich.text import Text

from airlag import _airlag
from airlag._airlag import LinkError
from airlag.cli import options
from airlag.cli.summary import of_delivered
from airlag.cli.work import Working, link_title
from airlag.core import profiles
from airlag.core.quantity import UNITS, count, duration, limits, number, unit_for
from airlag.core.records import SensitiveConstant as Constant
from airlag.core.types import Link, Parameter, Settable
from airlag.questions.identity import plain
from airlag.questions.sensitivity import Sensitivity, sensitivity
from airlag.views.table import (
    Cell,
    Column,
    Paragraph,
    Table,
    Tables,
    Value,
    named,
    note,
    prose,
    time,
    word,
)


def links(
    *,
    name: str | None = None,
    worth: bool = False,
    size: Annotated[int | None, options.payload] = None,
    output: options.Sheet = None,
    work: Working,
) -> None:
    """List the link profiles, or show one: every constant, its unit and its source.

    The source of a constant is a standard, a datasheet, the source code of the measured firmware,
    a calibration on one capture, or an assumption. A range in parentheses bounds the constant.
    """
    if worth:
        if name is None:
            raise typer.BadParameter("--sensitivity needs one link, such as nrf24-2m")
        result = sensitivity(name, size)
        moves = [sensitivity_table(result, result.constants)]
        work.answer([result.to_json()], lambda: sensitivity_shown(result), output, moves)
        return
    found = [profiles.link(each) for each in _chosen(name)]
    alone = name is not None and [each["name"] for each in found] == [name]
    tables = _constants(found[0]) if alone else _families(found, size)
    shown = _profile(found[0], tables[0], size) if alone else Tables(tables)
    work.answer(found, lambda: [shown], output, tables)


def _chosen(name: str | None) -> list[str]:
    """Names of the profile, of the family, or of the profiles that match the pattern.

    Raises :class:`LinkError` if there is no match.
    """
    known = _airlag.links()
    if name is None or name in known:
        return known if name is None else [name]
    found = [each for each in known if profiles.link(each)["kind"] == name]
    found = found or _airlag.links_like(f"{name}-*") or _airlag.links_like(name)
    if not found:
        # The core's error suggests similar names.
        profiles.link(name)
    return found


def _families(found: Sequence[Link], size: int | None) -> list[Table]:
    """Table of the profiles by kind of link; with a payload, also their limits."""
    columns = [named("link", "link", style="")]
    if size is not None:
        columns.append(time("floor", UNITS[2], "floor_ns"))
        columns.append(Column("ceiling", "kbit/s", "ceiling_kbps", shown=number))
        columns.append(Column("published", "ms", "published_ns"))
    columns.append(prose("description", "about"))
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
            # Some links reject some payloads.
            floor, ceiling, about = None, None, str(error)
        figures = [each["median_ms"] for each in profile["published"] if each["size"] == size]
        yield from (floor, ceiling)
        yield Cell(f"{figures[0]:g}", round(figures[0] * 1e6)) if figures else None
    yield about


def _limits(name: str, size: int) -> tuple[int | None, float | None]:
    """Latency floor, ns, and goodput ceiling, kbit/s."""
    if _airlag.payloads(name, [size]) == [None]:
        return _floor(name, None), None
    return _floor(name, size), _airlag.link_ceiling(name, size)


def _floor(name: str, size: int | None) -> int | None:
    floor = profiles.floor(name, size)
    # Without terms, the floor of this kind of link is not modelled.
    return floor["ns"] if floor["terms"] else None


def _profile(profile: Link, constants: Table, size: int | None) -> RenderableType:
    title = Text(profile["name"], style="bold")
    title.append(f"  {profile['about']}", style="not bold")
    parts: list[RenderableType] = [title]
    if size is not None:
        parts.append(Paragraph(_limits_line(profile["name"], size)))
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


def _limits_line(name: str, size: int) -> Text:
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
        prose("description", "about"),
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
    held = f"{plain(value)} {constant['unit']}".rstrip()
    if bound is not None:
        held += f" ({limits(bound, constant['unit'])})"
    yield from (name, Cell(held, value), constant["unit"])
    yield from (Cell(about(constant), constant["about"]), " ".join(constant["choices"]))
    for ends in (constant["between"], bound):
        yield from cast("list[float | None]", ends or (None, None))
    yield from (constant["source"], constant["from"])


def about(known: Settable) -> str:
    """Description of a parameter, with its range or choices."""
    words, between = known["choices"], known["between"]
    may = [" | ".join(words)] if words else []
    if between is not None:
        may.insert(0, limits(between, known["unit"]))
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
    """Common parameters that the profile leaves at their defaults."""
    rows = [(name, each["unit"], about(each)) for name, each in known.items()]
    columns = [named("other parameters", style=""), word("unit"), prose("description")]
    return Table.of_values(columns, rows)


#: Minimum effect with a separate row, as a share: the table shows tenths of a percent.
SHOWN = 0.001
#: Terminal columns of two changes, one below the other.
NARROW = 8


def sensitivity_shown(result: Sensitivity) -> Iterator[RenderableType]:
    """Constants with an effect as a table, and the others by name."""
    yield link_title(result.link, result.size)
    yield Paragraph(_own(result))
    moving = [one for one in result.constants if one.effect is None or one.effect >= SHOWN]
    if moving:
        yield note("change of p50 and p99, where a constant is")
        yield sensitivity_table(result, moving)
    if result.chance_text is not None:
        yield note(f"variation between seeds: up to {result.chance_text}")
    still = [one for one in result.constants if one not in moving]
    if still:
        names = ", ".join(one.name for one in still)
        yield note(f"effect below 0.1 %: {names}")
    for one in result.constants:
        ends = (one.within.lowest, one.within.highest) if one.within else ()
        for side in (one.halved, one.doubled, *ends):
            if side and side.refused:
                yield Paragraph(f"refused: {side.refused}")
    if result.left_out:
        names = ", ".join(f"{one.name} ({one.why})" for one in result.left_out)
        yield note(f"cannot be halved or doubled: {names}")


def sensitivity_table(result: Sensitivity, constants: Sequence[Constant]) -> Table:
    """Effect of each constant."""
    columns = [
        named("constant", "constant"),
        prose("value", "value", least=NARROW),
        word("source", "source"),
        prose("halved", "halved", least=NARROW),
        prose("doubled", "doubled", least=NARROW),
        prose("within bounds", "in_bound", least=NARROW),
    ]
    rows = [
        (
            one.name,
            f"{one.value} {one.unit}".rstrip(),
            one.source,
            *("–" if side is None else side.text for side in (one.halved, one.doubled)),
            bounded(one),
        )
        for one in constants
    ]
    note = of_delivered(lost=result.delivery is not None and result.delivery < 1)
    return Table.of_values(columns, rows, note, {"link": result.link, "size_bytes": result.size})


def _own(result: Sensitivity) -> str:
    if result.p50_ns is None or result.p99_ns is None:
        return f"0 of {count(result.count)} delivered"
    unit = unit_for([result.p50_ns])
    return (
        f"p50 {duration(result.p50_ns, unit)} · p99 {duration(result.p99_ns, unit)} · "
        f"{count(result.count)} triggers each"
    )


def bounded(one: Constant) -> str:
    """Bound of a constant, and the largest quantile change within this bound."""
    if one.bound is None or one.within is None:
        return "–"
    change = "no deliveries" if one.within.effect is None else unsigned(one.within.effect)
    return f"{limits(one.bound, one.unit)}: {change}"


def unsigned(share: float) -> str:
    """Formats the magnitude of a change in percent."""
    rounded = f"{100 * share:.1f} %"
    return "0 %" if rounded == "0.0 %" else rounded
