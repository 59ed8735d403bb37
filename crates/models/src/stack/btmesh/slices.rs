//! Time slices of a mesh node.

use airlag_sim::{Precedence, Slice};

pub use crate::slices::{HOST, TRANSMIT};

/// A relay processes a network PDU.
pub static RELAY_PROCESSING: Slice = Slice::work("relay processing");
/// A PDU waits until the advertiser has finished those before it.
pub static ADVERTISING_QUEUE: Slice = Slice::wait("advertising queue", Precedence::Turn);
/// From the command to advertise to the first advertising event.
pub static ADVERTISING_START: Slice = Slice::wait("advertising start", Precedence::Settle);
/// The radio changes from one advertising channel to the next.
pub static CHANNEL_CHANGE: Slice = Slice::radio("channel change", Precedence::Settle);
/// Between two transmissions of a network PDU.
pub static RETRANSMIT_INTERVAL: Slice = Slice::wait("retransmit interval", Precedence::Await);
/// The advertiser stays occupied after its last event.
pub static ADVERTISING_END: Slice = Slice::wait("advertising end", Precedence::Await);
/// The next segment is held back until the segment transmission interval has passed.
pub static SEGMENT_INTERVAL: Slice = Slice::wait("segment interval", Precedence::Held);
/// A sender waits for segment acknowledgements.
pub static AWAIT_SEGMENTS: Slice = Slice::wait("segment acknowledgement", Precedence::Await);
/// A sender waits for the response to an acknowledged message.
pub static AWAIT_RESPONSE: Slice = Slice::wait("await response", Precedence::Await);
