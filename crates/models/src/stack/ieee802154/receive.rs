//! The receiving side: filtering, acknowledging, telling copies apart (IEEE Std 802.15.4-2006,
//! 7.5.6.2 and 7.5.6.3).

use std::rc::Rc;

use airlag_air::{Reception, Verdict};

use super::frame::{self, Address, BROADCAST, Frame, Header};
use super::node::{Incident, Node, Phase, State};
use super::slices;

impl Node {
    /// A frame in hearing has ended.
    pub(super) fn heard(&self, state: &mut State, reception: &Reception<'_>) {
        let frame = reception.frame;
        if !frame.band.overlaps(&self.band) {
            return;
        }
        state.energy_until = state.energy_until.max(reception.end);
        if reception.begin < state.listening_from
            || reception.verdict != Verdict::Whole
            || frame.band != self.band
            || frame.modulation != self.modulation
        {
            return;
        }
        let waiting = state.phase == Phase::AwaitAck;
        match frame::read(&frame.bytes) {
            Some(Frame::Ack(sequence)) if waiting && Some(sequence) == sequence_of(state) => {
                self.acknowledged(state);
            }
            Some(Frame::Data(header, _)) if !waiting && self.is_for_us(&header) => {
                self.take(state, &header, reception);
            }
            _ => {}
        }
    }

    fn is_for_us(&self, header: &Header) -> bool {
        (header.pan == self.config.pan || header.pan == BROADCAST)
            && (header.destination == self.config.address
                || header.destination == Address::BROADCAST)
    }

    fn take(&self, state: &mut State, header: &Header, reception: &Reception<'_>) {
        self.count(|counts| counts.received += 1);
        let broadcast = header.destination == Address::BROADCAST;
        if header.ack_request && (!broadcast || self.config.ack_broadcast) {
            let begin = self.clock.after(reception.end, self.config.ack_turnaround);
            state.reply_to = header.sequence;
            state.reply_until = self.clock.after(begin, self.times.ack);
            state.listening_from = state.reply_until;
            self.span(&slices::TURNAROUND, reception.end, begin);
            self.set_reply(begin);
        }
        let seen = state.last.binary_search_by_key(&header.source, |&(source, _)| source);
        match seen {
            Ok(at) if state.last[at].1 == header.sequence => {
                self.tell(Incident::Duplicate);
                return;
            }
            Ok(at) => state.last[at].1 = header.sequence,
            Err(at) => state.last.insert(at, (header.source, header.sequence)),
        }
        if state.inbox.len() < self.config.rx_buffer {
            state.inbox.push_back(reception.frame.bytes.clone());
            self.arrived.raise();
        } else {
            self.tell(Incident::BufferOverflow);
        }
    }

    pub(super) fn send_ack(&self, state: &mut State) {
        let now = self.sim.now();
        self.span(&slices::ACKNOWLEDGEMENT, now, state.reply_until);
        self.send(frame::ack(state.reply_to), state.reply_until);
    }

    /// Waits for the next data frame and returns its PSDU.
    pub async fn next_frame(&self) -> Rc<[u8]> {
        loop {
            let next = self.state.borrow_mut().inbox.pop_front();
            match next {
                Some(psdu) => return psdu,
                None => self.arrived.wait().await,
            }
        }
    }

    /// Waits for the next frame, copies its payload into `buffer` and returns its size. What does
    /// not fit is cut off.
    pub(super) async fn next_payload(&self, buffer: &mut [u8]) -> usize {
        loop {
            let psdu = self.next_frame().await;
            let Some(Frame::Data(_, payload)) = frame::read(&psdu) else { continue };
            let len = payload.len().min(buffer.len());
            buffer[..len].copy_from_slice(&payload[..len]);
            return len;
        }
    }
}

/// Sequence number of the frame under way.
fn sequence_of(state: &State) -> Option<u8> {
    state.outgoing.as_ref().and_then(|psdu| psdu.get(2)).copied()
}
