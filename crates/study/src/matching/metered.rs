//! Bench of a profile with free parameters that counts simulated events.
//!
//! The work of a fit is measured in events and not in seconds, so that the same capture gives the same values
//! on any machine.

use std::cell::Cell;

use crate::error::Error;
use crate::matching::fit::Bench;
use crate::matching::free::{self, Free};
use crate::matching::progress::OnProgress;
use crate::matching::replay::Replay;
use airlag_rig::profile::Profile;

pub(super) struct Metered<'a> {
    pub(super) profile: &'a Profile,
    pub(super) free: &'a [Free],
    pub(super) size: usize,
    /// Expected events of the fit. `None` before the first estimate.
    pub(super) expected: Cell<Option<u64>>,
    pub(super) spent: Cell<u64>,
    /// Receives the share of the expected events that is spent.
    pub(super) on_progress: OnProgress<'a>,
}

impl Bench for Metered<'_> {
    fn latencies(
        &self,
        replay: &Replay,
        values: &[Option<f64>],
        seed: u64,
    ) -> Result<Vec<i64>, Error> {
        let profile = free::set(self.profile, self.free, values)?;
        let (latency, events) = replay.latencies(&profile, self.size, seed)?;
        let spent = self.spent.get().saturating_add(events);
        self.spent.set(spent);
        if let Some(expected) = self.expected.get() {
            (self.on_progress)((spent as f64 / expected.max(1) as f64).min(1.0));
        }
        Ok(latency)
    }

    fn spent(&self) -> u64 {
        self.spent.get()
    }

    fn expect(&self, events: u64) {
        self.expected.set(Some(events));
    }
}
