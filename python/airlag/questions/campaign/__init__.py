"""Campaigns: many runs of the virtual bench, written down in one file.

docs/campaigns.md has every key.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from airlag import _airlag
from airlag.core import payload, profiles
from airlag.core.quantity import parse_whole
from airlag.questions import campaign_question
from airlag.questions.bench import Request
from airlag.questions.campaign import runs
from airlag.questions.campaign.values import (
    LARGEST,
    MOST_RUNS,
    WrongError,
    hint,
    one_of,
    only,
    read,
    whole,
    words,
    wrong,
)
from airlag.questions.campaign_question import Published, Question, Work

_TOP = ("name", "seed", "title", "question", "x", "y", "published", "runs", "captures")


_PUBLISHED = ("cite", "at", "says")


class CampaignError(ValueError):
    """A campaign that cannot be run: one line that says where, what and what would be right."""


@dataclass(frozen=True, slots=True)
class Campaign:
    """What to run."""

    #: Name of the campaign, and of its report.
    name: str
    #: The runs, in the order of the file; no two alike.
    works: tuple[Work, ...]
    #: Capture files by link and payload, below the folder of captures.
    captures: Mapping[tuple[str, int | None], Path]
    #: What it is to answer; ``None``: a table of everything.
    question: Question | None = None

    @property
    def requests(self) -> tuple[Request, ...]:
        """The runs of a campaign of triggers."""
        return tuple(work.request for work in self.works)


def load(path: Path) -> Campaign:
    """Reads a campaign; raises :class:`CampaignError` for what cannot be read, or is not there."""
    return read(path, _campaign, CampaignError)


def _campaign(table: Mapping[str, Any], stem: str) -> Campaign:
    only(table, _TOP, "")
    name = table.get("name", stem)
    if not (isinstance(name, str) and name and name.replace("-", "").replace("_", "").isalnum()):
        wrong("", "name", name, "letters, digits, - and _")
    seed = whole(table.get("seed", 1), "", "seed", 0, 2**63 - 1)
    blocks = table.get("runs", [])
    if not (isinstance(blocks, list) and blocks and all(isinstance(b, dict) for b in blocks)):
        raise WrongError("no runs; a campaign has at least one table [[runs]]")
    names = _airlag.links()
    works: dict[str, Work] = {}
    for number, block in enumerate(blocks, 1):
        for work in runs.works(block, f"[[runs]] {number}: ", seed, names):
            works[repr(work)] = work
        if len(works) > MOST_RUNS:
            raise WrongError(f"more than {MOST_RUNS} runs; split it into several campaigns")
    every = tuple(works.values())
    asked = _question(table, name, every)
    return Campaign(name, every, _captures(table.get("captures", {}), names), asked)


def _question(table: Mapping[str, Any], name: str, works: tuple[Work, ...]) -> Question | None:
    if "question" not in table:
        for key in ("title", "x", "y", "published"):
            if key in table:
                raise WrongError(f"`{key}` belongs to a question; write `question` too")
        other = next((work.program for work in works if work.program != "trigger"), None)
        if other is not None:
            raise WrongError(f"traffic `{other}` belongs to a question; write `question` too")
        return None
    if "x" not in table or "y" not in table:
        raise WrongError("a question has `x` and `y`; say what is across and what is upright")
    turned = dict.fromkeys(key for work in works for key in work.turned)
    across = one_of(table["x"], "", "x", ["size", *turned])
    measure = one_of(table["y"], "", "y", list(campaign_question.TOLD_BY))
    for work in works:
        if across not in work.turned and not (across == "size" and work.request.size is not None):
            raise WrongError(f"`x`: {work.request.link} is run without `{across}`; give it one")
        if work.program not in campaign_question.TOLD_BY[measure]:
            tells = ", ".join(campaign_question.TOLD_BY[measure])
            raise WrongError(f"`y`: traffic `{work.program}` tells no {measure}; choose of {tells}")
    title = words(table.get("title", name), "", "title")
    text = words(table["question"], "", "question")
    return Question(title, text, across, measure, _published(table.get("published", [])))


def _published(given: object) -> tuple[Published, ...]:
    if not (isinstance(given, list) and all(isinstance(each, dict) for each in given)):
        wrong("", "published", given, "tables [[published]] with cite, at and says")
    found = []
    for number, block in enumerate(given, 1):
        where = f"[[published]] {number}: "
        only(block, _PUBLISHED, where)
        for key in _PUBLISHED:
            if key not in block:
                raise WrongError(f"{where}no `{key}`; a table has {', '.join(_PUBLISHED)}")
        cite, at, says = (words(block[key], where, key) for key in _PUBLISHED)
        known = [source["key"] for source in profiles.sources()]
        if cite not in known:
            raise WrongError(f"{where}no source `{cite}` in links/sources.toml{hint(cite, known)}")
        found.append(Published(cite, at, says))
    return tuple(found)


def _captures(given: object, names: Collection[str]) -> dict[tuple[str, int | None], Path]:
    if not isinstance(given, dict):
        wrong("", "captures", given, "a table of links")
    found: dict[tuple[str, int | None], Path] = {}
    for link, files in given.items():
        where = f"[captures.{link}]: "
        if link not in names:
            raise WrongError(f"{where}no link `{link}`{hint(link, names)}")
        if payload.of(link, 1) is None:
            if not isinstance(files, str) or "\0" in files:
                wrong("[captures]: ", link, files, 'a file, such as "gpio.csv": it has no message')
            found[link, None] = Path(files)
            continue
        if not isinstance(files, dict):
            wrong("[captures]: ", link, files, "a table of sizes and files")
        for size, file in files.items():
            bytes_ = parse_whole(size, 0, LARGEST)
            if bytes_ is None or not isinstance(file, str) or "\0" in file:
                wrong(where, size, file, 'a size and a file, such as 12 = "12B.csv"')
            found[link, bytes_] = Path(file)
    return found
