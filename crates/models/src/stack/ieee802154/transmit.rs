//! The sending side: medium access (IEEE Std 802.15.4-2006, 7.5.1.4), acknowledgement and retries
//! (7.5.6.4).

use std::rc::Rc;

use airlag_sim::meter::State as Draws;
use airlag_sim::{Duration, Instant};

use super::config::Csma;
use super::frame::{self, Header, Kind, Version};
use super::node::{Incident, Node, Outcome, Phase, State};
use super::slices;

/// Length of the longest enhanced acknowledgement, octets (OPENTHREAD_CONFIG_MIN_RECEIVE_ON_AFTER).
const MAX_ENHANCED_ACK: usize = 39;

/// Differences of a frame from the configuration of its node.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Plan {
    /// First symbol of the frame. The channel is assessed just before, without a backoff, and a
    /// busy channel ends the attempt. `None`: as soon as medium access permits.
    pub at: Option<Instant>,
    /// Retries without an acknowledgement. `None`: as configured.
    pub retries: Option<u8>,
}

impl Node {
    /// Sends a data frame with `payload` and waits for its outcome; `None` if it is too long.
    /// Calls must not overlap.
    pub(super) async fn transmit(&self, payload: &[u8]) -> Option<Outcome> {
        let header = Header {
            kind: Kind::Data,
            version: Version::Until2006,
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

    /// Sends a frame with this header that the caller has encoded.
    pub async fn transmit_psdu(&self, header: &Header, psdu: Rc<[u8]>) -> Option<Outcome> {
        self.begin(header, psdu);
        self.done.wait().await;
        self.outcome()
    }

    /// Sends a frame with a header supplied by the caller, as planned. `encode` returns the frame
    /// for the time of its first symbol, with a length that does not depend on that time.
    pub async fn transmit_planned(
        &self,
        header: &Header,
        plan: Plan,
        encode: impl Fn(Instant) -> Option<Rc<[u8]>> + 'static,
    ) -> Option<Outcome> {
        let psdu = encode(self.sim.now())?;
        let (ack_request, enhanced) = (header.ack_request, header.is_enhanced());
        {
            let mut state = self.state.borrow_mut();
            (state.ack_request, state.enhanced, state.at) = (ack_request, enhanced, plan.at);
            state.encode = Some(Box::new(encode));
            state.max_retries = plan.retries.unwrap_or(self.config.max_retries);
            self.accept(&mut state, psdu);
        }
        self.done.wait().await;
        self.outcome()
    }

    /// Takes the acknowledgement of the last frame with the time of its first symbol, if it is an
    /// enhanced one or announces further data.
    pub fn take_ack(&self) -> Option<(Instant, Rc<[u8]>)> {
        self.state.borrow_mut().ack.take()
    }

    /// Accepts a frame. Returns `None` if it is too long. This is separate from the wait for the
    /// outcome, so that the waiting future does not hold header and payload.
    fn ask(&self, header: &Header, payload: &[u8]) -> Option<()> {
        self.begin(header, frame::data(header, payload)?);
        Some(())
    }

    fn begin(&self, header: &Header, psdu: Rc<[u8]>) {
        let mut state = self.state.borrow_mut();
        (state.ack_request, state.enhanced) = (header.ack_request, header.is_enhanced());
        state.max_retries = self.config.max_retries;
        self.accept(&mut state, psdu);
    }

    fn accept(&self, state: &mut State, psdu: Rc<[u8]>) {
        state.outgoing = Some(psdu);
        state.ack = None;
        (state.retries, state.retry_exponent) = (0, 0);
        self.attempt(state);
    }

    fn outcome(&self) -> Option<Outcome> {
        self.state.borrow_mut().outcome.take()
    }

    /// Starts the first attempt at a frame, or a retry.
    fn attempt(&self, state: &mut State) {
        if let Some(at) = state.at {
            return self.attempt_at(state, at);
        }
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

    /// Assesses the channel just before a frame that has to begin at `at`, or now if that is too
    /// late.
    fn attempt_at(&self, state: &mut State, at: Instant) {
        let before = self.clock.span(at, self.times.cca + self.config.turnaround);
        let free = state.reply_until.max(state.quiet_until).max(self.sim.now());
        let from = Instant::from_ns(at.as_ns().saturating_sub(before.as_ns())).max(free);
        self.assess(state, from);
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
        if state.at.is_none() && state.backoffs <= csma.max_backoffs {
            self.back_off(state);
        } else if self.config.retry_busy && state.retries < state.max_retries {
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
        if let Some(encode) = &state.encode {
            state.outgoing = encode(self.sim.now());
        }
        let Some(psdu) = state.outgoing.clone() else { return };
        let (now, phy) = (self.sim.now(), self.config.phy());
        let end = self.clock.after(now, Duration::from_ns(phy.duration_ns(psdu.len())));
        self.span(&slices::TRANSMIT, now, end);
        self.count(|counts| counts.frames += 1);
        self.send(psdu, end);
        // An acknowledgement starts one turnaround later, during which this radio turns around as
        // well.
        state.listening_from = end;
        state.extended = false;
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
                if self.extend_wait(state) {
                    return;
                }
                self.span(&slices::ACKNOWLEDGEMENT_TIMEOUT, state.listening_from, self.sim.now());
                if state.retries < state.max_retries {
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

    /// Continues to wait for an enhanced acknowledgement that has begun. The timeout of the standard
    /// is the time until its length field (IEEE Std 802.15.4-2015, 8.4.3.1, macEnhAckWaitDuration).
    fn extend_wait(&self, state: &mut State) -> bool {
        let begun = state.enhanced && !state.extended && self.medium.busy(self.id, self.band);
        if begun {
            state.extended = true;
            let ack = Duration::from_ns(self.config.phy().duration_ns(MAX_ENHANCED_ACK));
            let turned = self.clock.after(state.listening_from, self.config.ack_turnaround);
            let until = self.clock.after(turned, ack).max(self.sim.now());
            self.enter(state, Phase::AwaitAck, until);
        }
        begun
    }

    /// Handles the acknowledgement of the frame in flight, which began at `begin`.
    pub(super) fn acknowledged(&self, state: &mut State, begin: Instant, ack: &Rc<[u8]>) {
        if state.enhanced || frame::announces_data(ack) {
            state.ack = Some((begin, Rc::clone(ack)));
        }
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
        (state.encode, state.at) = (None, None);
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
