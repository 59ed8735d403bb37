"""``airlag report``: runs to a page or a picture."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

from rich.text import Text

from airlag.cli import options, terminal
from airlag.cli.options import option
from airlag.cli.work import PICTURES, Work
from airlag.core.display import printable
from airlag.questions.analysis import analyze_each, findings_across, with_findings
from airlag.questions.runs import Run

OUTPUT = option(
    "-o --output FILE", "Page (.html) or picture (.svg, .png) to write; the name tells which."
)


def report(
    runs: options.Captures,
    output: Annotated[Path, OUTPUT] = Path("report.html"),
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
    if output.suffix.lower() not in PICTURES:
        terminal.refuse(
            f"-o {output}: the name does not tell the format; end it with .html, .svg or .png"
        )
    work = Work(force=force, json=json)
    found: list[Run] = []
    pairing = options.pairing(trigger, completion, invert, min_low, overlap)
    with terminal.refusing(ValueError), terminal.progress("drawing", len(runs) + 1) as step:
        for result in analyze_each(runs, **pairing, memory_bytes=memory):
            if isinstance(result, Run):
                found.append(result)
            else:
                work.errors.append(str(result))
            step()
        if found:
            write(with_findings(found, findings_across(found)), output, force)
        step()
    if found:
        work.show(
            [{"source": run.source, "report": str(output)} for run in found],
            lambda: [Text(printable(str(output)), "bold")],
        )
    work.end()


def write(runs: Sequence[Run], path: Path, force: bool) -> None:
    """Writes a report of runs as they are; what shows across them is in their findings."""
    from airlag.views.pages import write_report

    with terminal.writing(path):
        write_report(runs, path, force=force)
