//! The transmitting side of Enhanced ShockBurst (sections 7.4.2 and 7.5.1): transmission,
//! acknowledgement, retries.

use airlag_air::Frame;
use airlag_sim::{Duration, Instant};

use super::air_interface::AirInterface;
use super::chip::Nrf24;
use super::fifo::Purpose;
use super::packet::Packet;
use super::radio::{Mode, State, timer};
use super::registers::flag;

impl Nrf24 {
    /// Sends the packet at the head of the FIFO, or the one to repeat.
    pub(super) fn transmit(&self, state: &mut State) {
        if state.current.is_none() {
            let Some(outgoing) = state.tx.to_send() else {
                self.enter(state, Mode::Standby, None);
                return;
            };
            state.retransmissions = 0;
            state.flushed = false;
            let no_ack = outgoing.purpose == Purpose::SendWithoutAck;
            let address = state.registers.tx_address();
            let packet = Packet::new(address, outgoing.identity, no_ack, outgoing.payload);
            state.current = Some((outgoing.purpose, packet));
        }
        let Some((_, packet)) = state.current else { return };
        let length = self.send_packet(state, &packet).1;
        self.enter(state, Mode::Transmit, Some(length));
    }

    pub(super) fn transmitted(&self, state: &mut State) {
        let now = self.sim.now();
        let Some((purpose, _)) = state.current else { return };
        if purpose == Purpose::Send && state.registers.acknowledges(0) {
            state.attempt += 1;
            state.retry_due = false;
            let delay = Duration::from_us(state.registers.retransmit_delay_us());
            state.retry_at = self.clock.after(now, delay);
            state.retry_set = false;
            self.enter(state, Mode::AckSettle, Some(self.timing.settle));
            return;
        }
        self.set(timer::SENT, 0, self.clock.after(now, state.air.detection.irq));
        self.finish_packet(state);
        if self.is_enabled() && state.tx.to_send().is_some() {
            // Back to back: the chip stays in transmit mode (section 6.1.5).
            self.transmit(state);
        } else {
            self.enter(state, Mode::Standby, None);
        }
    }

    pub(super) fn finish_packet(&self, state: &mut State) {
        state.current = None;
        // A reused payload stays in the FIFO (REUSE_TX_PL). FLUSH_TX has already removed a flushed
        // one.
        if !state.reuse && !state.flushed {
            state.tx.pop();
        }
    }

    pub(super) fn window_over(&self, state: &mut State) {
        let Mode::AwaitAck { since } = state.mode else { return };
        let AirInterface { airtime, .. } = state.air;
        let ours = self.receiving(state, since).is_some_and(|frame| {
            let seen = self.sim.now().since(frame.begin).as_ns() >= airtime.address_ns();
            seen && frame
                .bytes
                .starts_with(&state.registers.rx_address(0)[..usize::from(airtime.address)])
        });
        if ours {
            // After receiving an address, the chip stays in receive mode to the end of the packet,
            // which may not be an acknowledgement.
            self.set_retry(state);
        } else {
            self.await_retry(state);
        }
    }

    /// Returns the frame that the chip is receiving in its receive mode, which began at `since`. A
    /// frame that had begun before cannot be received.
    fn receiving(&self, state: &State, since: Instant) -> Option<Frame> {
        let AirInterface { band, modulation, .. } = state.air;
        self.medium.hearing(self.node, band, modulation).filter(|frame| frame.begin >= since)
    }

    /// Returns to standby until the retransmit delay ends.
    pub(super) fn await_retry(&self, state: &mut State) {
        self.enter(state, Mode::RetryDelay, None);
        self.set_retry(state);
    }

    /// Sets the timer of the retransmit delay, unless it is already set. It is set as late as
    /// possible, because almost every acknowledgement arrives before the delay ends.
    pub(super) fn set_retry(&self, state: &mut State) {
        if !state.retry_set {
            state.retry_set = true;
            self.set(timer::RETRY, state.attempt, state.retry_at);
        }
    }

    /// Handles the end of the retransmit delay.
    pub(super) fn retry(&self, state: &mut State) {
        match state.mode {
            Mode::RetryDelay | Mode::AckSettle => {}
            Mode::AwaitAck { since } => {
                if self.receiving(state, since).is_some() {
                    state.retry_due = true;
                    return;
                }
            }
            // The chip waits for the rest of a broken packet until the phase timer expires.
            Mode::AckBroken { since } => {
                if self.sim.now() < self.clock.after(since, self.patience(state)) {
                    state.retry_due = true;
                    return;
                }
            }
            _ => return,
        }
        if state.retransmissions < state.registers.retransmit_count() {
            state.retransmissions += 1;
            self.repeats();
            let began = Instant::START;
            self.enter(state, Mode::TransmitSettle { began }, Some(self.timing.settle));
        } else {
            state.lost_packets = (state.lost_packets + 1).min(15);
            // The payload stays in the FIFO, and toggling CE sends it again (section 7.8.7).
            state.current = None;
            self.enter(state, Mode::Standby, None);
            self.raise(state, flag::MAX_RT);
        }
    }

    /// Time for which a transmitter waits after a broken acknowledgement: until the receiver has
    /// certainly repeated it.
    pub(super) fn patience(&self, state: &State) -> Duration {
        let ack = Duration::from_ns(state.air.airtime.duration_ns(0));
        let delay = Duration::from_us(state.registers.retransmit_delay_us());
        delay + self.timing.settle + ack + ack
    }

    pub(super) fn acknowledged(&self, state: &mut State) {
        let mut flags = flag::TX_DS;
        if let Some(packet) = state.ack.take()
            && !packet.payload.bytes().is_empty()
            && !state.rx.is_full()
        {
            state.rx.push(0, packet.payload);
            flags |= flag::RX_DR;
        }
        state.attempt += 1;
        self.finish_packet(state);
        self.raise(state, flags);
        self.next_packet(state);
    }
}
