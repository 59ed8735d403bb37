"""A link tuned, on the terminal: what to turn, what that costs, and what comes of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.console import Group, RenderableType
from rich.text import Text

from airlag.asked import settings_in_words
from airlag.cli.paragraph import Paragraph
from airlag.cli.table import Cell, Column, Table, named, plain, prose
from airlag.quantity import count
from airlag.tuning.estimate import Estimate
from airlag.tuning.metrics import METRICS
from airlag.tuning.tuned import Setting, Tuned
from airlag.tuning.validation import FRESH

#: Settings that were turned down and are told.
TURNED_DOWN = 3


def shown(told: Tuned) -> Group:
    """All of it."""
    return Group(*_blocks(told))


def _blocks(told: Tuned) -> Iterator[RenderableType]:
    wish = told.wish
    size = [] if wish.size is None else [f"  {wish.size} B"]
    yield Text.assemble((wish.link, "bold"), *size)
    words = [aim.text for aim in wish.aims]
    words += [f"within {wish.subject_to}"] if wish.subject_to else []
    words += [wish.region.upper()] if wish.region else []
    words += settings_in_words(wish.link, wish.settings)
    yield Paragraph(Text(" · ".join(words)))
    yield Text("")
    if len(wish.aims) > 1 and told.found:
        yield front(told)
        yield from _costs(told)
    elif told.best is None:
        yield Paragraph(Text(_nothing(told), "bold"))
    elif not told.best.turned:
        yield Paragraph(Text("Nothing that was tried is better than the link as it is.", "bold"))
        yield metrics(told)
    else:
        yield turned(told.best)
        yield Text("")
        yield metrics(told)
    for one in told.turned_down[:TURNED_DOWN]:
        yield Paragraph(Text(f"turned down: {_changes(one)}: {one.refused}", "dim"))
    yield Text("")
    if told.best is not None and len(wish.aims) == 1:
        command = " ".join(told.command(told.best))
        yield Paragraph(Text(command), Text("→", "green"))
    yield Paragraph(Text(_method(told), "dim"))


def _nothing(told: Tuned) -> str:
    if told.turned_down:
        return "Nothing surely keeps the limits under fresh seeds."
    return f"Nothing of {count(len(told.tried))} settings keeps the limits."


def _changes(setting: Setting) -> str:
    return " ".join(f"{one.name}={one.value}" for one in setting.turned) or "as it is"


def _method(told: Tuned) -> str:
    of = "" if told.combinations is None else f" of {count(told.combinations)}"
    refused = sum(one.refused is not None for one in told.tried)
    cannot = f", {count(refused)} of which cannot be had" if refused else ""
    return (
        f"Chosen among {count(len(told.tried))}{of} settings{cannot}, on {count(told.runs)} "
        f"benches; measured anew under {FRESH} fresh seeds, {count(told.wish.count)} messages "
        "each, with 95 % intervals. Quantiles are of all messages, a lost one taking longer than "
        "any."
    )


def turned(setting: Setting) -> Table:
    """What to turn, from what to what, and what that costs."""
    columns = [
        named("turn", "parameter", style=""),
        Column("from", key="profile", right=False),
        Column("to", key="tuned", right=False),
        prose("gives up", "gives_up"),
    ]
    rows = [
        [plain(one.name), plain(one.profile or "–"), plain(one.value), plain(one.gives_up or "–")]
        for one in setting.turned
    ]
    return Table(columns, rows)


def metrics(told: Tuned) -> Table:
    """Every metric of the link as it is, and tuned."""
    best = told.best
    columns = [
        named("", "metric"),
        Column("unit", key="unit", hidden=True),
        *_columns("as it is", "untuned"),
        *_columns("tuned", "tuned"),
    ]
    rows = []
    for name, before in told.untuned.metrics.items():
        after = None if best is None else best.metrics[name]
        cells = [*_cells(name, before), *_cells(name, after)]
        rows.append([plain(name), plain(METRICS[name].unit), *cells])
    return Table(columns, rows)


def _columns(head: str, key: str) -> list[Column]:
    return [
        Column(head, key=key),
        Column("95 % interval", key=f"{key}_interval", right=False, style="dim"),
        *(Column(end, key=f"{key}_{end}", hidden=True) for end in ("low", "high")),
    ]


def _cells(name: str, held: Estimate | None) -> list[Cell]:
    if held is None:
        return [Cell("–"), Cell("–"), Cell(""), Cell("")]
    metric = METRICS[name]
    ends = [metric.text(end) for end in (held.low, held.high)]
    interval = f"{ends[0]} to {ends[1]}"
    return [
        Cell(metric.text(held.value), held.value),
        Cell(interval, interval),
        Cell("", held.low),
        Cell("", held.high),
    ]


def front(told: Tuned) -> Table:
    """Settings that nothing is better than, and the link as it is."""
    shown_names = [aim.metric.name for aim in told.wish.aims]
    others = [name for name in told.untuned.metrics if name not in shown_names]
    columns = [named("", "kind"), prose("settings", "settings")]
    for name in (*shown_names, *others):
        unit = METRICS[name].unit.replace("/", "_per_")
        key = f"{name}_{unit}".rstrip("_")
        columns.append(Column(name, key=key))
        columns += [Column(end, key=f"{key}_{end}", hidden=True) for end in ("low", "high")]
    columns.append(Column("gives up", key="gives_up", hidden=True))
    rows = []
    for nth, one in enumerate((told.untuned, *told.found)):
        row = [plain(str(nth) if nth else "as it is"), plain(_changes(one))]
        for name in (*shown_names, *others):
            held = one.metrics[name]
            row.append(Cell(METRICS[name].text(held.value), held.value))
            row += [Cell("", held.low), Cell("", held.high)]
        row.append(Cell("", "; ".join(_given_up(one)) or None))
        rows.append(row)
    return Table(columns, rows)


def _given_up(setting: Setting) -> list[str]:
    return list(dict.fromkeys(one.gives_up for one in setting.turned if one.gives_up))


def _costs(told: Tuned) -> Iterator[Paragraph]:
    """What the settings of a front give up, once each."""
    prices: dict[str, list[str]] = {}
    for one in told.found:
        for each in one.turned:
            if each.gives_up:
                prices.setdefault(each.gives_up, []).append(f"{each.name}={each.value}")
    if prices:
        yield Paragraph(Text(""))
    for words, settings in prices.items():
        named_once = " ".join(dict.fromkeys(settings))
        yield Paragraph(Text(f"{named_once} gives up {words}"), Text("~", "yellow"))


def tables(told: Tuned) -> Sequence[Table]:
    """What a file holds: a front, or every metric of one setting."""
    of = {"link": told.wish.link, "size_bytes": told.wish.size}
    if len(told.wish.aims) > 1:
        made = front(told)
    else:
        made = metrics(told)
        of["settings"] = "" if told.best is None else _changes(told.best)
    return [Table(made.columns, made.rows, of=of)]
