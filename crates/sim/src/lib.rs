//! # airlag-sim: virtual time
//!
//! **Enters:** tasks (`async` blocks), plain callbacks and one root seed. **Leaves:** the same
//! order of events, the same random draws and the same instants, on every machine. **Next on the
//! way:** `airlag-air` and `airlag-models`, which put radios and microcontrollers on top. Nothing
//! here knows what a radio is.
//!
//! Walk through the files in this order:
//!
//! - [`time`]: instants and durations in integer nanoseconds.
//! - [`sim`]: the event queue and the executor. [`Simulation`] owns them and runs; [`Sim`] is the
//!   cheap handle everybody else holds.
//! - [`Timers`]: what a model schedules for itself.
//! - [`line`](mod@line): a digital wire whose edges can be awaited, observed and logged.
//! - [`channel`]: a queue between tasks, and a latched [`Notice`](channel::Notice).
//! - [`clock`]: a board's own idea of time: parts per billion, tick period, tick phase.
//! - [`stream`]: named random streams drawn from the root seed.
//! - [`mod@slice`]: what time can be spent on: names, classes, and which comes first.
//! - [`span`]: spans of virtual time, for whoever wants to know where it went.
//! - [`meter`]: how long a part that draws current is in each of its states.
//! - [`error`]: the closed list of what can go wrong.
//!
//! There is no global and no thread-local: two simulations run in two threads of one process.
//! Virtual time charges nothing for computing; a board model adds what its processor costs.

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
