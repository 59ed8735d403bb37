//! A radio with ESP-NOW: one frame at a time, a receive queue, and its own beacons.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::rc::{Rc, Weak};

use airlag_air::{Medium, NodeId};
use airlag_link::airtime::wifi::TIME_UNIT_NS;
use airlag_sim::channel::Notice;
use airlag_sim::{Clock, Duration, Instant, Sim, Stream, Timed, Timers};

use super::config::Config;
use super::frame;
use super::link::TooLong;
use super::slices;
use crate::mcu::deep_sleep::Switch;
use crate::stack::wifi::access::{Access, Outgoing, Upper};
use crate::stack::wifi::beacon::{Beacon, Tim};

pub use crate::stack::wifi::access::{Counts, Incident, Outcome};

mod token {
    pub(super) const DATA: u64 = 0;
    pub(super) const BEACON: u64 = 1;
}

/// A radio with its MAC.
pub struct Station {
    timers: Timers,
    access: Rc<Access>,
    config: Config,
    ssid: Vec<u8>,
    outcome: Cell<Option<Outcome>>,
    /// Whether a beacon is in the queue of the radio.
    beacon_waits: Cell<bool>,
    inbox: RefCell<VecDeque<Box<[u8]>>>,
    random: RefCell<Stream>,
    done: Notice,
    arrived: Notice,
}

impl Station {
    /// Creates a station called `name` on `medium`.
    #[must_use]
    pub fn new(medium: &Medium, name: &str, sim: &Sim, clock: Clock, config: Config) -> Rc<Self> {
        let access = Access::new(medium, name, sim, clock, config.access());
        let station = Rc::new_cyclic(|this| Self {
            timers: sim.timers(this),
            access,
            config,
            ssid: ssid(&config),
            outcome: Cell::new(None),
            beacon_waits: Cell::new(false),
            inbox: RefCell::default(),
            random: RefCell::new(sim.stream(&format!("{name}/random values"))),
            done: Notice::new(sim),
            arrived: Notice::new(sim),
        });
        let upper: Weak<Self> = Rc::downgrade(&station);
        station.access.serve(upper);
        if let Some(beacons) = config.beacons {
            station.set(0, clock.after(sim.now(), beacons.phase));
        }
        station
    }

    /// Node on the medium, for configuring its paths.
    #[must_use]
    pub fn id(&self) -> NodeId {
        self.access.id()
    }

    /// Configuration.
    #[must_use]
    pub const fn config(&self) -> &Config {
        &self.config
    }

    /// Counters so far.
    #[must_use]
    pub fn counts(&self) -> Counts {
        self.access.counts()
    }

    /// Sets the observer of incidents, replacing the previous one.
    pub fn observe(&self, observer: impl Fn(Incident) + 'static) {
        self.access.observe(observer);
    }

    fn set(&self, nth: u64, at: Instant) {
        self.timers.set(at, nth);
    }

    /// Handles the due time of beacon number `nth` (10.1.3.2: at whole multiples of the interval,
    /// however late the previous one was sent).
    fn beacon_due(&self, nth: u64) {
        let Some(beacons) = self.config.beacons else { return };
        let interval = Duration::from_ns(u64::from(beacons.interval_tu.max(1)) * TIME_UNIT_NS);
        let phase = beacons.phase + interval * (nth + 1);
        self.set(nth + 1, self.access.clock().after(Instant::START, phase));
        if self.beacon_waits.replace(true) {
            return;
        }
        let beacon = Beacon {
            from: self.config.address,
            channel: self.config.channel,
            interval_tu: beacons.interval_tu,
            ssid: &self.ssid,
            tim: Tim { dtim_count: 0, dtim_period: 1, waiting: 0 },
        };
        self.access.ask(Outgoing {
            mpdu: beacon.to_vec(),
            rate: beacons.rate,
            retry_rate: beacons.rate,
            beacon: true,
            slice: &slices::BEACON,
            token: token::BEACON,
        });
    }

    /// Sends `body` and waits for its outcome, which is unknown for a group address. Only one frame
    /// at a time.
    pub(super) async fn transmit(&self, body: &[u8]) -> Result<Option<Outcome>, TooLong> {
        let Config { address, peer, format, .. } = self.config;
        let too_long = TooLong { len: body.len(), most: format.max_body() };
        if body.len() > format.max_body() {
            return Err(too_long);
        }
        let random = (self.random.borrow_mut().bits() as u32).to_le_bytes();
        self.access.ask(Outgoing {
            mpdu: format.esp_now(peer, address, random, body).ok_or(too_long)?,
            rate: self.config.rate_of(false),
            retry_rate: self.config.rate_of(true),
            beacon: false,
            slice: &slices::TRANSMIT,
            token: token::DATA,
        });
        self.done.wait().await;
        Ok(self.outcome.take())
    }

    /// Waits for the next frame, copies its body into `buffer` and returns its size. A longer body
    /// is truncated.
    pub(super) async fn next_body(&self, buffer: &mut [u8]) -> usize {
        loop {
            let next = self.inbox.borrow_mut().pop_front();
            if let Some(body) = next {
                let len = body.len().min(buffer.len());
                buffer[..len].copy_from_slice(&body[..len]);
                return len;
            }
            self.arrived.wait().await;
        }
    }
}

/// Default name of an ESP32, derived from its address.
fn ssid(config: &Config) -> Vec<u8> {
    const HEX: &[u8; 16] = b"0123456789ABCDEF";
    let digits = config.address[3..].iter().flat_map(|octet| [octet >> 4, octet & 15]);
    b"ESP_".iter().copied().chain(digits.map(|digit| HEX[usize::from(digit)])).collect()
}

impl Timed for Station {
    fn due(self: Rc<Self>, nth: u64) {
        self.beacon_due(nth);
    }
}

impl Upper for Station {
    fn finished(&self, token: u64, outcome: Option<Outcome>) {
        if token == token::BEACON {
            self.beacon_waits.set(false);
        } else {
            self.outcome.set(outcome);
            self.done.raise();
        }
    }

    fn received(&self, mpdu: &[u8]) {
        let Some((header, body)) = self.config.format.read(mpdu) else { return };
        if header.to != self.config.address && header.to != frame::BROADCAST {
            return;
        }
        let mut inbox = self.inbox.borrow_mut();
        if inbox.len() < self.config.receive_queue {
            inbox.push_back(body.into());
            self.arrived.raise();
        } else {
            self.access.record(Incident::QueueFull);
        }
    }
}

impl Switch for Station {
    fn off(&self) -> bool {
        self.access.doze()
    }

    fn on(&self) {
        self.access.wake();
    }
}
