//! Findings on the choice of channels: whether they are a trigger and its completion. The latency of a wrong
//! pair looks as plausible as that of the right one.

mod bus_line;
mod swapped;
mod unrelated;

pub use bus_line::looks_like_a_clock;
pub use swapped::swapped_channels;
pub use unrelated::no_relation;

use super::Finding;
use crate::pair::{NONE, Transfers};

/// Returns the finding about the choice of the two channels, if it is wrong.
#[must_use]
pub fn wrong_pair(transfers: &Transfers) -> Option<Finding> {
    swapped_channels(transfers)
        .or_else(|| looks_like_a_clock(transfers))
        .or_else(|| no_relation(transfers))
}

/// Smallest number of edges. With fewer, an interquartile range is off by more than a quarter.
const FEWEST: usize = 30;

/// All rising edges of the trigger channel, including those too close to be triggers, ns.
fn trigger_rises(transfers: &Transfers) -> Vec<i64> {
    sorted(transfers.trigger_ns.iter().chain(&transfers.glitch_ns).copied())
}

/// All rising edges of the completion channel, including spurious ones, ns.
fn completion_rises(transfers: &Transfers) -> Vec<i64> {
    let paired = transfers.completion_ns.iter().filter(|&&at| at != NONE);
    sorted(paired.chain(&transfers.spurious_ns).copied())
}

fn sorted(instants: impl Iterator<Item = i64>) -> Vec<i64> {
    let mut instants: Vec<i64> = instants.collect();
    instants.sort_unstable();
    instants
}

fn gaps(instants: &[i64]) -> Vec<i64> {
    instants.windows(2).map(|two| two[1] - two[0]).collect()
}
