//! # airlag-lockstep: radios for emulated boards
//!
//! **Input:** SPI bytes and pin levels of two boards, with their times. **Output:** the bytes that
//! the radio chips return, the levels of the interrupt pins of the chips, and the time of the next
//! event. **Used by:** an external processor emulator, which executes the unmodified firmware of
//! both boards.
//!
//! ```text
//!  emulator: processor ── SPI, pins ──► request ─► chip ── air ── chip ◄─ request ◄── processor
//! ```
//!
//! - `chips`: a radio chip with its pins, for every kind of link whose chip model has a bus.
//! - [`radios`]: two chips and the air between them, configured by the profile of a link.
//! - [`request`]: a request of the processor emulator, in one line of text, and the reply to the
//!   request.
//! - [`mod@serve`]: the loop that reads requests and writes replies.
//! - [`error`]: all errors.
//!
//! An external processor emulator controls the virtual time. A request that would skip an event of
//! the radios is refused, so that each interrupt reaches its board at the nanosecond at which the
//! chip raises the interrupt. The chips and the air are those of the virtual bench. The boards and
//! programs of the virtual bench, and its other transmitters on the air, are not used.

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
