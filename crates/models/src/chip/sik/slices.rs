//! What the radio's processor, its port and its share of the air spend time on.

use airlag_sim::Slice;

pub use crate::slices::{BAUD_WAIT, FLAG_POLL, READ_OUT, RECEIVER_LATENCY, SLOT_WAIT, UART};

/// From the decision to send to the first bit.
pub static TRANSMIT_SETUP: Slice = Slice::work("transmit setup");
/// A packet that tells the other radio how well it is heard.
pub static STATISTICS: Slice = Slice::besides("statistics");
/// A packet without data, by which a radio gives its window away.
pub static YIELD: Slice = Slice::besides("yield");
/// This radio may send.
pub static TRANSMIT_WINDOW: Slice = Slice::idle("transmit window");
/// The other one may.
pub static RECEIVE_WINDOW: Slice = Slice::idle("receive window");
/// Neither may.
pub static SILENCE: Slice = Slice::idle("silence");
