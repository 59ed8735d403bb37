//! What a station or an access point spends time on.

use airlag_sim::{Precedence, Slice};

pub use crate::slices::{
    ACKNOWLEDGEMENT, ACKNOWLEDGEMENT_TIMEOUT, AWAIT_ACKNOWLEDGEMENT, BACKOFF, HOST,
    INTERFRAME_SPACE, TRANSMIT, TURNAROUND,
};

/// A beacon on the air.
pub static BEACON: Slice = Slice::besides("beacon");
/// A frame of somebody else's is on the air.
pub static MEDIUM_BUSY: Slice = Slice::wait("medium busy", Precedence::Turn);
/// A frame that says whether its station sleeps.
pub static NULL_FRAME: Slice = Slice::besides("null frame");
/// An access point between taking a frame in and sending it on.
pub static FORWARDING: Slice = Slice::wait("forwarding", Precedence::Held);
/// A frame that is held until its station is awake.
pub static HELD_FOR_SLEEPER: Slice = Slice::wait("held for a sleeping station", Precedence::Turn);
/// A station between hearing that a frame is held for it and asking for it.
pub static FETCH: Slice = Slice::wait("fetch", Precedence::Held);
/// A radio that comes out of its sleep.
pub static WAKE: Slice = Slice::radio("wake-up", Precedence::Switch);
