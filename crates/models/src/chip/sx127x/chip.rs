//! The chip with its pins (Table 18), its SPI port (section 4.3) and an antenna.

use std::cell::{RefCell, RefMut};
use std::rc::{Rc, Weak};

use airlag_air::{Medium, NodeId, Radio, Reception};
use airlag_sim::{Clock, Line, Sim, Slice, Stream, Timed, Timers, Track};

use super::errata::{self, Erratum};
use super::modem::{Mode, State};
use super::registers::{at, flag};
use super::settings::{self, FAMILY};
use super::slices;
use super::timing::Timing;
use crate::mcu::SpiTarget;

/// An SPI transaction in progress.
#[derive(Default)]
struct Transaction {
    /// Address byte as received.
    opened: Option<u8>,
    /// Register of the next byte.
    address: u8,
    /// Writes that take effect when the select line rises.
    writes: Vec<(u8, u8)>,
}

/// An SX1276 on a board.
///
/// Its pins are [`Line`]s: the microcontroller drives NRESET, which is active low; the chip drives
/// DIO0 to DIO5.
pub struct Sx1276 {
    pub(super) sim: Sim,
    pub(super) clock: Clock,
    pub(super) timing: Timing,
    pub(super) medium: Medium,
    pub(super) node: NodeId,
    pub(super) track: Track,
    pub(super) timers: Timers,
    pub(super) stream: RefCell<Stream>,
    reset: Line,
    dio: [Line; 6],
    state: RefCell<State>,
    transaction: RefCell<Transaction>,
}

impl Sx1276 {
    /// Creates a chip after power-on reset, on the air under `name`, with its own crystal.
    #[must_use]
    pub fn new(medium: &Medium, name: &str, sim: &Sim, clock: Clock, timing: Timing) -> Rc<Self> {
        let node = medium.join(name);
        // Chirps of different slopes are orthogonal (section 4.1.1.2).
        medium.orthogonal(FAMILY);
        let chip = Rc::new_cyclic(|this| Self {
            sim: sim.clone(),
            clock,
            timing,
            medium: medium.clone(),
            node,
            track: sim.track(name),
            timers: sim.timers(this),
            stream: RefCell::new(sim.stream(&format!("{name}/chip grid"))),
            reset: Line::new(sim, true),
            dio: core::array::from_fn(|_| Line::new(sim, false)),
            state: RefCell::new(State::new(0)),
            transaction: RefCell::default(),
        });
        let this: Weak<Self> = Rc::downgrade(&chip);
        let watched = this.clone();
        chip.reset.observe(move |level| {
            if let Some(chip) = watched.upgrade().filter(|_| !level) {
                chip.start_over();
            }
        });
        medium.attach(node, this);
        chip.drive_pins(&chip.state());
        chip
    }

    /// NRESET, low when active.
    #[must_use]
    pub fn reset(&self) -> &Line {
        &self.reset
    }

    /// DIO0 to DIO5.
    #[must_use]
    pub fn dio(&self) -> &[Line; 6] {
        &self.dio
    }

    /// Node on the air.
    #[must_use]
    pub fn node(&self) -> NodeId {
        self.node
    }

    /// Items of the errata note that the registers do not follow for frames in the current format.
    #[must_use]
    pub fn unheeded_errata(&self) -> Vec<Erratum> {
        let state = self.state();
        let frame = settings::frame(&state.registers);
        frame.map_or_else(Vec::new, |frame| errata::unheeded(&state.registers, &frame))
    }

    pub(super) fn state(&self) -> RefMut<'_, State> {
        self.state.borrow_mut()
    }

    /// Manual reset (section 7.2.2). The 5 ms without response are not enforced.
    fn start_over(&self) {
        let mut state = self.state();
        if let Mode::Transmit(frame) = state.mode {
            self.medium.cut(frame);
        }
        *state = State::new(state.generation + 1);
        self.drive_pins(&state);
    }

    /// Updates the pins from flags and mappings. Observers of a pin may only record the change.
    ///
    /// A masked interrupt does not drive a pin. That its flag still rises is an interpretation: the
    /// datasheet contains only the word "mask".
    pub(super) fn drive_pins(&self, state: &State) {
        self.medium.enter(self.node, state.mode.draws());
        let registers = &state.registers;
        let flags = registers.get(at::IRQ_FLAGS) & !registers.get(at::IRQ_FLAGS_MASK);
        let (low, high) = (registers.get(at::DIO_MAPPING_1), registers.get(at::DIO_MAPPING_2));
        let up = |flag: u8| flags & flag != 0;
        let ready = state.is_ready();
        let locked = ready && !matches!(state.mode, Mode::Standby);
        let levels = [
            match low >> 6 {
                0 => up(flag::RX_DONE),
                1 => up(flag::TX_DONE),
                2 => up(flag::CAD_DONE),
                _ => false,
            },
            match low >> 4 & 3 {
                0 => up(flag::RX_TIMEOUT),
                2 => up(flag::CAD_DETECTED),
                _ => false,
            },
            // FhssChangeChannel in every mapping.
            false,
            match low & 3 {
                0 => up(flag::CAD_DONE),
                1 => up(flag::VALID_HEADER),
                2 => up(flag::PAYLOAD_CRC_ERROR),
                _ => false,
            },
            match high >> 6 {
                0 => up(flag::CAD_DETECTED),
                1 | 2 => locked,
                _ => false,
            },
            // ModeReady; the clock output of the other mappings is not modelled.
            high >> 4 & 3 == 0 && ready,
        ];
        for (line, level) in self.dio.iter().zip(levels) {
            line.set(level);
        }
    }

    /// Exchanges one byte of a transaction and returns the chip's response.
    fn exchange_byte(&self, transaction: &mut Transaction, byte: u8) -> u8 {
        let Some(opened) = transaction.opened else {
            transaction.opened = Some(byte);
            transaction.address = byte & 0x7F;
            return 0;
        };
        let (address, writes) = (transaction.address, opened & 0x80 != 0);
        if address != at::FIFO {
            // Burst access increments the address, except for that of the FIFO (section 4.3).
            transaction.address = (address + 1) & 0x7F;
        }
        if writes {
            transaction.writes.push((address, byte));
        }
        let mut state = self.state();
        if address != at::FIFO {
            return state.registers.read(address);
        }
        // The data buffer is inaccessible in sleep mode (section 4.1.2.3).
        if writes || state.mode == Mode::Sleep {
            return 0;
        }
        let pointer = state.registers.get(at::FIFO_ADDR_PTR);
        state.registers.set(at::FIFO_ADDR_PTR, pointer.wrapping_add(1));
        state.fifo[usize::from(pointer)]
    }

    fn write(&self, state: &mut State, address: u8, value: u8) {
        match address {
            at::FIFO => {
                if state.mode != Mode::Sleep {
                    let pointer = state.registers.get(at::FIFO_ADDR_PTR);
                    state.fifo[usize::from(pointer)] = value;
                    state.registers.set(at::FIFO_ADDR_PTR, pointer.wrapping_add(1));
                }
            }
            at::OP_MODE => self.write_op_mode(state, value),
            // Writing a one clears the flag (Table 41, mode rc).
            at::IRQ_FLAGS if state.registers.reaches_lora(address) => {
                let flags = state.registers.get(at::IRQ_FLAGS);
                state.registers.set(at::IRQ_FLAGS, flags & !value);
            }
            _ => state.registers.write(address, value),
        }
    }
}

impl SpiTarget for Sx1276 {
    fn select(&self) {
        let mut transaction = self.transaction.borrow_mut();
        transaction.opened = None;
        transaction.writes.clear();
    }

    fn exchange(&self, bytes: &mut [u8]) {
        let mut transaction = self.transaction.borrow_mut();
        for byte in bytes {
            *byte = self.exchange_byte(&mut transaction, *byte);
        }
    }

    fn deselect(&self) {
        let transaction = self.transaction.borrow();
        let mut state = self.state();
        for &(address, value) in &transaction.writes {
            self.write(&mut state, address, value);
        }
        self.drive_pins(&state);
    }

    fn slice(&self) -> &'static Slice {
        match self.transaction.borrow().opened {
            Some(0x80) => &slices::SPI_WRITE_PAYLOAD,
            Some(0x00) => &slices::SPI_READ_PAYLOAD,
            Some(0x81) => &slices::SPI_MODE,
            _ => &slices::SPI_REGISTERS,
        }
    }
}

impl Radio for Sx1276 {
    fn frame_ended(&self, reception: &Reception<'_>) {
        self.heard(reception);
    }
}

impl Timed for Sx1276 {
    fn due(self: Rc<Self>, token: u64) {
        self.timer_due(token);
    }
}
