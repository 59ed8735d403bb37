//! The chip with its pins: SPI, CE, IRQ and an antenna.

use std::cell::{RefCell, RefMut};
use std::rc::{Rc, Weak};

use airlag_air::{Medium, NodeId, Radio, Reception};
use airlag_sim::{Clock, Line, Meter, Sim, Slice, Stream, Timed, Timers, Track};

use super::radio::State;
use super::registers::Registers;
use super::timing::Timing;
use crate::mcu::SpiTarget;

/// Name of the incident of a frame that is sent again: a payload, or an acknowledgement.
pub const RETRY: &str = "retry";

/// Called with the name of an incident.
type Told = Box<dyn Fn(&'static str)>;

/// An nRF24L01+ on a board.
///
/// Its pins are [`Line`]s: the microcontroller drives CE, which is initially low; the chip drives
/// IRQ, which is active low.
pub struct Nrf24 {
    pub(super) sim: Sim,
    pub(super) clock: Clock,
    pub(super) timing: Timing,
    pub(super) demodulator: RefCell<Stream>,
    pub(super) medium: Medium,
    pub(super) node: NodeId,
    pub(super) track: Track,
    pub(super) meter: Option<Meter>,
    pub(super) timers: Timers,
    incident: RefCell<Option<Told>>,
    ce: Line,
    irq: Line,
    state: RefCell<State>,
}

impl Nrf24 {
    /// Creates a chip after power-on reset, on the air under `name`, with its own crystal.
    #[must_use]
    pub fn new(medium: &Medium, name: &str, sim: &Sim, clock: Clock, timing: Timing) -> Rc<Self> {
        let node = medium.join(name);
        let chip = Rc::new_cyclic(|this| Self {
            sim: sim.clone(),
            clock,
            timing,
            demodulator: RefCell::new(sim.stream(&format!("{name}/demodulator"))),
            medium: medium.clone(),
            node,
            track: sim.track(name),
            meter: medium.take_meter(node),
            timers: sim.timers(this),
            incident: RefCell::new(None),
            ce: Line::new(sim, false),
            irq: Line::new(sim, true),
            state: RefCell::new(State::new(Registers::default(), &timing)),
        });
        let this: Weak<Self> = Rc::downgrade(&chip);
        let watched = this.clone();
        chip.ce.observe(move |level| {
            if let Some(chip) = watched.upgrade() {
                chip.chip_enable(level);
            }
        });
        medium.attach(node, this);
        chip
    }

    /// Chip enable.
    #[must_use]
    pub fn ce(&self) -> &Line {
        &self.ce
    }

    /// Returns the interrupt, low when active.
    #[must_use]
    pub fn irq(&self) -> &Line {
        &self.irq
    }

    /// Node on the medium.
    #[must_use]
    pub fn node(&self) -> NodeId {
        self.node
    }

    /// Calls `record` with [`RETRY`] for every retransmitted frame.
    pub fn on_incident(&self, record: impl Fn(&'static str) + 'static) {
        *self.incident.borrow_mut() = Some(Box::new(record));
    }

    pub(super) fn repeats(&self) {
        if let Some(record) = &*self.incident.borrow() {
            record(RETRY);
        }
    }

    pub(super) fn state(&self) -> RefMut<'_, State> {
        self.state.borrow_mut()
    }

    pub(super) fn is_enabled(&self) -> bool {
        self.ce.level()
    }

    /// Sets the pin according to the flags. Observers of the pin must not call the chip.
    pub(super) fn drive_irq(&self, state: &State) {
        self.irq.set(state.registers.unmasked(state.flags) == 0);
    }
}

impl SpiTarget for Nrf24 {
    fn select(&self) {
        self.state().transaction.begin();
    }

    fn exchange(&self, bytes: &mut [u8]) {
        self.exchange_bytes(bytes);
    }

    fn write(&self, bytes: &[u8]) {
        self.take_bytes(bytes);
    }

    fn deselect(&self) {
        self.execute();
    }

    fn slice(&self) -> &'static Slice {
        self.state().transaction.slice()
    }
}

impl Radio for Nrf24 {
    fn frame_ended(&self, reception: &Reception<'_>) {
        self.heard(reception);
    }
}

impl Timed for Nrf24 {
    fn due(self: Rc<Self>, token: u64) {
        self.timer_due(token);
    }
}
