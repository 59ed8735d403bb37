//! Time slices of a host and a controller.

use airlag_sim::{Precedence, Slice};

pub use crate::slices::{ACKNOWLEDGEMENT_TIMEOUT, HOST, INTERFRAME_SPACE};

/// Retransmission of data.
pub static RETRY: Slice = Slice::medium("retry", Precedence::Repeat);
/// Data waits for the next connection event.
pub static INTERVAL_WAIT: Slice = Slice::wait("interval wait", Precedence::Turn);
/// Data keeps waiting because it missed a connection event.
pub static MISSED_EVENT: Slice = Slice::wait("missed event", Precedence::Missed);
