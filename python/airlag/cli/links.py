"""``airlag links``: the link profiles, and where every constant of one comes from.

With ``--sensitivity``: how far the assumptions of one move its latencies.
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
from airlag.cli.work import Working, titled
from airlag.core import profiles
from airlag.core.quantity import UNITS, count, duration, number, unit_for
from airlag.core.records import Changed
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

    A constant is from a standard, a datasheet or the source of the firmware that was measured; or
    it is calibrated on one capture, or assumed. Ends in parentheses bound what it may be.
    """
    if worth:
        if name is None:
            raise typer.BadParameter("--sensitivity is of one link; name it, such as nrf24-2m")
        told = sensitivity(name, size)
        moves = [sensitivity_table(told, told.constants)]
        work.answer([told.to_json()], lambda: sensitivity_shown(told), output, moves)
        return
    found = [profiles.link(each) for each in _chosen(name)]
    alone = name is not None and [each["name"] for each in found] == [name]
    tables = _constants(found[0]) if alone else _families(found, size)
    shown = _profile(found[0], tables[0], size) if alone else Tables(tables)
    work.answer(found, lambda: [shown], output, tables)


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
    held = f"{plain(value)} {constant['unit']}".rstrip()
    if bound is not None:
        span = between(bound)
        held += f" ({span})"
    yield from (name, Cell(held, value), constant["unit"])
    yield from (Cell(about(constant), constant["about"]), " ".join(constant["choices"]))
    for ends in (constant["between"], bound):
        yield from cast("list[float | None]", ends or (None, None))
    yield from (constant["source"], constant["from"])


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


#: What changes less, as a share, gets no row: the table shows tenths of a percent.
SHOWN = 0.001
#: Columns of a terminal that two changes take, one below the other.
NARROW = 8


def sensitivity_shown(told: Sensitivity) -> Iterator[RenderableType]:
    """The constants that move something as a table, and the others by name."""
    yield titled(told.link, told.size)
    yield Paragraph(_own(told))
    moving = [one for one in told.constants if one.effect is None or one.effect >= SHOWN]
    if moving:
        yield note("p50 and p99 move, where a constant is")
        yield sensitivity_table(told, moving)
    if (chance := by_chance(told)) is not None:
        yield note(f"another seed moves them by up to {chance}")
    still = [one for one in told.constants if one not in moving]
    if still:
        names = ", ".join(one.name for one in still)
        yield note(f"move neither by 0.1 %: {names}")
    for one in told.constants:
        ends = (one.within.lowest, one.within.highest) if one.within else ()
        for side in (one.halved, one.doubled, *ends):
            if side and side.refused:
                yield Paragraph(f"refused: {side.refused}")
    if told.left_out:
        names = ", ".join(f"{one.name} ({one.why})" for one in told.left_out)
        yield note(f"have no half and no double: {names}")


def sensitivity_table(told: Sensitivity, constants: Sequence[Constant]) -> Table:
    """What each constant is worth."""
    columns = [
        named("constant", "constant"),
        prose("value", "value", least=NARROW),
        word("source", "source"),
        prose("halved", "halved", least=NARROW),
        prose("doubled", "doubled", least=NARROW),
        prose("in bound", "in_bound", least=NARROW),
    ]
    rows = [
        (
            one.name,
            f"{one.value} {one.unit}".rstrip(),
            one.source,
            *(change(told, side) for side in (one.halved, one.doubled)),
            bounded(one),
        )
        for one in constants
    ]
    note = of_delivered(lost=told.delivery is not None and told.delivery < 1)
    return Table.of_values(columns, rows, note, {"link": told.link, "size_bytes": told.size})


def _own(told: Sensitivity) -> str:
    if told.p50_ns is None or told.p99_ns is None:
        return f"nothing arrives of {count(told.count)}"
    unit = unit_for([told.p50_ns])
    return (
        f"p50 {duration(told.p50_ns, unit)} · p99 {duration(told.p99_ns, unit)} · "
        f"{count(told.count)} triggers each"
    )


def change(told: Sensitivity, side: Changed | None) -> str:
    """By how much the quantiles move, and delivery where it does."""
    if side is None:
        return "–"
    if side.refused is not None:
        return "refused"
    if side.p50_ns is None or side.p99_ns is None:
        return "nothing arrives"
    if told.p50_ns is None or told.p99_ns is None:
        return "something arrives"
    text = f"{percent(side.p50_ns / told.p50_ns - 1)}, {percent(side.p99_ns / told.p99_ns - 1)}"
    if side.delivery is not None and side.delivery != told.delivery:
        text += f"; delivered {number(100 * side.delivery, 3)} %"
    return text


def between(ends: Sequence[object]) -> str:
    """The two ends of a bound."""
    return f"{ends[0]} to {ends[1]}"


def by_chance(told: Sensitivity) -> str | None:
    """By how much another seed moves the quantiles; ``None`` where with one nothing arrives."""
    if told.chance_p50 is None or told.chance_p99 is None:
        return None
    return f"{unsigned(told.chance_p50)}, {unsigned(told.chance_p99)}"


def bounded(one: Constant) -> str:
    """The bound of a constant, and by how much the quantiles move within it."""
    if one.bound is None or one.within is None:
        return "–"
    if one.within.effect is None:
        return f"{between(one.bound)}: nothing arrives"
    return f"{between(one.bound)}: {unsigned(one.within.effect)}"


def percent(share: float) -> str:
    """A signed change in percent."""
    rounded = f"{100 * share:+.1f} %"
    return "0 %" if rounded in ("+0.0 %", "-0.0 %") else rounded


def unsigned(share: float) -> str:
    """A change in percent, whichever way."""
    return percent(share).lstrip("+")
