//! Longest activity of the message at the deciding quantile.

use airlag_rig::run::Run;
use airlag_stats::pair::{NONE, Transfers};

use crate::error::Error;
use crate::explain::timelines;
use crate::timeline::Label;

/// Longest activity of the transfer at the requested quantile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Largest {
    /// Activity.
    pub label: Label,
    /// Duration, ns.
    pub ns: i64,
}

/// Returns the longest activity of the transfer at the quantile. If the quantile falls on a lost transfer,
/// the slowest delivered transfer is used.
pub(super) fn largest(
    run: &Run,
    transfers: &Transfers,
    share: f64,
) -> Result<Option<Largest>, Error> {
    let arrived = transfers.trigger_ns.iter().zip(&transfers.completion_ns).enumerate();
    let mut slowest: Vec<(i64, usize)> = arrived
        .filter(|(_, (_, completion))| **completion != NONE)
        .map(|(nth, (trigger, completion))| (completion - trigger, nth))
        .collect();
    slowest.sort_unstable();
    let rank = (transfers.trigger_ns.len() as f64 * share).ceil() as usize;
    let Some(&(_, nth)) = slowest.get(rank.clamp(1, slowest.len().max(1)) - 1) else {
        return Ok(None);
    };
    let only = Transfers {
        trigger_ns: vec![transfers.trigger_ns[nth]],
        completion_ns: vec![transfers.completion_ns[nth]],
        ..Transfers::default()
    };
    let Some(timeline) = timelines(run, &only)?.pop() else { return Ok(None) };
    let of = |label: Label| Largest { label, ns: timeline.spent(|other| other == label) };
    // The first of several equally long activities.
    let parts = timeline.parts().iter().rev();
    Ok(parts.map(|part| of(part.name)).max_by_key(|one| one.ns))
}
