//! Time slices of a station and its program.

use airlag_sim::{Precedence, Slice};

pub use crate::stack::wifi::slices::{
    ACKNOWLEDGEMENT, ACKNOWLEDGEMENT_TIMEOUT, AWAIT_ACKNOWLEDGEMENT, BACKOFF, BEACON, HOST,
    INTERFRAME_SPACE, MEDIUM_BUSY, TRANSMIT, TURNAROUND,
};

/// Additional time of the stack after a frame.
pub static STALL: Slice = Slice::wait("stall", Precedence::Held);
