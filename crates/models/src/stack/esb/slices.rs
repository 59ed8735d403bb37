//! Time slices of a node.

use airlag_sim::{Precedence, Slice};

pub use crate::slices::{
    ACKNOWLEDGEMENT, ACKNOWLEDGEMENT_TIMEOUT, AWAIT_ACKNOWLEDGEMENT, HOST, TRANSMIT,
};

/// Time from the start of the radio to its first bit.
pub static RAMP_UP: Slice = Slice::radio("ramp-up", Precedence::Settle);
/// Time from the end of a frame to the start of its acknowledgement.
pub static ACKNOWLEDGEMENT_TURNAROUND: Slice =
    Slice::radio("acknowledgement turnaround", Precedence::Reply);
/// Time from the end of a packet to the start of the radio for the next: the library's interrupt.
pub static NEXT_PACKET: Slice = Slice::work("next packet");
/// Rest of the delay before a retransmission.
pub static RETRANSMIT_DELAY: Slice = Slice::wait("retransmit delay", Precedence::Await);
