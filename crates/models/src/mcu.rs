//! What a microcontroller costs.
//!
//! - [`board`]: a board's name, clock and random streams.
//! - [`pin`]: outputs, and inputs that are noticed by interrupt, by polling or at a tick.
//! - [`spi`]: a bus at a clock, with gaps between bytes.
//! - [`delay`]: waiting on the board's own clock.
//! - [`software`]: processor time a program spends around its link.
//!
//! Every cost is a named parameter and runs on the board's own clock.

pub mod board;
pub mod delay;
pub mod pin;
pub mod software;
pub mod spi;

pub use board::Board;
pub use delay::Delay;
pub use pin::{Input, Notice, Output};
pub use software::{Costed, Costs};
pub use spi::{Spi, SpiTarget, SpiTiming};
