"""Parameters of commands: their names and help are data, their types and defaults the signature's.

``words/NAME.toml`` has a table for each parameter of a command; what several commands share is in
``words/shared.toml``::

    [count]
    form = "--count N"
    help = "Triggers. Default: 1000."
    panel = "When to send"

``form`` is the names of an option and the metavariable of its value, as in ``-o --output FILE``. A
flag has no value, an argument no name. ``panel`` is its group in ``--help``.

In a signature, ``Annotated[int | None, whole(...)]`` adds the parser of the text, or the words that
it may be. The words of a ``Literal`` are known. ``Annotated[Work, Group(Work)]`` stands for several
parameters: those of the function that makes the value from them.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial, wraps
from importlib import resources
from inspect import Parameter, Signature, signature
from types import UnionType
from typing import Annotated, Any, Literal, TypeVar, Union, get_args, get_origin

import typer

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Group:
    """Several parameters that make one value: those of ``make``."""

    make: Callable[..., Any]


def described(name: str, command: Callable[..., None]) -> Callable[..., None]:
    """Returns the command with a typer parameter for each option; ``name`` is its file of words."""
    words = _words("shared") | _words(name)
    groups: dict[str, tuple[Callable[..., Any], list[str]]] = {}
    every: list[Parameter] = []
    for one in signature(command, eval_str=True).parameters.values():
        group = next((each for each in _metadata(one) if isinstance(each, Group)), None)
        members = [one] if group is None else [*_members(group)]
        if group is not None:
            groups[one.name] = group.make, [each.name for each in members]
        every += [_as_typer(each, words[each.name]) for each in members]

    @wraps(command)
    def flat(**given: Any) -> None:
        for into, (make, names) in groups.items():
            given[into] = make(**{each: given.pop(each) for each in names})
        command(**given)

    flat.__annotations__ = {each.name: each.annotation for each in every}
    flat.__signature__ = Signature(every)  # type: ignore[attr-defined]
    return flat


@cache
def _words(name: str) -> dict[str, dict[str, Any]]:
    file = resources.files("airlag.cli").joinpath("words", f"{name}.toml")
    return tomllib.loads(file.read_text("utf-8")) if file.is_file() else {}


def _metadata(parameter: Parameter) -> tuple[Any, ...]:
    """What a signature adds to the type of a parameter: a parser, words or a group."""
    kind = parameter.annotation
    return kind.__metadata__ if get_origin(kind) is Annotated else ()


def _members(group: Group) -> Iterator[Parameter]:
    yield from signature(group.make, eval_str=True).parameters.values()


def _as_typer(parameter: Parameter, words: Mapping[str, Any]) -> Parameter:
    """Returns the parameter with its names, parser and help."""
    kind = parameter.annotation
    if metadata := _metadata(parameter):
        kind = get_args(kind)[0]
    choices = next((one for one in _alternatives(kind) if get_origin(one) is Literal), None)
    parse = metadata[0] if metadata else get_args(choices) or None
    *names, last = words["form"].split()
    metavar = None if last.startswith("-") else last
    names += [last] if metavar is None else []
    about = " ".join(words["help"].split())
    info: Any
    if not names:
        shown = parameter.default not in (None, Parameter.empty)
        info = typer.Argument(metavar=metavar, help=about, show_default=shown)
    else:
        if parse is not None and not callable(parse):
            metavar, parse = "|".join(parse), partial(one_of, names[-1].strip("-"), parse)
        info = typer.Option(
            *names,
            parser=None if parse is None else typed(parse),
            metavar=metavar,
            help=about,
            rich_help_panel=words.get("panel"),
            envvar=words.get("envvar"),
        )
    return parameter.replace(kind=Parameter.KEYWORD_ONLY, annotation=Annotated[kind, info])


def _alternatives(kind: Any) -> Sequence[Any]:
    """The types that a value may have."""
    return get_args(kind) if get_origin(kind) in (Union, UnionType) else [kind]


def typed(parse: Callable[[str], T]) -> Callable[[str], T]:
    """The same for the command line, where text that cannot be parsed is a wrong use of it."""

    def parsed(text: str) -> T:
        try:
            return parse(text)
        except ValueError as error:
            raise typer.BadParameter(str(error)) from None

    return parsed


def one_of(what: str, known: Sequence[str], text: str) -> str:
    """One of a few words; ``what`` they are, errors say."""
    if text not in known:
        *others, last = known
        raise ValueError(f"{what} {text[:20]!r} is unknown; write {', '.join(others)} or {last}")
    return text
