//! The receiving side: filtering and acknowledging (IEEE Std 802.15.4-2006, 7.5.6.2).

use std::rc::Rc;

use airlag_air::{Reception, Verdict};
use airlag_link::airtime::ieee802154::ACK_PSDU;
use airlag_sim::Duration;

use super::{PHY, Phase, Radio, TURNAROUND, timer};
use crate::header::{self, Header};
use crate::wire::{Listening, Sent};

impl Radio {
    /// Handles the end of a received frame.
    pub(super) fn ended(&self, reception: &Reception<'_>) {
        let frame = reception.frame;
        let mut state = self.state.borrow_mut();
        let band = state.channel.band();
        if !frame.band.overlaps(&band) {
            return;
        }
        state.energy_until = state.energy_until.max(reception.end);
        let hears = matches!(state.listening, Listening::On(_));
        if !hears
            || reception.begin < state.listening_from
            || reception.verdict != Verdict::Whole
            || frame.band != band
            || frame.modulation != state.channel.modulation()
        {
            return;
        }
        let Some(header) = Header::read(&frame.bytes) else { return };
        state.heard_from = Some(frame.from);
        let psdu = Rc::clone(&frame.bytes);
        if state.phase == Phase::AwaitAck {
            let ours = state.outgoing.get(2) == Some(&header.sequence);
            if header.is_ack && ours {
                drop(state);
                self.conclude(Sent::Ok, &psdu);
            }
            return;
        }
        if header.is_ack || !header.is_for(&state.identity) {
            return;
        }
        let acknowledges = header.ack_request && header.is_unicast() && !state.identity.promiscuous;
        let pending = acknowledges && header.is_awaited(&state.waiting);
        if acknowledges {
            let begin = reception.end + TURNAROUND;
            state.reply = Rc::from(header::ack(header.sequence, pending));
            state.reply_until = begin + Duration::from_ns(PHY.duration_ns(ACK_PSDU));
            state.listening_from = state.reply_until;
            self.set(timer::REPLY, 0, begin);
        }
        drop(state);
        self.notify(|host| host.heard(&psdu, pending));
    }

    pub(super) fn reply(&self) {
        let state = self.state.borrow();
        self.put(&state, Rc::clone(&state.reply), state.reply_until);
    }
}
