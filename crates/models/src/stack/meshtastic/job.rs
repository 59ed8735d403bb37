//! What a node has still to do: its message, and received packets.

use std::rc::Rc;

use airlag_sim::Instant;

use super::header::Header;
use super::queue::Packet;

/// A message of the node's program.
pub(super) struct Message {
    pub(super) packet: Packet,
    /// Transmissions left.
    pub(super) left: u8,
    /// Time of its retransmission, which other packets postpone.
    pub(super) due: Instant,
    /// When it was sent first, and the wait for an acknowledgement began.
    pub(super) waits_since: Option<Instant>,
}

/// Work at a later time.
pub(super) enum Job {
    /// Decides about a received packet.
    Handle(Header, Rc<[u8]>),
    /// The message with this identifier may be due for retransmission.
    Retransmit(u32),
    /// The program no longer waits for the acknowledgement of the message with this identifier.
    Lose(u32),
}
