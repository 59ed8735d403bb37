"""Objects that hold an answer of the core, and read its keys as attributes.

An answer is described once, in the core: :mod:`airlag.core.types` has its types. An attribute here
gives a key the name by which programs know it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Self, TypeVar, overload

from airlag import _airlag

T = TypeVar("T")


def ask(
    question: str,
    given: Sequence[Any] = (),
    told: Callable[[int, int], None] | None = None,
    **facts: Any,
) -> Any:
    """The decoded answer to a question.

    Parameters
    ----------
    question
        Its name.
    given
        What it is about that is not JSON: captures, traces, transfers, latencies.
    told
        Called as long work advances: steps done, and steps in all.
    **facts
        What is asked.

    Raises
    ------
    LinkError
        With one line that says what cannot be run, and what could.
    """
    return loads(reply_to(question, given, told, **facts))


def reply_to(
    question: str,
    given: Sequence[Any] = (),
    told: Callable[[int, int], None] | None = None,
    *,
    partial: bool = False,
    **facts: Any,
) -> _airlag.Reply:
    """As :func:`ask`, with the arrays of the answer.

    With ``partial``, a signal ends the work, and what is done until then is the answer.
    """
    text = json.dumps({"question": question, **facts}, ensure_ascii=False)
    # A name from the command line may hold bytes that are no text.
    asked = text.encode("utf-8", "replace").decode("utf-8")
    return _airlag.ask(asked, list(given), told, partial)


def loads(reply: _airlag.Reply) -> Any:
    """The decoded answer of a reply, whose arrays are wanted too."""
    return json.loads(reply.json)


@dataclass(frozen=True, slots=True)
class Answered:
    """What holds an answer.

    Attributes
    ----------
    answer
        The object of the documented ``--json``.
    """

    answer: Mapping[str, Any]

    def to_json(self) -> Any:
        """The object of the documented ``--json``."""
        return self.answer


class _Attribute(Generic[T]):
    def __init__(self, read: Callable[[Mapping[str, Any]], T]) -> None:
        self._read = read

    @overload
    def __get__(self, held: None, owner: type) -> Self: ...
    @overload
    def __get__(self, held: Any, owner: type) -> T: ...
    def __get__(self, held: Any, owner: type) -> T | Self:
        return self if held is None else self._read(held.answer)


class Key(_Attribute[T]):
    """A value of the answer, by the keys that lead to it."""

    def __init__(self, *keys: str | int) -> None:
        def read(answer: Mapping[str, Any]) -> Any:
            found: Any = answer
            for key in keys:
                found = found[key]
            return found

        super().__init__(read)


class Part(_Attribute[T]):
    """An object within the answer, as ``kind``."""

    def __init__(self, kind: Callable[[Any], T], key: str) -> None:
        super().__init__(lambda answer: kind(answer[key]))


class Maybe(_Attribute[T | None]):
    """An object within the answer, as ``kind``; ``None`` where it is null."""

    def __init__(self, kind: Callable[[Any], T], key: str) -> None:
        super().__init__(lambda answer: None if answer[key] is None else kind(answer[key]))


class Each(_Attribute[tuple[T, ...]]):
    """The objects of a list within the answer, each as ``kind``."""

    def __init__(self, kind: Callable[[Any], T], *keys: str) -> None:
        def read(answer: Mapping[str, Any]) -> tuple[T, ...]:
            found: Any = answer
            for key in keys:
                found = found[key]
            return tuple(kind(each) for each in found)

        super().__init__(read)
