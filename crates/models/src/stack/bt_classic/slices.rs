//! What a host, a module and a radio of a piconet spend time on.

use airlag_sim::{Precedence, Slice};

pub use crate::slices::{ACKNOWLEDGEMENT, HOST, READ_OUT, SLOT_WAIT, UART};

/// A write that waits until there is room.
pub static CONGESTION: Slice = Slice::wait("congestion", Precedence::Held);
/// A radio or a stack that has slept.
pub static WAKE: Slice = Slice::wait("wake", Precedence::Held);
/// A module that waits for more bytes to send with those it has.
pub static FLUSH_WAIT: Slice = Slice::wait("flush wait", Precedence::Turn);
/// A module that has handed out bytes and takes no others yet.
pub static REARM: Slice = Slice::wait("rearm", Precedence::Turn);
/// A radio that listens for other piconets.
pub static SCAN: Slice = Slice::wait("scan", Precedence::Missed);
/// A packet without data by which a master asks, or a slave answers that it has none.
pub static POLL: Slice = Slice::besides("poll");
