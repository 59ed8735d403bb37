"""``airlag match``: comparison of a capture with the virtual bench."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

from rich.console import Group, RenderableType
from rich.text import Text

from airlag.cli import options, sheet, terminal
from airlag.cli.options import PICTURES, real, whole
from airlag.cli.run import Seed
from airlag.cli.settings import Range, Settings, pairs_of, placed
from airlag.cli.summary import of_delivered, settings_block
from airlag.cli.work import Work, Working
from airlag.core import payload
from airlag.core.display import short_name
from airlag.core.quantity import count as grouped
from airlag.core.quantity import number, unit_for
from airlag.core.records import Fate
from airlag.questions import matching, store
from airlag.questions.analysis import analyze
from airlag.questions.identity import plain as plain_value
from airlag.questions.identity import settings_in_words
from airlag.questions.matching import Match, Ranking
from airlag.questions.runs import Outcome, Run
from airlag.views.table import Cell, Column, Paragraph, Table, Value, named, word

#: File extension of saved runs.
SAVED = ".parquet"

#: Maximum candidates of a ranking shown; ``--json`` contains all.
SHOWN = 5


def match(
    *,
    capture: Path,
    link: str | None = None,
    size: Annotated[int | None, options.payload] = None,
    among: list[str] | None = None,
    without: list[str] | None = None,
    settings: Settings = None,
    distance: Range = None,
    environment: str | None = None,
    count: Annotated[int | None, whole("number of triggers", 1, 2**31 - 1, 1000)] = None,
    seed: Seed = None,
    output: Path | None = None,
    max_ks: Annotated[float | None, real("KS distance", 0, 1)] = None,
    work: Working,
    pairing: options.Pairing,
    memory: options.Memory = None,
) -> None:
    """Compare a capture with the virtual bench, or find the link that best explains the capture.

    The bench has the same trigger times as the capture. Only clock phases and clock rates are
    fitted. All other parameters keep the values of the profile.
    """
    settings = placed(settings, distance, environment)
    root = 1 if seed is None else seed
    table = output if sheet.is_sheet(output) else None
    kept = output if table is None else None
    pairs = pairs_of(settings)
    given: dict[str, object]
    if link is None:
        given = {"--set": settings, "-o": kept}
        terminal.refuse_given(given, "{} is for one link profile; choose it with --link")
    else:
        given = {"--among": among, "--except": without}
        terminal.refuse_given(given, "{} selects among several links; omit --link or {}")
    if kept is not None and kept.suffix.lower() not in (SAVED, *PICTURES):
        terminal.refuse(
            f"-o {kept}: unknown format; end it with .parquet for the run, with .svg, .png or "
            ".html for a chart, or with .csv, .md or .json for a table"
        )
    with terminal.refusing(ValueError), terminal.progress("matching", 100) as step:
        run = analyze(capture, **pairing, memory_bytes=memory)
        percent = terminal.reaching(step)
        found: Match | Ranking
        if link is None:
            many = count or matching.OF_A_RANKING
            found = matching.rank(
                run, size, count=many, seed=root, among=among, without=without, on_progress=percent
            )
        else:
            many = count or matching.COUNT
            found = matching.match(
                run, link, size, count=many, seed=root, settings=pairs, on_progress=percent
            )
        _keep(run, found, kept, work)
    known = {"size": matching.size_of(run, size)}
    # Charge is not part of a match.
    captured = {key: value for key, value in run.to_json().items() if key != "charge"}
    work.show(
        [{**captured, **known, **found.to_json()}],
        lambda: [_match(run, found) if isinstance(found, Match) else _ranking(run, found, size)],
    )
    work.table(table, _sheets(run, found))
    best = found.best if isinstance(found, Ranking) else found
    work.end(found=max_ks is not None and (best is None or best.ks > max_ks))


def _sheets(run: Run, found: Match | Ranking) -> list[Table]:
    """Tables of the output file."""
    if isinstance(found, Match):
        return [_sheet(run, found)]
    return [_candidates(run, found, found.candidates)] if found.candidates else []


def _keep(run: Run, found: Match | Ranking, output: Path | None, work: Work) -> None:
    if output is None or not isinstance(found, Match) or found.run is None:
        return
    with terminal.writing(output, "path with -o"):
        if output.suffix.lower() == SAVED:
            store.save(found.run, output, force=work.force)
        else:
            # Importing the drawing code takes longer than most matches.
            from airlag.views.pages.charts import compared
            from airlag.views.pages.output import write_chart

            chart = compared([run, found.run], found.verdict)
            write_chart("overlay", chart, output, force=work.force)
    work.wrote.append(output)


def _title(run: Run, *words: str) -> Text:
    title = Text(short_name(run.source), style="bold")
    for each in words:
        title.append(f"  {each}", style="not bold")
    return title


def _delivery(name: str, counts: Fate) -> str:
    return f"{name} delivered {grouped(counts.delivered)}, lost {grouped(counts.lost)}"


def _match(run: Run, found: Match) -> RenderableType:
    changed = {name: plain_value(value) for name, value in found.settings.items()}
    triggers = f"{grouped(found.captured.triggers)} triggers"
    if found.captured.triggers < len(run.outcome):
        triggers = f"the first {triggers} of {grouped(len(run.outcome))}"
    counts = (triggers, _delivery("captured", found.captured), _delivery("virtual", found.virtual))
    return Group(
        _title(run, *payload.words(f"against {found.link}", found.size)),
        *settings_block(settings_in_words(found.link, changed)),
        Paragraph(" · ".join(counts)),
        _quantiles(run, found),
        Paragraph(Text(found.verdict, "bold")),
        Paragraph(_agreement(found)),
        Paragraph(found.fitting),
    )


def _quantiles(run: Run, found: Match) -> Table:
    errors = found.quantile_error
    unit = unit_for([errors["p50"].captured_ns])
    # Decimals for four digits of the median and two of the largest error, but not below 1 ns.
    largest = max(abs(error.error_ns) for error in errors.values()) / unit.ns
    for_error = 1 - math.floor(math.log10(largest)) if largest > 0 else 0
    for_median = 3 - math.floor(math.log10(max(errors["p50"].captured_ns, 1.0) / unit.ns))
    decimals = min(max(for_error, for_median, 0), round(math.log10(unit.ns)))
    columns = [named(""), *(Column(name) for name in errors)]
    rows = []
    for name in ("captured", "virtual"):
        values = (getattr(error, f"{name}_ns") / unit.ns for error in errors.values())
        rows.append([Cell(f"{name} {unit.name}"), *(Cell(f"{v:.{decimals}f}") for v in values)])
    off = (Cell(f"{100 * error.error:+.2g} %", style="dim") for error in errors.values())
    rows.append([Cell("error"), *off])
    return Table(columns, rows, of_delivered(lost=_lossy(run, found)))


def _lossy(run: Run, found: Match) -> bool:
    return found.captured.lost + found.virtual.lost > 0 or run.count(Outcome.LOST) > 0


def _sheet(run: Run, found: Match) -> Table:
    """Table for a file, with one row per quantile, so that each column has one unit."""
    columns = [named("quantile", "quantile")]
    columns += [Column(name, "ns", f"{name}_ns", shown=number) for name in ("captured", "virtual")]
    columns.append(Column("error", "%", "off_percent", shown="{:+.2g}".format))
    rows = [
        (name, error.captured_ns, error.virtual_ns, 100 * error.error)
        for name, error in found.quantile_error.items()
    ]
    of: dict[str, Value] = {
        "source": run.source,
        "link": found.link,
        "size_bytes": found.size,
        "ks": found.ks,
    }
    return Table.of_values(columns, rows, of_delivered(lost=_lossy(run, found)), of)


def _agreement(found: Match) -> Text:
    text = Text(found.agreement)
    text.stylize("bold", 0, found.agreement.index(" ("))
    return text


def _plain(value: float | str | bool) -> str:
    return f"{value:.4f}" if isinstance(value, float) else str(value).lower()


def _ranking(run: Run, found: Ranking, size: int | None) -> RenderableType:
    known = matching.size_of(run, size)
    title = _title(run, *([] if known is None else [f"{known} B"]))
    parts: list[RenderableType] = [title]
    if found.reason is not None:
        parts.append(Paragraph(found.reason, Text("!", "bold yellow")))
    if found.best is not None:
        parts.append(ranked(found))
        parts.append(Paragraph(found.best.fitting))
        parts += [Paragraph(each.text) for each in found.tried]
    if found.candidates:
        parts.append(_candidates(run, found, found.candidates[:SHOWN]))
    more = len(found.candidates) - SHOWN
    words = [f"{grouped(more)} more have a larger misfit"] if more > 0 else []
    if found.impossible:
        words.append(f"{grouped(found.impossible)} cannot produce this latency")
    if found.unlike:
        words.append(f"{grouped(found.unlike)} have a different spread, whatever is fitted")
    if words:
        parts.append(Paragraph(Text(" · ".join(words), style="dim")))
    return Group(*parts)


def ranked(found: Ranking) -> Paragraph:
    """Words for the first candidate, its confidence, and the next candidate."""
    text = Text()
    best = found.candidates[0]
    text.append(", ".join(payload.words(best.link, best.size)), style="bold")
    if best.size_interval is not None:
        least, most = best.size_interval
        text.append(f" ({least} to {most} B fit about as well)" if least < most else "")
    text.append(f": {found.certainty}")
    if found.certainty is not None:
        text.append(f" ({found.certainty_text})")
    if found.next is not None:
        text.append(f"; next is {found.next.link}: {found.next.contradiction}")
    return Paragraph(text)


def _candidates(run: Run, found: Ranking, candidates: Sequence[Match]) -> Table:
    unit = unit_for([found.candidates[0].quantile_error["p50"].captured_ns])
    columns = [
        named("link", "link", style=""),
        word("set", "settings"),
        Column("size", "B", "size_bytes", absent=""),
        Column("against", key="against", shown="{:.3f}".format, absent="0.000"),
        Column("p50", unit.name, "p50_ns", shown=lambda ns: number(ns / unit.ns, 5)),
        Column("captured", unit.name, "captured_p50_ns", shown=lambda ns: number(ns / unit.ns, 5)),
    ]
    rows = []
    for each in candidates:
        middle = each.quantile_error["p50"]
        changed = " ".join(f"{name}={_plain(value)}" for name, value in each.settings.items())
        times = (middle.virtual_ns, middle.captured_ns)
        rows.append((each.link, changed, each.size, each.score, *times))
    lossy = any(_lossy(run, each) for each in candidates)
    return Table.of_values(columns, rows, of_delivered(lost=lossy), {"source": run.source})
