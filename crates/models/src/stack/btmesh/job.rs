//! Pending work of a node: its message, and jobs at a later time.

use std::collections::VecDeque;

use airlag_sim::Instant;

use super::pdu::{Network, Transport};
use super::segments::Outbound;

/// A message of the node's program.
pub(super) struct Message {
    pub(super) access: Vec<u8>,
    pub(super) segments: Option<Outbound>,
    pub(super) attempts: u8,
    pub(super) segment_attempts: u8,
    /// Segments that the advertiser has not received yet.
    pub(super) unsent: VecDeque<Transport>,
    /// Time at which the advertiser received the last segment.
    pub(super) handed_over: Instant,
    /// Whether a timer ends the interval after the last segment.
    pub(super) is_held: bool,
    /// Distinguishes its timers from earlier ones.
    pub(super) round: u64,
    /// Time at which everything had been sent and the wait for a response began.
    pub(super) waits_since: Option<Instant>,
}

/// Work at a later time.
pub(super) enum Job {
    Relay(Network),
    Respond { to: u16, tid: u8 },
    NextSegment { round: u64 },
    Segments { round: u64 },
    Response { round: u64 },
    Acknowledge { source: u16, seq_zero: u16 },
    Discard { source: u16, seq_zero: u16 },
}
