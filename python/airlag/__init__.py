"""How long a packet takes over a wireless link, how many arrive, and why.

>>> import airlag
>>> run = airlag.analyze("capture.csv")           # any format airlag reads
>>> run.latency["p99"], run.count(airlag.Outcome.LOST)
>>> bench = airlag.run("nrf24-2m", size=128)      # the virtual bench
>>> airlag.compare(run, bench)

Importing the package loads nothing: each name brings what it needs when it is first used. So an
installation that lacks something is found where the command line can say so in one line.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from airlag._airlag import (
        MEMORY_BYTES,
        CaptureError,
        LinkError,
        Trace,
        Transfers,
        __version__,
    )
    from airlag.analysis import analyze, analyze_many
    from airlag.api.accounting import Explanation, explain
    from airlag.api.carrying import goodput, load
    from airlag.api.choosing import recommend
    from airlag.api.holding import Comparison, compare, match
    from airlag.api.profiles import Links, Profile, links
    from airlag.api.reporting import report
    from airlag.api.running import run
    from airlag.api.runs import Runs
    from airlag.api.sweeping import sweep
    from airlag.api.tuning import indices, tune
    from airlag.capture import convert, read
    from airlag.matching import Match, Ranking
    from airlag.offered import Goodput, Loaded
    from airlag.recommendation import Recommendation
    from airlag.runs import NONE, Finding, Outcome, Run
    from airlag.store import save
    from airlag.tuning.sobol import Indices
    from airlag.tuning.tuned import Tuned
    from airlag.wires import channels

__all__ = [
    "MEMORY_BYTES",
    "NONE",
    "CaptureError",
    "Comparison",
    "Explanation",
    "Finding",
    "Goodput",
    "Indices",
    "LinkError",
    "Links",
    "Loaded",
    "Match",
    "Outcome",
    "Profile",
    "Ranking",
    "Recommendation",
    "Run",
    "Runs",
    "Trace",
    "Transfers",
    "Tuned",
    "__version__",
    "analyze",
    "analyze_many",
    "channels",
    "compare",
    "convert",
    "explain",
    "goodput",
    "indices",
    "links",
    "load",
    "match",
    "read",
    "recommend",
    "report",
    "run",
    "save",
    "sweep",
    "tune",
]

#: Where each name is at home, below this package.
_HOMES = {
    "_airlag": ("MEMORY_BYTES", "CaptureError", "LinkError", "Trace", "Transfers", "__version__"),
    "analysis": ("analyze", "analyze_many"),
    "api.accounting": ("Explanation", "explain"),
    "api.carrying": ("goodput", "load"),
    "api.choosing": ("recommend",),
    "api.holding": ("Comparison", "compare", "match"),
    "api.profiles": ("Links", "Profile", "links"),
    "api.reporting": ("report",),
    "api.running": ("run",),
    "api.runs": ("Runs",),
    "api.sweeping": ("sweep",),
    "api.tuning": ("indices", "tune"),
    "capture": ("convert", "read"),
    "matching": ("Match", "Ranking"),
    "offered": ("Goodput", "Loaded"),
    "recommendation": ("Recommendation",),
    "runs": ("NONE", "Finding", "Outcome", "Run"),
    "store": ("save",),
    "tuning.sobol": ("Indices",),
    "tuning.tuned": ("Tuned",),
    "wires": ("channels",),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> Any:
    if name not in _HOME_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{_HOME_OF[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
