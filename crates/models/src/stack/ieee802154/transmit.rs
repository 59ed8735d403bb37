//! The sending side: medium access (IEEE Std 802.15.4-2006, 7.5.1.4), acknowledgement and retries
//! (7.5.6.4).

use std::rc::Rc;

use airlag_sim::meter::State as Draws;
use airlag_sim::{Duration, Instant};

use super::config::Csma;
use super::frame::{self, Header};
use super::node::{Incident, Node, Outcome, Phase, State};
use super::slices;

impl Node {
    /// Sends a data frame with `payload` and waits for its outcome; `None` if it is too long.
    /// Calls must not overlap.
    pub(super) async fn transmit(&self, payload: &[u8]) -> Option<Outcome> {
        let header = Header {
            sequence: self.next_sequence(),
            frame_pending: false,
            ack_request: self.config.ack_request,
            secured: false,
            pan: self.config.pan,
            destination: self.config.destination.address(),
            source: self.config.address,
        };
        self.ask(&header, payload)?;
        self.done.wait().await;
        self.outcome()
    }

    /// Takes the sequence number of its next frame.
    pub fn next_sequence(&self) -> u8 {
        let mut state = self.state.borrow_mut();
        let next = state.sequence;
        state.sequence = next.wrapping_add(1);
        next
    }

    /// Sends a frame with a header supplied by the caller.
    pub async fn transmit_frame(&self, header: &Header, payload: &[u8]) -> Option<Outcome> {
        self.ask(header, payload)?;
        self.done.wait().await;
        self.outcome()
    }

    /// Accepts a frame. Returns `None` if it is too long. This is separate from the wait for the
    /// outcome, so that the waiting future does not hold header and payload.
    fn ask(&self, header: &Header, payload: &[u8]) -> Option<()> {
        let psdu = frame::data(header, payload)?;
        let mut state = self.state.borrow_mut();
        state.outgoing = Some(psdu);
        state.ack_request = header.ack_request;
        (state.retries, state.retry_exponent) = (0, 0);
        self.attempt(&mut state);
        Some(())
    }

    fn outcome(&self) -> Option<Outcome> {
        self.state.borrow_mut().outcome.take()
    }

    /// Starts the first attempt at a frame, or a retry.
    fn attempt(&self, state: &mut State) {
        let at_once = self.config.backoff_at_once && self.config.csma.is_some();
        if !at_once && self.hold(state, Phase::Hold) {
            return;
        }
        match self.config.csma {
            None => self.turn_round(state),
            Some(csma) => {
                (state.backoffs, state.exponent) = (0, csma.min_be);
                self.back_off(state);
            }
        }
    }

    /// Waits in `phase` until the radio is free; returns false if it is free already.
    fn hold(&self, state: &mut State, phase: Phase) -> bool {
        let (now, free) = (self.sim.now(), state.reply_until.max(state.quiet_until));
        if now >= free {
            return false;
        }
        self.span(&slices::INTERFRAME_SPACE, now, free);
        self.enter(state, phase, free);
        true
    }

    /// Begins a retry after a missing acknowledgement.
    fn retry(&self, state: &mut State) {
        let Some(max) = self.config.retry_be else { return self.attempt(state) };
        let exponent = state.retry_exponent;
        state.retry_exponent = (exponent + 1).min(max);
        let units = state.retry.below(1 << exponent);
        if units == 0 {
            return self.attempt(state);
        }
        let now = self.sim.now();
        let from = self.clock.after(now, self.times.unit_backoff * units);
        self.span(&slices::BACKOFF, now, from);
        self.enter(state, Phase::Hold, from);
    }

    fn back_off(&self, state: &mut State) {
        let now = self.sim.now();
        let units = state.backoff.below(1 << state.exponent);
        let from = self.clock.after(now, self.times.unit_backoff * units);
        self.span(&slices::BACKOFF, now, from);
        if self.config.backoff_at_once {
            self.enter(state, Phase::BackOff, from);
        } else {
            self.assess(state, from);
        }
    }

    fn assess(&self, state: &mut State, from: Instant) {
        let to = self.clock.after(from, self.times.cca);
        self.span(&slices::CCA, from, to);
        if self.rests.get() {
            self.medium.enter_at(self.id, Draws::Receive, from);
        }
        self.enter(state, Phase::Assess { from }, to);
    }

    /// Evaluates the assessment that started at `from`. One event suffices: a signal during the
    /// assessment is either still on the air, or has ended since `from`.
    fn assessed(&self, state: &mut State, csma: Csma, from: Instant) {
        let busy = state.energy_until > from
            || state.reply_until > from
            || self.medium.busy(self.id, self.band);
        if !busy {
            self.turn_round(state);
            return;
        }
        self.count(|counts| counts.busy += 1);
        state.backoffs += 1;
        state.exponent = (state.exponent + 1).min(csma.max_be);
        if state.backoffs <= csma.max_backoffs {
            self.back_off(state);
        } else if self.config.retry_busy && state.retries < self.config.max_retries {
            state.retries += 1;
            self.record(Incident::Retry);
            self.attempt(state);
        } else {
            self.record(Incident::ChannelAccessFailure);
            self.conclude(state, Outcome::ChannelAccessFailure);
        }
    }

    fn turn_round(&self, state: &mut State) {
        let now = self.sim.now();
        let begin = self.clock.after(now, self.config.turnaround);
        state.listening_from = Instant::FOREVER;
        self.span(&slices::TURNAROUND, now, begin);
        self.enter(state, Phase::Turnaround, begin);
    }

    fn begin_frame(&self, state: &mut State) {
        let Some(psdu) = state.outgoing.clone() else { return };
        let (now, phy) = (self.sim.now(), self.config.phy());
        let end = self.clock.after(now, Duration::from_ns(phy.duration_ns(psdu.len())));
        self.span(&slices::TRANSMIT, now, end);
        self.count(|counts| counts.frames += 1);
        self.send(psdu, end);
        // An acknowledgement starts one turnaround later, during which this radio turns around as
        // well.
        state.listening_from = end;
        if state.ack_request {
            let deadline = self.clock.after(end, self.times.ack_wait);
            self.enter(state, Phase::AwaitAck, deadline);
        } else {
            self.enter(state, Phase::Transmit, end);
        }
    }

    pub(super) fn send(&self, psdu: Rc<[u8]>, end: Instant) {
        self.medium.send(self.id, self.band, self.modulation, end, psdu);
    }

    pub(super) fn phase_over(&self, state: &mut State) {
        match state.phase {
            Phase::Idle => {}
            Phase::Hold => self.attempt(state),
            Phase::BackOff | Phase::Free => {
                if !self.hold(state, Phase::Free) {
                    self.assess(state, self.sim.now());
                }
            }
            Phase::Assess { from } => match self.config.csma {
                Some(csma) => self.assessed(state, csma, from),
                None => self.turn_round(state),
            },
            Phase::Turnaround => self.begin_frame(state),
            Phase::Transmit => self.conclude(state, Outcome::Sent),
            Phase::AwaitAck => {
                self.span(&slices::ACKNOWLEDGEMENT_TIMEOUT, state.listening_from, self.sim.now());
                if state.retries < self.config.max_retries {
                    state.retries += 1;
                    self.record(Incident::Retry);
                    self.retry(state);
                } else {
                    self.record(Incident::NoAck);
                    self.conclude(state, Outcome::NoAck);
                }
            }
        }
    }

    /// Handles the acknowledgement of the frame in flight.
    pub(super) fn acknowledged(&self, state: &mut State) {
        self.span(&slices::AWAIT_ACKNOWLEDGEMENT, state.listening_from, self.sim.now());
        self.count(|counts| counts.acknowledged += 1);
        self.conclude(state, Outcome::Acknowledged);
    }

    fn conclude(&self, state: &mut State, outcome: Outcome) {
        // Timers of this frame do not apply to the next one.
        state.generation += 1;
        state.phase = Phase::Idle;
        let now = self.sim.now();
        let len = state.outgoing.take().map_or(0, |psdu| psdu.len());
        if self.config.interframe_space && outcome != Outcome::ChannelAccessFailure {
            let space = Duration::from_ns(self.config.phy().interframe_space_ns(len));
            state.quiet_until = self.clock.after(now, space);
        }
        state.outcome = Some(outcome);
        if self.rests.get() {
            self.doze(state);
        }
        self.done.raise();
    }
}
