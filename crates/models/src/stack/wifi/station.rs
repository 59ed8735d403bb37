//! A station of an access point, as a port for packets, with modem power save.
//!
//! ```text
//!  access point  │ beacon: frames are held │                         │ frame │ …
//!  station  wake │ beacon                  │ fetch │ null: awake │   │ frame │ active … │ null: asleep │
//! ```
//!
//! A station saves power as ESP-IDF does with `WIFI_PS_MIN_MODEM` (ESP-IDF Programming Guide,
//! "Wi-Fi Driver", station sleep). The radio is on for the DTIM beacons. When a beacon announces
//! pending frames, the station sends a null frame whose power management bit is 0. This null frame
//! announces that the station is awake. The station stays awake until there has been no traffic for
//! the time [`PowerSave::active`] (IEEE Std 802.11-2012, 10.2.1). PS-Poll is not modelled.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::rc::{Rc, Weak};

use airlag_air::{Medium, NodeId};
use airlag_link::airtime::wifi::{Rate, TIME_UNIT_NS};
use airlag_sim::{Clock, Duration, Instant, Sim, Slice, Stream, Timed, Timers};

use super::access::{self, Access, Counts, Incident, Outcome, Outgoing, Upper};
use super::beacon;
use super::frame::{self, Address, Data, FCS_LEN, Frame, HEADER_LEN, Way};
use super::slices;
use crate::stack::ip::{Port, PortUser};

/// Sleep timing of a station.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PowerSave {
    /// Time before a due beacon at which the radio is switched on.
    pub wake_ahead: Duration,
    /// Time after a due beacon for which the radio waits for it.
    pub beacon_wait: Duration,
    /// Time from a beacon that announces pending frames to the station's request for them.
    pub fetch: Duration,
    /// Time awake after the last frame.
    pub active: Duration,
    /// Share of awaited beacons that it misses.
    pub missed: f64,
}

/// Configuration of a station.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Config {
    /// Radio.
    pub access: access::Config,
    /// Access point.
    pub access_point: Address,
    /// Association number, from 1 to 7.
    pub association: u8,
    /// Destination of its packets.
    pub peer: Address,
    /// Rate of its frames.
    pub rate: Rate,
    /// Largest packet, bytes.
    pub mtu: usize,
    /// Packets queued for sending.
    pub queue: usize,
    /// Power save, if enabled.
    pub power_save: Option<PowerSave>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sleep {
    /// The radio is off until the next beacon.
    Asleep,
    /// The radio is on for a beacon, and the access point considers the station asleep.
    Listening,
    /// A beacon has announced frames that have not been requested yet.
    Fetching { since: Instant },
    /// The access point considers the station awake, or is about to.
    Awake,
    /// The station has announced its sleep, which is not acknowledged yet.
    Leaving,
}

mod token {
    pub(super) const DATA: u64 = 0;
    pub(super) const AWAKE: u64 = 1;
    pub(super) const ASLEEP: u64 = 2;
}

mod timer {
    pub(super) const WAKE: u64 = 0;
    pub(super) const NO_BEACON: u64 = 1;
    pub(super) const FETCH: u64 = 2;
    pub(super) const IDLE: u64 = 3;
    pub(super) const BITS: u32 = 2;
}

struct State {
    sleep: Sleep,
    /// Generation counter that invalidates timers.
    generation: u64,
    /// Packets not submitted to the radio yet.
    waiting: VecDeque<Vec<u8>>,
    /// Whether a packet is submitted to the radio.
    sending: bool,
    /// Whether a beacon was received; until then the radio stays on.
    synchronised: bool,
    /// Due time of the next beacon on the station's clock, and the beacon interval, ns.
    beacon_due: i64,
    beacon_interval: i64,
    /// Beacons until the next DTIM.
    until_dtim: u8,
    dtim_period: u8,
    last_traffic: Instant,
}

/// A station.
pub struct Station {
    timers: Timers,
    access: Rc<Access>,
    config: Config,
    state: RefCell<State>,
    misses: RefCell<Stream>,
    user: RefCell<Option<Weak<dyn PortUser>>>,
    told_full: Cell<bool>,
    /// Whether its radio is switched off.
    is_off: Cell<bool>,
}

impl Station {
    /// Creates a station called `name` on `medium`. The radio is on until the first beacon is
    /// received.
    #[must_use]
    pub fn new(medium: &Medium, name: &str, sim: &Sim, clock: Clock, config: Config) -> Rc<Self> {
        let access = Access::new(medium, name, sim, clock, config.access);
        let state = State {
            sleep: Sleep::Awake,
            generation: 0,
            waiting: VecDeque::new(),
            sending: false,
            synchronised: false,
            beacon_due: 0,
            beacon_interval: 100 * TIME_UNIT_NS as i64,
            until_dtim: 0,
            dtim_period: 1,
            last_traffic: sim.now(),
        };
        let station = Rc::new_cyclic(|this| Self {
            timers: sim.timers(this),
            access,
            config,
            state: RefCell::new(state),
            misses: RefCell::new(sim.stream(&format!("{name}/missed beacons"))),
            user: RefCell::new(None),
            told_full: Cell::new(false),
            is_off: Cell::new(false),
        });
        let upper: Weak<Self> = Rc::downgrade(&station);
        station.access.serve(upper);
        if let Some(save) = config.power_save {
            station.set(timer::IDLE, 0, clock.after(sim.now(), save.active));
        }
        station
    }

    /// Node on the medium, for configuring its paths.
    #[must_use]
    pub fn id(&self) -> NodeId {
        self.access.id()
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

    fn now(&self) -> Instant {
        self.access.sim().now()
    }

    fn set(&self, kind: u64, number: u64, at: Instant) {
        self.timers.set(at, number << timer::BITS | kind);
    }

    /// Changes to state `sleep` and invalidates earlier timers.
    fn turn(state: &mut State, sleep: Sleep) {
        state.sleep = sleep;
        state.generation += 1;
    }

    fn ask(&self, data: &Data<'_>, slice: &'static Slice, token: u64) {
        self.access.ask(Outgoing {
            mpdu: data.to_vec(),
            rate: self.config.rate,
            retry_rate: self.config.rate,
            beacon: false,
            slice,
            token,
        });
    }

    fn data<'a>(&self, packet: Option<&'a [u8]>, sleeps: bool) -> Data<'a> {
        let Config { access, access_point, peer, .. } = self.config;
        let (receiver, transmitter) = (access_point, access.address);
        let end = if packet.is_some() { peer } else { access_point };
        Data { way: Way::Up, receiver, transmitter, end, sleeps, more: false, packet }
    }

    fn null(&self, sleeps: bool) {
        let token = if sleeps { token::ASLEEP } else { token::AWAKE };
        self.ask(&self.data(None, sleeps), &slices::NULL_FRAME, token);
    }

    /// Submits the next packet to the radio. One at a time, so that a beacon can take precedence.
    fn pump(&self) {
        let next = {
            let mut state = self.state.borrow_mut();
            if state.sending {
                return;
            }
            let next = state.waiting.pop_front();
            state.sending = next.is_some();
            next
        };
        if let Some(packet) = next {
            self.stay_awake();
            self.ask(&self.data(Some(&packet), false), &slices::TRANSMIT, token::DATA);
        }
    }

    /// Stays awake for a while because of traffic.
    fn stay_awake(&self) {
        let Some(save) = self.config.power_save else { return };
        let mut state = self.state.borrow_mut();
        let now = self.now();
        state.last_traffic = now;
        if state.sleep != Sleep::Awake {
            self.access.wake();
            if let Sleep::Fetching { since } = state.sleep {
                self.access.span(&slices::FETCH, since, now);
            }
            Self::turn(&mut state, Sleep::Awake);
            let at = self.access.clock().after(now, save.active);
            self.set(timer::IDLE, state.generation, at);
        }
    }

    /// Checks for the end of the active time.
    fn idle(&self, save: PowerSave) {
        let mut state = self.state.borrow_mut();
        let quiet_from = self.access.clock().after(state.last_traffic, save.active);
        let busy = state.sending || !state.waiting.is_empty() || !state.synchronised;
        if busy || self.now() < quiet_from {
            let again = if busy { self.now() + save.active } else { quiet_from };
            self.set(timer::IDLE, state.generation, again);
            return;
        }
        Self::turn(&mut state, Sleep::Leaving);
        drop(state);
        self.null(true);
    }

    /// Switches the radio off until the next DTIM beacon.
    fn sleep(&self, state: &mut State, save: PowerSave) {
        // An acknowledgement of this station may be on the air; the radio then stays on, as for a
        // beacon.
        let off = self.access.doze();
        Self::turn(state, if off { Sleep::Asleep } else { Sleep::Listening });
        let skip = i64::from(state.until_dtim) * state.beacon_interval;
        let wake = state.beacon_due + skip - save.wake_ahead.as_ns() as i64;
        let clock = self.access.clock();
        self.set(timer::WAKE, state.generation, clock.instant_of(wake).max(self.now()));
    }

    /// Wakes for the next beacon.
    fn listen(&self, save: PowerSave) {
        let mut state = self.state.borrow_mut();
        self.access.wake();
        Self::turn(&mut state, Sleep::Listening);
        let (skip, interval) = (i64::from(state.until_dtim), state.beacon_interval);
        // The beacon that is due next is the one after this.
        state.beacon_due += (skip + 1) * interval;
        state.until_dtim = state.dtim_period.saturating_sub(1);
        let due = state.beacon_due - interval + save.beacon_wait.as_ns() as i64;
        let until = self.access.clock().instant_of(due).max(self.now());
        self.set(timer::NO_BEACON, state.generation, until);
    }

    /// Whether the radio misses the current beacon: it is switched off at the end of its wait, and
    /// pending frames stay at the access point until the next beacon.
    fn misses(&self, save: PowerSave) -> bool {
        self.state.borrow().sleep == Sleep::Listening
            && save.missed > 0.0
            && self.misses.borrow_mut().chance(save.missed)
    }

    /// Processes a beacon; `body` is the data after its header.
    fn beacon(&self, body: &[u8], save: PowerSave) {
        let Some(tim) = beacon::tim(body) else { return };
        let Some((stamp, rest)) = body.split_first_chunk::<8>() else { return };
        let Some(interval) = rest.first_chunk::<2>() else { return };
        let interval_us = (u64::from(u16::from_le_bytes(*interval)) * TIME_UNIT_NS / 1_000).max(1);
        // Beacons are due at whole multiples of their interval on the clock of the access point
        // (10.1.3.2); the time stamp is the actual departure.
        let late_ns = (u64::from_le_bytes(*stamp) % interval_us * 1_000) as i64;
        let octets = HEADER_LEN + body.len() + FCS_LEN;
        let (now, clock) = (self.now(), self.access.clock());
        let began = clock.local_ns(now) - Rate::Dsss1.duration_ns(octets) as i64;
        let mut state = self.state.borrow_mut();
        state.synchronised = true;
        state.beacon_interval = (interval_us * 1_000) as i64;
        state.beacon_due = began - late_ns + state.beacon_interval;
        let period = tim.dtim_period.max(1);
        state.dtim_period = period;
        // Number of beacons between the next one and the DTIM beacon.
        state.until_dtim = if tim.dtim_count == 0 { period } else { tim.dtim_count } - 1;
        let held = tim.waiting & (1 << self.config.association) != 0;
        match state.sleep {
            Sleep::Listening if held => {
                Self::turn(&mut state, Sleep::Fetching { since: now });
                self.set(timer::FETCH, state.generation, clock.after(now, save.fetch));
            }
            Sleep::Listening => self.sleep(&mut state, save),
            // The access point still considers the station asleep.
            Sleep::Awake if held => {
                drop(state);
                self.null(false);
            }
            _ => {}
        }
    }
}

impl Timed for Station {
    fn due(self: Rc<Self>, token: u64) {
        let (kind, number) = (token & ((1 << timer::BITS) - 1), token >> timer::BITS);
        let Some(save) = self.config.power_save else { return };
        if number != self.state.borrow().generation {
            return;
        }
        match kind {
            timer::WAKE => self.listen(save),
            timer::NO_BEACON => self.sleep(&mut self.state.borrow_mut(), save),
            timer::FETCH => {
                self.stay_awake();
                self.null(false);
            }
            _ => self.idle(save),
        }
    }
}

impl Upper for Station {
    fn finished(&self, token: u64, outcome: Option<Outcome>) {
        match (token, self.config.power_save) {
            (token::ASLEEP, Some(save)) => {
                let mut state = self.state.borrow_mut();
                if state.sleep != Sleep::Leaving {
                    // Traffic occurred during the announcement, so the access point has to be
                    // informed.
                    drop(state);
                    self.null(false);
                } else if outcome == Some(Outcome::Acknowledged) {
                    self.sleep(&mut state, save);
                } else {
                    drop(state);
                    self.stay_awake();
                }
            }
            (token::DATA, _) => {
                self.state.borrow_mut().sending = false;
                self.pump();
                let user = self.user.borrow().as_ref().and_then(Weak::upgrade);
                if let Some(user) = user.filter(|_| self.told_full.take()) {
                    user.has_room();
                }
            }
            _ => {}
        }
    }

    fn received(&self, mpdu: &[u8]) {
        match (frame::read(mpdu), self.config.power_save) {
            (Some(Frame::Beacon(from, body)), Some(save)) if from == self.config.access_point => {
                if self.misses(save) {
                    self.access.record(Incident::MissedBeacon);
                } else {
                    self.beacon(body, save);
                }
            }
            (Some(Frame::Data(Data { way: Way::Down, packet: Some(packet), .. })), _) => {
                self.stay_awake();
                let user = self.user.borrow().as_ref().and_then(Weak::upgrade);
                if let Some(user) = user {
                    user.arrived(packet);
                }
            }
            _ => {}
        }
    }
}

impl Port for Station {
    fn mtu(&self) -> usize {
        self.config.mtu
    }

    fn room(&self) -> usize {
        let state = self.state.borrow();
        let used = state.waiting.len() + usize::from(state.sending);
        let room = self.config.queue.saturating_sub(used);
        self.told_full.set(room == 0);
        room
    }

    fn send(&self, packet: Vec<u8>) {
        if self.is_off.get() {
            return;
        }
        if self.room() == 0 {
            self.access.record(Incident::QueueFull);
            return;
        }
        self.state.borrow_mut().waiting.push_back(packet);
        self.pump();
        // A full port signals when it has room again.
        self.room();
    }

    fn attach(&self, user: Weak<dyn PortUser>) {
        *self.user.borrow_mut() = Some(user);
    }

    fn off(&self) -> bool {
        let off = self.access.doze();
        self.is_off.set(off);
        off
    }

    fn on(&self) {
        self.is_off.set(false);
        self.access.wake();
    }
}
