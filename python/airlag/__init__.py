"""How long a packet takes over a wireless link, how many arrive, and why.

>>> import airlag
>>> run = airlag.analyze("capture.csv")           # any format airlag reads
>>> run.latency["p99"], run.count(airlag.Outcome.LOST)
>>> bench = airlag.run("nrf24-2m", size=128)      # the virtual bench
>>> airlag.compare(run, bench)

Importing the package imports none of its modules. A module is imported when one of its names is
first used. The command line can therefore report an incomplete installation in one line.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

#: Module of each public name, relative to this package.
_HOMES = {
    "_airlag": ("MEMORY_BYTES", "CaptureError", "LinkError", "Trace", "Transfers", "__version__"),
    "questions.analysis": ("analyze", "analyze_many"),
    "questions.budget": ("Explanation",),
    "questions.explain": ("explain",),
    "questions.probe": ("Probed", "probe"),
    "questions.recommend": ("recommend",),
    "questions.record": ("Recording", "record"),
    "questions.compare": ("Comparison", "compare", "match"),
    "questions.links": ("Links", "Profile", "links"),
    "views.pages.page": ("report",),
    "questions.run": ("run",),
    "questions.sweep": ("sweep",),
    "questions.thread_network": ("ThreadNetwork", "thread"),
    "questions.tune": ("indices", "tune"),
    "questions.capture": ("convert", "load", "read"),
    "questions.matching": ("Match", "Ranking"),
    "questions.load": ("Goodput", "Loaded", "goodput", "offered_load"),
    "questions.recommendation": ("Recommendation",),
    "questions.runs": ("NONE", "Finding", "Outcome", "Run", "Runs"),
    "questions.store": ("save",),
    "questions.tuning.sobol": ("Indices",),
    "questions.tuning.tuned": ("Tuned",),
    "questions.channels": ("channels",),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}
__all__ = sorted(_HOME_OF)


def __getattr__(name: str) -> Any:
    if name not in _HOME_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{_HOME_OF[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
