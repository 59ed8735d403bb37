//! Time division: the four phases of a round, and their transitions (`tdm_state_update`,
//! `sync_tx_windows`).
//!
//! All times are in ticks of the radio's own timer. Packet contents are not used here.

use airlag_sim::Slice;

use super::frame::Trailer;
use super::settings::Round;
use super::slices;

/// A phase of a round, as one radio sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Its own window.
    Transmit,
    /// Silence after its own window.
    AfterTransmit,
    /// The peer's window.
    Receive,
    /// Silence after the peer's window.
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

    /// Time slice of the phase.
    #[must_use]
    pub const fn slice(self) -> &'static Slice {
        match self {
            Self::Transmit => &slices::TRANSMIT_WINDOW,
            Self::AfterTransmit | Self::AfterReceive => &slices::SILENCE,
            Self::Receive => &slices::RECEIVE_WINDOW,
        }
    }

    /// Whether a radio changes its frequency at the start of this phase of a round. Each radio changes
    /// its frequency at the start and at the end of its own transmit window. The clocks of the two
    /// radios differ slightly, but no packet is on the air when either radio changes its frequency.
    #[must_use]
    pub const fn hops(self) -> bool {
        matches!(self, Self::Transmit | Self::AfterTransmit)
    }
}

/// A radio's position in its round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Schedule {
    round: Round,
    phase: Phase,
    remaining: u64,
    /// Whether the radio has sent a packet without data, and is silent until the phase changes.
    yielded: bool,
    /// Whether the peer has sent a packet without data in its own window. This radio may then use
    /// the rest of that window.
    bonus: bool,
    /// Ticks for which the radio must not send.
    wait: u64,
}

impl Schedule {
    /// Creates a schedule that is `passed` ticks into a round. A round starts with the radio's own
    /// window.
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

    /// Current phase.
    #[must_use]
    pub const fn phase(&self) -> Phase {
        self.phase
    }

    /// Ticks left in this phase.
    #[must_use]
    pub const fn remaining(&self) -> u64 {
        self.remaining
    }

    /// Ticks for which the radio must not send.
    #[must_use]
    pub const fn wait(&self) -> u64 {
        self.wait
    }

    /// Advances by `ticks`. Calls `entered` with every phase that starts.
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

    /// Returns true if phase and yields allow sending. A wait may still be running.
    #[must_use]
    pub const fn may_send(&self) -> bool {
        let own = matches!(self.phase, Phase::Transmit);
        let given = self.bonus && matches!(self.phase, Phase::Receive);
        (own || given) && !self.yielded
    }

    /// Returns true if a packet sent now is in the peer's window.
    #[must_use]
    pub const fn is_bonus(&self) -> bool {
        matches!(self.phase, Phase::Receive)
    }

    /// Records a transmission. A packet without data yields the window.
    pub const fn sent(&mut self, without_data: bool) {
        if without_data {
            self.yielded = true;
        }
        self.wait = self.round.latency;
    }

    /// Delays transmission while a packet is being received.
    pub const fn hold_back(&mut self) {
        self.wait = self.round.latency;
    }

    /// Records a reception of any kind.
    pub const fn heard(&mut self) {
        self.wait = 0;
    }

    /// Adopts the remaining window time from the trailer of a packet. Returns true if the phase
    /// changed.
    pub fn synchronise(&mut self, trailer: Trailer, without_data: bool) -> bool {
        let before = self.phase;
        let left = u64::from(trailer.window);
        if trailer.bonus {
            match self.phase {
                // The packet took longer than estimated, and the transmit phase is over. Returning
                // to it would cause an additional frequency hop.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chip::sik::settings::tests::DELIVERED;
    use proptest::prelude::*;

    fn at(passed: u64) -> Schedule {
        Schedule::new(Round::new(&DELIVERED), passed)
    }

    const WINDOW: u64 = 7_140;
    const SILENCE: u64 = 260;

    const fn own(window: u16) -> Trailer {
        Trailer { window, bonus: false, resend: false }
    }

    const fn bonus(window: u16) -> Trailer {
        Trailer { window, bonus: true, resend: false }
    }

    #[test]
    fn a_round_is_a_window_a_silence_the_peer_s_window_and_a_silence() {
        let mut phases = Vec::new();
        at(0).advance(2 * (WINDOW + SILENCE), |phase| phases.push(phase));
        let silence = [Phase::AfterTransmit, Phase::AfterReceive];
        assert_eq!(phases, [silence[0], Phase::Receive, silence[1], Phase::Transmit]);
    }

    #[test]
    fn the_frequency_changes_at_both_ends_of_the_own_window() {
        let mut hops = Vec::new();
        at(WINDOW - 1).advance(2 * (WINDOW + SILENCE), |phase| hops.push(phase.hops()));
        assert_eq!(hops, [true, false, false, true]);
    }

    #[test]
    fn a_radio_sends_in_its_own_window_and_not_in_the_silences() {
        assert!(at(0).may_send());
        assert!(!at(WINDOW).may_send());
        assert!(!at(WINDOW + SILENCE).may_send());
        assert!(!at(2 * WINDOW + SILENCE).may_send());
    }

    #[test]
    fn a_packet_without_data_makes_it_mute_until_the_phase_changes() {
        let mut schedule = at(0);
        schedule.sent(true);
        schedule.advance(WINDOW - 1, |_| {});
        assert!(!schedule.may_send());
        schedule.advance(1 + WINDOW + 2 * SILENCE, |_| {});
        assert!(schedule.may_send());
    }

    #[test]
    fn the_peer_s_yield_opens_the_peer_s_window() {
        let mut schedule = at(WINDOW + SILENCE);
        schedule.synchronise(own(6_000), true);
        assert!(schedule.may_send() && schedule.is_bonus());
    }

    #[test]
    fn data_from_the_peer_keeps_the_peer_s_window_closed() {
        let mut schedule = at(WINDOW + SILENCE);
        schedule.synchronise(own(6_000), false);
        assert!(!schedule.may_send());
    }

    #[test]
    fn two_idle_radios_are_both_mute_after_one_exchange() {
        let (mut first, mut second) = (at(0), at(WINDOW + SILENCE));
        first.sent(true);
        second.synchronise(own(6_900), true);
        second.sent(true);
        first.synchronise(bonus(6_700), true);
        assert!(!first.may_send() && !second.may_send());
    }

    #[test]
    fn a_packet_sets_the_clock_to_what_its_sender_says() {
        let mut schedule = at(WINDOW + SILENCE + 100);
        assert!(!schedule.synchronise(own(5_000), false));
        assert_eq!((schedule.phase(), schedule.remaining()), (Phase::Receive, 5_000));
    }

    #[test]
    fn a_packet_of_the_peer_s_window_ends_an_own_window_that_was_wrong() {
        let mut schedule = at(100);
        assert!(schedule.synchronise(own(5_000), false));
        assert_eq!(schedule.phase(), Phase::Receive);
    }

    #[test]
    fn a_packet_that_took_too_long_does_not_hop_back() {
        let mut schedule = at(WINDOW + 10);
        assert!(!schedule.synchronise(bonus(20), false));
        assert_eq!((schedule.phase(), schedule.remaining()), (Phase::AfterTransmit, SILENCE));
    }

    #[test]
    fn being_used_while_it_thinks_it_listens_means_its_window_begins() {
        let mut schedule = at(WINDOW + SILENCE + 10);
        assert!(schedule.synchronise(bonus(20), false));
        assert_eq!((schedule.phase(), schedule.remaining()), (Phase::AfterReceive, 1));
    }

    #[test]
    fn after_a_packet_it_waits_as_long_as_the_shortest_one_takes() {
        let mut schedule = at(0);
        schedule.sent(false);
        assert_eq!(schedule.wait(), 157);
        schedule.advance(100, |_| {});
        assert_eq!(schedule.wait(), 57);
        schedule.heard();
        assert_eq!(schedule.wait(), 0);
    }

    proptest! {
        #[test]
        fn time_in_pieces_is_time_in_one(pieces in prop::collection::vec(0_u64..5_000, 0..40)) {
            let (mut one, mut many) = (at(0), at(0));
            pieces.iter().for_each(|&piece| many.advance(piece, |_| {}));
            one.advance(pieces.iter().sum(), |_| {});
            prop_assert_eq!(one, many);
        }

        #[test]
        fn no_packet_leaves_a_phase_without_time(
            passed in 0_u64..14_800, window in 0_u16..0x2000, is_bonus: bool, empty: bool,
        ) {
            let mut schedule = at(passed);
            schedule.synchronise(Trailer { window, bonus: is_bonus, resend: false }, empty);
            schedule.advance(20_000, |_| {});
            prop_assert!(schedule.remaining() > 0);
        }
    }
}
