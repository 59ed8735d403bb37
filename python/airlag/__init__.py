"""How long a packet takes over a wireless link, how many arrive, and why.

>>> import airlag
>>> run = airlag.analyze("capture.csv")           # any format airlag reads
>>> run.latency["p99"], run.count(airlag.Outcome.LOST)
>>> airlag.compare(run, airlag.analyze("other.sal"))

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
    from airlag.capture import convert, read
    from airlag.comparison import compare
    from airlag.runs import NONE, Finding, Outcome, Run
    from airlag.store import save
    from airlag.wires import channels

__all__ = [
    "MEMORY_BYTES",
    "NONE",
    "CaptureError",
    "Finding",
    "LinkError",
    "Outcome",
    "Run",
    "Trace",
    "Transfers",
    "__version__",
    "analyze",
    "analyze_many",
    "channels",
    "compare",
    "convert",
    "read",
    "save",
]

#: Where each name is at home, below this package.
_HOMES = {
    "_airlag": ("MEMORY_BYTES", "CaptureError", "LinkError", "Trace", "Transfers", "__version__"),
    "analysis": ("analyze", "analyze_many"),
    "capture": ("convert", "read"),
    "comparison": ("compare",),
    "runs": ("NONE", "Finding", "Outcome", "Run"),
    "store": ("save",),
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
