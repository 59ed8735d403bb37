"""How long a packet takes over a wireless link, how many arrive, and why.

>>> import airlag
>>> run = airlag.analyze("capture.csv")           # any format airlag reads
>>> run.latency["p99"], run.count(airlag.Outcome.LOST)
>>> airlag.compare(run, airlag.analyze("other.sal"))

Importing the package loads numpy and the Rust core; polars, charts and the command line load when
they are used.
"""

from __future__ import annotations

from airlag._airlag import MEMORY_BYTES, CaptureError, LinkError, Trace, Transfers, __version__
from airlag.analysis import analyze, analyze_many
from airlag.capture import convert, read
from airlag.comparison import compare
from airlag.run import NONE, Finding, Outcome, Run
from airlag.store import save

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
    "compare",
    "convert",
    "read",
    "save",
]
