//! Time slices of a node.

use airlag_sim::{Precedence, Slice};

pub use crate::slices::{HOST, TRANSMIT};

/// The firmware reads a received packet, decides what to do with it and encrypts its answer.
pub static PROCESSING: Slice = Slice::work("packet processing");
/// A packet waits for a random number of slots.
pub static CONTENTION: Slice = Slice::wait("contention window", Precedence::Turn);
/// The radio looks for chirps on the channel.
pub static DETECTION: Slice = Slice::radio("channel activity detection", Precedence::Switch);
/// From the end of channel activity detection to the first symbol on the air.
pub static RADIO_START: Slice = Slice::radio("radio start", Precedence::Settle);
/// A sender waits for an acknowledgement, or for its packet from a relay.
pub static AWAIT_ACK: Slice = Slice::wait("await acknowledgement", Precedence::Await);
