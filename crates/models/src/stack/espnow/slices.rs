//! What a station and the program around it spend time on.

use airlag_sim::{Precedence, Slice};

pub use crate::stack::wifi::slices::{
    ACKNOWLEDGEMENT, ACKNOWLEDGEMENT_TIMEOUT, AWAIT_ACKNOWLEDGEMENT, BACKOFF, BEACON, HOST,
    INTERFRAME_SPACE, MEDIUM_BUSY, TRANSMIT, TURNAROUND,
};

/// A stack that takes its time after a frame.
pub static STALL: Slice = Slice::wait("stall", Precedence::Held);
