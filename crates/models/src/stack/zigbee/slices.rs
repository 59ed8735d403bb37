//! Time slices of a Zigbee device.

use airlag_sim::{Precedence, Slice};

pub use crate::slices::HOST;

/// A frame in the software of the stack.
pub static STACK: Slice = Slice::work("stack");
/// AES of a frame in the processor.
pub static AES: Slice = Slice::work("AES");
/// A frame waits for the frames before it.
pub static TRANSMIT_QUEUE: Slice = Slice::wait("transmit queue", Precedence::Turn);
/// Delay before a frame that the MAC has given up is repeated.
pub static UNICAST_RETRY: Slice = Slice::wait("unicast retry delay", Precedence::Await);
/// A sender waits for the APS acknowledgement of its message.
pub static AWAIT_APS: Slice = Slice::wait("APS acknowledgement", Precedence::Await);
