//! Time slices of a host around its stack.

use airlag_sim::{Precedence, Slice};

pub use crate::slices::{HOST, READ_OUT, WRITE};

/// A program waits until its socket accepts more data.
pub static SEND_BUFFER_FULL: Slice = Slice::wait("send buffer full", Precedence::Held);
/// Bytes in a socket that cannot be sent yet: others are unacknowledged, the window is closed, or
/// the network interface is full.
pub static SEGMENT_HELD: Slice = Slice::wait("segment held back", Precedence::Held);
