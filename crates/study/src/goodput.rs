//! What a link carries when its sender never waits for a trigger, and what it spends its time on.

use std::collections::BTreeMap;

use airlag_rig::carry::{Extent, saturate};
use airlag_rig::exchange::AnyExchange;
use airlag_rig::floor::Cycle;
use airlag_rig::profile::Profile;
use airlag_rig::report::Incidents;

use crate::error::Error;
use crate::timeline::{Label, cut};

/// What came through in the steady state: from a message that has others before it, to the last.
#[derive(Clone, Debug, PartialEq)]
pub struct Goodput {
    /// Bytes of user data in a message, or a call.
    pub size: usize,
    /// Messages received whole, the one at which the watch started not counted.
    pub delivered: u64,
    /// Messages that did not arrive although a later one did.
    pub lost: u64,
    /// Messages the link held when the last one came.
    pub under_way: u64,
    /// From the message at which the watch started to the last, ns.
    pub elapsed_ns: u64,
    /// From each of these messages to the next, ns: what a program that knows only arrivals can measure.
    pub gaps_ns: Vec<i64>,
    /// What the formulas allow.
    pub ceiling: Cycle,
    /// What the time went to, ns, the most first; empty unless slices were asked for.
    pub spent: Vec<(Label, u64)>,
    /// What happened that has a name of its own.
    pub incidents: Incidents,
    /// Events the simulation fired.
    pub events: u64,
}

impl Goodput {
    /// User data in kilobits a second; 0 where too few messages arrived.
    #[must_use]
    pub fn kbps(&self) -> f64 {
        let bits = (self.delivered * self.size as u64 * 8) as f64;
        if self.elapsed_ns == 0 { 0.0 } else { bits * 1e6 / self.elapsed_ns as f64 }
    }

    /// The most the formulas allow, kilobits a second.
    #[must_use]
    pub fn ceiling_kbps(&self) -> Option<f64> {
        self.ceiling.kbps(self.size)
    }
}

/// Sends messages of `size` bytes one after the other over the link of `profile`.
///
/// # Errors
///
/// Those of a run; a link that carries no bytes has no goodput.
pub fn goodput(
    profile: &Profile,
    size: usize,
    seed: u64,
    extent: Extent,
) -> Result<Goodput, Error> {
    let carriage = saturate(profile, size, seed, extent)?;
    let size = extent.exchange.map_or(size, |AnyExchange(one)| one.bytes(size));
    let ceiling = profile.bind()?.cycle(size)?;
    let carried = carriage.carried;
    let (begin, end) = (carried.first.as_ns() as i64, carried.last.as_ns() as i64);
    let mut sums: BTreeMap<Label, u64> = BTreeMap::new();
    if extent.spans && end > begin {
        for part in cut(&carriage.spans, &carriage.tracks, extent.exchange.is_some(), begin, end) {
            let label = Label { name: part.name, class: part.class };
            *sums.entry(label).or_default() += (part.end_ns - part.begin_ns) as u64;
        }
    }
    let mut spent: Vec<(Label, u64)> = sums.into_iter().collect();
    spent.sort_by_key(|&(_, ns)| std::cmp::Reverse(ns));
    Ok(Goodput {
        size,
        delivered: carried.delivered,
        lost: carried.lost,
        under_way: carried.under_way,
        elapsed_ns: carried.last.since(carried.first).as_ns(),
        gaps_ns: carriage.gaps_ns,
        ceiling,
        spent,
        incidents: carriage.incidents,
        events: carriage.events,
    })
}
