//! Outcomes of packets, and counters of an end.

use alloc::collections::VecDeque;

use crate::codel::Waiting;
use crate::fair::Overload;

/// Reason why a packet is not accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// The packet is empty.
    #[error("a packet has at least one byte")]
    Empty,
    /// The packet exceeds the MTU.
    #[error("{len} bytes are more than the MTU of {mtu}")]
    TooLong {
        /// Length, bytes.
        len: usize,
        /// MTU, bytes.
        mtu: usize,
    },
}

/// Reason why an accepted packet was dropped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Reason {
    /// Its queueing delay was too long.
    Late,
    /// The queues were full.
    Full,
    /// The other end restarted before it confirmed the packet. The packet may have arrived, and is not
    /// sent again.
    Restart,
}

/// A packet that was accepted and dropped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dropped {
    /// Identifier from [`Endpoint::offer`](super::Endpoint::offer).
    pub id: u64,
    /// Reason.
    pub reason: Reason,
}

/// Outcome of a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PacketOutcome {
    /// The other end has received the packet.
    Confirmed(u64),
    /// The packet was dropped.
    Dropped(Dropped),
}

/// Number of dropped packets, by [`Reason`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Drops {
    /// [`Reason::Late`].
    pub late: u64,
    /// [`Reason::Full`].
    pub full: u64,
    /// [`Reason::Restart`].
    pub restart: u64,
}

impl Drops {
    pub(super) const fn note(&mut self, reason: Reason) {
        match reason {
            Reason::Late => self.late += 1,
            Reason::Full => self.full += 1,
            Reason::Restart => self.restart += 1,
        }
    }
}

impl core::ops::Add for Drops {
    type Output = Self;

    /// Sum over two ends.
    fn add(self, other: Self) -> Self {
        Self {
            late: self.late + other.late,
            full: self.full + other.full,
            restart: self.restart + other.restart,
        }
    }
}

/// Counters of an end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Accepted packets.
    pub offered: u64,
    /// Dropped packets.
    pub dropped: Drops,
    /// Packets marked instead of dropped.
    pub marked: u64,
    /// Received packets.
    pub received: u64,
    /// Bursts sent.
    pub bursts: u64,
    /// Bursts without a response.
    pub unanswered: u64,
    /// Frames sent in previous sessions.
    pub frames: u64,
    /// Frames retransmitted in previous sessions.
    pub repeated: u64,
    /// Packets that failed authentication.
    pub broken: u64,
    /// Received frames that were not authentic.
    pub garbage: u64,
    /// Number of sessions.
    pub sessions: u64,
}

impl core::ops::Add for Counts {
    type Output = Self;

    /// Sum over two ends.
    fn add(self, other: Self) -> Self {
        Self {
            offered: self.offered + other.offered,
            dropped: self.dropped + other.dropped,
            marked: self.marked + other.marked,
            received: self.received + other.received,
            bursts: self.bursts + other.bursts,
            unanswered: self.unanswered + other.unanswered,
            frames: self.frames + other.frames,
            repeated: self.repeated + other.repeated,
            broken: self.broken + other.broken,
            garbage: self.garbage + other.garbage,
            sessions: self.sessions + other.sessions,
        }
    }
}

/// Largest number of unread outcomes. Older ones are only counted.
const KEPT: usize = 4096;

/// Stores an outcome until it is read.
pub(super) fn keep(outcomes: &mut VecDeque<PacketOutcome>, outcome: PacketOutcome) {
    if outcomes.len() >= KEPT {
        outcomes.pop_front();
    }
    outcomes.push_back(outcome);
}

/// Stores and counts the outcome of a packet that is not sent.
pub(super) fn drop_waiting(
    outcomes: &mut VecDeque<PacketOutcome>,
    counts: &mut Counts,
    gone: &Waiting,
    why: Overload,
) {
    let reason = match why {
        Overload::Late => Reason::Late,
        Overload::Full => Reason::Full,
    };
    counts.dropped.note(reason);
    keep(outcomes, PacketOutcome::Dropped(Dropped { id: gone.id, reason }));
}
