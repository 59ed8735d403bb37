//! Time slices of a station or an access point.

use airlag_sim::{Precedence, Slice};

pub use crate::slices::{
    ACKNOWLEDGEMENT, ACKNOWLEDGEMENT_TIMEOUT, AWAIT_ACKNOWLEDGEMENT, BACKOFF, HOST,
    INTERFRAME_SPACE, TRANSMIT, TURNAROUND,
};

/// A beacon on the air.
pub static BEACON: Slice = Slice::besides("beacon");
/// A frame of another sender is on the air.
pub static MEDIUM_BUSY: Slice = Slice::wait("medium busy", Precedence::Turn);
/// A frame that announces the sleep state of its station.
pub static NULL_FRAME: Slice = Slice::besides("null frame");
/// Processing of a packet in an access point, from reception to its queue.
pub static FORWARDING: Slice = Slice::wait("forwarding", Precedence::Held);
/// A frame waits for its station to wake up.
pub static HELD_FOR_SLEEPER: Slice = Slice::wait("held for a sleeping station", Precedence::Turn);
/// Delay of a station between the announcement of pending frames and its request for them.
pub static FETCH: Slice = Slice::wait("fetch", Precedence::Held);
/// Wake-up of a radio.
pub static WAKE: Slice = Slice::radio("wake-up", Precedence::Switch);
