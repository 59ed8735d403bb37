"""``airlag campaign``: runs listed in a file, as a table and reports."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

from rich.console import RenderableType
from rich.text import Text

from airlag._airlag import CaptureError, LinkError
from airlag.cli import options, sheet, terminal
from airlag.cli.question import answered
from airlag.cli.run_details import object_of
from airlag.cli.work import Work, Working
from airlag.core import profiles
from airlag.core.display import printable
from airlag.core.paths import is_file
from airlag.core.types import CampaignRun
from airlag.questions import bench, matching, store
from airlag.questions.analysis import analyze_each
from airlag.questions.bench import PHASES
from airlag.questions.campaign import Campaign, CampaignError, load
from airlag.questions.runs import Run
from airlag.views.campaign_results import HEADS, LEGEND, Key, Reference, Results, key_of, tables
from airlag.views.table import Paragraph, Tables

#: Environment variable with the folder of the captures to compare with.
CAPTURES = "AIRLAG_CAPTURES"
#: Maximum triggers of a capture that are compared.
MATCHED = 1000


def campaign(
    *,
    file: Path,
    output: Path = Path("reports"),
    match: bool = False,
    keep: bool = False,
    work: Working,
    memory: options.Memory = None,
) -> None:
    """Run a campaign on the virtual bench, print its table and write its reports.

    Runs with a frozen phase are for comparison with captures. Runs with a uniform phase show the
    latency that users experience. The table has columns for both phases. FOLDER/NAME.html has the
    table and a chart of each family of links. FOLDER/NAME/ has reports of every transfer. If the
    campaign asks a question, FOLDER/NAME.html contains question, chart, table and answer.
    """
    sheet_file = output if sheet.is_sheet(output) else None
    if sheet_file is not None and keep:
        terminal.refuse(f"-o {output} is a table; --keep needs a folder, such as -o reports")
    try:
        asked = load(file)
        kept = output / asked.name if keep else None
        if sheet_file is None:
            (kept or output).mkdir(parents=True, exist_ok=True)
    except CampaignError as error:
        terminal.refuse(error)
    except OSError as blocked:
        terminal.refuse(f"-o {output}: {blocked.strerror}; expected a folder to write to")
    if asked.question is not None:
        why = f"{file} has a `question`; {{}} applies only to campaigns without one"
        terminal.refuse_given({"--match": match, "--keep": keep}, why)
        answered(file, asked, asked.question, output, work)
        return
    made: list[Run] = []
    with work.progress("running", len(asked.requests)) as step:
        for request, result in zip(asked.requests, bench.emulate_each(asked.requests), strict=True):
            if isinstance(result, LinkError):
                work.errors.append(f"{file}: {result}")
            else:
                # Campaigns are one-way.
                (run,) = result
                if kept is not None:
                    _save(run, kept / bench.file_name(request), work)
                made.append(replace(run, trace=None))
            step()
    work.until.expect(made)
    # An interrupted campaign only prints its table.
    known, unusable = _references(asked, made, match, memory, held=work.until.stopped is None)
    work.errors += unusable
    results = Results.of(made, known)
    page = None
    if made and work.until.stopped is None and sheet_file is None:
        with work.until, terminal.writing(output / f"{asked.name}.html"):
            page = _page(asked, results, output, work.force)
    if work.json and page is not None:
        work.wrote.append(page)
    work.finished = f"{len(made)} of {len(asked.requests)} runs are finished"
    answer = [_object(run, known) for run in made] if work.json else None
    work.answer(answer, lambda: _shown(results, page), sheet_file, tables(results))


def _shown(results: Results, page: Path | None) -> Iterator[RenderableType]:
    yield from (Tables(tables(results)), "", Paragraph(Text(LEGEND, style="dim")), "")
    if page is not None:
        yield Text(printable(str(page)), style="bold")


def _save(run: Run, path: Path, work: Work) -> None:
    try:
        store.save(run, path, force=work.force)
    except OSError as error:
        work.errors.append(terminal.unwritable(path, error, "-o"))


def _page(asked: Campaign, results: Results, folder: Path, force: bool) -> Path:
    """Writes the page of a campaign, and one report per family and phase."""
    from airlag.views.pages.campaign import write_campaign
    from airlag.views.pages.page import write_report

    page = folder / f"{asked.name}.html"
    reports: dict[str, list[tuple[str, str]]] = {}
    chosen = [
        (family, phase, [line.runs[phase] for line in lines if phase in line.runs])
        for family, lines in results.families.items()
        for phase in PHASES
    ]
    (folder / asked.name).mkdir(exist_ok=True)
    with terminal.progress("drawing", len(chosen) + 1) as step:
        for family, phase, runs in chosen:
            if runs:
                name = family if phase == "uniform" else f"{family}-{phase}"
                path = folder / asked.name / f"{name}.html"
                write_report(runs, path, f"{family}, {HEADS[phase]}", force=force)
                where = (HEADS[phase], f"{asked.name}/{name}.html")
                reports.setdefault(family, []).append(where)
            step()
        write_campaign(asked.name, results, reports, page, force=force)
        step()
    return page


def _references(
    asked: Campaign, runs: Sequence[Run], match: bool, memory: int | None, *, held: bool
) -> tuple[dict[Key, Reference], list[str]]:
    """Returns reference figures for these runs, and the errors of unusable captures.

    Captures are compared only if ``held`` is true.
    """
    keys = list(dict.fromkeys(map(key_of, runs)))
    bare = list(dict.fromkeys((link, size) for link, size, _ in keys))
    captured, unusable = _captured(asked, bare if held else (), memory)
    matched: dict[tuple[str, int | None], Run] = {}
    if match:
        matched, unmatched = _matched(captured)
        unusable += unmatched
    found = {}
    for link, size, settings in keys:
        profile = profiles.link(link)
        # Published figures and fits apply to the unchanged profile only.
        as_is = not settings
        figures = {figure["size"]: figure for figure in profile["published"] if as_is}
        published = figures.get(size)
        # Without terms, the floor of this kind of link is not modelled.
        floor = profiles.floor(link, size, dict(settings))
        floor_ns = floor["ns"] if floor["terms"] else None
        found[link, size, settings] = Reference(
            profile["kind"],
            None if published is None else round(published["median_ms"] * 1e6),
            None if published is None else published["from"],
            captured.get((link, size)),
            matched.get((link, size)) if as_is else None,
            floor_ns,
        )
    return found, unusable


def _captured(
    asked: Campaign, keys: Sequence[tuple[str, int | None]], memory: int | None
) -> tuple[dict[tuple[str, int | None], Run], list[str]]:
    """Returns the available captures, and the errors of unusable ones."""
    folder = os.environ.get(CAPTURES)
    if not folder:
        return {}, []
    paths = {key: Path(folder) / asked.captures[key] for key in keys if key in asked.captures}
    at_hand = {key: path for key, path in paths.items() if is_file(path)}
    found, unusable = {}, []
    for key, result in zip(
        at_hand, analyze_each(list(at_hand.values()), memory_bytes=memory), strict=True
    ):
        if isinstance(result, CaptureError):
            unusable.append(str(result))
        else:
            found[key] = result
    return found, unusable


def _matched(
    captured: Mapping[tuple[str, int | None], Run],
) -> tuple[dict[tuple[str, int | None], Run], list[str]]:
    """Returns virtual runs at the trigger times of each capture, and their errors."""
    found, unmatched = {}, []
    with terminal.progress("matching", len(captured)) as step:
        for (link, size), capture in captured.items():
            try:
                run = matching.match(capture, link, size, count=MATCHED).run
            except LinkError as error:
                unmatched.append(str(error))
            else:
                assert run is not None
                found[link, size] = replace(run, trace=None)
            step()
    return found, unmatched


def _object(run: Run, known: Mapping[Key, Reference]) -> CampaignRun:
    about = known[key_of(run)]
    latency = None if about.captured is None else about.captured.latency
    matched = None if about.matched is None else about.matched.latency
    entry: dict[str, Any] = {
        **object_of(run, None),
        "published_ns": about.published_ns,
        "published_from": about.published_from,
        "captured_ns": latency,
        "matched_ns": matched,
        "floor_ns": about.floor_ns,
    }
    return cast("CampaignRun", entry)
