"""Trains of back-to-back messages, and their losses.

>>> from airlag.questions.trains import Train, burst
>>> burst("thread-up", Train(size=79, count=100)).delivery
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any, Final

from airlag.core import records
from airlag.core.answered import Answered, ask
from airlag.core.requests import Train as Train

#: Value of ``--traffic``.
BACK_TO_BACK: Final = "back-to-back"


@dataclass(frozen=True, slots=True)
class Sent(Answered):
    """Outcome of message trains; ``train`` contains their parameters."""

    train: Train

    @property
    def lost(self) -> int:
        """Lost messages in all trains."""
        return sum(self.answer["lost_at"])


class Burst(Sent, records.Burst):
    """Trains of back-to-back messages and their outcomes."""


def burst(link: str, train: Train, done: Callable[[], None] | None = None) -> Burst:
    """Sends message trains; calls ``done`` after each train; raises :class:`LinkError`."""
    return Burst(_answer("trains", link, train, done), train)


class Remedy(Sent, records.Remedy):
    """Outcome of the same trains under another send strategy."""


class Explained(Burst, records.ExplainedBurst):
    """Trains with the cause of their losses, and remedies."""

    @property
    def remedies(self) -> tuple[Remedy, ...]:
        """Results of the fastest pace without losses, of selective repeat, and of both combined."""

        def of(each: Mapping[str, Any]) -> Remedy:
            changed = {"pace_ns": each["pace_ns"], "repeat": each["repeat"]}
            return Remedy(each, replace(self.train, **changed))

        return tuple(of(each) for each in self.answer["remedies"])


def explain(link: str, train: Train, done: Callable[[], None] | None = None) -> Explained:
    """Sends trains like :func:`burst`; if messages are lost, also with other send strategies."""
    return Explained(_answer("explain-trains", link, train, done), train)


def _answer(
    question: str, link: str, train: Train, done: Callable[[], None] | None
) -> Mapping[str, Any]:
    on_progress = None if done is None else lambda *_: done()
    found: Mapping[str, Any] = ask(question, on_progress=on_progress, link=link, **asdict(train))
    return found
