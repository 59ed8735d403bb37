//! # airlag-lockstep: radios for emulated boards
//!
//! **Input:** SPI bytes and pin levels of two boards that another program emulates, with their times.
//! **Output:** the chips' bytes, their interrupt pins, and the time of the next event. **Used by:** an
//! emulator of processors, which runs the firmware as it is flashed.
//!
//! ```text
//!  emulator: processor ── SPI, pins ──► request ─► chip ── air ── chip ◄─ request ◄── processor
//! ```
//!
//! - `chips`: a radio with its pins, of any kind that has a chip model with a bus.
//! - [`radios`]: two chips and the air between them, as the profile of a link configures them.
//! - [`request`]: a request of the emulator as a line, and the reply to it.
//! - [`mod@serve`]: requests in, replies out.
//! - [`error`]: all errors.
//!
//! The emulator owns virtual time. No request may skip an event of the radios, so that each
//! interrupt reaches its board at the nanosecond at which the chip raises it. Chips and air are
//! those of the virtual bench, without its boards, programs and neighbours.

#![forbid(unsafe_code)]

mod chips;
pub mod error;
pub mod radios;
pub mod request;
pub mod serve;

pub use error::Error;
pub use radios::Radios;
pub use request::{Action, Pin, Reply, Request};
pub use serve::serve;
