//! Whether the two wires are a trigger and its completion at all: a figure for a wrong pair looks as
//! good as one for the right pair.

mod bus_line;
mod swapped;
mod unrelated;

pub use bus_line::looks_like_a_clock;
pub use swapped::swapped_channels;
pub use unrelated::no_relation;

use super::Finding;
use crate::pair::{NONE, Transfers};

/// What is wrong with the choice of the two wires, if anything is.
#[must_use]
pub fn wrong_pair(transfers: &Transfers) -> Option<Finding> {
    swapped_channels(transfers)
        .or_else(|| looks_like_a_clock(transfers))
        .or_else(|| no_relation(transfers))
}

/// Too few to tell anything: with fewer, an inter-quartile range is off by more than a quarter.
const FEWEST: usize = 30;

/// Every rise of the trigger wire, those too close to be triggers among them, ns.
fn trigger_rises(transfers: &Transfers) -> Vec<i64> {
    sorted(transfers.trigger_ns.iter().chain(&transfers.glitch_ns).copied())
}

/// Every rise of the completion wire, asked for or not, ns.
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
