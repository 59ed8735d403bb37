"""Child processes end with the code that started them, whenever a signal arrives."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from airlag.core import children


class _Raised(BaseException):
    pass


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[subprocess.Popen[Any]]]:
    """Every process that starts; SIGTERM raises, and arrives when each has just started."""
    known: list[subprocess.Popen[Any]] = []

    class Interrupted(subprocess.Popen[Any]):
        def __init__(self, *given: Any, **options: Any) -> None:
            super().__init__(*given, **options)
            known.append(self)
            os.kill(os.getpid(), signal.SIGTERM)

    def handler(number: int, frame: object) -> None:
        del number, frame
        raise _Raised

    before = signal.signal(signal.SIGTERM, handler)
    monkeypatch.setattr(subprocess, "Popen", Interrupted)
    yield known
    signal.signal(signal.SIGTERM, before)
    for process in known:
        process.kill()
        process.wait()


SLEEPING = [sys.executable, "-c", "import time; time.sleep(60)"]


def test_a_signal_while_it_starts_is_raised_and_leaves_no_process(
    started: list[subprocess.Popen[Any]],
) -> None:
    with pytest.raises(_Raised), children.child(SLEEPING):
        pytest.fail("the signal was lost")
    (process,) = started
    assert process.poll() == -signal.SIGKILL


def test_popen_alone_leaves_one(started: list[subprocess.Popen[Any]]) -> None:
    with pytest.raises(_Raised), subprocess.Popen(SLEEPING):
        pytest.fail("the signal was lost")
    (process,) = started
    assert process.poll() is None


def test_a_process_that_ended_is_left_with_its_exit_code() -> None:
    with children.child([sys.executable, "-c", "raise SystemExit(3)"]) as process:
        process.wait()
    assert process.returncode == 3
    assert signal.getsignal(signal.SIGTERM) == signal.SIG_DFL
