"""``airlag analyze``: transfers, quantiles and findings of capture files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated

from rich.console import RenderableType

from airlag._airlag import CaptureError
from airlag.cli import options, sheet, terminal
from airlag.cli.fail_on import FailOn, failures
from airlag.cli.run_details import costs, missed, object_of
from airlag.cli.sniff import sniff_lines
from airlag.cli.summary import runs_table, side_by_side, summary
from airlag.cli.work import Work, Working, run_folder, separated
from airlag.core import payload
from airlag.core.display import short_name
from airlag.questions import store
from airlag.questions.analysis import analyze_each, distinct_names, findings_across, with_findings
from airlag.questions.charge import NOTHING
from airlag.questions.runs import Run


def analyze(
    *,
    captures: list[Path],
    output: str | None = None,
    fail_on: FailOn = None,
    work: Working,
    pairing: options.Pairing,
    column: str | None = None,
    unit: str | None = None,
    link: str | None = None,
    size: Annotated[int | None, options.payload] = None,
    deadline: options.Deadline = None,
    memory: options.Memory = None,
) -> None:
    """Report what captures contain: delivery, latency, findings and advice.

    A transfer is a rising edge of the trigger and the first rising edge of the completion before
    the next trigger. A transfer without a completion counts as lost, and has no latency.
    """
    results: list[Run | CaptureError] = []
    keep = output is not None and not sheet.is_sheet(output)
    with terminal.refusing(ValueError):
        payload.of_each([] if link is None else [link], None if size is None else [size], ())
        targets = _targets(captures, output if keep else None)
        with work.progress("analyzing", len(captures)) as step:
            each = analyze_each(
                captures,
                **pairing,
                column=column,
                unit=unit,
                link=link,
                size=size,
                keep_edges=keep,
                memory_bytes=memory,
            )
            for target, result in zip(targets, each, strict=True):
                results.append(_kept(result, target, work))
                step()
    work.until.expect(results)
    runs = [result for result in results if isinstance(result, Run)]
    work.errors += [str(result) for result in results if isinstance(result, CaptureError)]
    across = findings_across(runs)
    complete = with_findings(runs, across)

    def shown() -> Iterator[RenderableType]:
        yield from separated(
            [summary(run, *missed(run, deadline), *costs(run, NOTHING), *sniff_lines(run))]
            for run in runs
        )
        yield from side_by_side(runs, across, lambda run: short_name(run.source))

    work.show([object_of(run, deadline) for run in complete] if work.json else None, shown)
    work.table(None if keep or output is None else Path(output), [runs_table(runs)] if runs else [])
    failed = failures(fail_on, (run.to_json() for run in complete))
    work.end(f"{len(results)} of {len(captures)} captures are analyzed", found=failed)


def _targets(captures: Sequence[Path], output: str | None) -> list[Path | None]:
    """Output path of each run."""
    if output is None:
        return [None] * len(captures)
    folder = run_folder(output, len(captures), "captures")
    return [Path(output)] if folder is None else [folder / name for name in _file_names(captures)]


def _file_names(captures: Sequence[Path]) -> list[str]:
    """``12B.csv`` becomes ``12B.parquet``; folders are added to names that would be equal."""
    paths = [capture.absolute() for capture in captures]
    stems = Counter(path.with_suffix("") for path in dict.fromkeys(paths))
    stripped = [path if stems[path.with_suffix("")] > 1 else path.with_suffix("") for path in paths]
    return [f"{name.replace('/', '__')}.parquet" for name in distinct_names(stripped)]


def _kept(result: Run | CaptureError, target: Path | None, work: Work) -> Run | CaptureError:
    """Saves a run and releases its edges from memory."""
    if target is None or isinstance(result, CaptureError):
        return result
    try:
        store.save(result, target, force=work.force)
    except OSError as error:
        return CaptureError(terminal.unwritable(target, error, "path with -o"))
    work.wrote.append(target)
    return replace(result, trace=None)
