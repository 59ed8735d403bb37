//! Transmission: channel assessment, frame, acknowledgement.

use std::rc::Rc;

use airlag_sim::{Duration, Instant};

use super::{ACK_WAIT, CCA, PHY, Phase, Radio, State, TURNAROUND, channel};
use crate::header::Header;
use crate::wire::{Listening, Sent};

impl Radio {
    /// Sends a frame, with a channel assessment if `csma`. The host receives the outcome. Only one frame at a
    /// time.
    pub fn transmit(&self, number: u8, csma: bool, psdu: Rc<[u8]>) {
        let mut state = self.state.borrow_mut();
        state.ack_request = Header::read(&psdu).is_some_and(|header| header.ack_request);
        state.outgoing = psdu;
        state.channel = channel(number);
        state.listening = Listening::On(number);
        state.csma = csma;
        self.begin(&mut state);
    }

    fn begin(&self, state: &mut State) {
        let now = self.sim.now();
        let free = state.reply_until.max(state.quiet_until);
        if now < free {
            self.enter(state, Phase::Hold, free);
        } else if state.csma {
            self.enter(state, Phase::Assess { from: now }, now + CCA);
        } else {
            self.turn_round(state);
        }
    }

    fn turn_round(&self, state: &mut State) {
        state.listening_from = Instant::FOREVER;
        self.enter(state, Phase::Turnaround, self.sim.now() + TURNAROUND);
    }

    fn begin_frame(&self, state: &mut State) {
        let psdu = Rc::clone(&state.outgoing);
        let end = self.sim.now() + Duration::from_ns(PHY.duration_ns(psdu.len()));
        let again = state.last == psdu;
        self.count(|counts| {
            counts.frames += 1;
            counts.retries += u64::from(again);
            counts.octets += psdu.len() as u64;
        });
        state.last = Rc::clone(&psdu);
        self.put(state, psdu, end);
        state.listening_from = end;
        if state.ack_request {
            self.enter(state, Phase::AwaitAck, end + ACK_WAIT);
        } else {
            self.enter(state, Phase::Transmit, end);
        }
    }

    pub(super) fn put(&self, state: &State, psdu: Rc<[u8]>, end: Instant) {
        let (band, modulation) = (state.channel.band(), state.channel.modulation());
        self.medium.send(self.id, band, modulation, end, psdu);
    }

    pub(super) fn phase_over(&self) {
        let mut state = self.state.borrow_mut();
        match state.phase {
            Phase::Idle => {}
            Phase::Hold => self.begin(&mut state),
            Phase::Assess { from } => {
                let busy = state.energy_until > from
                    || state.reply_until > from
                    || self.medium.busy(self.id, state.channel.band());
                if busy {
                    self.count(|counts| counts.busy += 1);
                    drop(state);
                    self.conclude(Sent::ChannelBusy, &[]);
                } else {
                    self.turn_round(&mut state);
                }
            }
            Phase::Turnaround => self.begin_frame(&mut state),
            Phase::Transmit => {
                drop(state);
                self.conclude(Sent::Ok, &[]);
            }
            Phase::AwaitAck => {
                self.count(|counts| counts.no_acks += 1);
                drop(state);
                self.conclude(Sent::NoAck, &[]);
            }
        }
    }

    /// Completes the current frame.
    pub(super) fn conclude(&self, outcome: Sent, ack: &[u8]) {
        {
            let mut state = self.state.borrow_mut();
            // Invalidates the timers of this frame.
            state.generation += 1;
            state.phase = Phase::Idle;
            let now = self.sim.now();
            if self.interframe_space && outcome != Sent::ChannelBusy {
                let space = PHY.interframe_space_ns(state.outgoing.len());
                state.quiet_until = now + Duration::from_ns(space);
            }
            if state.listening_from == Instant::FOREVER {
                state.listening_from = now;
            }
        }
        self.notify(|host| host.sent(outcome, ack));
    }
}
