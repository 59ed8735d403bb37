"""Whatever happens while a file is written, the old one or the new one is there, and no other."""

from __future__ import annotations

import os
import resource
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from subprocess import DEVNULL, PIPE, run

import pytest

import writers
from airlag import convert
from airlag.core.atomic import replacing
from airlag.questions import store
from airlag.questions.analysis import analyze
from traces import link, logic2_csv
from writers import content

PAIRS = 50
SIGNALS = 100
LEVELS = 20


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def wrong(*arguments: object) -> str:
    """What processes that write one file got wrong."""
    command = [sys.executable, writers.__file__, *map(str, arguments)]
    return run(command, stdout=PIPE, text=True, check=True, timeout=200).stdout


def test_of_two_writers_one_leaves_a_whole_file(tmp_path: Path) -> None:
    assert wrong("pairs", tmp_path, PAIRS) == ""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_at_any_moment_leaves_a_whole_file(number: signal.Signals, tmp_path: Path) -> None:
    assert wrong("signals", tmp_path, SIGNALS, int(number)) == ""


@contextmanager
def small_disk(folder: Path, size: int) -> Iterator[bool]:
    """A file system of ``size`` bytes at ``folder``; whether there is one."""
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", f"size={size}", "none", str(folder)]
    try:
        mounted = run(mount, stderr=DEVNULL, check=False).returncode == 0
    except OSError:
        mounted = False
    try:
        yield mounted
    finally:
        if mounted:
            run(["umount", str(folder)], check=True)


@contextmanager
def no_file_longer_than(size: int) -> Iterator[None]:
    """The next best thing to a full disk."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.mark.parametrize("kind", ["parquet", "csv", "bytes"])
def test_a_disk_that_is_full_leaves_the_old_file(kind: str, tmp_path: Path) -> None:
    source = logic2_csv(tmp_path / "source.csv", link(count=3000))
    analyzed = analyze(source, keep_edges=True)
    assert analyzed.trace is not None

    def write(path: Path) -> None:
        if kind == "parquet":
            store.save(analyzed, path, force=True)
        elif kind == "csv":
            convert(source, path, force=True)
        else:
            with replacing(path, force=True) as file:
                file.write(content(1))

    whole = tmp_path / f"whole.{kind}"
    write(whole)
    wanted, disk = whole.stat().st_size, tmp_path / "disk"
    written = 0
    with small_disk(disk, 4 * wanted + 65536) as mounted:
        old = disk / f"target.{kind}"
        for level in range(LEVELS):
            # From nothing left to a little more than is needed.
            left = wanted * level // (LEVELS - 3)
            old.write_bytes(b"old")
            if mounted:
                free = os.statvfs(disk)
                (disk / "filler").write_bytes(bytes(max(free.f_bavail * free.f_bsize - left, 0)))
                with suppress(OSError, ValueError):
                    write(old)
                    written += 1
                (disk / "filler").unlink()
            else:
                with no_file_longer_than(left), suppress(OSError, ValueError):
                    write(old)
                    written += 1
            assert old.read_bytes() in (b"old", whole.read_bytes()), level
            assert names(disk) == [f"target.{kind}"], level
    assert 0 < written < LEVELS


def test_a_write_that_fails_says_why_as_the_system_does(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError) as caught, replacing(tmp_path / "none" / "file"):
        pass
    assert caught.value.strerror == "No such file or directory"
    with pytest.raises(IsADirectoryError), replacing(tmp_path):
        pass


def test_an_error_on_the_way_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text("old")

    def fail() -> None:
        with replacing(path, force=True) as file:
            file.write(b"new")
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert path.read_text() == "old"
    assert names(tmp_path) == ["file"]


def test_a_link_under_a_name_like_that_of_a_draft_is_not_followed(tmp_path: Path) -> None:
    shared = tmp_path / "shared"
    shared.write_text("precious")
    for name in (".report.unfinished.html", ".report.html.part", "report.html.tmp"):
        (tmp_path / name).symlink_to(shared)
    with replacing(tmp_path / "report.html") as file:
        file.write(b"new")
    assert shared.read_text() == "precious"
    assert (tmp_path / "report.html").read_text() == "new"


def test_a_file_keeps_its_mode_and_a_new_one_has_the_usual_one(tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    kept.write_text("old")
    kept.chmod(0o600)
    before = os.umask(0o027)
    try:
        for name in ("kept", "new"):
            with replacing(tmp_path / name, force=True) as file:
                file.write(b"new")
    finally:
        os.umask(before)
    assert [(tmp_path / name).stat().st_mode & 0o777 for name in ("kept", "new")] == [0o600, 0o640]


def test_a_pipe_is_written_to_and_stays_one(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    with replacing(pipe) as file:
        file.write(b"new")
    assert os.read(reader, 9) == b"new"
    os.close(reader)
    assert pipe.is_fifo()
