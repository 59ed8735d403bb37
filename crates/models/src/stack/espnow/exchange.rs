//! A frame, its acknowledgement, and what follows where none comes (IEEE Std 802.11-2012, 9.3.2.8
//! and 9.3.4.4).

use std::rc::Rc;

use airlag_link::airtime::wifi::{Rate, SIFS_NS};
use airlag_sim::Duration;

use super::beacon;
use super::config::modulation;
use super::contend::DIFS;
use super::frame::{self, Header, MAX_BODY};
use super::slices;
use super::station::{Incident, Job, Outcome, Phase, State, Station};

const SIFS: Duration = Duration::from_ns(SIFS_NS);

impl Station {
    /// Sends `body` and waits for what becomes of it; `None` if it does not fit. One at a time.
    pub(super) async fn transmit(&self, body: &[u8]) -> Option<Outcome> {
        if body.len() > MAX_BODY {
            return None;
        }
        {
            let mut state = self.state.borrow_mut();
            let random = (state.random.bits() as u32).to_le_bytes();
            self.ask(&mut state, Job::Data { body: Rc::from(body), random });
        }
        self.done.wait().await;
        self.state.borrow_mut().outcome.take()
    }

    /// The first job of the queue goes on the air.
    pub(super) fn begin_frame(&self, state: &mut State) {
        let retry = state.sequence.is_some();
        let sequence = state.sequence.unwrap_or(state.next_sequence);
        if !retry {
            state.sequence = Some(sequence);
            state.next_sequence = (sequence + 1) % 4_096;
        }
        state.slots = None;
        let (rate, mpdu, acknowledged) = match state.queue.front() {
            None => return self.stay(state, Phase::Idle),
            Some(Job::Beacon) => {
                let (rate, interval) =
                    self.config.beacons.map_or((Rate::Dsss1, 100), |b| (b.rate, b.interval_tu));
                let address = self.config.address;
                // The time the first bit of the timestamp leaves, by the station's own clock.
                let stamp = self.clock.local_ns(self.sim.now()).max(0) as u64 / 1_000;
                let channel = self.config.channel;
                (rate, beacon::beacon(address, sequence, channel, stamp, interval), false)
            }
            Some(Job::Data { body, random }) => {
                let rate = self.config.rate_of(retry);
                let header = Header {
                    to: self.config.peer,
                    from: self.config.address,
                    sequence,
                    retry,
                    duration_us: ((SIFS_NS + rate.ack_ns()) / 1_000) as u16,
                };
                match frame::esp_now(&header, *random, body) {
                    Some(mpdu) => (rate, mpdu, true),
                    None => return self.stay(state, Phase::Idle),
                }
            }
        };
        let now = self.sim.now();
        let end = self.clock.after(now, Duration::from_ns(rate.duration_ns(mpdu.len())));
        self.span(if acknowledged { &slices::TRANSMIT } else { &slices::BEACON }, now, end);
        self.medium.send(self.id, self.band, modulation(rate), end, mpdu);
        state.listening_from = end;
        state.free_from = end + DIFS;
        if acknowledged {
            self.count(|counts| counts.frames += 1);
            let window = Duration::from_ns(rate.ack_timeout_ns());
            self.enter(state, Phase::AwaitAck, self.clock.after(end, window));
        } else {
            self.count(|counts| counts.beacons += 1);
            self.enter(state, Phase::Transmit, end);
        }
    }

    /// No acknowledgement came.
    pub(super) fn missed(&self, state: &mut State) {
        self.span(&slices::ACKNOWLEDGEMENT_TIMEOUT, state.listening_from, self.sim.now());
        if state.retries >= self.config.max_retries {
            self.tell(Incident::NoAck);
            self.finished(state, Some(Outcome::Failed));
            return;
        }
        state.retries += 1;
        self.tell(Incident::Retry);
        state.window = (2 * state.window + 1).min(u64::from(self.config.cw_max));
        state.slots = Some(state.backoff.below(state.window + 1));
        // 9.3.2.8: the backoff begins when the window for the acknowledgement is over.
        state.free_from = state.free_from.max(self.sim.now() + DIFS);
        self.begin(state);
    }

    /// The acknowledgement is in.
    pub(super) fn acknowledged(&self, state: &mut State) {
        self.span(&slices::AWAIT_ACKNOWLEDGEMENT, state.listening_from, self.sim.now());
        self.count(|counts| counts.acknowledged += 1);
        self.finished(state, Some(Outcome::Acknowledged));
    }

    /// The first job is done with; `outcome` is what its program is told.
    pub(super) fn finished(&self, state: &mut State, outcome: Option<Outcome>) {
        state.queue.pop_front();
        (state.sequence, state.retries) = (None, 0);
        state.window = u64::from(self.config.cw_min).min(u64::from(self.config.cw_max));
        // 9.3.4.2: a backoff follows every frame, so that nobody keeps the medium to himself.
        state.slots = Some(state.backoff.below(state.window + 1));
        if let Some(outcome) = outcome {
            state.outcome = Some(outcome);
            self.done.raise();
        }
        if state.queue.is_empty() {
            self.stay(state, Phase::Idle);
        } else {
            self.begin(state);
        }
    }

    /// SIFS behind a frame of ours is over.
    pub(super) fn send_ack(&self, state: &mut State) {
        let now = self.sim.now();
        let Some(reply) = state.reply else { return };
        if now >= reply.until {
            state.reply = None;
            self.medium_changed(state, now);
            return;
        }
        self.span(&slices::ACKNOWLEDGEMENT, now, reply.until);
        self.medium.send(
            self.id,
            self.band,
            modulation(reply.rate),
            reply.until,
            frame::ack(reply.to),
        );
        self.set_reply(reply.until);
    }

    /// From the end of a frame to its acknowledgement, and its end.
    pub(super) fn reply_times(
        &self,
        end: airlag_sim::Instant,
        rate: Rate,
    ) -> (airlag_sim::Instant, airlag_sim::Instant) {
        let begin = self.clock.after(end, SIFS);
        (begin, self.clock.after(begin, Duration::from_ns(rate.ack_ns())))
    }
}
