//! Delivery ratio and missed deadlines.

use airlag_stats::misses::Misses;
use airlag_stats::{Transfers, dist};
use schemars::JsonSchema;
use serde::Serialize;

use super::number::ShareInterval;

/// Delivery ratio of all transfers with a known outcome.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Delivery {
    /// Share that arrived.
    #[schemars(range(min = 0, max = 1))]
    pub ratio: f64,
    /// The 95 % confidence interval of the ratio (Wilson). For several simulated locations it
    /// includes the variation between them.
    pub interval95: ShareInterval,
}

impl Delivery {
    /// Counts transfers. Returns `None` if no outcome is known.
    #[must_use]
    pub fn of(transfers: &Transfers) -> Option<Self> {
        let found = dist::Delivery::of(transfers)?;
        Some(Self { ratio: found.ratio, interval95: [found.low, found.high] })
    }
}

/// Messages that miss a deadline: late or lost.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Deadline {
    /// The deadline, ns.
    #[schemars(range(min = 0))]
    pub deadline_ns: i64,
    /// Messages with a known outcome.
    #[schemars(range(min = 1))]
    pub n: usize,
    /// Messages that are late or lost.
    pub missed: usize,
    /// The 95 % confidence interval of the share that misses (Wilson).
    pub interval95: ShareInterval,
    /// Longest run of consecutive misses.
    pub longest_run: usize,
}

impl Deadline {
    /// Checks messages against a deadline. `fates_ns` are the latencies in trigger order, `None` for a
    /// lost message. Returns `None` without messages.
    #[must_use]
    pub fn of(fates_ns: &[Option<i64>], deadline_ns: i64) -> Option<Self> {
        let found = Misses::of(fates_ns, deadline_ns)?;
        let Misses { deadline_ns, n, missed, interval: (low, high), longest_run } = found;
        Some(Self { deadline_ns, n, missed, interval95: [low, high], longest_run })
    }
}
