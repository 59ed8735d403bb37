//! Contention for the medium (IEEE Std 802.11-2012, 9.3.4).
//!
//! A radio that finds the medium idle for an interframe space sends at once. One that finds it busy
//! draws a backoff. Its slots count down while the medium is idle, and are frozen while it is busy.

use airlag_sim::Instant;

use super::{Access, Incident, Outgoing, Phase, State};
use crate::stack::wifi::slices;

impl Access {
    /// Queues a frame. A beacon precedes all frames not on the air yet.
    pub(super) fn contend_for(&self, state: &mut State, frame: Outgoing) {
        if frame.beacon {
            let under_way = state.sequence.is_some() && !state.queue.is_empty();
            state.queue.insert(usize::from(under_way), frame);
        } else {
            state.queue.push_back(frame);
        }
        if state.phase == Phase::Idle {
            self.begin(state);
        }
    }

    /// Starts the contention of the first frame in the queue. Some slots of the backoff after the
    /// previous frame may still have to be counted down.
    pub(super) fn begin(&self, state: &mut State) {
        let now = self.sim.now();
        state.asked = now;
        if state.slots.is_some_and(|slots| now >= state.free_from + self.config.slot * slots) {
            state.slots = None;
        }
        if self.is_busy(state) {
            self.defer(state);
        } else {
            self.count_down(state);
        }
    }

    /// Whether another frame, or an acknowledgement of this radio, is on the air.
    fn is_busy(&self, state: &State) -> bool {
        state.reply.is_some() || self.carrier(self.sim.now()).is_some()
    }

    /// Start of the first frame on the air, if it was detectable by `at`.
    fn carrier(&self, at: Instant) -> Option<Instant> {
        let begun = self.medium.busy_since(self.id, self.config.band());
        begun.filter(|&begin| begin + self.config.cca <= at)
    }

    fn defer(&self, state: &mut State) {
        let now = self.sim.now();
        if state.slots.is_none() {
            state.slots = Some(state.backoff.below(state.window + 1));
            self.record(Incident::Deferral);
        }
        Self::stay(state, Phase::Defer { since: now });
    }

    fn count_down(&self, state: &mut State) {
        let now = self.sim.now();
        // A running backoff counts from the end of the interframe space, even if that is in the
        // past.
        let from = if state.slots.is_some() { state.free_from } else { now.max(state.free_from) };
        let at = from + self.config.slot * state.slots.unwrap_or(0);
        self.enter(state, Phase::Count { from }, at.max(now));
    }

    /// Called when interframe space and backoff are over.
    fn counted(&self, state: &mut State, from: Instant) {
        let now = self.sim.now();
        // A frame that ended together with the last slot was still on the air during the slot.
        let heard = self.medium.busy_up_to_now(self.id, self.config.band());
        match heard.filter(|&begin| begin + self.config.cca <= now) {
            Some(began) => {
                self.interrupted(state, from, began);
                self.defer(state);
            }
            None => {
                self.passed(state.asked, from, now);
                self.begin_frame(state);
            }
        }
    }

    /// Called when the medium became busy at `began`, while slots counted from `from`.
    fn interrupted(&self, state: &mut State, from: Instant, began: Instant) {
        self.passed(state.asked, from, began);
        if let Some(slots) = &mut state.slots {
            // Clocks differ by nanoseconds. A slot that is short by less than the carrier detection
            // time therefore counts as elapsed.
            let passed = began.since(from) + self.config.cca;
            let passed =
                if began > from { passed.as_ns() / self.config.slot.as_ns().max(1) } else { 0 };
            *slots = slots.saturating_sub(passed);
        }
    }

    /// Records the time from `asked` until `until`: an interframe space, then slots from `from`.
    fn passed(&self, asked: Instant, from: Instant, until: Instant) {
        self.span(&slices::INTERFRAME_SPACE, asked, from.min(until));
        self.span(&slices::BACKOFF, from.max(asked), until);
    }

    /// Restarts contention after a use of the medium that ended now, or that will end one
    /// interframe space before `state.free_from`.
    pub(super) fn medium_changed(&self, state: &mut State, began: Instant) {
        match state.phase {
            Phase::Count { from } => {
                self.interrupted(state, from, began);
                self.defer(state);
                self.resume(state);
            }
            Phase::Defer { .. } => self.resume(state),
            _ => {}
        }
    }

    fn resume(&self, state: &mut State) {
        let Phase::Defer { since } = state.phase else { return };
        if !self.is_busy(state) {
            state.asked = self.sim.now();
            self.span(&slices::MEDIUM_BUSY, since, state.asked);
            self.count_down(state);
        }
    }

    pub(super) fn phase_over(&self, state: &mut State) {
        match state.phase {
            Phase::Count { from } => self.counted(state, from),
            Phase::Transmit => self.finished(state, None),
            Phase::AwaitAck => {
                if self.carrier(self.sim.now()).is_some() {
                    Self::stay(state, Phase::AckComing);
                } else {
                    self.missed(state);
                }
            }
            Phase::Idle | Phase::Defer { .. } | Phase::AckComing => {}
        }
    }
}
