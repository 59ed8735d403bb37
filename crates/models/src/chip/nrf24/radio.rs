//! States and transitions (section 6.1.6, Figure 4) and Enhanced ShockBurst (section 7).
//!
//! One mode at a time; entering a mode starts a generation, and a timer of an older generation
//! means nothing any more.

use std::collections::VecDeque;

use airlag_air::{Band, FrameId, Reception, Verdict};
use airlag_link::airtime::nrf24::Frame as Airtime;
use airlag_sim::{Duration, Instant};

use super::chip::Nrf24;
use super::command::Transaction;
use super::fifo::{Payload, Purpose, RxFifo, TxFifo};
use super::packet::{self, Packet};
use super::registers::{Registers, flag};
use super::timing::{BrokenAck, Timing};

/// What the chip is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    PowerDown,
    /// The crystal starts.
    StartUp,
    /// Standby-I, and standby-II when CE is high on a transmitter with nothing to send.
    Standby,
    /// Standby to transmit. `began` is when CE rose, for the shortest pulse.
    TransmitSettle {
        began: Instant,
    },
    Transmit,
    /// A transmitter turns round to hear the acknowledgement.
    AckSettle,
    /// A transmitter listens for it.
    AwaitAck {
        since: Instant,
    },
    /// An acknowledgement broke off behind its address: the rest of the packet is waited for.
    AckBroken {
        since: Instant,
    },
    /// The acknowledgement is in; the interrupt follows.
    AckReceived,
    /// Standby until the retransmit delay is over.
    RetryDelay,
    /// Standby to receive.
    ReceiveSettle,
    Receive {
        since: Instant,
    },
    /// A receiver turns round to acknowledge.
    ReplySettle,
    Reply {
        frame: FrameId,
    },
    /// A receiver waits to send a broken acknowledgement again.
    ReplyAgain,
}

/// Timers, in the low bits of a token; the generation or attempt is above.
mod timer {
    pub(super) const PHASE: u64 = 0;
    pub(super) const ADDRESS_WINDOW: u64 = 1;
    pub(super) const RETRY: u64 = 2;
    pub(super) const ARRIVED: u64 = 3;
    pub(super) const SENT: u64 = 4;
    pub(super) const BITS: u32 = 3;
}

/// Everything inside the chip.
pub(super) struct State {
    pub(super) registers: Registers,
    pub(super) tx: TxFifo,
    pub(super) rx: RxFifo,
    pub(super) flags: u8,
    pub(super) mode: Mode,
    pub(super) transaction: Transaction,
    pub(super) reuse: bool,
    pub(super) lost_packets: u8,
    /// The oldest acknowledgement payload of a pipe has been on the air once.
    pub(super) ack_sent: [bool; 6],
    generation: u64,
    entered: Instant,
    attempt: u64,
    retransmissions: u8,
    /// The retransmit delay ran out while an acknowledgement was coming in.
    retry_due: bool,
    /// Identity of the payload written last.
    pub(super) identity: u8,
    /// FLUSH_TX came while a packet was being sent.
    pub(super) flushed: bool,
    /// The packet being sent, kept for retransmission.
    current: Option<(Purpose, Packet)>,
    /// What came in and waits for its interrupt.
    arrived: VecDeque<(u8, Packet)>,
    ack: Option<Packet>,
    reply: Option<(u8, Packet)>,
    reply_broken: bool,
    /// Identity and packet last taken on each pipe.
    last: [Option<Packet>; 6],
}

impl State {
    pub(super) fn new(registers: Registers) -> Self {
        Self {
            registers,
            tx: TxFifo::default(),
            rx: RxFifo::default(),
            flags: 0,
            mode: Mode::PowerDown,
            transaction: Transaction::default(),
            reuse: false,
            lost_packets: 0,
            ack_sent: [false; 6],
            generation: 0,
            entered: Instant::START,
            attempt: 0,
            retransmissions: 0,
            retry_due: false,
            identity: 0,
            flushed: false,
            current: None,
            arrived: VecDeque::new(),
            ack: None,
            reply: None,
            reply_broken: false,
            last: [None; 6],
        }
    }

    /// STATUS: flags, pipe of the oldest payload received, TX_FULL.
    pub(super) fn status(&self) -> u8 {
        let pipe = self.rx.front().map_or(0b111, |&(pipe, _)| pipe);
        self.flags | pipe << 1 | u8::from(self.tx.is_full())
    }

    /// FIFO_STATUS.
    pub(super) fn fifo_status(&self) -> u8 {
        u8::from(self.reuse) << 6
            | u8::from(self.tx.is_full()) << 5
            | u8::from(self.tx.is_empty()) << 4
            | u8::from(self.rx.is_full()) << 1
            | u8::from(self.rx.is_empty())
    }

    /// OBSERVE_TX. Its upper half counts packets given up, as the register map says; the prose of
    /// section 7.4.2 can be read as counting every retransmission.
    pub(super) fn observe_tx(&self) -> u8 {
        self.lost_packets << 4 | self.retransmissions & 0x0F
    }

    pub(super) fn band(&self) -> Band {
        packet::band(self.registers.channel(), self.registers.rate())
    }

    fn airtime(&self) -> Airtime {
        Airtime {
            rate: self.registers.rate(),
            address: self.registers.address_len(),
            crc: self.registers.crc_len(),
            enhanced: true,
        }
    }
}

impl Nrf24 {
    /// Leaves the present mode, draws it, and starts the timer of the next one.
    fn enter(&self, state: &mut State, mode: Mode, stay: Option<Duration>) {
        let now = self.sim.now();
        self.sim.span(self.track, slice(&state.mode), state.entered, now);
        state.mode = mode;
        state.entered = now;
        state.generation += 1;
        if let Some(stay) = stay {
            self.set(timer::PHASE, state.generation, self.clock.after(now, stay));
        }
    }

    fn set(&self, kind: u64, number: u64, at: Instant) {
        if let Some(this) = self.this.upgrade() {
            self.sim.timer(at, this, number << timer::BITS | kind);
        }
    }

    fn raise(&self, state: &mut State, flags: u8) {
        state.flags |= flags;
        self.drive_irq(state);
    }

    /// CE changed.
    pub(super) fn chip_enable(&self, high: bool) {
        let mut guard = self.state();
        let state = &mut *guard;
        match (high, state.mode) {
            (true, Mode::Standby) => self.leave_standby(state),
            (false, Mode::TransmitSettle { began })
                if self.sim.now().since(began) < self.timing.min_ce_pulse =>
            {
                self.enter(state, Mode::Standby, None);
            }
            (false, Mode::ReceiveSettle | Mode::Receive { .. } | Mode::ReplyAgain) => {
                self.enter(state, Mode::Standby, None);
            }
            // A transmission, and an acknowledgement, is finished first.
            _ => {}
        }
    }

    /// CONFIG was written.
    pub(super) fn configured(&self, state: &mut State) {
        if !state.registers.powered() {
            if state.mode != Mode::PowerDown {
                if let Mode::Reply { frame } = state.mode {
                    self.medium.cut(frame);
                }
                self.enter(state, Mode::PowerDown, None);
            }
            return;
        }
        match state.mode {
            Mode::PowerDown => self.enter(state, Mode::StartUp, Some(self.timing.power_up)),
            Mode::Receive { .. } | Mode::ReceiveSettle if !state.registers.is_receiver() => {
                self.enter(state, Mode::Standby, None);
                self.leave_standby(state);
            }
            Mode::Standby => self.leave_standby(state),
            _ => {}
        }
    }

    /// A payload was written: a transmitter with CE high sends it.
    pub(super) fn payload_written(&self, state: &mut State) {
        if state.mode == Mode::Standby && !state.registers.is_receiver() {
            self.leave_standby(state);
        }
    }

    fn leave_standby(&self, state: &mut State) {
        if !self.is_enabled() || state.mode != Mode::Standby {
            return;
        }
        if state.registers.is_receiver() {
            self.enter(state, Mode::ReceiveSettle, Some(self.timing.settle));
        } else if state.tx.to_send().is_some() && state.flags & flag::MAX_RT == 0 {
            // "If MAX_RT is asserted it must be cleared to enable further communication."
            let began = self.sim.now();
            self.enter(state, Mode::TransmitSettle { began }, Some(self.timing.settle));
        }
    }

    /// What a transmitter does when a packet is done with.
    fn next_packet(&self, state: &mut State) {
        self.enter(state, Mode::Standby, None);
        self.leave_standby(state);
    }

    pub(super) fn timer_due(&self, token: u64) {
        let (kind, number) = (token & ((1 << timer::BITS) - 1), token >> timer::BITS);
        let mut guard = self.state();
        let state = &mut *guard;
        match kind {
            timer::PHASE if number == state.generation => self.phase_over(state),
            timer::ADDRESS_WINDOW if number == state.generation => self.window_over(state),
            timer::RETRY if number == state.attempt => self.retry(state),
            timer::ARRIVED => self.take_arrived(state),
            timer::SENT => self.raise(state, flag::TX_DS),
            _ => {}
        }
    }

    fn phase_over(&self, state: &mut State) {
        let now = self.sim.now();
        match state.mode {
            Mode::StartUp => {
                self.enter(state, Mode::Standby, None);
                self.leave_standby(state);
            }
            Mode::TransmitSettle { .. } => self.transmit(state),
            Mode::Transmit => self.transmitted(state),
            Mode::AckSettle => {
                self.enter(state, Mode::AwaitAck { since: now }, None);
                let window = Timing::address_window(state.registers.rate());
                self.set(timer::ADDRESS_WINDOW, state.generation, self.clock.after(now, window));
            }
            Mode::AckReceived => self.acknowledged(state),
            Mode::AckBroken { .. } => self.retry(state),
            Mode::ReceiveSettle => self.enter(state, Mode::Receive { since: now }, None),
            Mode::ReplySettle => self.send_reply(state),
            Mode::Reply { .. } => self.replied(state),
            Mode::ReplyAgain => self.enter(state, Mode::ReplySettle, Some(self.timing.settle)),
            Mode::PowerDown
            | Mode::Standby
            | Mode::AwaitAck { .. }
            | Mode::RetryDelay
            | Mode::Receive { .. } => {}
        }
    }

    /// Puts the packet at the head of the FIFO, or the one to repeat, on the air.
    fn transmit(&self, state: &mut State) {
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

    fn send_packet(&self, state: &State, packet: &Packet) -> (FrameId, Duration) {
        let airtime = state.airtime();
        let length = Duration::from_ns(airtime.duration_ns(packet.payload.bytes().len()));
        let end = self.clock.after(self.sim.now(), length);
        let modulation = packet::modulation(airtime.rate, airtime.crc);
        let bytes = packet.to_bytes();
        (self.medium.send(self.node, state.band(), modulation, end, bytes), length)
    }

    fn transmitted(&self, state: &mut State) {
        let now = self.sim.now();
        let irq = self.timing.irq(state.registers.rate());
        let Some((purpose, _)) = state.current else { return };
        if purpose == Purpose::Send && state.registers.acknowledges(0) {
            state.attempt += 1;
            state.retry_due = false;
            let delay = Duration::from_us(state.registers.retransmit_delay_us());
            self.set(timer::RETRY, state.attempt, self.clock.after(now, delay));
            self.enter(state, Mode::AckSettle, Some(self.timing.settle));
            return;
        }
        self.set(timer::SENT, 0, self.clock.after(now, irq));
        self.finish_packet(state);
        if self.is_enabled() && state.tx.to_send().is_some() {
            // Back to back: the chip stays in transmit mode (section 6.1.5).
            self.transmit(state);
        } else {
            self.enter(state, Mode::Standby, None);
        }
    }

    fn finish_packet(&self, state: &mut State) {
        state.current = None;
        // A payload being reused stays (REUSE_TX_PL); one flushed meanwhile is gone already.
        if !state.reuse && !state.flushed {
            state.tx.pop();
        }
    }

    fn window_over(&self, state: &mut State) {
        let Mode::AwaitAck { .. } = state.mode else { return };
        let airtime = state.airtime();
        let modulation = packet::modulation(airtime.rate, airtime.crc);
        let heard = self.medium.hearing(self.node, state.band(), modulation);
        let ours = heard.is_some_and(|frame| {
            let seen = self.sim.now().since(frame.begin).as_ns() >= airtime.address_ns();
            seen && frame
                .bytes
                .starts_with(&state.registers.rx_address(0)[..usize::from(airtime.address)])
        });
        // With an address seen the chip stays in receive mode to the end of the packet.
        if !ours {
            self.enter(state, Mode::RetryDelay, None);
        }
    }

    /// The retransmit delay is over.
    fn retry(&self, state: &mut State) {
        match state.mode {
            Mode::RetryDelay => {}
            Mode::AwaitAck { .. } | Mode::AckSettle => {
                let airtime = state.airtime();
                let modulation = packet::modulation(airtime.rate, airtime.crc);
                if self.medium.hearing(self.node, state.band(), modulation).is_some() {
                    state.retry_due = true;
                    return;
                }
            }
            // The rest of a broken packet is waited for; the phase timer ends that.
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
            let began = Instant::START;
            self.enter(state, Mode::TransmitSettle { began }, Some(self.timing.settle));
        } else {
            state.lost_packets = (state.lost_packets + 1).min(15);
            // The payload stays in the FIFO and a toggle of CE sends it again (section 7.8.7).
            state.current = None;
            self.enter(state, Mode::Standby, None);
            self.raise(state, flag::MAX_RT);
        }
    }

    /// How long a transmitter stays with a broken acknowledgement: until the receiver must have
    /// repeated it.
    fn patience(&self, state: &State) -> Duration {
        let ack = Duration::from_ns(state.airtime().duration_ns(0));
        let delay = Duration::from_us(state.registers.retransmit_delay_us());
        delay + self.timing.settle + ack + ack
    }

    /// A frame in hearing has ended.
    pub(super) fn heard(&self, reception: &Reception<'_>) {
        let mut guard = self.state();
        let state = &mut *guard;
        let since = match state.mode {
            Mode::Receive { since } | Mode::AwaitAck { since } | Mode::AckBroken { since } => since,
            _ => return,
        };
        let airtime = state.airtime();
        let frame = reception.frame;
        if reception.begin < since
            || frame.modulation != packet::modulation(airtime.rate, airtime.crc)
            || frame.band != state.band()
        {
            return;
        }
        let whole = reception.verdict == Verdict::Whole;
        let packet = Packet::parse(&frame.bytes, airtime.address);
        let now = self.sim.now();
        let irq = self.clock.after(now, self.timing.irq(airtime.rate));
        if let Mode::Receive { .. } = state.mode {
            let Some(packet) = packet.filter(|_| whole) else { return };
            let Some(pipe) = state.registers.pipe_of(packet.address()) else { return };
            let width = packet.payload.bytes().len();
            if state.registers.is_dynamic(pipe) || width == usize::from(state.registers.width(pipe))
            {
                state.arrived.push_back((pipe, packet));
                self.set(timer::ARRIVED, 0, irq);
            }
            return;
        }
        let ours = packet.filter(|packet| state.registers.pipe_of(packet.address()) == Some(0));
        match (ours, reception.verdict) {
            (Some(packet), Verdict::Whole) => {
                state.ack = Some(packet);
                let wait = irq.since(now);
                self.enter(state, Mode::AckReceived, Some(wait));
            }
            (Some(_), Verdict::Cut) if self.timing.broken_ack == BrokenAck::Resent => {
                let stay = self.patience(state);
                self.enter(state, Mode::AckBroken { since: now }, Some(stay));
            }
            _ if state.retry_due => {
                self.enter(state, Mode::RetryDelay, None);
                self.retry(state);
            }
            // Receive mode ends after a packet, right or not; without an address it goes on.
            (Some(_), _) => self.enter(state, Mode::RetryDelay, None),
            (None, _) => {}
        }
    }

    fn acknowledged(&self, state: &mut State) {
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

    /// A payload's interrupt is due on the receiving side (section 7.5.2).
    fn take_arrived(&self, state: &mut State) {
        let Some((pipe, packet)) = state.arrived.pop_front() else { return };
        let Mode::Receive { .. } = state.mode else { return };
        let slot = usize::from(pipe);
        let copy = state.last[slot].is_some_and(|last| is_copy(&last, &packet, state));
        if !copy {
            if state.rx.is_full() {
                // No room: neither taken nor acknowledged (section 8.4).
                return;
            }
            state.last[slot] = Some(packet);
            state.rx.push(pipe, packet.payload);
            let mut flags = flag::RX_DR;
            if core::mem::take(&mut state.ack_sent[slot]) {
                // A new packet confirms the acknowledgement payload sent with the last one.
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

    fn send_reply(&self, state: &mut State) {
        let Some((_, ack)) = state.reply else { return };
        state.reply_broken = false;
        let (frame, length) = self.send_packet(state, &ack);
        self.enter(state, Mode::Reply { frame }, Some(length));
    }

    fn replied(&self, state: &mut State) {
        if state.reply_broken && self.timing.broken_ack == BrokenAck::Resent {
            let delay = Duration::from_us(state.registers.retransmit_delay_us());
            self.enter(state, Mode::ReplyAgain, Some(delay));
            return;
        }
        state.reply = None;
        self.enter(state, Mode::Standby, None);
        self.leave_standby(state);
    }

    /// FLUSH_RX while an acknowledgement is on the air leaves it incomplete.
    pub(super) fn break_ack(&self, state: &mut State) {
        if let Mode::Reply { frame } = state.mode {
            self.medium.cut(frame);
            state.reply_broken = true;
        }
    }
}

/// The same identity and the same CRC as the packet before: a copy (section 7.5.2).
fn is_copy(last: &Packet, packet: &Packet, state: &State) -> bool {
    let crc = state.registers.crc_len();
    last.identity == packet.identity && (last == packet || last.crc(crc) == packet.crc(crc))
}

/// What a mode is called on a timeline.
const fn slice(mode: &Mode) -> &'static str {
    match mode {
        Mode::PowerDown => "power down",
        Mode::StartUp => "crystal start",
        Mode::Standby => "standby",
        Mode::TransmitSettle { .. } => "settle",
        Mode::Transmit => "transmit",
        Mode::AckSettle => "turn to receive",
        Mode::AwaitAck { .. } | Mode::AckBroken { .. } => "await acknowledgement",
        Mode::AckReceived => "raise interrupt",
        Mode::RetryDelay => "retransmit delay",
        Mode::ReceiveSettle => "settle receiver",
        Mode::Receive { .. } => "listen",
        Mode::ReplySettle => "turn to acknowledge",
        Mode::Reply { .. } => "acknowledge",
        Mode::ReplyAgain => "repeat acknowledgement",
    }
}
