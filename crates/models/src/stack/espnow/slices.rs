//! What a station spends time on.

use airlag_sim::{Precedence, Slice};

pub use crate::slices::{
    ACKNOWLEDGEMENT, ACKNOWLEDGEMENT_TIMEOUT, AWAIT_ACKNOWLEDGEMENT, BACKOFF, HOST,
    INTERFRAME_SPACE, TRANSMIT, TURNAROUND,
};

/// A beacon on the air.
pub static BEACON: Slice = Slice::besides("beacon");
/// A frame of somebody else's is on the air.
pub static MEDIUM_BUSY: Slice = Slice::wait("medium busy", Precedence::Turn);
/// A stack that takes its time after a frame.
pub static STALL: Slice = Slice::wait("stall", Precedence::Held);
