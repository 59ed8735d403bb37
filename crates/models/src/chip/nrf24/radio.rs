//! States and transitions (section 6.1.6, Figure 4) and Enhanced ShockBurst (section 7).
//!
//! The chip is in one mode at a time. Entering a mode increments a generation number, and timers of
//! older generations are ignored.

use std::collections::VecDeque;
use std::rc::Rc;

use airlag_air::{FrameId, Reception, Verdict};
use airlag_sim::meter::State as Draws;
use airlag_sim::{Duration, Instant, Slice};

use super::air_interface::AirInterface;
use super::chip::Nrf24;
use super::command::Transaction;
use super::fifo::{Purpose, RxFifo, TxFifo};
use super::packet::Packet;
use super::registers::{Registers, flag};
use super::slices;
use super::timing::{BrokenAck, Timing};

/// Mode of the chip.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    PowerDown,
    /// Crystal start-up.
    StartUp,
    /// Standby-I, or standby-II if CE is high on a transmitter with nothing to send.
    Standby,
    /// From standby to transmit. `began` is the instant of CE's rising edge, used to check the
    /// shortest pulse.
    TransmitSettle {
        began: Instant,
    },
    Transmit,
    /// Turnaround of a transmitter before the acknowledgement.
    AckSettle,
    /// A transmitter listens for the acknowledgement.
    AwaitAck {
        since: Instant,
    },
    /// An acknowledgement was cut off after its address. The receiver stays on for the remaining
    /// packet time.
    AckBroken {
        since: Instant,
    },
    /// The acknowledgement has arrived; the interrupt follows.
    AckReceived,
    /// Standby until the retransmit delay ends.
    RetryDelay,
    /// From standby to receive.
    ReceiveSettle,
    Receive {
        since: Instant,
    },
    /// Turnaround of a receiver before the acknowledgement.
    ReplySettle,
    Reply {
        frame: FrameId,
    },
    /// A receiver waits before it repeats a broken acknowledgement.
    ReplyAgain,
}

/// Timers, in the low bits of a token; the generation or attempt is above.
pub(super) mod timer {
    pub(crate) const PHASE: u64 = 0;
    pub(crate) const ADDRESS_WINDOW: u64 = 1;
    pub(crate) const RETRY: u64 = 2;
    pub(crate) const ARRIVED: u64 = 3;
    pub(crate) const SENT: u64 = 4;
    pub(crate) const BITS: u32 = 3;
}

/// State of the chip.
pub(super) struct State {
    pub(super) registers: Registers,
    pub(super) air: AirInterface,
    pub(super) tx: TxFifo,
    pub(super) rx: RxFifo,
    pub(super) flags: u8,
    pub(super) mode: Mode,
    pub(super) transaction: Transaction,
    pub(super) reuse: bool,
    pub(super) lost_packets: u8,
    /// By pipe: whether the oldest acknowledgement payload has been sent once.
    pub(super) ack_sent: [bool; 6],
    pub(super) generation: u64,
    pub(super) entered: Instant,
    pub(super) attempt: u64,
    pub(super) retransmissions: u8,
    /// End of the retransmit delay.
    pub(super) retry_at: Instant,
    /// The timer of the retransmit delay is set.
    pub(super) retry_set: bool,
    /// The retransmit delay ended during the reception of an acknowledgement.
    pub(super) retry_due: bool,
    /// Identity of the payload written last.
    pub(super) identity: u8,
    /// FLUSH_TX was executed during the transmission of a packet.
    pub(super) flushed: bool,
    /// The packet being sent, kept for retransmission.
    pub(super) current: Option<(Purpose, Packet)>,
    /// Received packets whose interrupt is still to come.
    pub(super) arrived: VecDeque<(u8, Packet)>,
    /// Last frame sent; its buffer is reused for the next frame of the same length.
    pub(super) sent: Rc<[u8]>,
    pub(super) ack: Option<Packet>,
    pub(super) reply: Option<(u8, Packet)>,
    pub(super) reply_broken: bool,
    /// Last packet accepted on each pipe, to detect retransmissions.
    pub(super) last: [Option<Packet>; 6],
}

impl State {
    pub(super) fn new(registers: Registers, timing: &Timing) -> Self {
        Self {
            air: AirInterface::new(&registers, timing),
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
            retry_at: Instant::START,
            retry_set: false,
            retry_due: false,
            identity: 0,
            flushed: false,
            current: None,
            arrived: VecDeque::new(),
            sent: Rc::default(),
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

    /// OBSERVE_TX. According to the register map, its upper half counts the packets that the chip
    /// gave up. The text of section 7.4.2 can also be read as a count of all retransmissions.
    pub(super) fn observe_tx(&self) -> u8 {
        self.lost_packets << 4 | self.retransmissions & 0x0F
    }
}

impl Nrf24 {
    /// Ends the present mode, records it on the timeline, and starts the timer of the next one.
    pub(super) fn enter(&self, state: &mut State, mode: Mode, stay: Option<Duration>) {
        let now = self.sim.now();
        self.sim.span(self.track, slice(&state.mode), state.entered, now);
        if let Some(meter) = &self.meter {
            meter.enter(draws(&mode));
        }
        state.mode = mode;
        state.entered = now;
        state.generation += 1;
        if let Some(stay) = stay {
            self.set(timer::PHASE, state.generation, self.clock.after(now, stay));
        }
    }

    pub(super) fn set(&self, kind: u64, number: u64, at: Instant) {
        self.timers.set(at, number << timer::BITS | kind);
    }

    pub(super) fn raise(&self, state: &mut State, flags: u8) {
        state.flags |= flags;
        self.drive_irq(state);
    }

    /// Handles a change of CE.
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
            // A transmission or an acknowledgement in progress is finished first.
            _ => {}
        }
    }

    /// Handles a write of CONFIG.
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

    /// Handles a written payload: a transmitter with CE high sends it.
    pub(super) fn payload_written(&self, state: &mut State) {
        if state.mode == Mode::Standby && !state.registers.is_receiver() {
            self.leave_standby(state);
        }
    }

    pub(super) fn leave_standby(&self, state: &mut State) {
        if !self.is_enabled() || state.mode != Mode::Standby {
            return;
        }
        if state.registers.is_receiver() {
            self.enter(state, Mode::ReceiveSettle, Some(self.timing.settle));
        } else if state.tx.to_send().is_some() && state.flags & flag::MAX_RT == 0 {
            // Section 8.4: "If MAX_RT is asserted it must be cleared to enable further
            // communication."
            let began = self.sim.now();
            self.enter(state, Mode::TransmitSettle { began }, Some(self.timing.settle));
        }
    }

    /// Proceeds to the next packet of a transmitter.
    pub(super) fn next_packet(&self, state: &mut State) {
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

    pub(super) fn phase_over(&self, state: &mut State) {
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
                let window = Timing::address_window(state.air.airtime.rate);
                let end = self.clock.after(now, window);
                self.set(timer::ADDRESS_WINDOW, state.generation, end);
                if state.retry_at <= end {
                    self.set_retry(state);
                }
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

    pub(super) fn send_packet(&self, state: &mut State, packet: &Packet) -> (FrameId, Duration) {
        let AirInterface { airtime, band, modulation, .. } = state.air;
        let length = Duration::from_ns(airtime.duration_ns(packet.payload.bytes().len()));
        let end = self.clock.after(self.sim.now(), length);
        packet.write_to(&mut state.sent);
        let bytes = Rc::clone(&state.sent);
        (self.medium.send(self.node, band, modulation, end, bytes), length)
    }

    /// Handles the end of a frame within range.
    pub(super) fn heard(&self, reception: &Reception<'_>) {
        let mut guard = self.state();
        let state = &mut *guard;
        let since = match state.mode {
            Mode::Receive { since } | Mode::AwaitAck { since } | Mode::AckBroken { since } => since,
            _ => return,
        };
        let AirInterface { airtime, band, modulation, detection } = state.air;
        let frame = reception.frame;
        if reception.begin < since || frame.modulation != modulation || frame.band != band {
            return;
        }
        let whole = reception.verdict == Verdict::Whole;
        let packet = Packet::parse(&frame.bytes, airtime.address);
        let now = self.sim.now();
        let delay = detection.delay(&mut self.demodulator.borrow_mut());
        let irq = self.clock.after(now, delay);
        if let Mode::Receive { .. } = state.mode {
            let Some(packet) = packet.filter(|_| whole) else { return };
            let Some(pipe) = state.registers.pipe_of(packet.address()) else { return };
            let width = packet.payload.bytes().len();
            if state.registers.is_dynamic(pipe) || width == usize::from(state.registers.width(pipe))
            {
                state.arrived.push_back((pipe, packet));
                self.sim.span(self.track, &slices::RAISE_INTERRUPT, now, irq);
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
                self.set_retry(state);
            }
            _ if state.retry_due => {
                self.enter(state, Mode::RetryDelay, None);
                self.retry(state);
            }
            // Receive mode ends after a packet, valid or not. Without a received address it
            // continues.
            (Some(_), _) => self.await_retry(state),
            (None, _) => {}
        }
    }
}

/// Power state of the chip in a mode (section 5.2).
const fn draws(mode: &Mode) -> Draws {
    match mode {
        Mode::PowerDown => Draws::PowerDown,
        Mode::StartUp => Draws::Start,
        Mode::Standby | Mode::RetryDelay => Draws::Standby,
        Mode::TransmitSettle { .. } | Mode::ReplySettle => Draws::SettleTransmit,
        Mode::AckSettle | Mode::ReceiveSettle => Draws::SettleReceive,
        Mode::Transmit | Mode::Reply { .. } => Draws::Transmit,
        Mode::AwaitAck { .. } | Mode::AckBroken { .. } | Mode::Receive { .. } => Draws::Receive,
        Mode::AckReceived => Draws::Standby,
        // The receiver stays on until its turnaround begins.
        Mode::ReplyAgain => Draws::Receive,
    }
}

/// Time slice of a mode.
const fn slice(mode: &Mode) -> &'static Slice {
    match mode {
        Mode::PowerDown => &slices::POWER_DOWN,
        Mode::StartUp => &slices::CRYSTAL_START,
        Mode::Standby => &slices::STANDBY,
        Mode::TransmitSettle { .. } => &slices::SETTLE,
        Mode::Transmit => &slices::TRANSMIT,
        Mode::AckSettle => &slices::RECEIVE_TURNAROUND,
        Mode::AwaitAck { .. } => &slices::AWAIT_ACKNOWLEDGEMENT,
        Mode::AckBroken { .. } => &slices::BROKEN_ACKNOWLEDGEMENT,
        Mode::AckReceived => &slices::RAISE_INTERRUPT,
        Mode::RetryDelay => &slices::RETRANSMIT_DELAY,
        Mode::ReceiveSettle => &slices::SETTLE_RECEIVER,
        Mode::Receive { .. } => &slices::LISTEN,
        Mode::ReplySettle => &slices::ACKNOWLEDGEMENT_TURNAROUND,
        Mode::Reply { .. } => &slices::ACKNOWLEDGEMENT,
        Mode::ReplyAgain => &slices::REPEAT_ACKNOWLEDGEMENT,
    }
}
