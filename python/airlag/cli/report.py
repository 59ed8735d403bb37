"""``airlag report``: runs as a page or a picture."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

from rich.text import Text

from airlag.cli import options, terminal
from airlag.cli.work import Working
from airlag.core.display import printable
from airlag.questions.analysis import analyze_each, findings_across, with_findings
from airlag.questions.runs import Run


def report(
    *,
    runs: list[Path],
    output: Annotated[Path, options.written_as(*options.PICTURES)] = Path("report.html"),
    work: Working,
    pairing: options.Pairing,
    memory: options.Memory = None,
) -> None:
    """Draw runs as a self-contained page or as a picture."""
    found: list[Run] = []
    with terminal.refusing(ValueError), terminal.progress("drawing", len(runs) + 1) as step:
        for result in analyze_each(runs, **pairing, memory_bytes=memory):
            if isinstance(result, Run):
                found.append(result)
            else:
                work.errors.append(str(result))
            step()
        if found:
            write(with_findings(found, findings_across(found)), output, work.force)
        step()
    if found:
        work.show(
            [{"source": run.source, "report": str(output)} for run in found],
            lambda: [Text(printable(str(output)), "bold")],
        )
    work.end()


def write(runs: Sequence[Run], path: Path, force: bool) -> None:
    """Writes a report of existing runs. Their findings already include those across runs."""
    from airlag.views.pages.page import write_report

    with terminal.writing(path):
        write_report(runs, path, force=force)
