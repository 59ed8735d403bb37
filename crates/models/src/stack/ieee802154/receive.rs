//! The receiving side: filtering, acknowledgement, duplicate detection (IEEE Std 802.15.4-2006,
//! 7.5.6.2 and 7.5.6.3).

use std::rc::Rc;

use airlag_air::{Reception, Verdict};
use airlag_sim::Duration;

use super::frame::{self, Address, BROADCAST, Header, Start};
use super::node::{Asked, Incident, Node, Phase, State};
use super::slices;

impl Node {
    /// Handles the end of a frame in range.
    pub(super) fn heard(&self, state: &mut State, reception: &Reception<'_>) {
        self.sort(state, reception);
        if state.window.closing {
            self.close_after_frame(state);
        }
    }

    /// Handles the acknowledgement for which the node waits, or a frame for this node. With many
    /// neighbours, few frames are for this node, so the others are decoded only partly.
    fn sort(&self, state: &mut State, reception: &Reception<'_>) {
        let frame = reception.frame;
        let readable = frame.band == self.band && frame.modulation == self.modulation;
        if !readable && !frame.band.overlaps(&self.band) {
            return;
        }
        state.energy_until = state.energy_until.max(reception.end);
        if !readable
            || reception.begin < state.listening_from
            || reception.verdict != Verdict::Whole
        {
            return;
        }
        if state.phase == Phase::AwaitAck {
            let sequence = frame::acknowledges(&frame.bytes);
            if sequence.is_some() && sequence == sequence_of(state) {
                self.acknowledged(state, reception.begin, &frame.bytes);
            }
        } else if let Some(start) = Start::of(&frame.bytes)
            && self.is_for_us(&start)
            && let Some((header, body)) = start.finish()
        {
            self.take(state, &header, body, reception);
        }
    }

    fn is_for_us(&self, start: &Start<'_>) -> bool {
        (start.pan == self.config.pan || start.pan == BROADCAST)
            && (start.destination.is_for(self.config.address)
                || self.config.short.is_some_and(|own| start.destination == Address::Short(own)))
    }

    /// Sets the encoder of acknowledgements.
    pub fn answer_with(&self, answer: impl Fn(&Asked<'_>) -> Option<Rc<[u8]>> + 'static) {
        *self.answer.borrow_mut() = Some(Box::new(answer));
    }

    fn take(&self, state: &mut State, header: &Header, body: &[u8], reception: &Reception<'_>) {
        self.count(|counts| counts.received += 1);
        let broadcast = header.destination == Address::BROADCAST;
        if header.ack_request && (!broadcast || self.config.ack_broadcast) {
            let begin = self.clock.after(reception.end, self.config.ack_turnaround);
            state.reply_to = header.sequence;
            state.reply = self.answer.borrow().as_ref().and_then(|answer| {
                answer(&Asked { header, body, begin: reception.begin, answered: begin })
            });
            let lasts = state.reply.as_ref().map_or(self.times.ack, |psdu| {
                Duration::from_ns(self.config.phy().duration_ns(psdu.len()))
            });
            state.reply_until = self.clock.after(begin, lasts);
            state.listening_from = state.reply_until;
            self.span(&slices::TURNAROUND, reception.end, begin);
            self.set_reply(begin);
        }
        if state.window.once {
            state.window.closing = true;
            self.rests.set(true);
        }
        if state.taken.repeats(header.source, header.sequence) {
            self.record(Incident::Duplicate);
            return;
        }
        if state.inbox.len() < self.config.rx_buffer {
            state.inbox.push_back(reception.frame.bytes.clone());
            self.arrived.raise();
        } else {
            self.record(Incident::BufferOverflow);
        }
    }

    pub(super) fn send_ack(&self, state: &mut State) {
        let now = self.sim.now();
        self.span(&slices::ACKNOWLEDGEMENT, now, state.reply_until);
        let reply = state.reply.take().unwrap_or_else(|| frame::ack(state.reply_to, false));
        self.send(reply, state.reply_until);
    }

    /// Waits for the next data frame and returns its PSDU.
    pub async fn next_frame(&self) -> Rc<[u8]> {
        loop {
            match self.take_frame() {
                Some(psdu) => return psdu,
                None => self.arrived.wait().await,
            }
        }
    }

    fn take_frame(&self) -> Option<Rc<[u8]>> {
        self.state.borrow_mut().inbox.pop_front()
    }

    /// Waits for the next frame, copies its payload into `buffer` and returns its size. A longer
    /// payload is truncated.
    pub(super) async fn next_payload(&self, buffer: &mut [u8]) -> usize {
        loop {
            let Some(psdu) = self.take_frame() else {
                self.arrived.wait().await;
                continue;
            };
            let Some((_, payload)) = Start::of(&psdu).and_then(Start::finish) else { continue };
            let len = payload.len().min(buffer.len());
            buffer[..len].copy_from_slice(&payload[..len]);
            return len;
        }
    }
}

/// Sequence number of the frame being sent.
fn sequence_of(state: &State) -> Option<u8> {
    state.outgoing.as_ref().and_then(|psdu| psdu.get(2)).copied()
}
