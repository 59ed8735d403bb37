"""Names of quantiles."""

from __future__ import annotations

from typing import Literal

#: Quantiles of every latency distribution.
Percentile = Literal["p1", "p5", "p25", "p50", "p75", "p95", "p99"]
