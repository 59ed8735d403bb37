"""Two commands that begin at the same moment in one place: one works, and nothing is lost."""

from __future__ import annotations

import contextlib
import io
import json
import multiprocessing
import os
import sys
from collections.abc import Iterator
from multiprocessing.connection import Connection
from multiprocessing.synchronize import Barrier
from pathlib import Path

import pytest
from told_sweeps import bytes_of

from airlag.cli import command_line

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from mutation.seeds import SWEPT, TUNED

#: Rounds of each kind; a thousand of each were run once.
ROUNDS = {"sweep": 40, "tune": 5}

#: Exit code and complaints of a command.
Ended = tuple[int, str]


def asked(kind: str, nth: int) -> list[str]:
    if kind == "tune":
        return [*TUNED, f"sqlite:///{nth}.db", "--json"]
    return ["sweep", "swept.toml", "-o", str(nth), "--scheduler", "threads", "--json"]


def serve(pipe: Connection, together: Barrier, folder: str) -> None:
    """Runs commands, each at the same moment as the other process."""
    os.chdir(folder)
    while (words := pipe.recv()) is not None:
        together.wait()
        out, said = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(said):
            code = command_line(words)
        pipe.send((code, said.getvalue()))


@pytest.fixture
def writers(tmp_path: Path) -> Iterator[list[Connection]]:
    """Pipes to two processes that run commands."""
    context = multiprocessing.get_context("spawn")
    together = context.Barrier(2)
    (tmp_path / "swept.toml").write_bytes(SWEPT)
    pipes, processes = [], []
    for _ in range(2):
        ours, theirs = context.Pipe()
        process = context.Process(target=serve, args=(theirs, together, str(tmp_path)))
        process.start()
        pipes.append(ours)
        processes.append(process)
    yield pipes
    for process in processes:
        process.kill()
        process.join()


def rounds(kind: str, pipes: list[Connection], many: int) -> Iterator[list[Ended]]:
    """How the two commands of each round ended."""
    for nth in range(many):
        for pipe in pipes:
            pipe.send(asked(kind, nth))
        yield [pipe.recv() for pipe in pipes]


@pytest.mark.parametrize("kind", ROUNDS)
def test_one_works_and_the_other_is_refused_or_finds_it_done(
    kind: str,
    writers: list[Connection],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert command_line(asked(kind, -1)) == 0
    whole = capsys.readouterr().out
    for nth, ended in enumerate(rounds(kind, writers, ROUNDS[kind])):
        codes = sorted(code for code, _ in ended)
        assert codes in ([0, 0], [0, 2]), (nth, ended)
        for code, said in ended:
            assert said.count("\n") == (code == 2), (nth, ended)
            assert code == 0 or "another " in said, (nth, ended)
        if kind == "sweep":
            assert bytes_of(tmp_path / str(nth)) == bytes_of(tmp_path / "-1")
        else:
            # All settings are in the study: none is tried again.
            assert command_line(asked(kind, nth)) == 0
            told = json.loads(capsys.readouterr().out)
            assert told == json.loads(whole) | {"runs": told["runs"]}
    assert not [*tmp_path.glob("*.lock"), *tmp_path.glob("*/.pending")]
