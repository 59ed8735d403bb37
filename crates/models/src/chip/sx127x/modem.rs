//! Modes (Table 16), transmission, reception, channel activity detection and interrupts.
//!
//! The chip is in one mode at a time. Entering a mode starts a new generation; timers of older
//! generations are ignored.

use std::collections::VecDeque;

use airlag_air::{FrameId, Reception, Verdict};
use airlag_link::airtime::lora::Frame;
use airlag_sim::meter::State as Draws;
use airlag_sim::{Duration, Instant};

use super::chip::Sx1276;
use super::packet;
use super::registers::{Registers, at, flag};
use super::settings;
use super::slices;
use super::timing::Timing;

/// Mode requested by RegOpMode (Table 16).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Target {
    Sleep,
    Standby,
    Synthesiser,
    Transmit,
    Receive { single: bool },
    Detect,
}

impl Target {
    const fn of(mode: u8) -> Self {
        match mode & 7 {
            0 => Self::Sleep,
            1 => Self::Standby,
            2 | 4 => Self::Synthesiser,
            3 => Self::Transmit,
            5 => Self::Receive { single: false },
            6 => Self::Receive { single: true },
            _ => Self::Detect,
        }
    }
}

/// Current state of the chip.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    Sleep,
    /// In transition; ModeReady is low.
    Settling(Target),
    Standby,
    Synthesiser,
    /// Waits for its own chip grid.
    Aligning,
    Transmit(FrameId),
    Receive {
        since: Instant,
        single: bool,
    },
    /// Receives for channel activity detection.
    Detect {
        since: Instant,
    },
    /// Computes the result of channel activity detection.
    DetectCompute {
        heard: bool,
    },
}

impl Mode {
    /// Power state of the mode (Table 6). The air records transmissions.
    pub(super) const fn draws(self) -> Draws {
        match self {
            Self::Sleep => Draws::PowerDown,
            Self::Standby | Self::Settling(Target::Sleep | Target::Standby) => Draws::Standby,
            Self::Synthesiser
            | Self::Aligning
            | Self::Settling(Target::Synthesiser | Target::Transmit) => Draws::SettleTransmit,
            Self::Settling(Target::Receive { .. } | Target::Detect)
            | Self::DetectCompute { .. } => Draws::SettleReceive,
            Self::Transmit(_) => Draws::Transmit,
            Self::Receive { .. } | Self::Detect { .. } => Draws::Receive,
        }
    }
}

/// A received frame that is being decoded.
struct Arrival {
    bytes: std::rc::Rc<[u8]>,
    collided: bool,
}

/// State of the chip.
pub(super) struct State {
    pub(super) registers: Registers,
    pub(super) fifo: [u8; 256],
    pub(super) mode: Mode,
    pub(super) generation: u64,
    /// Time from which the crystal runs or will run.
    crystal_at: Instant,
    slept_at: Instant,
    /// FIFO address of the next received byte.
    rx_next: u8,
    /// Time until which a frame occupies the receiver. Frames that start before it are missed.
    locked_until: Instant,
    arrivals: VecDeque<Arrival>,
}

/// Timers, in the low bits of a token; the generation is above.
mod timer {
    pub(super) const PHASE: u64 = 0;
    pub(super) const TIMEOUT: u64 = 1;
    pub(super) const ARRIVED: u64 = 2;
    pub(super) const BITS: u32 = 2;
}

impl State {
    /// State after a reset. Timers of generations before `generation` are ignored.
    pub(super) fn new(generation: u64) -> Self {
        Self {
            registers: Registers::default(),
            fifo: [0; 256],
            mode: Mode::Standby,
            generation,
            crystal_at: Instant::START,
            slept_at: Instant::START,
            rx_next: 0,
            locked_until: Instant::START,
            arrivals: VecDeque::new(),
        }
    }

    /// ModeReady.
    pub(super) fn is_ready(&self) -> bool {
        !matches!(self.mode, Mode::Sleep | Mode::Settling(_))
    }

    fn raise(&mut self, flags: u8) {
        let standing = self.registers.get(at::IRQ_FLAGS);
        self.registers.set(at::IRQ_FLAGS, standing | flags);
    }

    /// Writes an automatic return to standby into RegOpMode.
    fn show_standby(&mut self) {
        let mode = self.registers.get(at::OP_MODE);
        self.registers.set(at::OP_MODE, mode & !7 | 1);
    }

    fn is_lora(&self) -> bool {
        self.registers.get(at::OP_MODE) & 0x80 != 0
    }
}

impl Sx1276 {
    fn after(&self, wait: Duration) -> Instant {
        self.clock.after(self.sim.now(), wait)
    }

    fn set_timer(&self, state: &State, which: u64, at: Instant) {
        self.timers.set(at, state.generation << timer::BITS | which);
    }

    /// Handles a write to RegOpMode.
    pub(super) fn write_op_mode(&self, state: &mut State, value: u8) {
        let before = state.registers.get(at::OP_MODE);
        // The LoRa bit can be changed in sleep mode only; a write in any other mode is ignored
        // (Table 16).
        let lora = if state.mode == Mode::Sleep { value } else { before } & 0x80;
        let value = value & 0x7F | lora;
        state.registers.set(at::OP_MODE, value);
        // Requesting the current mode does not restart it.
        if value & 7 != before & 7 {
            self.enter(state, Target::of(value));
        }
    }

    /// Leaves the current mode for another.
    fn enter(&self, state: &mut State, target: Target) {
        let now = self.sim.now();
        if let Mode::Transmit(frame) = state.mode {
            self.medium.cut(frame);
        }
        state.generation += 1;
        state.arrivals.clear();
        if target == Target::Sleep {
            state.mode = Mode::Sleep;
            state.slept_at = now;
            // The data buffer and the counters are lost in sleep mode (section 4.1.2.3).
            state.fifo = [0; 256];
            for counter in at::RX_HEADER_CNT_MSB..=at::RX_PACKET_CNT_LSB {
                state.registers.set(counter, 0);
            }
            return;
        }
        if state.mode == Mode::Sleep {
            let swings = now.since(state.slept_at) <= self.timing.swings_on;
            let start = if swings { self.timing.standby } else { self.timing.crystal };
            state.crystal_at = self.after(start);
            self.sim.span(self.track, &slices::CRYSTAL_START, now, state.crystal_at);
        }
        let running = state.crystal_at.max(now);
        let settle = match target {
            Target::Sleep => Duration::ZERO,
            Target::Standby if running > now => Duration::ZERO,
            Target::Standby => self.timing.standby,
            Target::Synthesiser | Target::Detect => self.locking(state, self.timing.synthesiser),
            Target::Transmit => self.locking(state, self.timing.transmit),
            Target::Receive { .. } => self.locking(state, self.timing.receive),
        };
        let ready = self.clock.after(running, settle);
        self.sim.span(self.track, &slices::MODE_SWITCH, running, ready);
        state.mode = Mode::Settling(target);
        self.set_timer(state, timer::PHASE, ready);
    }

    /// Returns the settling time. If the synthesiser is already locked, its settling time is
    /// subtracted.
    fn locking(&self, state: &State, settle: Duration) -> Duration {
        let locked = state.mode == Mode::Synthesiser;
        if locked { settle.saturating_sub(self.timing.synthesiser) } else { settle }
    }

    pub(super) fn timer_due(&self, token: u64) {
        let mut state = self.state();
        if token >> timer::BITS != state.generation {
            return;
        }
        match token & ((1 << timer::BITS) - 1) {
            timer::PHASE => self.phase_over(&mut state),
            timer::TIMEOUT => self.timeout(&mut state),
            _ => self.arrived(&mut state),
        }
        self.drive_pins(&state);
    }

    fn phase_over(&self, state: &mut State) {
        match state.mode {
            Mode::Settling(target) => self.settled(state, target),
            Mode::Aligning => self.send(state),
            Mode::Transmit(_) => {
                state.raise(flag::TX_DONE);
                self.fall_back(state);
            }
            Mode::Detect { since } => self.heard_chirps(state, since),
            Mode::DetectCompute { heard } => {
                let detected = if heard { flag::CAD_DETECTED } else { 0 };
                state.raise(flag::CAD_DONE | detected);
                self.fall_back(state);
            }
            Mode::Sleep | Mode::Standby | Mode::Synthesiser | Mode::Receive { .. } => {}
        }
    }

    /// Returns to standby automatically.
    fn fall_back(&self, state: &mut State) {
        state.show_standby();
        // A completed transmission is not cut.
        state.mode = Mode::Standby;
        self.enter(state, Target::Standby);
    }

    fn settled(&self, state: &mut State, target: Target) {
        let now = self.sim.now();
        state.mode = match target {
            Target::Sleep => Mode::Sleep,
            Target::Standby => Mode::Standby,
            _ if !state.is_lora() => Mode::Standby,
            Target::Synthesiser => Mode::Synthesiser,
            Target::Transmit => Mode::Aligning,
            Target::Receive { single } => Mode::Receive { since: now, single },
            Target::Detect => Mode::Detect { since: now },
        };
        let Some(frame) = settings::frame(&state.registers) else { return };
        match state.mode {
            Mode::Aligning => {
                let late = self.late(&frame, self.timing.send_grid_millichips);
                let begin = self.after(late);
                self.sim.span(self.track, &slices::MODE_SWITCH, now, begin);
                self.set_timer(state, timer::PHASE, begin);
            }
            Mode::Receive { single, .. } => {
                state.rx_next = state.registers.get(at::FIFO_RX_BASE_ADDR);
                if single {
                    let symbols = u64::from(settings::symbol_timeout(&state.registers));
                    let wait = Duration::from_ns(frame.symbol_ns() * symbols);
                    self.set_timer(state, timer::TIMEOUT, self.after(wait));
                }
            }
            Mode::Detect { .. } => {
                self.set_timer(state, timer::PHASE, self.after(Timing::cad_receive(&frame)));
            }
            _ => {}
        }
    }

    fn late(&self, frame: &Frame, millichips: u64) -> Duration {
        self.stream.borrow_mut().within(Timing::chips(frame, millichips))
    }

    fn send(&self, state: &mut State) {
        let Some(frame) = settings::frame(&state.registers) else { return };
        let length = state.registers.get(at::PAYLOAD_LENGTH);
        let base = state.registers.get(at::FIFO_TX_BASE_ADDR);
        let payload = (0..length).map(|index| state.fifo[usize::from(base.wrapping_add(index))]);
        let bytes = packet::pack(&frame, state.registers.get(at::SYNC_WORD), payload);
        let end = self.after(Duration::from_ns(frame.duration_ns(length.into())));
        let band = settings::band(&state.registers, &frame);
        let modulation = settings::modulation(&frame, settings::inverts_tx(&state.registers));
        let id = self.medium.send(self.node, band, modulation, end, bytes);
        state.mode = Mode::Transmit(id);
        self.set_timer(state, timer::PHASE, end);
    }

    /// Returns true if a receiver in this mode since `since` locks onto a frame that started at
    /// `begin`.
    fn locks(&self, frame: &Frame, preamble: u16, since: Instant, begin: Instant) -> bool {
        let spare = u64::from(preamble.saturating_sub(self.timing.lock_symbols));
        since <= begin + Duration::from_ns(frame.symbol_ns() * spare)
    }

    /// Handles the preamble timeout of a single reception.
    fn timeout(&self, state: &mut State) {
        let Mode::Receive { since, single: true } = state.mode else { return };
        let Some(frame) = settings::frame(&state.registers) else { return };
        let band = settings::band(&state.registers, &frame);
        let modulation = settings::modulation(&frame, settings::inverts_rx(&state.registers));
        let coming = self.medium.hearing(self.node, band, modulation);
        let locked = coming.is_some_and(|f| self.locks(&frame, frame.preamble, since, f.begin));
        if !locked && state.arrivals.is_empty() {
            state.raise(flag::RX_TIMEOUT);
            self.fall_back(state);
        }
    }

    fn heard_chirps(&self, state: &mut State, since: Instant) {
        let Some(frame) = settings::frame(&state.registers) else { return };
        let band = settings::band(&state.registers, &frame);
        let modulation = settings::modulation(&frame, settings::inverts_rx(&state.registers));
        let heard = settings::detects(&state.registers, &frame)
            && self
                .medium
                .hearing(self.node, band, modulation)
                .is_some_and(|coming| coming.begin <= since);
        state.mode = Mode::DetectCompute { heard };
        self.set_timer(state, timer::PHASE, self.after(Timing::cad_compute(&frame)));
    }

    /// Called at the last symbol of a frame.
    pub(super) fn heard(&self, reception: &Reception<'_>) {
        let mut state = self.state();
        let state = &mut *state;
        let Mode::Receive { since, .. } = state.mode else { return };
        let registers = &state.registers;
        let Some(frame) = settings::frame(registers) else { return };
        let Some(packet) = packet::unpack(&reception.frame.bytes) else { return };
        let sees = reception.frame.band == settings::band(registers, &frame)
            && reception.frame.modulation
                == settings::modulation(&frame, settings::inverts_rx(registers))
            && settings::detects(registers, &frame)
            && self.locks(&frame, packet.preamble, since, reception.begin)
            && reception.begin >= state.locked_until;
        let whole = matches!(reception.verdict, Verdict::Whole | Verdict::Collided);
        if !sees || !whole {
            return;
        }
        state.locked_until = reception.end;
        // A different sync word ends the search. A header of the other kind cannot be decoded.
        if packet.sync_word != registers.get(at::SYNC_WORD)
            || packet.explicit_header != frame.explicit_header
        {
            return;
        }
        let collided = reception.verdict == Verdict::Collided;
        state.arrivals.push_back(Arrival { bytes: reception.frame.bytes.clone(), collided });
        let late = self.late(&frame, self.timing.receive_grid_millichips);
        let done = self.after(self.timing.decode(&frame) + late);
        self.sim.span(self.track, &slices::RECEIVER_LATENCY, reception.end, done);
        self.set_timer(state, timer::ARRIVED, done);
    }

    /// Completes the decoding of a frame.
    fn arrived(&self, state: &mut State) {
        let Some(arrival) = state.arrivals.pop_front() else { return };
        let Mode::Receive { single, .. } = state.mode else { return };
        let Some(frame) = settings::frame(&state.registers) else { return };
        let Some(packet) = packet::unpack(&arrival.bytes) else { return };
        let explicit = frame.explicit_header;
        let length = if explicit {
            packet.payload.len().min(255) as u8
        } else {
            state.registers.get(at::PAYLOAD_LENGTH)
        };
        if explicit && length > state.registers.get(at::MAX_PAYLOAD_LENGTH) {
            // Treated as an invalid header (RegMaxPayloadLength), without an interrupt.
            return;
        }
        let agreed = explicit
            || (packet.coding_rate == frame.coding_rate
                && packet.crc == frame.crc
                && packet.payload.len() == usize::from(length));
        let same_symbols = packet.low_data_rate_optimize == frame.low_data_rate_optimize;
        let damaged = arrival.collided || !agreed || !same_symbols;
        let start = state.rx_next;
        for index in 0..length {
            let byte = packet.payload.get(usize::from(index)).copied().unwrap_or(0);
            // Invert every byte, so that a damaged frame is never mistaken for a valid one.
            let byte = if damaged { !byte } else { byte };
            state.fifo[usize::from(start.wrapping_add(index))] = byte;
        }
        state.rx_next = start.wrapping_add(length);
        let with_crc = if explicit { packet.crc } else { frame.crc };
        let bad = damaged && with_crc;
        self.report(state, &packet, start, length, bad);
        let header = if explicit { flag::VALID_HEADER } else { 0 };
        let crc = if bad { flag::PAYLOAD_CRC_ERROR } else { 0 };
        state.raise(flag::RX_DONE | header | crc);
        if single {
            self.fall_back(state);
        }
    }

    /// Updates the registers that describe the last packet.
    fn report(
        &self,
        state: &mut State,
        packet: &packet::Packet<'_>,
        start: u8,
        length: u8,
        bad: bool,
    ) {
        let crc_on_payload = u8::from(packet.crc && packet.explicit_header) << 6;
        let rate = packet.coding_rate.denominator() - 4;
        for (address, value) in [
            (at::FIFO_RX_CURRENT_ADDR, start),
            (at::RX_NB_BYTES, length),
            (at::FIFO_RX_BYTE_ADDR, start.wrapping_add(length).wrapping_sub(1)),
            (at::MODEM_STAT, rate << 5),
            (at::PKT_SNR_VALUE, self.timing.snr_quarter_db.cast_unsigned()),
            (at::PKT_RSSI_VALUE, self.timing.rssi),
            (at::RSSI_VALUE, self.timing.rssi),
            (at::HOP_CHANNEL, crc_on_payload),
        ] {
            state.registers.set(address, value);
        }
        let count = |state: &mut State, msb: u8| {
            let read = [state.registers.get(msb), state.registers.get(msb + 1)];
            let [high, low] = u16::from_be_bytes(read).wrapping_add(1).to_be_bytes();
            state.registers.set(msb, high);
            state.registers.set(msb + 1, low);
        };
        if packet.explicit_header {
            count(state, at::RX_HEADER_CNT_MSB);
        }
        if !bad {
            count(state, at::RX_PACKET_CNT_MSB);
        }
    }
}
