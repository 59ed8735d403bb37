"""The page of an explained run: its picture, what to change, and the numbers behind it."""

from __future__ import annotations

from html import escape

from airlag._airlag import __version__
from airlag.core import payload, quantity
from airlag.questions.budget import Advice, Explained
from airlag.views.advice import steps
from airlag.views.pages import theme
from airlag.views.slice_colours import COLOURS


def page(told: Explained, picture: str, advice: Advice | None) -> str:
    """The picture with the table behind it, in one file that asks the network for nothing.

    Parameters
    ----------
    told
        A run that delivered something.
    picture
        As SVG text.
    advice
        What to change; ``None``: nobody asked.
    """
    assert told.budget is not None
    budget, unit = told.budget, quantity.unit_for([told.budget.median.latency_ns])

    def cells(*values: float) -> str:
        return "".join(f"<td>{quantity.number(value / unit.ns)}</td>" for value in values)

    rows = "".join(
        f'<tr><th><i style="background:{COLOURS[item.kind]}"></i>{escape(item.name)}</th>'
        + cells(
            item.mean_ns,
            budget.median.spent_ns(item.name, item.kind),
            budget.p99.spent_ns(item.name, item.kind),
        )
        + "</tr>"
        for item in budget.items
    )
    total = cells(budget.mean_ns, budget.median.latency_ns, budget.p99.latency_ns)
    terms = "".join(
        f"<li>{escape(term.name)}: {term.count} × "
        f"{quantity.duration(term.each_ns, quantity.unit_for([term.each_ns]))} "
        f"({escape(term.source)})</li>"
        for term in told.floor.terms
    )
    title = escape(f"airlag: {', '.join(payload.words(told.request.link, told.request.size))}")
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="generator" content="airlag {escape(__version__)}">
<title>{title}</title>
<style>
:root {{ color-scheme: light dark; }}
@media (prefers-color-scheme: dark) {{ body {{ background: {theme.PAPER_IN_THE_DARK}; }} }}
body {{ max-width: 840px; margin: 0 auto; padding: clamp(10px, 3vw, 20px);
  font: 15px/1.5 Arial, sans-serif; }}
figure, .scroll {{ margin: 0 0 12px; overflow-x: auto; }}
svg {{ max-width: 100%; min-width: 640px; height: auto; }}
li, p {{ overflow-wrap: anywhere; }}
code {{ font-weight: bold; }}
.quiet {{ opacity: 0.75; }}
table {{ border-collapse: collapse; font-size: 13px; font-variant-numeric: tabular-nums; }}
th, td {{ padding: 3px 12px 3px 0; text-align: right; border-top: 1px solid #8885; }}
th {{ text-align: left; font-weight: normal; }}
i {{ display: inline-block; width: 11px; height: 11px; margin-right: 7px; }}
</style>
</head>
<body>
<figure tabindex="0" role="img" aria-label="{title}: where the time goes">{picture}</figure>
{_advice(advice, told)}<div class="scroll"><table>
<tr><th>{unit.name}</th><td>mean</td><td>median</td><td>p99</td></tr>
{rows}
<tr><th>sum</th>{total}</tr>
</table></div>
<h2>The floor: {quantity.duration(told.floor.ns, unit)}</h2>
<ul>{terms}</ul>
</body>
</html>
"""


def _advice(advice: Advice | None, told: Explained) -> str:
    """What to change, a line each; how it was found below."""
    if advice is None:
        return ""
    items, notes = [], []
    for step in steps(advice, told.floor):
        if step.lead:
            items.append(
                f"<li>{escape(step.lead)}: <code>{escape(step.settings)}</code><br>"
                f"{escape(step.says)}</li>"
            )
        else:
            quiet = ' class="quiet"' if step.kind == "method" else ""
            notes.append(f"<p{quiet}>{escape(step.says)}</p>")
    changes = f"<ul>{''.join(items)}</ul>" if items else ""
    return f'<section id="advice"><h2>What to change</h2>{changes}{"".join(notes)}</section>\n'
