"""Typed access to the core's answers: JSON keys as Python attributes.

The core defines the type of each answer, and :mod:`airlag.core.types` contains these types.
Python's ``help`` shows the description that the core gives for each attribute of an answer.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, Field, dataclass, fields
from typing import Any, ClassVar, Generic, Never, Self, TypeVar, overload

from airlag import _airlag
from airlag.core import schemas

T = TypeVar("T")


def ask(
    question: str,
    given: Sequence[Any] = (),
    on_progress: Callable[[int, int], None] | None = None,
    **facts: Any,
) -> Any:
    """Returns the decoded answer to a question; raises :class:`LinkError` if there is no answer.

    ``given`` contains the inputs that are not JSON: captures, traces, transfers, latencies.
    ``on_progress`` is called with the number of completed steps and the total number of steps.
    """
    return loads(reply_to(question, given, on_progress, **facts))


def reply_to(
    question: str,
    given: Sequence[Any] = (),
    on_progress: Callable[[int, int], None] | None = None,
    *,
    partial: bool = False,
    **facts: Any,
) -> _airlag.Reply:
    """Returns the core's reply: an answer in JSON and arrays. Parameters: see :func:`ask`.

    If ``partial`` is true, a signal ends the work, and the reply contains the results so far.
    """
    text = json.dumps({"question": question, **facts}, ensure_ascii=False, default=_plain)
    # Names from the command line may contain bytes that are not UTF-8.
    asked = text.encode("utf-8", "replace").decode("utf-8")
    return _airlag.ask(asked, list(given), on_progress, partial)


def _plain(value: Any) -> Any:
    """Converts a numpy number to Python; raises :class:`LinkError` for any other object."""
    if getattr(value, "shape", None) == ():
        return value.item()
    raise _airlag.LinkError(f"{value!r:.80}: expected text, a number, or True or False")


def loads(reply: _airlag.Reply) -> Any:
    """Decodes the JSON of a reply, for callers that also use its arrays."""
    return json.loads(reply.json)


@dataclass(frozen=True, slots=True)
class Question:
    """A question to the core; attributes are keys of its JSON."""

    def to_json(self) -> dict[str, Any]:
        """Returns the question's JSON without default values."""
        return {
            each.name: value
            for each in fields(self)
            if (value := getattr(self, each.name)) != _default(each)
        }


def _default(of: Field[Any]) -> Any:
    return of.default if of.default_factory is MISSING else of.default_factory()


@dataclass(frozen=True, slots=True)
class Answered:
    """An answer of the core; the class argument ``shape`` provides attribute descriptions."""

    #: The result as a dictionary; its keys are described in the JSON reference.
    answer: Mapping[str, Any]
    _shape: ClassVar[str] = ""

    def __init_subclass__(cls, shape: type | None = None) -> None:
        # ``dataclass(slots=True)`` creates the class twice, the second time without the argument.
        if shape is not None:
            cls._shape = shape.__name__

    def to_json(self) -> Any:
        """Returns the result as a dictionary. Its keys are described in the JSON reference."""
        return self.answer


class Key(Generic[T]):
    """Descriptor that reads one value of an answer by its keys. Default key: the attribute's name.

    ``made`` converts the JSON value.
    """

    def __init__(self, *keys: str | int, made: Callable[[Any], T] = lambda value: value) -> None:
        self._keys = keys
        self._made = made

    def __set_name__(self, owner: type[Answered], name: str) -> None:
        self._owner = owner
        self._keys = self._keys or (name,)

    @overload
    def __get__(self, held: None, owner: type) -> Self: ...
    @overload
    def __get__(self, held: Any, owner: type) -> T: ...
    def __get__(self, held: Any, owner: type) -> T | Self:
        if held is None:
            return self
        found = held.answer
        for key in self._keys:
            found = found[key]
        return self._made(found)

    def __set__(self, held: Any, value: object) -> Never:
        raise AttributeError("answers are read-only")

    @property
    def __doc__(self) -> str | None:  # type: ignore[override]
        """Description of the value, read from the schema of the answer."""
        shape = self._owner._shape
        return schemas.description(shape, self._keys) if shape else None


def One(kind: Callable[[Any], T], *keys: str) -> Key[T]:  # noqa: N802
    """Nested object, converted by ``kind``."""
    return Key(*keys, made=kind)


def Maybe(kind: Callable[[Any], T], *keys: str) -> Key[T | None]:  # noqa: N802
    """Nested object, converted by ``kind``; ``None`` if it is null."""
    return Key(*keys, made=lambda found: None if found is None else kind(found))


def Each(kind: Callable[[Any], T], *keys: str) -> Key[tuple[T, ...]]:  # noqa: N802
    """List of objects, each converted by ``kind``."""
    return Key(*keys, made=lambda found: tuple(map(kind, found)))


def Named(kind: Callable[[Any], T], *keys: str) -> Key[dict[str, T]]:  # noqa: N802
    """Mapping of names to objects, each converted by ``kind``."""
    return Key(*keys, made=lambda found: {name: kind(each) for name, each in found.items()})
