"""Runs as a page or a picture."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from airlag.questions.analysis import findings_across, with_findings
from airlag.questions.capture import StrPath
from airlag.questions.compare import run_of
from airlag.questions.runs import Run


def report(
    runs: Run | StrPath | Iterable[Run | StrPath],
    path: StrPath = "report.html",
    *,
    title: str | None = None,
    force: bool = False,
) -> Path:
    """Draws runs as a page, which needs no network, or as a picture.

    >>> airlag.report([airlag.run("nrf24-2m"), "my-capture.csv"], "report.html")

    Parameters
    ----------
    runs
        Runs, or files as :func:`airlag.analyze` takes them; one, or several side by side.
    path
        Ends in ``.html``, ``.svg`` or ``.png``. It appears complete or not at all.
    title
        What stands above a page. Default: told by its runs.
    force
        Replace a file that is there even if airlag did not draw it.

    Returns
    -------
    pathlib.Path
        What was written.

    Raises
    ------
    ValueError
        With one line, when the ending is another, or there is no run.
    CaptureError
        With one line, when a file cannot be used.
    FileExistsError
        When the file is there and not airlag's, unless ``force``.
    OSError
        When it cannot be written.
    """
    from airlag.views.pages.page import write_report

    each = [runs] if isinstance(runs, Run | str | os.PathLike) else runs
    found = [run_of(one) for one in each]
    target = Path(path)
    write_report(with_findings(found, findings_across(found)), target, title, force=force)
    return target
