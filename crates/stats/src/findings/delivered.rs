//! Completed transfers, the input of most findings.

use crate::pair::{NONE, Transfers};

/// Probability that a run without a problem has a certain finding. Eighteen findings on a thousand clean runs
/// then give about one or two false alarms.
pub(super) const FALSE_ALARM: f64 = 1e-4;

/// Largest number of indices that a finding lists. The count is always complete.
pub(super) const LISTED: usize = 1_000;

/// Completed transfers in trigger order.
pub(super) struct Delivered {
    /// Index among all triggers.
    pub(super) index: Vec<usize>,
    /// Trigger time, ns.
    pub(super) trigger_ns: Vec<i64>,
    /// Latency, ns.
    pub(super) latency_ns: Vec<i64>,
}

impl Delivered {
    pub(super) fn of(transfers: &Transfers) -> Self {
        let pairs = transfers.trigger_ns.iter().zip(&transfers.completion_ns).enumerate();
        let mut delivered =
            Self { index: Vec::new(), trigger_ns: Vec::new(), latency_ns: Vec::new() };
        for (index, (&trigger, &completion)) in pairs.filter(|(_, (_, c))| **c != NONE) {
            delivered.index.push(index);
            delivered.trigger_ns.push(trigger);
            delivered.latency_ns.push(completion - trigger);
        }
        delivered
    }
}

/// The first [`LISTED`] indices as evidence.
pub(super) fn listed(indices: impl Iterator<Item = usize>) -> super::Value {
    super::Value::List(indices.take(LISTED).map(|index| index as i64).collect())
}
