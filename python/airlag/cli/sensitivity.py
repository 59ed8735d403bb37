"""What the assumptions of a link are worth, on the terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.console import RenderableType
from rich.text import Text

from airlag.cli.paragraph import Paragraph, note
from airlag.cli.summary import of_delivered
from airlag.cli.table import Table, named, prose, word
from airlag.core.quantity import count, duration, number, unit_for
from airlag.core.records import Changed
from airlag.core.records import SensitiveConstant as Constant
from airlag.questions.sensitivity import Sensitivity

#: What changes less, as a share, gets no row: the table shows tenths of a percent.
SHOWN = 0.001
#: Columns of a terminal that two changes take, one below the other.
NARROW = 8


def shown(told: Sensitivity) -> Iterator[RenderableType]:
    """The constants that move something as a table, and the others by name."""
    size = [] if told.size is None else [f"  {told.size} B"]
    yield Text.assemble((told.link, "bold"), *size)
    yield Paragraph(_own(told))
    moving = [one for one in told.constants if one.effect is None or one.effect >= SHOWN]
    if moving:
        yield note("p50 and p99 move, where a constant is")
        yield table(told, moving)
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


def table(told: Sensitivity, constants: Sequence[Constant]) -> Table:
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
