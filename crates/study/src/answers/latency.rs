//! Latency statistics.

use airlag_stats::dist;
use airlag_stats::dist::Summary;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::number::Number;

/// The 95 % confidence interval of a quantile: low, high, ns. An unbounded side is null.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct IntervalNs(pub [Option<i64>; 2]);

/// One value for each quantile.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "{T}Quantiles")]
pub struct Quantiles<T> {
    /// 1 % quantile.
    pub p1: T,
    /// 5 % quantile.
    pub p5: T,
    /// 25 % quantile.
    pub p25: T,
    /// Median.
    pub p50: T,
    /// 75 % quantile.
    pub p75: T,
    /// 95 % quantile.
    pub p95: T,
    /// 99 % quantile.
    pub p99: T,
    /// 99.9 % quantile. Present for 1000 latencies or more.
    #[serde(rename = "p99.9", skip_serializing_if = "Option::is_none")]
    pub p99_9: Option<T>,
}

impl<T: Default> Quantiles<T> {
    /// Extracts one value for each quantile of a summary.
    fn of(summary: &Summary, value: impl Fn(&dist::Quantile) -> T) -> Self {
        let of = |p| summary.quantiles.iter().find(|one| one.p == p).map(&value);
        let [p1, p5, p25, p50, p75, p95, p99] = dist::QUANTILES.map(|p| of(p).unwrap_or_default());
        Self { p1, p5, p25, p50, p75, p95, p99, p99_9: of(dist::FAR_TAIL) }
    }

    /// Applies a function to each value.
    pub fn map<U>(self, value: impl Fn(T) -> U) -> Quantiles<U> {
        let Self { p1, p5, p25, p50, p75, p95, p99, p99_9 } = self;
        let [p1, p5, p25, p50, p75, p95, p99] = [p1, p5, p25, p50, p75, p95, p99].map(&value);
        Quantiles { p1, p5, p25, p50, p75, p95, p99, p99_9: p99_9.map(value) }
    }
}

/// Absolute difference between consecutive latencies, ns.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Jitter {
    /// Mean.
    #[schemars(range(min = 0))]
    pub mean: f64,
    /// Median.
    #[schemars(range(min = 0))]
    pub p50: Number,
    /// 99 % quantile.
    #[schemars(range(min = 0))]
    pub p99: Number,
}

/// Latencies of the completed transfers, ns. Quantiles interpolate linearly between the closest
/// ranks (type 7).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Latency {
    /// Number of completed transfers.
    #[schemars(range(min = 1))]
    pub n: usize,
    /// Smallest latency, ns.
    pub min: i64,
    /// Quantiles, ns.
    #[serde(flatten)]
    pub quantiles: Quantiles<Number>,
    /// Largest latency, ns.
    pub max: i64,
    /// Mean latency, ns.
    pub mean: f64,
    /// Standard deviation (n - 1), ns. Null for a single latency.
    #[schemars(range(min = 0))]
    pub std: Option<f64>,
    /// The 95 % confidence interval of each quantile, ns.
    pub interval95: Quantiles<IntervalNs>,
    /// Jitter. Absent for a single latency.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub jitter: Option<Jitter>,
}

impl From<&Summary> for Latency {
    fn from(summary: &Summary) -> Self {
        let jitter = summary.jitter.as_ref().map(|one| Jitter {
            mean: one.mean_ns,
            p50: Number(one.p50_ns),
            p99: Number(one.p99_ns),
        });
        Self {
            n: summary.n,
            min: summary.min_ns,
            quantiles: Quantiles::of(summary, |one| Number(one.value_ns)),
            max: summary.max_ns,
            mean: summary.mean_ns,
            std: summary.std_ns,
            interval95: Quantiles::of(summary, |one| IntervalNs([one.low_ns, one.high_ns])),
            jitter,
        }
    }
}

impl Latency {
    /// Summarises latencies in the order of measurement. Returns `None` for an empty slice.
    #[must_use]
    pub fn of(latencies_ns: &[i64]) -> Option<Self> {
        Summary::of(latencies_ns).as_ref().map(Self::from)
    }
}

/// Latency minus the wire time of the message bits, ns.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Overhead {
    /// Smallest, ns.
    pub min: i64,
    /// Quantiles, ns.
    #[serde(flatten)]
    pub quantiles: Quantiles<Number>,
    /// Largest, ns.
    pub max: i64,
    /// Mean, ns.
    pub mean: f64,
}

impl Overhead {
    /// Subtracts `wire_ns` from a latency summary.
    #[must_use]
    pub fn of(latency: &Latency, wire_ns: u64) -> Self {
        let whole = wire_ns as i64;
        Self {
            min: latency.min - whole,
            quantiles: latency.quantiles.map(|Number(ns)| Number(ns - wire_ns as f64)),
            max: latency.max - whole,
            mean: latency.mean - wire_ns as f64,
        }
    }
}
