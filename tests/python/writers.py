"""Processes that write one file at the same time, or until a signal ends them.

``python writers.py pairs FOLDER TURNS`` and ``python writers.py signals FOLDER TURNS NUMBER`` print
what was wrong, a line each. Every process is a fork of one that is set up, which takes milliseconds
where a start takes half a second.
"""

from __future__ import annotations

import os
import random
import sys
import time
from pathlib import Path

from airlag import _airlag
from airlag.cli import signals
from airlag.core.atomic import replacing

#: Bytes of a file; more than is written at once.
SIZE = 300_000


def content(number: int) -> bytes:
    """A file that shows whether it is whole."""
    return bytes([number % 256]) * SIZE


def write(path: Path, number: int) -> None:
    """Writes a file as commands do."""
    with replacing(path, force=True) as file:
        file.write(content(number))


def write_until_stopped(path: Path, ready: int) -> None:
    """Writes one file after the other, as a command that signals end."""
    try:
        signals.listen()
        signals.enforce()
        os.write(ready, b".")
        number = 0
        while True:
            number += 1
            write(path, number)
    except signals.Interrupted as stopped:
        _airlag.end(stopped.code)


def pairs(path: Path, turns: int) -> None:
    """Two processes write at the same moment."""
    for turn in range(turns):
        begin, go = os.pipe()
        children = []
        for number in (1, 2):
            child = os.fork()
            if child == 0:
                os.close(go)
                os.read(begin, 1)
                write(path, number)
                os._exit(0)
            children.append(child)
        os.close(begin)
        # Both read the end of the pipe.
        os.close(go)
        for child in children:
            check(turn, path, os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), 0)


def interrupted(path: Path, turns: int, number: int) -> None:
    """A signal at a random moment while files are written."""
    moments = random.Random(number)
    for turn in range(turns):
        begun, ready = os.pipe()
        child = os.fork()
        if child == 0:
            write_until_stopped(path, ready)
            os._exit(99)
        os.read(begun, 1)
        time.sleep(moments.uniform(0, 0.01))
        os.kill(child, number)
        check(turn, path, os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), 128 + number)
        os.close(begun)
        os.close(ready)


def left_behind(path: Path) -> list[str]:
    """What is beside a file."""
    return [each.name for each in path.parent.iterdir() if each != path]


def check(turn: int, path: Path, code: int, wanted: int) -> None:
    """Says what is wrong with what a process left behind."""
    found = path.read_bytes()
    wrong = []
    if found != content(found[0]):
        wrong.append(f"a damaged file of {len(found)} bytes")
    if code != wanted:
        wrong.append(f"exit code {code}")
    # The other of a pair may still write.
    if wanted and left_behind(path):
        wrong.append(f"left behind: {left_behind(path)}")
    if wrong:
        sys.stdout.write(f"{turn}: {', '.join(wrong)}\n")


if __name__ == "__main__":
    what, folder, turns, *rest = sys.argv[1:]
    target = Path(folder) / "file"
    target.write_bytes(content(0))
    if what == "pairs":
        pairs(target, int(turns))
    else:
        interrupted(target, int(turns), int(rest[0]))
    if left_behind(target):
        sys.stdout.write(f"left behind: {left_behind(target)}\n")
