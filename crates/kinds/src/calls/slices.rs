//! What calls spend time on besides their link.

use airlag_sim::{Precedence, Slice};

/// The service at work.
pub static HANDLER: Slice = Slice::work("handler");
/// A command is sealed or opened.
pub static ENCRYPTION: Slice = Slice::work("encryption");
/// A read of the flash has not been answered yet.
pub static FLASH: Slice = Slice::wait("flash read", Precedence::Look);
/// The central's system has not said yet that it took a packet.
pub static WRITE_CALLBACK: Slice = Slice::wait("write callback", Precedence::Held);
