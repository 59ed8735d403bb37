"""The browser's core answers as the extension does, byte for byte, for every profile."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from airlag import LinkError, _airlag
from peers import absent, program

ROOT = Path(__file__).parents[3]
CORE = ROOT / "studio" / "dist" / "core"
#: Parts of the profiles, each asked in a test of its own.
PARTS = 4

pytestmark = pytest.mark.peers


def answers(questions: list[str]) -> list[dict[str, str]]:
    """The answers of the core for a browser, or its errors."""
    node = program("node", "nodejs")
    if not CORE.is_dir():
        absent("no studio: make studio")
    script = Path(__file__).with_name("answers.mjs")
    told = subprocess.run(
        [node, script, CORE], input=json.dumps(questions), capture_output=True, text=True
    )
    assert told.returncode == 0, told.stderr
    found: list[dict[str, str]] = json.loads(told.stdout)
    return found


def expected(question: str) -> dict[str, str]:
    try:
        return {"json": _airlag.ask(question).json}
    except (LinkError, ValueError) as error:
        return {"error": str(error)}


def profiles() -> dict[str, str]:
    """Every profile, with the kind of its link."""
    listed: list[dict[str, Any]] = json.loads(_airlag.ask('{"question":"links"}').json)
    return {one["name"]: one["kind"] for one in listed}


def answered(names: list[str], **size: int) -> list[str]:
    """The profiles that run with `size`. The core and the extension answer, or refuse, alike."""
    questions = [
        json.dumps({"question": "run", "link": link, "count": 300, **size}) for link in names
    ]
    told = answers(questions)
    differing = [
        question
        for question, answer in zip(questions, told, strict=True)
        if answer != expected(question)
    ]
    assert not differing
    return [name for name, answer in zip(names, told, strict=True) if "json" in answer]


@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("size", [12, 128, 1_024])
def test_every_profile(size: int, part: int) -> None:
    names = list(profiles())[part::PARTS]
    # Most links carry each size.
    assert len(answered(names, size=size)) > len(names) / 2


def test_every_profile_without_a_size() -> None:
    """A fixture without packets is the only link that needs no size."""
    kinds = profiles()
    assert answered(list(kinds)) == [name for name, kind in kinds.items() if kind == "gpio"]


@pytest.mark.parametrize(
    "question",
    [
        {"question": "links"},
        {"question": "sources"},
        {"question": "explain", "link": "nrf24-2m", "size": 128, "count": 300},
        {"question": "goodput", "link": "espnow", "size": 200},
        {
            "question": "run",
            "link": "ble-nus-notify",
            "size": 20,
            "region": "eu",
            "battery": "CR2032",
        },
        {
            "question": "compare-runs",
            "a": {"link": "espnow", "size": 12, "count": 100},
            "b": {"link": "nrf24-2m", "size": 128, "count": 100},
        },
        {"question": "run", "link": "nrf24-2n", "size": 12},
        {"question": "run", "sise": 12, "link": "espnow"},
    ],
    ids=lambda question: question["question"],
)
def test_other_questions_and_errors(question: dict[str, Any]) -> None:
    text = json.dumps(question)
    assert answers([text]) == [expected(text)]
