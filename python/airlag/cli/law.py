"""What a region says of a run, on the terminal."""

from __future__ import annotations

from collections.abc import Iterator

from rich.text import Text

from airlag.cli.paragraph import Paragraph, fact, note
from airlag.core.types import Law, Region
from airlag.questions.runs import Run

#: Said once below whatever a region says.
NO_ADVICE = (
    "Information for an engineer, not legal advice; docs/law.md says what is left out. What is "
    "unconfirmed is a limit that was not read in its document."
)
_STYLES = {"within": "green", "at the limit": "yellow", "not allowed": "bold red"}


def lawful(run: Run, region: Region | None) -> Iterator[Paragraph]:
    """What the region says of a run; without one, a word where none of them allows it."""
    if region is not None:
        if (told := run.law.get(region)) is not None:
            yield from verdict(told)
        return
    if run.law and not any(each["allowed"] for each in run.law.values()):
        airtime = max(each["airtime"] for each in run.law.values())
        names = " or ".join(each.upper() for each in run.law)
        yield fact(
            "law",
            f"not allowed like this in the {names} (airtime {percent(airtime)}); "
            f"--region {'|'.join(run.law)} says why",
        )


def verdict(told: Law) -> Iterator[Paragraph]:
    """What decides, and why no other rule helps."""
    standing = told["standing"]
    head = (f"law {told['region']}  ", "bold")
    of = f", {percent(told['airtime'])} of the time on the air: "
    yield Paragraph(Text.assemble(head, (standing, _STYLES[standing]), of, told["reason"]))
    if not told["allowed"]:
        for each in told["otherwise"]:
            yield note(f"nor by {each}")
    yield note(NO_ADVICE)


def percent(share: float) -> str:
    """A share of time."""
    return f"{100 * share:.3g} %"
