"""Shell completion of commands, options, links, parameters and choices.

Serves the shell scripts that ``--install-completion`` installs for bash, zsh and fish. Commands and
options are read from a file that ``docs/generate.py`` writes, so the modules of the commands are
not imported. The compiled extension lists links and parameters.
"""

import shlex
import sys
from collections.abc import Callable, Iterator, Mapping
from typing import Any

#: Environment variable that selects the shell; the command line handles its other values.
VARIABLE = "_AIRLAG_COMPLETE"
#: Values of that variable by shell; then variables with the command line and the action of fish.
BASH, ZSH, FISH = "complete_bash", "complete_zsh", "complete_fish"
LINE = "_TYPER_COMPLETE_ARGS"
FISH_ACTION = "_TYPER_COMPLETE_FISH_ACTION"
#: Default link of calls.
CALLED = "rpc-macos"

#: Word and description.
Offer = tuple[str, str]


def is_asked(environment: Mapping[str, str]) -> bool:
    """Whether the process was started for completion."""
    return environment.get(VARIABLE) in (BASH, ZSH, FISH)


def answer(environment: Mapping[str, str]) -> int:
    """Prints completions; the exit code signals to fish whether there are any."""
    shell = environment[VARIABLE]
    before, word, cut = _bash(environment) if shell == BASH else _line(environment.get(LINE, ""))
    found = [offer for offer in offers(before, word) if offer[0].startswith(word)]
    if shell == FISH and environment.get(FISH_ACTION) == "is-args":
        return 0 if found else 1
    sys.stdout.write("".join(f"{line}\n" for line in _written(shell, found, cut)))
    return 0


def _bash(environment: Mapping[str, str]) -> tuple[list[str], str, int]:
    """Returns the preceding words, the current word, and the length that bash split off.

    bash splits ``a=b`` into three words and replaces the last one.
    """
    description, at = (
        _split(environment.get("COMP_WORDS", "")),
        int(environment.get("COMP_CWORD", "0")),
    )
    words: list[str] = []
    cut = 0
    for nth, each in enumerate(description[: at + 1]):
        if nth and words and (each == "=" or description[nth - 1] == "="):
            cut = len(words[-1]) + (each == "=")
            words[-1] += each
        else:
            cut = 0
            words.append(each)
    if at >= len(description):
        words.append("")
        cut = 0
    return words[1:-1], words[-1] if len(words) > 1 else "", cut


def _line(line: str) -> tuple[list[str], str, int]:
    """Returns the preceding words, and the word at the end of the line."""
    words = _split(line)[1:]
    if line.endswith(" ") or not words:
        return words, "", 0
    return words[:-1], words[-1], 0


def _split(line: str) -> list[str]:
    """Splits a line into shell words; at whitespace if a quote is still open."""
    try:
        return shlex.split(line)
    except ValueError:
        return line.split()


def _written(shell: str, found: list[Offer], cut: int) -> Iterator[str]:
    """Formats completions for the shell's script."""
    if shell == BASH:
        yield from (word[cut:] for word, _ in found)
    elif shell == FISH:
        yield from (f"{word}\t{description}" for word, description in found)
    elif found:
        yield "_arguments '*: :((" + "\n".join(_zsh(*offer) for offer in found) + "))'"
    else:
        yield "_files"


def _zsh(word: str, description: str) -> str:
    """Quotes a word and its description for zsh, within nested quotes."""
    plain = "".join(" " if c in "\"'`$\\()[]" else c for c in description)
    return f'"{word.replace(":", chr(92) * 2 + ":")}":"{plain}"'


def offers(before: list[str], word: str) -> Iterator[Offer]:
    """Yields candidates that can follow the preceding words, not filtered by ``word``.

    Files are omitted, because shells complete them themselves.
    """
    from airlag.cli.overview import GROUPS, SUMMARIES

    name, rest = (before[0], before[1:]) if before else ("", [])
    if not name:
        yield from SUMMARIES.items()
        return
    commands = _commands()
    if name in GROUPS:
        if not rest:
            of_it = [each.split() for each in commands if each.startswith(f"{name} ")]
            yield from ((below, "") for _, below in of_it)
            return
        name, rest = f"{name} {rest[0]}", rest[1:]
    if name not in commands:
        return
    command = commands[name]
    options = command["options"]
    last = options.get(rest[-1]) if rest else None
    if last is not None and last[1] is not None:
        yield from _values(last[1], rest, word)
        return
    option, sign, _ = word.partition("=")
    if sign and option in options:
        taken = _values(options[option][1] or [], rest, word.removeprefix(f"{option}="))
        yield from ((f"{option}={value}", description) for value, description in taken)
    elif word.startswith("-"):
        yield from ((each, description) for each, (description, _) in options.items())
        yield "--help", "Show help"
    else:
        yield from _values(command["words"], rest, word)


def _commands() -> dict[str, Any]:
    """Options and arguments of the commands."""
    import json
    from pathlib import Path

    text = Path(__file__).with_name("completion.json").read_text("utf-8")
    commands: dict[str, Any] = json.loads(text)
    return commands


def _values(taken: list[str], rest: list[str], word: str) -> Iterator[Offer]:
    """Returns the values of an option, or of positional arguments."""
    some: Mapping[str, Callable[[], Iterator[Offer]]] = {
        "LINK": _links,
        "FAMILY": _families,
        "CALL": lambda: ((call, "a call") for call in _call_names()),
        "ENVIRONMENT": _environments,
        "KEY=VALUE": lambda: _settings(rest, word),
    }
    for each in taken:
        yield from some[each]() if each in some else iter([(each, "")])


def _links() -> Iterator[Offer]:
    from airlag import _airlag

    yield from ((name, "") for name in _airlag.links())


def _families() -> Iterator[Offer]:
    from airlag import _airlag
    from airlag.core import profiles

    kinds = dict.fromkeys(profiles.link(name)["kind"] for name in _airlag.links())
    yield from ((kind, "a family of links") for kind in kinds)


def _environments() -> Iterator[Offer]:
    from airlag import _airlag
    from airlag.core import profiles

    found = {
        choice: ""
        for name in _airlag.links()
        for key, each in profiles.parameters(name).items()
        if key == "environment"
        for choice in each["choices"]
    }
    yield from found.items()


def _call_names() -> list[str]:
    """Names of calls on the command line."""
    taken = _commands()["explain"]["options"]["--traffic"][1] or []
    return [each for each in taken if each.startswith("rpc-")]


def _settings(rest: list[str], word: str) -> Iterator[Offer]:
    """Completes parameters of the named links, or the values of a parameter after ``=``."""
    from airlag import _airlag
    from airlag.core import profiles

    known = set(_airlag.links())
    named = [each for each in rest if each in known]
    if not named and set(rest) & set(_call_names()):
        named = [CALLED]
    key, sign, _ = word.partition("=")
    found: dict[str, tuple[str, list[str]]] = {}
    for link in named or sorted(known):
        for name, each in profiles.parameters(link).items():
            if name == key if sign else name.startswith(key):
                found.setdefault(name, (each["about"], each["choices"]))
    if len(found) > 1:
        yield from ((f"{name}=", about) for name, (about, _) in found.items())
        return
    for name, (about, choices) in found.items():
        own = [] if choices or not named else [_own(named[0], name)]
        yield from ((f"{name}={choice}", about) for choice in choices or own or [""])


def _own(link: str, name: str) -> str:
    """Current value in a profile, offered as a starting point for a number."""
    from airlag.core import profiles

    constant = profiles.link(link)["parameters"].get(name)
    return "" if constant is None else str(constant["value"])
