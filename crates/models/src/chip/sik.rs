//! A SiK telemetry radio.

pub mod frame;
mod framer;
mod hopping;
pub mod port;
pub mod radio;
pub mod schedule;
pub mod settings;

pub use radio::{Counts, FAMILY, Radio, SYSCLK, Timing, Wiring};
pub use schedule::{Phase, Schedule};
pub use settings::{Framing, Round, Settings};
