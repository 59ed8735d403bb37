//! Whose turn it is: the four phases of a round, and what moves them (`tdm_state_update`,
//! `sync_tx_windows`).
//!
//! Everything is in ticks of the radio's own timer. Nothing here knows of packets' bytes.

use super::frame::Trailer;
use super::settings::Round;

/// A phase of a round, as one radio sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Its own window.
    Transmit,
    /// Silence behind its own window.
    AfterTransmit,
    /// The peer's window.
    Receive,
    /// Silence behind the peer's window.
    AfterReceive,
}

impl Phase {
    const fn next(self) -> Self {
        match self {
            Self::Transmit => Self::AfterTransmit,
            Self::AfterTransmit => Self::Receive,
            Self::Receive => Self::AfterReceive,
            Self::AfterReceive => Self::Transmit,
        }
    }

    /// What a timeline calls it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Transmit => "transmit window",
            Self::AfterTransmit | Self::AfterReceive => "silence",
            Self::Receive => "receive window",
        }
    }

    /// The frequency changes at both ends of a radio's own window, so that the peer, whose clock is
    /// a little off, has changed before or changes after nothing is sent any more.
    #[must_use]
    pub const fn hops(self) -> bool {
        matches!(self, Self::Transmit | Self::AfterTransmit)
    }
}

/// Where a radio stands in its round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Schedule {
    round: Round,
    phase: Phase,
    remaining: u64,
    /// It has sent a packet without data and is mute until the phase changes.
    yielded: bool,
    /// The peer has sent a packet without data in its own window: that window may be used.
    bonus: bool,
    /// Ticks it must not send for.
    wait: u64,
}

impl Schedule {
    /// `passed` ticks into a round, which begins with the radio's own window.
    #[must_use]
    pub fn new(round: Round, passed: u64) -> Self {
        let mut schedule = Self {
            round,
            phase: Phase::Transmit,
            remaining: round.window,
            yielded: false,
            bonus: false,
            wait: 0,
        };
        schedule.advance(passed % round.ticks(), |_| {});
        schedule
    }

    /// The phase it is in.
    #[must_use]
    pub const fn phase(&self) -> Phase {
        self.phase
    }

    /// Ticks left in this phase.
    #[must_use]
    pub const fn remaining(&self) -> u64 {
        self.remaining
    }

    /// Ticks it must not send for.
    #[must_use]
    pub const fn wait(&self) -> u64 {
        self.wait
    }

    /// Lets `ticks` pass; `entered` is told every phase that begins.
    pub fn advance(&mut self, ticks: u64, mut entered: impl FnMut(Phase)) {
        self.wait = self.wait.saturating_sub(ticks);
        let mut left = ticks;
        while left >= self.remaining {
            left -= self.remaining;
            self.phase = self.phase.next();
            self.remaining = match self.phase {
                Phase::Transmit | Phase::Receive => self.round.window,
                _ => self.round.silence,
            };
            (self.bonus, self.yielded, self.wait) = (false, false, 0);
            entered(self.phase);
        }
        self.remaining -= left;
    }

    /// True if the phase and what was yielded allow sending. A wait may still be running.
    #[must_use]
    pub const fn may_send(&self) -> bool {
        let own = matches!(self.phase, Phase::Transmit);
        let given = self.bonus && matches!(self.phase, Phase::Receive);
        (own || given) && !self.yielded
    }

    /// True if a packet sent now is sent in the peer's window.
    #[must_use]
    pub const fn is_bonus(&self) -> bool {
        matches!(self.phase, Phase::Receive)
    }

    /// A packet leaves. One without data gives the window up.
    pub const fn sent(&mut self, without_data: bool) {
        if without_data {
            self.yielded = true;
        }
        self.wait = self.round.latency;
    }

    /// Something is coming in: do not send into it.
    pub const fn hold_back(&mut self) {
        self.wait = self.round.latency;
    }

    /// A packet has arrived, of whatever kind.
    pub const fn heard(&mut self) {
        self.wait = 0;
    }

    /// Takes over from a packet's trailer how much of the window is left. True if the phase became
    /// another.
    pub fn synchronise(&mut self, trailer: Trailer, without_data: bool) -> bool {
        let before = self.phase;
        let left = u64::from(trailer.window);
        if trailer.bonus {
            match self.phase {
                // The packet took longer than was believed. Going back would hop once too often.
                Phase::AfterTransmit => self.remaining = self.round.silence,
                Phase::Receive | Phase::AfterReceive => {
                    (self.phase, self.remaining) = (Phase::AfterReceive, 1);
                }
                Phase::Transmit => self.remaining = left,
            }
        } else {
            (self.phase, self.remaining) = (Phase::Receive, left);
        }
        self.bonus = self.phase == Phase::Receive && without_data;
        if self.phase != Phase::Transmit {
            self.yielded = false;
        }
        self.phase != before
    }
}
