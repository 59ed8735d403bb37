"""``airlag goodput``: saturated goodput of links, and time per message by class."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

from rich.console import RenderableType
from rich.text import Text

from airlag.cli import options
from airlag.cli.options import given
from airlag.cli.run import SIZES, Seed, Sizes
from airlag.cli.run_details import event_counts
from airlag.cli.settings import Changes, Spanned, is_span, span
from airlag.cli.summary import settings_block, span_table
from airlag.cli.work import Working, separated
from airlag.core.quantity import count, duration, number, share, unit_for
from airlag.core.types import Carried
from airlag.questions import load as loads
from airlag.questions.identity import RunSettings, settings_in_words
from airlag.questions.load import Goodput, sized
from airlag.views.pages.theme import MEANING
from airlag.views.table import Cell, Column, Paragraph, Table, Value, delivered, named, note, prose

#: Slices named per class; ``--json`` contains all.
NAMED = 6


def goodput(
    *,
    links: list[str],
    sizes: Sizes = None,
    messages: Annotated[int | None, options.messages] = None,
    changes: Changes,
    seed: Seed = None,
    traffic: Carried | None = None,
    output: options.Sheet = None,
    work: Working,
) -> None:
    """Measure the saturated goodput of links, and compare it with their theoretical ceiling."""
    asked = span(changes, dict.fromkeys(links, sizes or SIZES))

    def send(each: Spanned, _: object) -> Goodput:
        # Saturated links carry messages.
        assert each.size is not None
        asked = given(count=messages, seed=seed, traffic=traffic)
        return loads.saturated(each.link, each.size, settings=each.settings, **asked)

    found = work.each("sending", asked, send)

    def shown() -> Iterator[RenderableType]:
        yield from separated(map(_block, found))
        if len(found) > 1 and is_span(asked, sizes):
            yield from ("", _spanned(found))

    work.answer([each.to_json() for each in found], shown, output, map(_spent, found))


def _block(each: Goodput) -> Iterator[RenderableType]:
    yield Text.assemble((each.link, "bold"), f"  {sized(each.traffic, each.size)}")
    yield from settings_block(settings_in_words(each.link, each.settings))
    yield Paragraph(_goodput_line(each))
    if each.delivered:
        yield _spent(each)
    if each.ceiling_kbps is not None:
        yield note(_ceiling(each))
    yield from event_counts(each.incidents)


def _spanned(found: list[Goodput]) -> Table:
    """One table for all runs of a span of settings."""
    heads = [
        Column("kbit/s", key="goodput_kbps", shown=number),
        Column("of the ceiling", "%", "of_the_ceiling_percent", shown="{:.1f}".format),
        Column("delivered", key="delivery_ratio"),
    ]
    asked = [RunSettings(each.link, each.size, each.settings) for each in found]
    return span_table(asked, heads, map(_values, found))


def _values(each: Goodput) -> list[Cell | Value]:
    ceiling = each.ceiling_kbps
    part = None if ceiling is None else 100 * each.kbps / ceiling
    return [each.kbps, part, delivered(each.delivered, each.lost)]


def _goodput_line(each: Goodput) -> Text:
    if not each.delivered:
        of = "" if each.ceiling_kbps is None else f"; ceiling {number(each.ceiling_kbps)} kbit/s"
        return Text(f"no deliveries{of}", "bold red")
    parts = [Text(f"goodput {number(each.kbps)} kbit/s")]
    if each.ceiling_kbps is not None:
        part = 100 * each.kbps / each.ceiling_kbps
        parts.append(Text(f"{part:.1f} % of the ceiling of {number(each.ceiling_kbps)} kbit/s"))
    parts.append(Text(f"delivered {count(each.delivered)}"))
    parts.append(Text(f"lost {count(each.lost)}", "bold red" if each.lost else ""))
    if each.lost:
        parts[-1].append(f" = {share(each.lost, each.delivered + each.lost)}")
    return Text(" · ").join(parts)


def _spent(each: Goodput) -> Table:
    """Table of the time per message by class, with the largest slices of each class."""
    messages = max(each.delivered + each.lost, 1)
    unit = unit_for([each.elapsed_ns / messages])
    columns = [
        named("", "class"),
        Column(
            f"{unit.name} per message", key="a_message_ns", shown=lambda ns: number(ns / unit.ns)
        ),
        Column("share", "%", "share_percent"),
        prose("largest slices", "mostly"),
    ]
    rows = []
    for kind, ns in each.by_kind().items():
        slices = [one for one in each.spent if one.kind == kind and one.name != kind]
        mostly = " + ".join(one.name for one in slices[:NAMED] if 10 * one.ns >= ns)
        part = Cell(share(ns, each.elapsed_ns).removesuffix(" %"), 100 * ns / each.elapsed_ns)
        rows.append((Cell(MEANING[kind], kind), ns / messages, part, mostly))
    of: dict[str, Value] = {
        "link": each.link,
        "size_bytes": each.size,
        "traffic": each.traffic,
        "settings": " ".join(settings_in_words(each.link, each.settings)),
        "goodput_kbps": each.kbps,
        "ceiling_kbps": each.ceiling_kbps,
        "delivered": each.delivered,
        "lost": each.lost,
    }
    return Table.of_values(columns, rows, of=of)


def _ceiling(each: Goodput) -> str:
    unit = unit_for([term.count * term.each_ns for term in each.ceiling_terms])
    terms = " + ".join(
        f"{term.count} × {term.name} ({duration(term.each_ns, unit)})"
        for term in each.ceiling_terms
    )
    many = each.ceiling_messages
    takes = "one message takes" if many == 1 else f"{count(many)} messages take"
    without = " and ".join(each.ceiling_without)
    return f"ceiling{without and f' without {without}'}: {takes} {terms}"
