//! Time slices of calls, apart from those of their link.

use airlag_sim::{Precedence, Slice};

/// The service processes a call.
pub static HANDLER: Slice = Slice::work("handler");
/// A command is sealed or opened.
pub static ENCRYPTION: Slice = Slice::work("encryption");
/// A flash read is pending.
pub static FLASH: Slice = Slice::wait("flash read", Precedence::Look);
/// Wait until the central's operating system confirms a packet.
pub static WRITE_CALLBACK: Slice = Slice::wait("write callback", Precedence::Held);
