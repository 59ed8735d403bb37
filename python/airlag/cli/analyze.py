"""``airlag analyze``: capture files to transfers, quantiles and findings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from airlag._airlag import CaptureError
from airlag.cli import options, sheet, terminal
from airlag.cli.missed import missed, object_of
from airlag.cli.runs_table import runs_table
from airlag.cli.summary import finding_block, summary
from airlag.cli.until import Until
from airlag.core import payload
from airlag.core.display import short_name
from airlag.core.paths import is_folder
from airlag.questions import store
from airlag.questions.analysis import (
    Across,
    analyze_each,
    distinct_names,
    findings_across,
    with_findings,
)
from airlag.questions.runs import FINDINGS, Run

Output = Annotated[
    str | None,
    typer.Option(
        "-o",
        "--output",
        metavar="FILE.parquet|FOLDER/|FILE.csv",
        help="Keep every transfer and every raw edge in FILE.parquet. Several captures need a "
        "folder (ending in /, or one that exists), where each run is named after its capture. "
        "FILE.csv, .md or .json: a table of the runs, one a row.",
    ),
]


def _finding(name: str) -> str:
    if name not in FINDINGS:
        raise typer.BadParameter(f"{name!r} is no finding; expected one of {', '.join(FINDINGS)}")
    return name


FailOn = Annotated[
    list[str] | None,
    typer.Option(
        parser=_finding,
        metavar="FINDING",
        help="Exit with 1 when a run has this finding, such as lost-transfers; repeatable.",
    ),
]


def analyze(
    captures: options.Captures,
    output: Output = None,
    fail_on: FailOn = None,
    force: options.Force = False,
    json: options.Json = False,
    trigger: options.Trigger = None,
    completion: options.Completion = None,
    invert: options.Invert = None,
    min_low: options.MinLow = None,
    overlap: options.Overlap = None,
    column: options.Column = None,
    unit: options.Unit = None,
    link: options.Link = None,
    size: options.Size = None,
    deadline: options.Deadline = None,
    memory: options.Memory = None,
) -> None:
    """Say what is in captures: what arrived, how long it took, what is odd and what to do.

    A transfer is a rise of the trigger and the first rise of the completion before the next
    trigger. A trigger without one is lost: a result of its own, never a large latency.
    """
    results: list[Run | CaptureError] = []
    kept: list[Path] = []
    until = Until()
    keep = output is not None and not sheet.is_sheet(output)
    try:
        payload.of_each([] if link is None else [link], None if size is None else [size], ())
        targets = _targets(captures, output if keep else None)
        with until, terminal.progress("analyzing", len(captures)) as step:
            for target, result in zip(
                targets,
                analyze_each(
                    captures,
                    **options.pairing(trigger, completion, invert, min_low, overlap),
                    column=column,
                    unit=unit,
                    link=link,
                    size=size,
                    keep_edges=keep,
                    memory_bytes=memory,
                ),
                strict=True,
            ):
                results.append(_kept(result, target, force, kept))
                step()
    except ValueError as contradiction:
        terminal.refuse(contradiction)
    until.expect(results)
    runs = [result for result in results if isinstance(result, Run)]
    errors = [str(result) for result in results if isinstance(result, CaptureError)]
    across = findings_across(runs)
    complete = with_findings(runs, across)
    if json:
        terminal.print_json([object_of(run, deadline) for run in complete])
    else:
        _show(runs, across, deadline)
    terminal.wrote(kept, aside=json)
    if runs and output is not None and not keep:
        errors += options.write([runs_table(runs)], Path(output), force=force, aside=json)
    for error in errors:
        terminal.complain(error)
    until.tell(f"{len(results)} of {len(captures)} captures are analyzed")
    if errors:
        raise typer.Exit(terminal.UNUSABLE)
    found = {finding.name for run in complete for finding in run.findings}
    if found & set(fail_on or ()):
        raise typer.Exit(terminal.FOUND)


def _targets(captures: Sequence[Path], output: str | None) -> list[Path | None]:
    """Where each run is kept."""
    if output is None:
        return [None] * len(captures)
    folder = Path(output)
    if not (output.endswith("/") or is_folder(folder)):
        if len(captures) > 1:
            raise ValueError(
                f"-o {output} is one file for {len(captures)} captures; end it with / for a "
                "folder, or with .csv for a table"
            )
        if folder.suffix != ".parquet":
            raise ValueError(
                f"-o {output} is no run file; end it with .parquet, with / for a folder, or with "
                ".csv for a table"
            )
        return [folder]
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ValueError(f"-o {output}: {error.strerror}; expected a folder to write to") from None
    return [folder / name for name in _file_names(captures)]


def _file_names(captures: Sequence[Path]) -> list[str]:
    """``12B.csv`` is kept as ``12B.parquet``; where two would share it, their folders tell them."""
    paths = [capture.absolute() for capture in captures]
    stems = Counter(path.with_suffix("") for path in dict.fromkeys(paths))
    told = [path if stems[path.with_suffix("")] > 1 else path.with_suffix("") for path in paths]
    return [f"{name.replace('/', '__')}.parquet" for name in distinct_names(told)]


def _kept(
    result: Run | CaptureError, target: Path | None, force: bool, kept: list[Path]
) -> Run | CaptureError:
    """Saves a run; its edges need not stay in memory after that."""
    if target is None or isinstance(result, CaptureError):
        return result
    try:
        store.save(result, target, force=force)
    except OSError as error:
        return CaptureError(
            f"{target}: cannot be written ({error.strerror or error}); choose another place with -o"
        )
    kept.append(target)
    return replace(result, trace=None)


def _show(runs: Sequence[Run], across: Sequence[Across], deadline_ns: int | None) -> None:
    console = terminal.output()
    for index, run in enumerate(runs):
        if index:
            console.show("")
        console.show(summary(run, *missed(run, deadline_ns)))
    for together in across:
        names = ", ".join(short_name(runs[index].source) for index in together.runs)
        title = Text(f"Side by side: {names}", style="bold")
        console.show("", title, finding_block(together.finding))
