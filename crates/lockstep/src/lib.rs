//! # airlag-lockstep: radios for emulated boards
//!
//! **Input:** SPI bytes and pin levels, with their times, of two boards that an external processor
//! emulator runs. **Output:** the bytes that the radio chips return, the levels of their interrupt
//! pins, and the time of the next event. **Used by:** the processor emulator, which executes the
//! unmodified firmware.
//!
//! ```text
//!  emulator: processor ── SPI, pins ──► request ─► chip ── air ── chip ◄─ request ◄── processor
//! ```
//!
//! - `chips`: a radio chip with its pins, for any kind of link whose chip model has a bus.
//! - [`radios`]: two chips and the air between them, as the profile of a link configures them.
//! - [`request`]: a request of the emulator as a line, and the reply to it.
//! - [`mod@serve`]: the loop that reads requests and writes replies.
//! - [`error`]: all errors.
//!
//! The emulator controls virtual time. No request may skip an event of the radios, so that each
//! interrupt reaches its board at the nanosecond at which the chip raises it. The chips and the air
//! are those of the virtual bench; the boards, programs and neighbours of the virtual bench are not
//! used.

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
