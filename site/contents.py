"""Navigation of the site: its sections, and the pages of each.

A page is named by its path without extension, as it lies in the repository. Folders named in
``FOLDERS`` list their pages below their README. A page that no section names goes to the last one,
so that a new page is never missing from the site.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

#: Page at the root of the site; README.md is staged under this name.
HOME = "index"

#: Pages of each section, in order.
SECTIONS: Mapping[str, Sequence[str]] = {
    "Start here": ("docs/start", "docs/studio", "docs/choosing", "docs/glossary"),
    "Tutorials": (
        "docs/follow-one-packet",
        "docs/notebooks/capture-to-findings",
        "docs/notebooks/choose-a-link",
        "docs/notebooks/sweep-an-interval",
        "docs/notebooks/which-interval",
    ),
    "How-to guides": (
        "docs/matching",
        "docs/tuning",
        "docs/load",
        "docs/capacity",
        "docs/sweeps",
        "docs/campaigns",
        "docs/emulate",
        "docs/probe",
        "docs/record",
        "docs/boards",
        "docs/sniffs",
        "docs/bench",
        "docs/tunnel",
        "docs/rpc",
        "docs/openthread",
        "firmware/stm32f429/README",
        "firmware/rp2040/README",
        "firmware/nrf52840/README",
        "firmware/esp32c6/README",
        "firmware/avr/README",
    ),
    "Reference": (
        "docs/commands",
        "docs/python",
        "docs/python-reference",
        "docs/json",
        "docs/json-reference",
        "docs/links/README",
        "docs/findings",
        "docs/formats",
        "docs/runs",
        "docs/exit-codes",
        "docs/sources",
    ),
    "Explanations": (
        "docs/numbers",
        "docs/validation",
        "docs/write-ups",
        "docs/range",
        "docs/neighbours",
        "docs/law",
        "docs/energy",
        "docs/tunnel-bench",
        "docs/tunnel-security",
        "docs/rpc-speed",
        "docs/rpc-security",
        "docs/questions/README",
    ),
    "Project": ("CONTRIBUTING", "CHANGELOG", "SECURITY", "CODE_OF_CONDUCT"),
}

#: Folders whose pages are listed below their README.
FOLDERS = ("docs/links", "docs/questions")


def sections(pages: Sequence[str]) -> Mapping[str, Sequence[str]]:
    """Pages of each section; ``pages`` are all that exist."""
    present = {
        name: [each for each in listed if each in pages] for name, listed in SECTIONS.items()
    }
    placed = {HOME, *(each for listed in present.values() for each in listed)}
    for folder in FOLDERS:
        placed |= set(below(folder, pages))
    present["Project"] += [each for each in pages if each not in placed]
    return present


def below(folder: str, pages: Sequence[str]) -> list[str]:
    """Pages of a folder without its README, in alphabetical order."""
    return sorted(
        each for each in pages if each.startswith(f"{folder}/") and each != f"{folder}/README"
    )


def toctree(pages: Sequence[str], caption: str = "") -> str:
    """A hidden table of contents: it makes the navigation and prints nothing."""
    lines = ["```{toctree}", ":hidden:", *([f":caption: {caption}"] if caption else []), ""]
    return "\n".join([*lines, *(f"/{each}" for each in pages), "```", ""])
