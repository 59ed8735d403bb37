//! Time slices of the radio's processor, its port and its use of the air.

use airlag_sim::Slice;

pub use crate::slices::{BAUD_WAIT, FLAG_POLL, READ_OUT, RECEIVER_LATENCY, SLOT_WAIT, UART};

/// Time from the decision to send to the first bit.
pub static TRANSMIT_SETUP: Slice = Slice::work("transmit setup");
/// A packet that reports signal quality to the other radio.
pub static STATISTICS: Slice = Slice::besides("statistics");
/// A packet without data, which yields a radio's window.
pub static YIELD: Slice = Slice::besides("yield");
/// This radio may send.
pub static TRANSMIT_WINDOW: Slice = Slice::idle("transmit window");
/// The other radio may send.
pub static RECEIVE_WINDOW: Slice = Slice::idle("receive window");
/// Neither radio may send.
pub static SILENCE: Slice = Slice::idle("silence");
