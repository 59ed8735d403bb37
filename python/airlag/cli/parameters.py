"""Command parameters: names and help from data files, types and defaults from signatures.

``words/NAME.toml`` contains a table for each parameter of the command NAME. Tables of parameters
of several commands are in ``words/shared.toml``. An example of a table::

    [count]
    form = "--count N"
    help = "Triggers. Default: 1000."
    panel = "Stimulus"

``form`` contains the option names and the metavariable of the value, as in ``-o --output FILE``. A
flag has no metavariable. An argument has no option names. ``panel`` is the group in ``--help``.

In a signature, the second part of ``Annotated[int | None, whole(...)]`` is a parser or the accepted
words. The words of a ``Literal`` type need no second part. ``Annotated[Work, Group(Work)]`` expands
to the parameters of the function in ``Group``, which builds the value.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial, wraps
from inspect import Parameter, Signature, signature
from pathlib import Path
from types import UnionType
from typing import Annotated, Any, Literal, TypeVar, Union, get_args, get_origin

import typer

from airlag._airlag import json_of_toml

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Group:
    """Parameters that are combined into one value by ``make``."""

    make: Callable[..., Any]


def described(name: str, command: Callable[..., None]) -> Callable[..., None]:
    """Adds typer metadata to the parameters of a command, from ``words/{name}.toml``."""
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
    file = Path(__file__).parent / "words" / f"{name}.toml"
    return json.loads(json_of_toml(file.read_text("utf-8"))) if file.is_file() else {}


def _metadata(parameter: Parameter) -> tuple[Any, ...]:
    """Metadata that a signature adds to a type: a parser, words or a group."""
    kind = parameter.annotation
    return kind.__metadata__ if get_origin(kind) is Annotated else ()


def _members(group: Group) -> Iterator[Parameter]:
    yield from signature(group.make, eval_str=True).parameters.values()


def _as_typer(parameter: Parameter, words: Mapping[str, Any]) -> Parameter:
    """Returns the parameter with names, parser and help."""
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
    """Member types of a union."""
    return get_args(kind) if get_origin(kind) in (Union, UnionType) else [kind]


def typed(parse: Callable[[str], T]) -> Callable[[str], T]:
    """Adapts a parser so that its errors are usage errors."""

    def parsed(text: str) -> T:
        try:
            return parse(text)
        except ValueError as error:
            raise typer.BadParameter(str(error)) from None

    return parsed


def one_of(what: str, known: Sequence[str], text: str) -> str:
    """Validates one of the ``known`` words; ``what`` names their kind in errors."""
    if text not in known:
        *others, last = known
        raise ValueError(f"{what} {text[:20]!r} is unknown; write {', '.join(others)} or {last}")
    return text
