"""Short names of runs, told apart: what stands beside a row, in a legend and in a title."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import PurePosixPath

from airlag.core.display import printable, shortened
from airlag.questions.identity import Asked, Words, told_apart
from airlag.questions.runs import Run

#: Longest name on a chart, characters; the table of the page has the full one.
LONGEST = 48
#: What is left of the name of a link or of a constant at least, characters.
LEAST = 12

#: Endings that say how a run was stored and not what it is.
STORED_AS = frozenset(
    {".csv", ".sal", ".parquet", ".vcd", ".sr", ".txt", ".pcap", ".pcapng", ".gz", ".json"}
)


def names(runs: Sequence[Run]) -> list[str]:
    """Names every run differently, in at most :data:`LONGEST` characters and a number.

    A virtual run is called after its link, its size and what differs among these runs, a capture
    after its file; folders are added only as far as it takes to tell two captures apart, and a
    number where even that does not.
    """
    own = _bench_names(runs)
    found = [""] * len(runs)
    for depth in range(1, 5):
        twice = Counter(found)
        for place, (run, name) in enumerate(zip(runs, list(found), strict=True)):
            if twice[name] > 1 or depth == 1:
                found[place] = own[place] or _name(run, depth)
    twice = Counter(found)
    taken: set[str] = set()
    for place, name in enumerate(found):
        if twice[name] == 1:
            continue
        copy = 1
        while f"{name} #{copy}" in taken or twice[f"{name} #{copy}"]:
            copy += 1
        found[place] = f"{name} #{copy}"
        taken.add(found[place])
    return found


def shared(runs: Sequence[Run]) -> str:
    """What was asked alike of every run and so is in no name, as a sentence; empty: nothing."""
    first, *others = ([] if (asked := Asked.of(run)) is None else asked.head for run in runs)
    words = [word for word in first if all(word in other for other in others)]
    if not words:
        return ""
    return f"{'All' if others else 'Run'} with {', '.join(map(printable, words))}."


def _bench_names(runs: Sequence[Run]) -> list[str | None]:
    """Names of the virtual runs among these, as far as what was asked of them tells them apart."""
    asked = [Asked.of(run) for run in runs]
    told = told_apart([each for each in asked if each is not None])
    cut = [_cut_link(words) for words in told]
    # Cut so, names of two links may be alike.
    meant: dict[str, set[str]] = {}
    for name, words in zip(cut, told, strict=True):
        meant.setdefault(name, set()).add(" ".join(words.told))
    found = iter(
        _cut_keys(words) if len(meant[name]) > 1 else name
        for name, words in zip(cut, told, strict=True)
    )
    return [None if each is None else next(found) for each in asked]


def _cut_link(words: Words) -> str:
    """Of a long name the link is cut, before that by which it differs."""
    rest = printable(_joined(words.size, words.differing))
    room = max(LONGEST - len(rest), LEAST)
    return _short(shortened(printable(words.link), room) + rest)


def _cut_keys(words: Words) -> str:
    """Of a long name the names of constants are cut, before the link."""
    brief = []
    for word in words.differing:
        key, sign, value = word.partition("=")
        brief.append(f"{shortened(key, LEAST)}{sign}{value}")
    return _short(printable(words.link + _joined(words.size, brief)))


def _joined(size: str | None, differing: Sequence[str]) -> str:
    """Payload and what differs, as they stand behind the link."""
    return (f" {size}" if size else "") + "".join(f", {word}" for word in differing)


def _name(run: Run, depth: int) -> str:
    """The file of a capture, with so many folders."""
    parts = list(PurePosixPath(run.source).parts[-depth:]) or ["unnamed"]
    last = PurePosixPath(parts[-1])
    while last.suffix.lower() in STORED_AS and last.stem:
        last = PurePosixPath(last.stem)
    parts[-1] = str(last)
    return _short("/".join(parts))


def _short(name: str) -> str:
    return shortened(printable(name), LONGEST)
