//! Time slices of a host, its line and its module.

use airlag_sim::{Precedence, Slice};

pub use crate::slices::{IDLE_LINE, POLL_WAIT, READ_OUT, UART, WRITE};

/// The module reads a command or writes an event.
pub static MODULE: Slice = Slice::work("module");
/// The module stops the host, because its input buffer is full.
pub static FLOW_CONTROL: Slice = Slice::wait("flow control", Precedence::Held);
