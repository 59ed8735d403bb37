//! Time slices of the chip and its bus.

use airlag_sim::{Precedence, Slice};

pub use crate::slices::{CRYSTAL_START, RECEIVER_LATENCY, SPI_READ_PAYLOAD, SPI_WRITE_PAYLOAD};

/// Transition between modes.
pub static MODE_SWITCH: Slice = Slice::radio("mode switch", Precedence::Switch);

/// Request for another mode.
pub static SPI_MODE: Slice = Slice::bus("SPI mode");
/// Any other register.
pub static SPI_REGISTERS: Slice = Slice::bus("SPI registers");
