"""What the terminal tells of radios that stand apart, and of the places they were run at."""

from __future__ import annotations

from collections.abc import Iterator

from rich.text import Text

from airlag.cli.paragraph import Paragraph
from airlag.core.quantity import percent
from airlag.core.types import Apart, Places
from airlag.questions.runs import Run


def stand(run: Run) -> Iterator[Paragraph]:
    """How far the radios stand apart, in what, and how places differ."""
    told = run.apart
    if told is None:
        return
    text = Text.assemble((f"{told['range_m']:g} m apart, {told['environment']}", "bold"))
    if told["fade_margin_db"] is not None:
        text.append(f" · fade margin {told['fade_margin_db']:.1f} dB")
    places = told["places"]
    if places is None:
        text.append(" · one place")
    else:
        text.append(f" · {places['count']} places, {told['shadowing_db']:g} dB deviation")
    yield Paragraph(text)
    if places is not None:
        yield Paragraph(_delivery(told, places))


def _delivery(told: Apart, places: Places) -> Text:
    shares, keep = places["shares"], places["keep"]
    parts = [
        f"a place delivers {percent(shares['p50'])} (p10 {percent(shares['p10'])}, "
        f"p90 {percent(shares['p90'])})",
        f"{keep['count']} of {places['count']} deliver {percent(told['delivered'])} "
        f"({interval(keep['interval95'])})",
        f"all places {interval(places['mean_interval95'])}",
        "latencies of all places together",
    ]
    return Text(" · ").join(map(Text, parts))


def interval(ends: list[float]) -> str:
    """The ends of a share's interval, in percent."""
    low, high = ends
    return f"{percent(low).removesuffix(' %')}–{percent(high)}"
