//! What can go wrong while a simulation runs.

use crate::time::Instant;

/// Why a run stopped early.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A task was woken again and again without time moving on. The usual cause is a future that
    /// wakes itself instead of waiting for something.
    #[error("task `{task}` was polled {polls} times at {at} without time moving on")]
    Livelock {
        /// Name the task was spawned with.
        task: String,
        /// When it happened.
        at: Instant,
        /// Polls counted at that instant.
        polls: u32,
    },
    /// Callbacks kept scheduling callbacks for the very same instant.
    #[error("{events} events fired at {at} without time moving on")]
    Storm {
        /// When it happened.
        at: Instant,
        /// Events counted at that instant.
        events: u32,
    },
}
