"""Report of runs as a page or picture: table, findings, charts and provenance."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np

from airlag._airlag import __version__
from airlag.core import quantity
from airlag.core.display import printable
from airlag.questions.analysis import findings_across, with_findings
from airlag.questions.capture import StrPath
from airlag.questions.compare import run_of
from airlag.questions.runs import Outcome, Run
from airlag.views.html import NAME_HAS, Html, heads, joined, options, row, table, tag
from airlag.views.pages import output, shell, tables
from airlag.views.pages.charts import CHARTS, Drawn, charts_for
from airlag.views.pages.output import drawn_svg
from airlag.views.pages.sheet import Row, Sheet
from airlag.views.pages.spec import fill, stacked
from airlag.views.run_names import names, shared

#: Latencies per run embedded in a page to compute the share beyond a deadline. Longer runs are
#: sampled at regular ranks.
CARRIED = 2000


def page(runs: Sequence[Run], title: str | None = None) -> str:
    """Returns the page of a report of at least one run. Equal runs give equal text.

    The title defaults to the run's name, or to the number of runs.
    """
    charts = charts_for(runs)
    drawn = [chart for chart in charts if chart.chart is not None]
    sheet = Sheet.of(runs)
    if title is None:
        title = sheet.rows[0].name if len(runs) == 1 else f"{len(runs)} runs"
    figures = "\n".join(
        (shell.filled("counting") if chart.name == "time" else "")
        + shell.figure(chart.name, chart.described, chart.spec)
        for chart in drawn
    )
    parts = [
        ("#summary", "Table"),
        ("#findings", "Findings"),
        *((f"#chart-{chart.name}", CHARTS[chart.name].called) for chart in drawn),
        ("#origin", "Provenance"),
    ]
    body = shell.filled(
        "report",
        title=tag("h1", title),
        controls=controls(sheet),
        summary=tables.summary(sheet),
        captures=captures(sheet),
        findings=tables.findings(sheet),
        noscript=shell.NOSCRIPT,
        figures=figures,
        left_out=_left_out(charts),
        origin=tables.origin(sheet, __version__),
        constants=tables.constants(sheet),
    )
    data = [_script_data(row) for row in sheet.rows]
    return shell.document(
        f"airlag: {title}",
        body,
        {chart.name: chart.spec for chart in drawn},
        data,
        shell.contents(parts),
    )


def _script_data(row: Row) -> dict[str, Any]:
    """Run data that the script of the page needs."""
    ordered = np.sort(row.latency)
    if len(ordered) > CARRIED:
        # Midpoints of equal rank intervals.
        ordered = ordered[((np.arange(CARRIED) + 0.5) * len(ordered) / CARRIED).astype(int)]
    return {
        "number": row.number,
        "name": row.name,
        "link": row.run.link,
        "size": row.run.size,
        "phase": row.run.config.get("phase"),
        "fates": {
            "of": row.known,
            "arrived": len(row.latency),
            "latency": [round(each, 6) for each in ordered.tolist()],
        },
    }


def _left_out(charts: Sequence[Drawn]) -> Html:
    skipped = [(CHARTS[each.name].called, each.skipped) for each in charts if each.skipped]
    lines = (joined(tag("dt", called), tag("dd", why)) for called, why in skipped)
    title = tag("h2", "Charts that do not apply")
    return joined(title, tag("dl", lines, id="left-out")) if skipped else Html()


def report(
    runs: Run | StrPath | Iterable[Run | StrPath],
    path: StrPath = "report.html",
    *,
    title: str | None = None,
    force: bool = False,
) -> Path:
    """Writes a report of runs as a self-contained page or as a picture.

    >>> airlag.report([airlag.run("nrf24-2m"), "my-capture.csv"], "report.html")

    Parameters
    ----------
    runs
        One or several runs, or capture files as accepted by :func:`airlag.analyze`.
    path
        File to write, ending in ``.html``, ``.svg`` or ``.png``. The file is written atomically.
    title
        Heading of the page. Default: derived from the runs.
    force
        Replace an existing file that airlag did not draw.

    Returns
    -------
    pathlib.Path
        The written file.

    Raises
    ------
    ValueError
        The file extension is not supported, or there is no run. The message is one line.
    CaptureError
        A capture file is unusable. The message is one line.
    FileExistsError
        The file exists, airlag did not draw it, and ``force`` is false.
    OSError
        The file cannot be written.
    """
    each = [runs] if isinstance(runs, Run | str | os.PathLike) else runs
    found = [run_of(one) for one in each]
    target = Path(path)
    write_report(with_findings(found, findings_across(found)), target, title, force=force)
    return target


def write_report(
    runs: Sequence[Run],
    path: str | os.PathLike[str],
    title: str | None = None,
    *,
    force: bool = False,
) -> None:
    """Writes a report of existing runs; see :func:`airlag.report`."""
    output.draw(path, "a report", lambda: page(runs, title), lambda: svg(runs), force=force)


#: Runs listed in the heading of a picture; the others are counted and named on the charts.
LISTED = 12


def svg(runs: Sequence[Run]) -> str:
    """Returns the charts that apply to the runs, stacked, as SVG text."""
    charts = {each.name: each.chart for each in charts_for(runs) if each.chart is not None}
    words = {"words": [{"text": "No chart applies to these runs."}]}
    drawn = charts or {"nothing": fill("nothing", {}, words)}
    return drawn_svg(stacked(drawn, "airlag report", _heading(runs), size=20, offset=24))


def _heading(runs: Sequence[Run]) -> list[str]:
    together = shared(runs)
    lines = [together] if together else []
    named = list(zip(runs, names(runs), strict=True))
    for run, name in named[:LISTED]:
        triggers = quantity.count(len(run.outcome))
        arrived = quantity.count(run.count(Outcome.DELIVERED) + run.count(Outcome.LATE))
        lines.append(
            f"{name}: {arrived} of {triggers} delivered, "
            f"{quantity.count(run.count(Outcome.LOST))} lost, "
            f"{quantity.count(run.count(Outcome.CENSORED))} censored"
        )
    if len(named) > LISTED:
        lines.append(f"and {len(named) - LISTED} more")
    return lines


#: Units of sample rates, samples per second.
_RATES = ((1e9, "GS/s"), (1e6, "MS/s"), (1e3, "kS/s"), (0.0, "S/s"))


def controls(sheet: Sheet) -> Html:
    """Returns a deadline field and, for several runs, filter fields."""
    field = {"id": "deadline", "type": "number", "min": 0, "step": "any", "inputmode": "decimal"}
    deadline = tag(
        "label", "deadline ", tag("input", **field), f" {sheet.unit.name}", class_="screen"
    )
    if len(sheet.rows) == 1:
        return tag("div", deadline, class_="controls")
    choices: dict[str, dict[object, None]] = {
        "link": dict.fromkeys(row.run.link for row in sheet.rows),
        "size": dict.fromkeys(row.run.size for row in sheet.rows),
        "phase": dict.fromkeys(row.run.config.get("phase") for row in sheet.rows),
    }
    unit = {"size": " B"}
    return tag(
        "form",
        (
            options(by, ((v, f"{v}{unit.get(by, '')}") for v in values if v is not None))
            for by, values in choices.items()
            if len(values) > 1
        ),
        NAME_HAS,
        tag("button", "all", type="reset"),
        tag("output", f"{len(sheet.rows)} runs", id="how-many"),
        deadline,
        id="filter",
        class_="controls screen",
        aria_label="Which runs are shown",
    )


def captures(sheet: Sheet) -> Html:
    """Table of capture metadata: date, sample rate and channels; empty if nothing was recorded."""
    data = [(each, line) for each in sheet.rows for line in [_recorded(each)] if line is not None]
    if not data:
        return Html()
    return table(
        "Capture metadata.",
        heads("run", "trigger", "completion", "captured", "sample rate", "lasts"),
        (row(each.name, *line, data_run=each.number) for each, line in data),
        id="captured",
    )


def _recorded(row: Row) -> tuple[str, ...] | None:
    transfers = row.run.transfers
    # Virtual runs have no capture; their channels are only names on the bench.
    if transfers is None or "settings" in row.run.config:
        return None
    trigger, completion = map(printable, row.run.channels or ("not named", "not named"))
    return (
        trigger,
        completion,
        _date(transfers.epoch_unix_ns),
        _rate(transfers.sample_rate_hz),
        quantity.duration(float(row.run.end_ns - row.run.start_ns)),
    )


def _date(epoch_unix_ns: int | None) -> str:
    if epoch_unix_ns is None:
        return "not recorded"
    try:
        return f"{datetime.fromtimestamp(epoch_unix_ns // 10**9, UTC):%Y-%m-%d %H:%M:%S} UTC"
    except (OverflowError, ValueError, OSError):
        return "out of calendar range"


def _rate(hz: float | None) -> str:
    if hz is None:
        return "not recorded"
    unit, name = next(each for each in _RATES if hz >= each[0])
    return f"{hz / (unit or 1.0):.6g} {name}"
