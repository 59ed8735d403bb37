//! What the chip and its bus spend time on.

use airlag_sim::{Precedence, Slice};

pub use crate::slices::{CRYSTAL_START, RECEIVER_LATENCY, SPI_READ_PAYLOAD, SPI_WRITE_PAYLOAD};

/// From one mode to another.
pub static MODE_SWITCH: Slice = Slice::radio("mode switch", Precedence::Switch);

/// Asking for another mode.
pub static SPI_MODE: Slice = Slice::bus("SPI mode");
/// Any other register.
pub static SPI_REGISTERS: Slice = Slice::bus("SPI registers");
