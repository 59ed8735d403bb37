//! Frame exchange: a frame, its acknowledgement, and recovery from a missing one (IEEE Std
//! 802.11-2012, 9.3.2.8 and 9.3.4.4).

use airlag_link::airtime::wifi::{Rate, SIFS_NS};
use airlag_sim::{Duration, Instant};

use super::config::modulation;
use super::{Access, Event, Incident, Outcome, Phase, State};
use crate::stack::wifi::frame::{self, Departure, FCS_LEN};
use crate::stack::wifi::slices;

const SIFS: Duration = Duration::from_ns(SIFS_NS);

impl Access {
    /// Sends the first frame of the queue.
    pub(super) fn begin_frame(&self, state: &mut State) {
        let retry = state.sequence.is_some();
        let sequence = state.sequence.unwrap_or(state.next_sequence);
        if !retry {
            state.sequence = Some(sequence);
            state.next_sequence = (sequence + 1) % 4_096;
        }
        state.slots = None;
        let Some(first) = state.queue.front() else { return Self::stay(state, Phase::Idle) };
        let rate = if retry { first.retry_rate } else { first.rate };
        let (acknowledged, slice) = (!first.is_for_a_group(), first.slice);
        let now = self.sim.now();
        let answer = if acknowledged { SIFS_NS + rate.ack_ns() } else { 0 };
        let departure = Departure {
            sequence,
            retry,
            duration_us: (answer / 1_000) as u16,
            // Time of the first bit of the time stamp, by the radio's own clock.
            timestamp_us: first.beacon.then(|| self.clock.local_ns(now).max(0) as u64 / 1_000),
        };
        let mpdu = departure.seal(&first.mpdu);
        let octets = first.mpdu.len() + FCS_LEN;
        let end = self.clock.after(now, Duration::from_ns(rate.duration_ns(octets)));
        self.span(slice, now, end);
        self.medium.send(self.id, self.config.band(), modulation(rate), end, mpdu);
        state.listening_from = end;
        state.free_from = end + self.config.space();
        if acknowledged {
            self.count(|counts| counts.frames += 1);
            let window = Duration::from_ns(rate.ack_timeout_ns(self.config.slot.as_ns()));
            self.enter(state, Phase::AwaitAck, self.clock.after(end, window));
        } else {
            let beacon = first.beacon;
            self.count(|counts| {
                *(if beacon { &mut counts.beacons } else { &mut counts.frames }) += 1;
            });
            self.enter(state, Phase::Transmit, end);
        }
    }

    /// Handles a missing acknowledgement.
    pub(super) fn missed(&self, state: &mut State) {
        self.span(&slices::ACKNOWLEDGEMENT_TIMEOUT, state.listening_from, self.sim.now());
        if state.retries >= self.config.max_retries {
            self.record(Incident::NoAck);
            self.finished(state, Some(Outcome::Failed));
            return;
        }
        state.retries += 1;
        self.record(Incident::Retry);
        state.window = (2 * state.window + 1).min(u64::from(self.config.cw_max));
        state.slots = Some(state.backoff.below(state.window + 1));
        // 9.3.2.8: the backoff starts at the end of the acknowledgement timeout.
        state.free_from = state.free_from.max(self.sim.now() + self.config.space());
        self.begin(state);
    }

    /// Handles an acknowledgement.
    pub(super) fn acknowledged(&self, state: &mut State) {
        self.span(&slices::AWAIT_ACKNOWLEDGEMENT, state.listening_from, self.sim.now());
        self.count(|counts| counts.acknowledged += 1);
        self.finished(state, Some(Outcome::Acknowledged));
    }

    /// Completes the first frame and reports `outcome` to its sender.
    pub(super) fn finished(&self, state: &mut State, outcome: Option<Outcome>) {
        let done = state.queue.pop_front();
        (state.sequence, state.retries) = (None, 0);
        state.window = u64::from(self.config.cw_min).min(u64::from(self.config.cw_max));
        // 9.3.4.2: a backoff follows every frame, so that no station monopolises the medium.
        state.slots = Some(state.backoff.below(state.window + 1));
        if let Some(done) = done {
            state.events.push_back(Event::Finished(done.token, outcome));
        }
        if state.queue.is_empty() {
            Self::stay(state, Phase::Idle);
        } else {
            self.begin(state);
        }
    }

    /// Called SIFS after a received frame.
    pub(super) fn send_ack(&self, state: &mut State) {
        let now = self.sim.now();
        let Some(reply) = state.reply else { return };
        if now >= reply.until {
            state.reply = None;
            self.medium_changed(state, now);
            return;
        }
        self.span(&slices::ACKNOWLEDGEMENT, now, reply.until);
        let (band, modulation) = (self.config.band(), modulation(reply.rate));
        self.medium.send(self.id, band, modulation, reply.until, frame::ack(reply.to));
        self.set(super::timer::REPLY, 0, reply.until);
    }

    /// Start and end of the acknowledgement of a frame.
    pub(super) fn reply_times(&self, end: Instant, rate: Rate) -> (Instant, Instant) {
        let begin = self.clock.after(end, SIFS);
        (begin, self.clock.after(begin, Duration::from_ns(rate.ack_ns())))
    }
}
