//! What a host and a controller spend time on.

use airlag_sim::{Precedence, Slice};

pub use crate::slices::{ACKNOWLEDGEMENT_TIMEOUT, HOST, INTERFRAME_SPACE};

/// Data on the air again.
pub static RETRY: Slice = Slice::medium("retry", Precedence::Repeat);
/// Data waits for the next connection event.
pub static INTERVAL_WAIT: Slice = Slice::wait("interval wait", Precedence::Turn);
/// Data waits on, because a connection event passed without it.
pub static MISSED_EVENT: Slice = Slice::wait("missed event", Precedence::Missed);
