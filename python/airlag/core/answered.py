"""Objects that hold an answer of the core, and read its keys as attributes.

An answer is described once, in the core: :mod:`airlag.core.types` has its types. An attribute here
gives a key the name by which programs know it, and ``help`` shows the description of the core.
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
    told: Callable[[int, int], None] | None = None,
    **facts: Any,
) -> Any:
    """The decoded answer to a question; raises :class:`LinkError`.

    ``given`` is what it is about that is not JSON: captures, traces, transfers, latencies.
    ``told`` is called as long work advances: steps done, and steps in all.
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
    text = json.dumps({"question": question, **facts}, ensure_ascii=False, default=_plain)
    # A name from the command line may hold bytes that are no text.
    asked = text.encode("utf-8", "replace").decode("utf-8")
    return _airlag.ask(asked, list(given), told, partial)


def _plain(value: Any) -> Any:
    """A number of numpy as Python has it; raises :class:`LinkError` for any other object."""
    if getattr(value, "shape", None) == ():
        return value.item()
    raise _airlag.LinkError(f"{value!r:.80}: expected text, a number, or True or False")


def loads(reply: _airlag.Reply) -> Any:
    """The decoded answer of a reply, whose arrays are wanted too."""
    return json.loads(reply.json)


@dataclass(frozen=True, slots=True)
class Asked:
    """A question of the core; its attributes are keys of the question."""

    def told(self) -> dict[str, Any]:
        """The question, but for what is as by default."""
        return {
            each.name: value
            for each in fields(self)
            if (value := getattr(self, each.name)) != _default(each)
        }


def _default(of: Field[Any]) -> Any:
    return of.default if of.default_factory is MISSING else of.default_factory()


@dataclass(frozen=True, slots=True)
class Answered:
    """What holds an answer; a class names its ``shape``, whose descriptions its keys have."""

    #: The object of the documented ``--json``.
    answer: Mapping[str, Any]
    _shape: ClassVar[str] = ""

    def __init_subclass__(cls, shape: type | None = None) -> None:
        # A dataclass with slots is made twice, the second time without the argument.
        if shape is not None:
            cls._shape = shape.__name__

    def to_json(self) -> Any:
        """The object of the documented ``--json``."""
        return self.answer


class Key(Generic[T]):
    """A value of the answer, by the keys that lead to it; by default, its own name.

    ``made`` makes of the value what programs get.
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
        raise AttributeError("what the core answered stays as it is")

    @property
    def __doc__(self) -> str | None:  # type: ignore[override]
        """The description of the value in the schema of the answer, where that has a name."""
        shape = self._owner._shape
        return schemas.description(shape, self._keys) if shape else None


def One(kind: Callable[[Any], T], *keys: str) -> Key[T]:  # noqa: N802
    """An object within the answer, as ``kind``."""
    return Key(*keys, made=kind)


def Maybe(kind: Callable[[Any], T], *keys: str) -> Key[T | None]:  # noqa: N802
    """An object within the answer, as ``kind``; ``None`` where it is null."""
    return Key(*keys, made=lambda found: None if found is None else kind(found))


def Each(kind: Callable[[Any], T], *keys: str) -> Key[tuple[T, ...]]:  # noqa: N802
    """The objects of a list within the answer, each as ``kind``."""
    return Key(*keys, made=lambda found: tuple(map(kind, found)))


def Named(kind: Callable[[Any], T], *keys: str) -> Key[dict[str, T]]:  # noqa: N802
    """The objects of a table within the answer, each as ``kind``, by name."""
    return Key(*keys, made=lambda found: {name: kind(each) for name, each in found.items()})
