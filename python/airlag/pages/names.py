"""Short names of runs, told apart: what stands beside a row, in a legend and in a title."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath

from airlag import payload
from airlag.display import printable, shortened
from airlag.runs import Run

#: Longest name on a chart, characters; the table of the page has the full one.
LONGEST = 56

#: Endings that say how a run was stored and not what it is.
STORED_AS = frozenset(
    {".csv", ".sal", ".parquet", ".vcd", ".sr", ".txt", ".pcap", ".pcapng", ".gz", ".json"}
)


def names(runs: Sequence[Run]) -> list[str]:
    """Name every run differently.

    A virtual run is called after its link, size and settings, and where that does not tell it apart
    after its phase and its seed; a capture after its file; folders are added
    only as far as it takes to tell two captures apart, and a number where even that does not.

    Parameters
    ----------
    runs
        The runs of one report.

    Returns
    -------
    list of str
        One name a run, all different, at most :data:`LONGEST` characters and a number.
    """
    found = [_short(_own_name(run, 1)) for run in runs]
    for depth in range(2, 5):
        twice = Counter(found)
        found = [
            _short(_own_name(run, depth)) if twice[name] > 1 else name
            for run, name in zip(runs, found, strict=True)
        ]
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


def _own_name(run: Run, depth: int) -> str:
    if run.link is not None and run.source in (run.link, ""):
        settings: Mapping[str, object] = run.config.get("settings", {})
        set_ = [f"{key}={value}" for key, value in settings.items()]
        name = " ".join([*payload.words(run.link, run.size), *set_])
        phase = run.config.get("phase")
        if depth > 1 and phase is not None:
            name += f", {phase}"
        return name if depth <= 2 or run.seed is None else f"{name}, seed {run.seed}"
    parts = list(PurePosixPath(run.source).parts[-depth:]) or ["unnamed"]
    last = PurePosixPath(parts[-1])
    while last.suffix.lower() in STORED_AS and last.stem:
        last = PurePosixPath(last.stem)
    parts[-1] = str(last)
    return "/".join(parts)


def _short(name: str) -> str:
    return shortened(printable(name), LONGEST)
