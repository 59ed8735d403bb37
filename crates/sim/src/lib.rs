//! # airlag-sim: virtual time
//!
//! **Input:** tasks (`async` blocks), callbacks and one random seed. **Output:** the same order of
//! events, the same random draws and the same instants on every machine. **Used by:** `airlag-air`
//! and `airlag-models`, which add radios and microcontrollers. This crate contains no radio.
//!
//! Files, in reading order:
//!
//! - [`time`]: instants and durations in integer nanoseconds.
//! - [`sim`]: the event queue and the executor. [`Simulation`] owns and runs them; [`Sim`] is a
//!   cheap handle for tasks and models.
//! - [`Timers`]: timers of models.
//! - [`line`](mod@line): a digital wire whose edges can be awaited, observed and logged.
//! - [`channel`]: a queue between tasks, and a latched [`Notice`](channel::Notice).
//! - [`clock`]: clock of a board: frequency error in parts per billion, tick period, tick phase.
//! - [`stream`]: named random streams derived from the random seed.
//! - [`mod@slice`]: names and classes of time slices, and their attribution precedence.
//! - [`span`]: recorded spans of virtual time.
//! - [`meter`]: time that a component spends in each power state.
//! - [`error`]: all errors of a run.
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
