//! Errors of a simulation run.

use crate::time::Instant;

/// Reason for which a run stopped early.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A task was polled too often at one instant. The usual cause is a future that wakes itself
    /// instead of waiting for an event.
    #[error("task `{task}` was polled {polls} times at {at} without an advance of virtual time")]
    Livelock {
        /// Name of the task.
        task: String,
        /// Instant of the error.
        at: Instant,
        /// Number of polls at that instant.
        polls: u32,
    },
    /// Callbacks kept scheduling further callbacks for the same instant.
    #[error("{events} events fired at {at} without an advance of virtual time")]
    Storm {
        /// Instant of the error.
        at: Instant,
        /// Number of events at that instant.
        events: u32,
    },
}
