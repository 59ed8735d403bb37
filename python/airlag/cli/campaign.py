"""``airlag campaign``: every run of a file, one table, and a report."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table
from rich.text import Text

from airlag import _airlag, bench
from airlag._airlag import CaptureError, LinkError
from airlag.analysis import analyze_each, findings_across, with_findings
from airlag.bench import PHASES, Request
from airlag.campaign import Campaign, CampaignError, load
from airlag.cli import options, terminal
from airlag.cli.report import write
from airlag.quantity import number, unit_for
from airlag.run import Outcome, Run

#: Folder of captures, for the column that holds the bench against them.
CAPTURES = "AIRLAG_CAPTURES"

File = Annotated[
    Path, typer.Argument(metavar="FILE.toml", help="The campaign.", show_default=False)
]
Output = Annotated[
    Path,
    typer.Option(
        "-o", "--output", metavar="FOLDER", help="Folder of the reports; made if it is not there."
    ),
]


@dataclass(frozen=True, slots=True)
class Known:
    """What is known of a link at one size without the bench.

    Attributes
    ----------
    published_ns
        Published median latency, ns.
    captured
        ``latency_ns`` of the capture.
    """

    published_ns: int | None
    captured: dict[str, Any] | None


def campaign(file: File, output: Output = Path("reports"), json: options.Json = False) -> None:
    """Run a campaign on the virtual bench, print its table and write its reports.

    Runs with a frozen phase are for holding a model against a capture, those with a uniform one for
    what a user feels: they stand apart in the table, and each have a report of their own.
    """
    try:
        asked = load(file)
        output.mkdir(parents=True, exist_ok=True)
    except CampaignError as error:
        terminal.refuse(error)
    except OSError as blocked:
        terminal.refuse(f"-o {output}: {blocked.strerror}; expected a folder to write to")
    runs: dict[int, Run] = {}
    errors: list[str] = []
    with terminal.progress("running", len(asked.requests)) as step:
        for index, result in enumerate(bench.emulate_each(asked.requests)):
            if isinstance(result, LinkError):
                errors.append(f"{file}: {result}")
            else:
                runs[index] = replace(result, trace=None)
            step()
    done = [asked.requests[index] for index in runs]
    made = list(runs.values())
    known, unusable = _known(asked, done)
    errors += unusable
    pages = _pages(asked, made, output) if made else []
    if json:
        terminal.print_json([_object(run, known) for run in made])
    else:
        terminal.output().show(_table(made, known))
        terminal.output().show(*(Text(terminal.printable(str(page))) for page in pages))
    for line in dict.fromkeys(errors):
        terminal.complain(line)
    if errors:
        raise typer.Exit(terminal.UNUSABLE)


def _pages(asked: Campaign, runs: Sequence[Run], folder: Path) -> list[Path]:
    """One report a phase; the first phase of the campaign's ``PHASES`` has the plain name."""
    pages = []
    phases = [p for p in PHASES if any(run.config["phase"] == p for run in runs)]
    for phase in phases:
        chosen = [run for run in runs if run.config["phase"] == phase]
        name = asked.name if phase == phases[0] else f"{asked.name}-{phase}"
        pages.append(folder / f"{name}.html")
        with terminal.progress("drawing", 1):
            write(with_findings(chosen, findings_across(chosen)), pages[-1])
    return pages


def _known(
    asked: Campaign, requests: Sequence[Request]
) -> tuple[dict[tuple[str, int], Known], list[str]]:
    """What is known of each link and size, and why captures that are at hand cannot be used."""
    keys = list(dict.fromkeys((request.link, request.size) for request in requests))
    captured, unusable = _captured(asked, keys)
    found = {}
    for link, size in keys:
        profile = _airlag.link(link)
        # Where there is no message, one figure is for all sizes.
        medians = {figure["size"]: figure["median_ms"] for figure in profile["published"]}
        median_ms = medians.get(0 if profile["kind"] == "gpio" else size)
        published_ns = None if median_ms is None else round(median_ms * 1e6)
        found[link, size] = Known(published_ns, captured.get((link, size)))
    return found, unusable


def _captured(
    asked: Campaign, keys: Sequence[tuple[str, int]]
) -> tuple[dict[tuple[str, int], dict[str, Any]], list[str]]:
    """Latencies of the captures that are at hand, and what is wrong with the others."""
    folder = os.environ.get(CAPTURES)
    if not folder:
        return {}, []
    paths = {key: Path(folder) / asked.captures[key] for key in keys if key in asked.captures}
    there = {key: path for key, path in paths.items() if path.is_file()}
    found, unusable = {}, []
    for key, result in zip(there, analyze_each(list(there.values())), strict=True):
        if isinstance(result, CaptureError):
            unusable.append(str(result))
        elif result.latency is not None:
            found[key] = dict(result.latency)
    return found, unusable


def _object(run: Run, known: dict[tuple[str, int], Known]) -> dict[str, Any]:
    assert run.link is not None
    assert run.size is not None
    about = known[run.link, run.size]
    return run.to_json() | {
        "stimulus": bench.stimulus(run),
        "published_ns": about.published_ns,
        "captured_ns": about.captured,
    }


def _table(runs: Sequence[Run], known: dict[tuple[str, int], Known]) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 1, 0, 0), header_style="dim")
    table.add_column("\nlink", no_wrap=True)
    for head in ("\nB", "\n", "pub-\nlished", "cap-\ntured"):
        table.add_column(head, justify="right", no_wrap=True)
    phases = [phase for phase in reversed(PHASES) if any(r.config["phase"] == phase for r in runs)]
    for phase in phases:
        for head in (f"{phase}\np50", "\np99", "\nlost"):
            table.add_column(head, justify="right", no_wrap=True)
    by_key: dict[tuple[str, int], dict[str, list[Run]]] = {}
    for run in runs:
        assert run.link is not None
        assert run.size is not None
        by_key.setdefault((run.link, run.size), {}).setdefault(run.config["phase"], []).append(run)
    for (link, size), of_phase in by_key.items():
        # Several runs of a phase differ in period or settings, and have a line each.
        for nth in range(max(len(each) for each in of_phase.values())):
            line = [of_phase[p][nth] if nth < len(of_phase.get(p, ())) else None for p in phases]
            table.add_row(*_line(link, size, known[link, size], line))
    return table


def _line(link: str, size: int, about: Known, runs: Sequence[Run | None]) -> list[str | Text]:
    captured = None if about.captured is None else about.captured["p50"]
    medians = [run.latency["p50"] for run in runs if run is not None and run.latency is not None]
    unit = unit_for(each for each in (*medians, captured, about.published_ns) if each is not None)

    def shown(value_ns: float | None) -> str:
        return "" if value_ns is None else number(value_ns / unit.ns)

    published = "" if about.published_ns is None else f"{about.published_ns / unit.ns:g}"
    cells: list[str | Text] = [link, str(size), unit.name, published, shown(captured)]
    for run in runs:
        if run is None:
            cells += ["", "", ""]
            continue
        lost = run.count(Outcome.LOST)
        latency = run.latency or {}
        cells += [shown(latency.get("p50")), shown(latency.get("p99"))]
        cells.append(Text(str(lost), style="bold red" if lost else ""))
    return cells
