"""Runs made up for tests of reports: every kind of evidence a chart may meet."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from airlag.questions.runs import NONE, Finding, Outcome, Run

MS = 10**6
NOTHING = np.empty(0, np.int64)


def summary(latency_ns: NDArray[np.int64]) -> dict[str, Any] | None:
    """``latency_ns`` of the documented JSON, as far as charts read it."""
    if len(latency_ns) == 0:
        return None
    found: dict[str, Any] = {"n": len(latency_ns), "min": int(latency_ns.min())}
    for percent in (1, 5, 25, 50, 75, 90, 95, 99, 99.9):
        found[f"p{percent:g}"] = float(np.percentile(latency_ns, percent))
    found["max"] = int(latency_ns.max())
    found["interval95"] = {
        "p50": [found["p25"], found["p75"]],
        "p95": [found["p90"], found["p99"]],
        "p99": [found["p95"], None],
    }
    return found


def run(
    latency_ms: Sequence[float | None],
    *,
    source: str = "made.csv",
    period_ms: float = 200.0,
    censored: bool = False,
    findings: Sequence[Finding] = (),
    **more: Any,
) -> Run:
    """A run triggered every ``period_ms``; ``None`` is a loss, or censored at the very end."""
    trigger = np.round(np.arange(len(latency_ms)) * period_ms * MS).astype(np.int64) + 1000
    lost = np.array([each is None for each in latency_ms], bool)
    taken = np.array([round((each or 0.0) * MS) for each in latency_ms], np.int64)
    outcome = np.where(lost, Outcome.LOST, Outcome.DELIVERED).astype(np.uint8)
    if censored:
        outcome[-1] = Outcome.CENSORED
    completion = np.where(lost, NONE, trigger + taken)
    return Run(
        source=source,
        trigger_ns=trigger,
        completion_ns=completion,
        outcome=outcome,
        spurious_ns=NOTHING,
        glitch_ns=NOTHING,
        start_ns=0,
        end_ns=round(len(latency_ms) * period_ms * MS) + 1000,
        latency=summary(taken[~lost]),
        findings=findings,
        **more,
    )


def table(latency_ms: Sequence[float], source: str = "table.txt") -> Run:
    """A table of latencies: no clock, and no loss can show."""
    taken = np.array([round(each * MS) for each in latency_ms], np.int64)
    return Run(
        source=source,
        trigger_ns=None,
        completion_ns=taken,
        outcome=np.zeros(len(taken), np.uint8),
        spurious_ns=NOTHING,
        glitch_ns=NOTHING,
        start_ns=0,
        end_ns=0,
        latency=summary(taken),
    )


def lossy(n: int = 400, source: str = "lossy.csv", **more: Any) -> Run:
    """One in twenty lost, the last censored, the rest near 20 ms."""
    rng = np.random.default_rng(7)
    latency: list[float | None] = list(20.0 + rng.gamma(2.0, 1.0, n))
    latency[::20] = [None] * len(latency[::20])
    latency[-1] = None
    return run(latency, source=source, censored=True, **more)


def slotted(n: int = 300, period_ms: float = 30.0, source: str = "slotted.csv") -> Run:
    """Answers only on the beat of a clock of its own, found as such."""
    trigger = np.arange(n) * 203.7
    latency = (-trigger - 1.0) % period_ms + 1.5
    finding = Finding(
        "own-period",
        {"period_ns": period_ms * MS, "r": 0.999},
        f"Completions keep the beat of a clock of {period_ms} ms.",
        "Trigger in step with it.",
    )
    return run(list(latency), source=source, period_ms=203.7, findings=[finding])


def every_kind() -> list[Run]:
    """Runs to which, together, every chart applies."""
    several = [lossy(), slotted(), lossy(200, "dir/lossy.csv", size=12)]
    return [costing(each, nc) for each, nc in zip(several, (9e3, 3e3, 5e3), strict=True)]


def costing(one: Run, charge_nc: float) -> Run:
    """The same run, of which a message costs its sender so much."""
    sender = {"marginal_nc": charge_nc, "idle_na": 0.0}
    return replace(one, config={**one.config, "charge": {"sender": sender}})


def large(n: int) -> Run:
    """As many transfers as a long capture: a lattice of retries, a tail, one in a hundred lost."""
    rng = np.random.default_rng(1)
    retries = rng.geometric(0.6, n) - 1
    latency = 4.0 + 1.1597 * retries + rng.normal(0.0, 0.02, n)
    slow = rng.random(n) < 0.01
    latency[slow] += rng.exponential(15.0, int(slow.sum()))
    gone = rng.random(n) < 0.01
    return run(
        [None if lost else taken for taken, lost in zip(latency.tolist(), gone, strict=True)],
        source=f"made-{n}.csv",
        period_ms=50.0,
    )
