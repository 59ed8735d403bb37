//! What a link carries when its sender never waits for a trigger.

use airlag_rig::carry::saturate;
use airlag_rig::profile::Profile;
use airlag_rig::report::Incidents;
use airlag_sim::Duration;

use crate::error::Error;

/// What came through.
#[derive(Clone, Debug, PartialEq)]
pub struct Goodput {
    /// Bytes of a message.
    pub size: usize,
    /// Messages received whole.
    pub delivered: u64,
    /// Messages handed to the link that did not arrive, but for those still under way.
    pub lost: u64,
    /// From the first message received to the last, ns.
    pub elapsed_ns: u64,
    /// What happened that has a name of its own.
    pub incidents: Incidents,
    /// Events the simulation fired.
    pub events: u64,
}

impl Goodput {
    /// User data in kilobits a second; 0 where fewer than two messages arrived.
    #[must_use]
    pub fn kbps(&self) -> f64 {
        // The first message only starts the watch.
        let bits = (self.delivered.saturating_sub(1) * self.size as u64 * 8) as f64;
        if self.elapsed_ns == 0 { 0.0 } else { bits * 1e6 / self.elapsed_ns as f64 }
    }
}

/// Sends messages of `size` bytes one after the other over the link of `profile` for `duration`.
///
/// # Errors
///
/// Those of a run; a link that carries no bytes has no goodput.
pub fn goodput(
    profile: &Profile,
    size: usize,
    seed: u64,
    duration: Duration,
) -> Result<Goodput, Error> {
    let carriage = saturate(profile, size, seed, duration)?;
    let carried = carriage.carried;
    Ok(Goodput {
        size,
        delivered: carried.delivered,
        lost: carried.lost(),
        elapsed_ns: carried.last.since(carried.first).as_ns(),
        incidents: carriage.incidents,
        events: carriage.events,
    })
}
