//! What most findings look at: the transfers that completed, and which ones they were.

use crate::pair::{NONE, Transfers};

/// Chance at which a finding may be raised by a run that has nothing to find. Eighteen findings
/// on a thousand clean runs then raise about one or two.
pub(super) const FALSE_ALARM: f64 = 1e-4;

/// Most indices a finding lists; the count is always complete.
pub(super) const LISTED: usize = 1_000;

/// Completed transfers in trigger order.
pub(super) struct Delivered {
    /// Index of the transfer among all triggers.
    pub(super) index: Vec<usize>,
    /// When it was triggered, ns.
    pub(super) trigger_ns: Vec<i64>,
    /// How long it took, ns.
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
