"""Quantiles by name."""

from __future__ import annotations

from typing import Literal

#: Quantiles that every latency has.
Percentile = Literal["p1", "p5", "p25", "p50", "p75", "p95", "p99"]
