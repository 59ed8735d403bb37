"""``airlag report``: runs to a page or a picture."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from airlag._airlag import CaptureError
from airlag.cli import options, terminal
from airlag.core.display import printable
from airlag.questions.analysis import analyze_each, findings_across, with_findings
from airlag.questions.runs import Run

#: What a report can be written as.
SUFFIXES = (".html", ".svg", ".png")

Output = Annotated[
    Path,
    typer.Option(
        "-o",
        "--output",
        metavar="FILE",
        help="Page (.html) or picture (.svg, .png) to write; the name tells which.",
    ),
]


def report(
    runs: options.Captures,
    output: Output = Path("report.html"),
    force: options.Force = False,
    json: options.Json = False,
    trigger: options.Trigger = None,
    completion: options.Completion = None,
    invert: options.Invert = None,
    min_low: options.MinLow = None,
    overlap: options.Overlap = None,
    memory: options.Memory = None,
) -> None:
    """Draw runs as a page, which needs no network, or as a picture."""
    if output.suffix.lower() not in SUFFIXES:
        terminal.refuse(
            f"-o {output}: the name does not tell the format; end it with .html, .svg or .png"
        )
    found: list[Run] = []
    errors: list[CaptureError] = []
    read = analyze_each(
        runs,
        **options.pairing(trigger, completion, invert, min_low, overlap),
        memory_bytes=memory,
    )
    try:
        with terminal.progress("drawing", len(runs) + 1) as step:
            for result in read:
                if isinstance(result, Run):
                    found.append(result)
                else:
                    errors.append(result)
                step()
            if found:
                write(with_findings(found, findings_across(found)), output, force)
            step()
    except ValueError as contradiction:
        terminal.refuse(contradiction)
    for error in errors:
        terminal.complain(error)
    if found:
        if json:
            terminal.print_json([{"source": run.source, "report": str(output)} for run in found])
        else:
            terminal.output().show(Text(printable(str(output)), style="bold"))
    if errors:
        raise typer.Exit(terminal.UNUSABLE)


def write(runs: Sequence[Run], path: Path, force: bool) -> None:
    """Writes a report of runs as they are; what shows across them is in their findings."""
    from airlag.views.pages import write_report

    try:
        write_report(runs, path, force=force)
    except OSError as error:
        terminal.refuse(
            f"{path}: cannot be written ({error.strerror or error}); choose another place"
        )
