//! # airlag-sim: virtual time
//!
//! **Input:** tasks (`async` blocks), callbacks and one random seed. **Output:** the same order of
//! events, the same random draws and the same instants on every machine. **Used by:** `airlag-air`
//! and `airlag-models`, which add radios and microcontrollers. The crate `airlag-sim` contains no
//! radio.
//!
//! Files, in reading order:
//!
//! - [`time`]: instants and durations in integer nanoseconds.
//! - [`sim`]: the event queue and the executor of tasks. [`Simulation`] owns and runs both. Tasks
//!   and models use [`Sim`], a handle that is cheap to clone.
//! - [`Timers`]: timers of models.
//! - [`line`](mod@line): a digital wire whose edges can be awaited, observed and logged.
//! - [`channel`]: a queue between tasks, and a flag that stays raised until it is read
//!   ([`Notice`](channel::Notice)).
//! - [`clock`]: the clock of a board, with its frequency error in parts per billion, tick period
//!   and tick phase.
//! - [`stream`]: named random streams derived from the random seed.
//! - [`mod@slice`]: names and classes of time slices, and the precedence by which time is
//!   attributed to one of several overlapping slices.
//! - [`span`]: recorded spans of virtual time.
//! - [`meter`]: time that a component spends in each power state.
//! - [`error`]: all errors of a simulation run.
//!
//! There is no global and no thread-local state, so several simulations can run in threads of one
//! process. Computation takes no virtual time; a board model adds the time of its processor.

#![forbid(unsafe_code)]

pub mod channel;
pub mod clock;
pub mod error;
mod kernel;
pub mod line;
pub mod meter;
mod queue;
pub mod sim;
pub mod slice;
pub mod span;
pub mod stream;
pub mod time;
mod timers;

pub use clock::Clock;
pub use error::Error;
pub use line::{Edge, Line};
pub use meter::Meter;
pub use sim::{PATIENCE, Sim, Simulation, Stopped};
pub use slice::{Class, Precedence, Slice};
pub use span::{Span, Track};
pub use stream::{Chance, Stream};
pub use time::{Duration, Instant};
pub use timers::{Timed, Timers};
