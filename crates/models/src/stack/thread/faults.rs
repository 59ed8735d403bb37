//! Temporary faults injected into a board, to observe their effect on a stream.

use airlag_sim::{Duration, Instant};

/// Time for which a host waits for the outcome of a frame from its co-processor
/// (`OPENTHREAD_SPINEL_CONFIG_RCP_TX_WAIT_TIME_SECS`).
pub(super) const TRANSMIT_WAIT: Duration = Duration::from_secs(5);

/// Faults, and their times.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Faults {
    /// Period in which received frames are acknowledged by the radio and dropped with a security
    /// error by the software behind it.
    pub insecure: Option<Period>,
    /// Stop of the radio co-processor under a flood.
    pub stop: Option<Stop>,
}

/// A period of virtual time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Period {
    /// Begin.
    pub from: Instant,
    /// Duration.
    pub lasts: Duration,
}

impl Period {
    pub(super) fn covers(&self, now: Instant) -> bool {
        now >= self.from && now < self.from + self.lasts
    }
}

/// Condition under which a radio co-processor stops responding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stop {
    /// Number of queued messages at which it stops. It can stop again only after the backlog has
    /// been below this value.
    pub backlog: usize,
    /// Time until the co-processor responds again. `None` if it never does.
    pub lasts: Option<Duration>,
}
