//! What a host spends time on around its stack.

use airlag_sim::{Precedence, Slice};

pub use crate::slices::{HOST, READ_OUT, WRITE};

/// A program that waits until its socket takes more.
pub static SEND_BUFFER_FULL: Slice = Slice::wait("send buffer full", Precedence::Held);
/// Bytes in a socket that no segment may carry yet: others are unacknowledged, the window is closed,
/// or the network interface is full.
pub static SEGMENT_HELD: Slice = Slice::wait("segment held back", Precedence::Held);
