//! What an end tells of packets that it was offered, and what it counts.

use alloc::collections::VecDeque;

use crate::codel::Waiting;
use crate::fair::Overload;

/// Why a packet was not taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// Nothing to send.
    #[error("a packet has at least one byte")]
    Empty,
    /// Longer than the MTU.
    #[error("{len} bytes are more than the MTU of {mtu}")]
    TooLong {
        /// Bytes given.
        len: usize,
        /// Bytes that may be.
        mtu: usize,
    },
}

/// Why a packet that was taken is not sent, or not any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Reason {
    /// It had waited too long.
    Late,
    /// Too much waited.
    Full,
    /// The other end began anew before it had confirmed it: it may have come, and is not sent again.
    Restart,
}

/// A packet that was taken and dropped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dropped {
    /// What [`Endpoint::offer`](super::Endpoint::offer) called it.
    pub id: u64,
    /// Why.
    pub reason: Reason,
}

/// What happened to a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// The other end has it.
    Confirmed(u64),
    /// It was dropped.
    Dropped(Dropped),
}

/// Packets dropped, by [`Reason`].
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

    /// The drops of two ends together.
    fn add(self, other: Self) -> Self {
        Self {
            late: self.late + other.late,
            full: self.full + other.full,
            restart: self.restart + other.restart,
        }
    }
}

/// What an end counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Packets taken.
    pub offered: u64,
    /// Packets dropped.
    pub dropped: Drops,
    /// Packets marked in place of being dropped.
    pub marked: u64,
    /// Packets handed on.
    pub received: u64,
    /// Bursts begun.
    pub bursts: u64,
    /// Bursts without an answer.
    pub unanswered: u64,
    /// Frames of sessions before this one.
    pub frames: u64,
    /// Those of them that were sent again.
    pub repeated: u64,
    /// Packets that were not what had been sealed.
    pub broken: u64,
    /// Received frames that were not authentic.
    pub garbage: u64,
    /// Sessions begun.
    pub sessions: u64,
}

impl core::ops::Add for Counts {
    type Output = Self;

    /// The counts of two ends together.
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

/// Fates that are kept for whoever asks; older ones are only counted.
const KEPT: usize = 4096;

/// Keeps a fate until somebody asks.
pub(super) fn keep(fates: &mut VecDeque<Fate>, fate: Fate) {
    if fates.len() >= KEPT {
        fates.pop_front();
    }
    fates.push_back(fate);
}

/// Keeps and counts the fate of a packet that is not sent.
pub(super) fn drop_waiting(
    fates: &mut VecDeque<Fate>,
    counts: &mut Counts,
    gone: &Waiting,
    why: Overload,
) {
    let reason = match why {
        Overload::Late => Reason::Late,
        Overload::Full => Reason::Full,
    };
    counts.dropped.note(reason);
    keep(fates, Fate::Dropped(Dropped { id: gone.id, reason }));
}
