//! Time slices of a host, a module and a radio of a piconet.

use airlag_sim::{Precedence, Slice};

pub use crate::slices::{ACKNOWLEDGEMENT, HOST, READ_OUT, SLOT_WAIT, UART};

/// A write waits for room.
pub static CONGESTION: Slice = Slice::wait("congestion", Precedence::Held);
/// Wake-up of a radio or a stack.
pub static WAKE: Slice = Slice::wait("wake", Precedence::Held);
/// A module waits for more bytes to send together.
pub static FLUSH_WAIT: Slice = Slice::wait("flush wait", Precedence::Turn);
/// A module has sent a burst and is preparing the next.
pub static REARM: Slice = Slice::wait("rearm", Precedence::Turn);
/// A radio scans for other piconets.
pub static SCAN: Slice = Slice::wait("scan", Precedence::Missed);
/// A packet without data with which a central polls, or with which a peripheral reports that it has none.
pub static POLL: Slice = Slice::besides("poll");
