//! The receiving side of Enhanced ShockBurst (section 7.5.2): reception, acknowledgement, duplicate
//! detection.

use airlag_sim::Duration;

use super::chip::Nrf24;
use super::fifo::Payload;
use super::packet::Packet;
use super::radio::{Mode, State};
use super::registers::flag;
use super::timing::BrokenAck;

impl Nrf24 {
    /// Handles a received payload when its interrupt is due (section 7.5.2).
    pub(super) fn take_arrived(&self, state: &mut State) {
        let Some((pipe, packet)) = state.arrived.pop_front() else { return };
        let Mode::Receive { .. } = state.mode else { return };
        let slot = usize::from(pipe);
        let copy = state.last[slot].is_some_and(|last| is_copy(&last, &packet, state));
        if !copy {
            if state.rx.is_full() {
                // No room: neither accepted nor acknowledged (section 8.4).
                return;
            }
            state.last[slot] = Some(packet);
            state.rx.push(pipe, packet.payload);
            let mut flags = flag::RX_DR;
            if core::mem::take(&mut state.ack_sent[slot]) {
                // A new packet confirms the acknowledgement payload sent with the previous
                // acknowledgement.
                state.tx.pop_ack(pipe);
                flags |= flag::TX_DS;
            }
            self.raise(state, flags);
        }
        if packet.no_ack || !state.registers.acknowledges(pipe) {
            return;
        }
        let loaded = if state.registers.has_ack_payload() { state.tx.for_ack(pipe) } else { None };
        state.ack_sent[slot] = loaded.is_some();
        let payload = loaded.unwrap_or(Payload::EMPTY);
        let ack = Packet::new(packet.address(), packet.identity, false, payload);
        state.reply = Some((pipe, ack));
        self.enter(state, Mode::ReplySettle, Some(self.timing.settle));
    }

    pub(super) fn send_reply(&self, state: &mut State) {
        let Some((_, ack)) = state.reply else { return };
        state.reply_broken = false;
        let (frame, length) = self.send_packet(state, &ack);
        self.enter(state, Mode::Reply { frame }, Some(length));
    }

    pub(super) fn replied(&self, state: &mut State) {
        if state.reply_broken && self.timing.broken_ack == BrokenAck::Resent {
            let delay = Duration::from_us(state.registers.retransmit_delay_us());
            self.repeats();
            self.enter(state, Mode::ReplyAgain, Some(delay));
            return;
        }
        state.reply = None;
        self.enter(state, Mode::Standby, None);
        self.leave_standby(state);
    }

    /// FLUSH_RX during the transmission of an acknowledgement cuts it off.
    pub(super) fn break_ack(&self, state: &mut State) {
        if let Mode::Reply { frame } = state.mode {
            self.medium.cut(frame);
            state.reply_broken = true;
        }
    }
}

/// A packet with the identity and CRC of the previous one is a duplicate (section 7.5.2).
fn is_copy(last: &Packet, packet: &Packet, state: &State) -> bool {
    let crc = state.air.airtime.crc;
    last.identity == packet.identity && (last == packet || last.crc(crc) == packet.crc(crc))
}
