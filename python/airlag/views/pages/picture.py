"""All charts of a report as one picture, without a browser."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import vl_convert

from airlag.core import quantity
from airlag.core.display import printable
from airlag.questions.runs import Outcome, Run
from airlag.views.pages.charts import charts_for
from airlag.views.pages.spec import VEGA_LITE, Spec, fill, stacked
from airlag.views.pages.text import fitted
from airlag.views.run_names import names, shared

#: Runs the heading lists; the rest is counted, and named on the charts.
LISTED = 12


def svg(runs: Sequence[Run]) -> str:
    """The charts that apply to the runs of a report, below each other, as SVG text."""
    charts = {each.name: each.chart for each in charts_for(runs) if each.chart is not None}
    words = {"words": [{"text": "No chart applies to these runs."}]}
    drawn = charts or {"nothing": fill("nothing", {}, words)}
    return drawn_svg(stacked(drawn, "airlag report", _heading(runs), size=20, offset=24))


def drawn_svg(spec: Spec) -> str:
    """Draw a chart as SVG text that fits in any font.

    Names in it may come from hostile files: a control character is none that SVG can hold, and the
    renderer ends the whole process over one.
    """
    drawn = vl_convert.vegalite_to_svg(_cleaned(spec), vl_version=VEGA_LITE)
    return _renumbered(fitted(drawn))


def _cleaned(value: Any) -> Any:
    match value:
        case str():
            return "\n".join(map(printable, value.split("\n")))
        case dict():
            return {_cleaned(key): _cleaned(each) for key, each in value.items()}
        case list() | tuple():
            return [_cleaned(each) for each in value]
    return value


def _renumbered(drawn: str) -> str:
    """Number clip paths from 1: the renderer counts on from the last picture of the process."""
    seen: dict[str, str] = {}

    def numbered(match: re.Match[str]) -> str:
        number = seen.setdefault(match[2], str(len(seen) + 1))
        return f"{match[1]}{number}{match[3]}"

    return re.sub(r'( clip-path="url\(#clip| id="clip)(\d+)(\)"|")', numbered, drawn)


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
