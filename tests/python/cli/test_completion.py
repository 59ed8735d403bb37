"""Completions of shells, and that neither they nor ``airlag --help`` load unneeded modules."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from runpy import run_path

import pytest

from airlag import _airlag
from airlag.cli import completion, overview
from airlag.cli.overview import SUMMARIES
from airlag.core import profiles
from peers import program

DOCS = Path(__file__).resolve().parents[3] / "docs"
#: What takes long to load, and what none of this needs.
HEAVY = (
    "typer",
    "rich",
    "numpy",
    "polars",
    "vl_convert",
    "airlag.questions.runs",
    "airlag.questions.bench",
)


def offered(line: str) -> list[str]:
    """What may end a line, as fish is told."""
    *before, word = line.split(" ")[1:]
    return [each for each, _ in completion.offers(before, word) if each.startswith(word)]


def test_what_commands_take_is_as_the_commands_say() -> None:
    words = run_path(str(DOCS / "completion_words.py"))
    assert words["FILE"].read_text() == words["made"](), "python docs/generate.py writes it anew"


def test_commands_and_their_options_are_offered() -> None:
    assert offered("airlag ") == list(SUMMARIES)
    assert offered("airlag ca") == ["capacity", "campaign"]
    assert offered("airlag tunnel ") == ["up", "key", "doctor", "bench"]
    assert "--neighbour" in offered("airlag run --n")
    assert "--offered" in offered("airlag tunnel bench --o")
    assert "--help" in offered("airlag rpc test -")


def test_links_are_offered_wherever_one_is_taken() -> None:
    assert offered("airlag run ") == _airlag.links()
    assert offered("airlag run nrf24-2m ble-nus-") == [
        name for name in _airlag.links() if name.startswith("ble-nus-")
    ]
    assert offered("airlag match capture.csv --link lora-") == ["lora-sf7-250k", "lora-sf11-62k5"]
    assert "rpc-echo" in offered("airlag explain rpc-")
    assert {"ble", "ble-nus-notify"} <= set(offered("airlag links ble"))
    assert offered("airlag thread --boards thread-up") == [
        "thread-up",
        "thread-up-quick",
        "thread-up-waiting",
    ]


def test_parameters_are_those_of_the_link_that_was_typed() -> None:
    keys = offered("airlag run nrf24-2m --set ")
    assert keys == [f"{name}=" for name in profiles.parameters("nrf24-2m")]
    assert "connection_interval=" in offered("airlag run ble-nus-notify --set c")
    assert "connection_interval=" not in offered("airlag run nrf24-2m --set c")
    # Nobody named a link yet: those of any.
    assert {"rate=", "connection_interval="} <= set(offered("airlag run --set "))
    assert "call_heads=" in offered("airlag explain rpc-echo --set call_")


def test_choices_are_offered_and_else_what_the_profile_has() -> None:
    assert offered("airlag run nrf24-2m --set rate=") == ["rate=250", "rate=1000", "rate=2000"]
    assert offered("airlag run nrf24-2m --set rate=2") == ["rate=250", "rate=2000"]
    interval = profiles.link("ble-nus-notify")["parameters"]["connection_interval"]["value"]
    own = [f"connection_interval={interval}"]
    assert offered("airlag run ble-nus-notify --set connection_interval=") == own
    assert offered("airlag run nrf24-2m --phase ") == ["uniform", "frozen", "aligned"]
    assert offered("airlag run nrf24-2m --phase=f") == ["--phase=frozen"]
    assert "lost-transfers" in offered("airlag analyze a.csv --fail-on lost")
    assert len(offered("airlag recommend --environment ")) > 2


@pytest.mark.parametrize(
    "line", ["airlag nosuch ", "airlag run nrf24-2m --count ", "airlag analyze ", "airlag rpc no -"]
)
def test_of_what_cannot_be_listed_nothing_is_said_so_that_the_shell_offers_files(
    line: str,
) -> None:
    assert offered(line) == []


def asked(shell: str, **variables: str) -> tuple[int, str]:
    """What a program of the shell gets."""
    run = subprocess.run(
        [sys.executable, "-m", "airlag"],
        env=os.environ | {"_AIRLAG_COMPLETE": f"complete_{shell}"} | variables,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.stderr == ""
    return run.returncode, run.stdout


def test_fish_and_zsh_are_told_in_their_own_ways() -> None:
    line = {"_TYPER_COMPLETE_ARGS": "airlag run nrf24-2m --phase "}
    assert asked("fish", _TYPER_COMPLETE_FISH_ACTION="get-args", **line)[1].split() == [
        "uniform",
        "frozen",
        "aligned",
    ]
    assert asked("fish", _TYPER_COMPLETE_FISH_ACTION="is-args", **line) == (0, "")
    nothing = {"_TYPER_COMPLETE_ARGS": "airlag analyze "}
    assert asked("fish", _TYPER_COMPLETE_FISH_ACTION="is-args", **nothing) == (1, "")
    assert asked("zsh", **nothing) == (0, "_files\n")
    told = asked("zsh", **line)[1]
    assert told.startswith('_arguments \'*: :(("uniform"')
    assert '"frozen"' in told
    # A quote of a help text would end what zsh evaluates.
    told = asked("zsh", _TYPER_COMPLETE_ARGS="airlag thread --")[1]
    assert told.count("'") == 2


@pytest.mark.peers
@pytest.mark.parametrize(
    ("line", "reply"),
    [
        (["airlag", "run", "ble-nus-e"], ["ble-nus-early-notify", "ble-nus-early-write"]),
        (["airlag", "run", "nrf24-2m", "--set", "rat"], ["rate=250", "rate=1000", "rate=2000"]),
        # Bash takes what is set for three words, and replaces the last.
        (["airlag", "run", "nrf24-2m", "--set", "rate", "="], ["250", "1000", "2000"]),
        (["airlag", "run", "nrf24-2m", "--set", "rate", "=", "2"], ["250", "2000"]),
        (["airlag", "run", "nrf24-2m", "--phase", ""], ["uniform", "frozen", "aligned"]),
        (["airlag", "analyze", ""], []),
    ],
)
def test_bash_gets_what_it_puts_in_the_place_of_the_last_word(
    line: list[str], reply: list[str], tmp_path: Path
) -> None:
    from typer._completion_shared import get_completion_script

    program("bash", "bash")
    script = get_completion_script(
        prog_name="airlag", complete_var="_AIRLAG_COMPLETE", shell="bash"
    )
    command = tmp_path / "airlag"
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m airlag "$@"\n')
    command.chmod(0o755)
    quoted = " ".join(f"'{word}'" for word in line)
    run = subprocess.run(
        ["bash", "--norc", "-c", f"{script}\nCOMP_WORDS=({quoted}); COMP_CWORD={len(line) - 1}\n"
         "_airlag_completion airlag; printf '%s\\n' \"${COMPREPLY[@]}\""],
        env=os.environ | {"PATH": f"{tmp_path}:{os.environ['PATH']}"},
        capture_output=True,
        text=True,
        check=True,
    )  # fmt: skip
    assert run.stdout.split() == reply


@pytest.mark.parametrize(
    "program",
    [
        "airlag.cli.completion.answer({'_AIRLAG_COMPLETE': 'complete_fish', "
        "'_TYPER_COMPLETE_ARGS': 'airlag run nrf24-2m --set rate='})",
        "airlag.cli.command_line(['--help'])",
        "airlag.cli.command_line([])",
    ],
)
def test_nothing_is_loaded_that_is_not_needed(program: str) -> None:
    told = subprocess.run(
        [
            sys.executable,
            "-c",
            f"import sys, airlag.cli; {program}; "
            f"print('loaded', *[m for m in {HEAVY!r} if m in sys.modules])",
        ],
        capture_output=True,
        text=True,
        check=True,
    )
    assert told.stdout.splitlines()[-1] == "loaded"
    assert len(told.stdout.splitlines()) > 3


@pytest.mark.parametrize("width", [30, 60, 80, 120])
def test_the_list_of_commands_has_all_of_them_and_fits(
    width: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    text = overview.overview()
    assert max(map(len, text.splitlines())) < max(width, overview.SHORTEST)
    flat = " ".join(text.split())
    for name, summary in SUMMARIES.items():
        assert f"{name} {summary}" in flat
