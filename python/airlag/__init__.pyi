# Generated from __init__.py by docs/generate.py: edit that.

from airlag._airlag import MEMORY_BYTES, CaptureError, LinkError, Trace, Transfers, __version__
from airlag.questions.analysis import analyze, analyze_many
from airlag.questions.budget import Explanation
from airlag.questions.capture import convert, load, read
from airlag.questions.channels import channels
from airlag.questions.compare import Comparison, compare, match
from airlag.questions.explain import explain
from airlag.questions.links import Links, Profile, links
from airlag.questions.load import Goodput, Loaded, goodput, offered_load
from airlag.questions.matching import Match, Ranking
from airlag.questions.probe import Probed, probe
from airlag.questions.recommend import recommend
from airlag.questions.recommendation import Recommendation
from airlag.questions.record import Recording, record
from airlag.questions.run import run
from airlag.questions.runs import NONE, Finding, Outcome, Run, Runs
from airlag.questions.store import save
from airlag.questions.sweep import sweep
from airlag.questions.thread_network import ThreadNetwork, thread
from airlag.questions.tune import indices, tune
from airlag.questions.tuning.sobol import Indices
from airlag.questions.tuning.tuned import Tuned
from airlag.views.pages.page import report

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
    "Probed",
    "Profile",
    "Ranking",
    "Recommendation",
    "Recording",
    "Run",
    "Runs",
    "ThreadNetwork",
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
    "offered_load",
    "probe",
    "read",
    "recommend",
    "record",
    "report",
    "run",
    "save",
    "sweep",
    "thread",
    "tune",
]
