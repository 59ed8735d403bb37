//! What is wrong with a board for a while: made so on purpose, to see what becomes of a stream.

use airlag_sim::{Duration, Instant};

/// Seconds that a host waits for what became of a frame it handed to its co-processor
/// (`OPENTHREAD_SPINEL_CONFIG_RCP_TX_WAIT_TIME_SECS`).
pub(super) const TRANSMIT_WAIT: Duration = Duration::from_secs(5);

/// What goes wrong, and when.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Faults {
    /// Frames that come meanwhile are acknowledged by the radio and dropped with a security error by
    /// the software behind it.
    pub insecure: Option<Spell>,
    /// The radio co-processor stops answering when it is flooded.
    pub stop: Option<Stop>,
}

/// A while of virtual time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spell {
    /// When it begins.
    pub from: Instant,
    /// How long it is.
    pub lasts: Duration,
}

impl Spell {
    pub(super) fn covers(&self, now: Instant) -> bool {
        now >= self.from && now < self.from + self.lasts
    }
}

/// When a radio co-processor stops answering.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stop {
    /// Messages that wait for it when it does; it does so again once there were fewer in between.
    pub backlog: usize,
    /// How long it takes until it is back; for ever if none.
    pub lasts: Option<Duration>,
}
