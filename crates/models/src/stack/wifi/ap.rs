//! An access point, which sends beacons, forwards packets between its stations, and holds packets
//! for sleeping stations (IEEE Std 802.11-2012, 10.1.3 and 10.2.1). A packet from one station to
//! another takes two hops: to the access point, and from the access point.
//!
//! An access point that is also a host, such as the soft access point of a board, is a port for
//! packets as well. Its own packets are sent over one hop.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::rc::{Rc, Weak};

use airlag_air::{Medium, NodeId};
use airlag_link::airtime::wifi::{Rate, TIME_UNIT_NS};
use airlag_sim::{Clock, Duration, Instant, Sim, Stream, Timed, Timers};

use super::access::{self, Access, Counts, Incident, Outcome, Outgoing, Upper};
use super::beacon::{Beacon, Tim};
use super::frame::{self, Address, Data, Frame, Way};
use super::slices;
use crate::stack::ip::{Port, PortUser};

/// SSID.
const SSID: &[u8] = b"airlag";

/// Configuration of an access point.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Config {
    /// Radio.
    pub access: access::Config,
    /// Stations; the first has association number 1.
    pub stations: Vec<Address>,
    /// Rate of its frames to them.
    pub rate: Rate,
    /// Beacon interval in time units of 1.024 ms.
    pub beacon_interval_tu: u16,
    /// Beacons in a DTIM period.
    pub dtim_period: u8,
    /// Time from a packet's arrival to the queue of the radio.
    pub forward: Duration,
    /// Mean additional delay of this forwarding, exponentially distributed. Packets stay in order.
    pub forward_jitter: Duration,
    /// Capacity of the radio's queue, and of the queue for each sleeping station, packets.
    pub queue: usize,
    /// Largest packet, bytes.
    pub mtu: usize,
}

struct Peer {
    address: Address,
    asleep: bool,
    held: VecDeque<Packet>,
}

struct Packet {
    to: Address,
    from: Address,
    bytes: Vec<u8>,
    /// Instant at which the packet entered the stage or queue in which it is now.
    since: Instant,
}

struct State {
    peers: Vec<Peer>,
    forwarding: VecDeque<(Instant, Packet)>,
    ready: VecDeque<Packet>,
    /// Packet submitted to the radio.
    sending: Option<Packet>,
    jitter: Stream,
}

mod token {
    pub(super) const DATA: u64 = 0;
    pub(super) const BEACON: u64 = 1;
}

mod timer {
    pub(super) const FORWARD: u64 = 0;
}

/// An access point.
pub struct AccessPoint {
    timers: Timers,
    access: Rc<Access>,
    config: Config,
    state: RefCell<State>,
    /// Whether a beacon is in the queue of the radio.
    beacon_waits: Cell<bool>,
    user: RefCell<Option<Weak<dyn PortUser>>>,
    told_full: Cell<bool>,
}

impl AccessPoint {
    /// Creates an access point called `name` on `medium`, whose beacons are due at whole multiples
    /// of their interval on `clock`.
    #[must_use]
    pub fn new(medium: &Medium, name: &str, sim: &Sim, clock: Clock, config: Config) -> Rc<Self> {
        let access = Access::new(medium, name, sim, clock, config.access);
        let peer = |&address: &Address| Peer { address, asleep: false, held: VecDeque::new() };
        let state = State {
            peers: config.stations.iter().map(peer).collect(),
            forwarding: VecDeque::new(),
            ready: VecDeque::new(),
            sending: None,
            jitter: sim.stream(&format!("{name}/forwarding")),
        };
        let point = Rc::new_cyclic(|this| Self {
            timers: sim.timers(this),
            access,
            config,
            state: RefCell::new(state),
            beacon_waits: Cell::new(false),
            user: RefCell::new(None),
            told_full: Cell::new(false),
        });
        let upper: Weak<Self> = Rc::downgrade(&point);
        point.access.serve(upper);
        point.set_beacon(1);
        point
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

    fn set(&self, token: u64, at: Instant) {
        self.timers.set(at, token);
    }

    /// Schedules beacon number `nth`, from 1, at its multiple of the interval.
    fn set_beacon(&self, nth: u64) {
        let interval = u64::from(self.config.beacon_interval_tu.max(1)) * TIME_UNIT_NS;
        self.set(nth, self.access.clock().instant_of((interval * nth) as i64));
    }

    fn beacon_due(&self, nth: u64) {
        self.set_beacon(nth + 1);
        if self.beacon_waits.replace(true) {
            return;
        }
        let period = u64::from(self.config.dtim_period.max(1));
        let count = (period - nth % period) % period;
        let beacon = Beacon {
            from: self.config.access.address,
            channel: self.config.access.channel,
            interval_tu: self.config.beacon_interval_tu,
            ssid: SSID,
            tim: Tim {
                dtim_count: count as u8,
                dtim_period: period as u8,
                waiting: self.waiting(),
            },
        };
        self.access.ask(Outgoing {
            mpdu: beacon.to_vec(),
            rate: Rate::Dsss1,
            retry_rate: Rate::Dsss1,
            beacon: true,
            slice: &slices::BEACON,
            token: token::BEACON,
        });
    }

    /// Stations with pending packets, one bit each.
    fn waiting(&self) -> u8 {
        let state = self.state.borrow();
        let held = state.peers.iter().zip(1..8_u8).filter(|(peer, _)| !peer.held.is_empty());
        held.fold(0, |bits, (_, number)| bits | 1 << number)
    }

    /// Directs an incoming packet to its station, or to this host.
    fn accept(&self, to: Address, from: Address, bytes: &[u8]) {
        if to == self.config.access.address {
            let user = self.user.borrow().as_ref().and_then(Weak::upgrade);
            if let Some(user) = user {
                user.arrived(bytes);
            }
            return;
        }
        let now = self.now();
        let mut state = self.state.borrow_mut();
        // Packets for unknown destinations leave by wire.
        if !state.peers.iter().any(|peer| peer.address == to) {
            return;
        }
        let late = state.jitter.exponential(self.config.forward_jitter);
        let at = self.access.clock().after(now, self.config.forward + late);
        let at = state.forwarding.back().map_or(at, |&(last, _)| last.max(at));
        let packet = Packet { to, from, bytes: bytes.to_vec(), since: now };
        state.forwarding.push_back((at, packet));
        self.set(timer::FORWARD, at);
    }

    /// Moves due packets to the queue of the radio.
    fn forward(&self) {
        let now = self.now();
        loop {
            let next = {
                let mut state = self.state.borrow_mut();
                let due = state.forwarding.front().is_some_and(|&(at, _)| at <= now);
                if due { state.forwarding.pop_front() } else { None }
            };
            let Some((_, packet)) = next else { break };
            self.access.span(&slices::FORWARDING, packet.since, now);
            self.queue(Packet { since: now, ..packet });
        }
        self.pump();
    }

    /// Queues a packet for its sleeping station, or for the radio.
    fn queue(&self, packet: Packet) {
        let State { peers, ready, .. } = &mut *self.state.borrow_mut();
        let sleeper = peers.iter_mut().find(|peer| peer.address == packet.to && peer.asleep);
        let queue = sleeper.map_or(ready, |peer| &mut peer.held);
        if queue.len() < self.config.queue {
            queue.push_back(packet);
        } else {
            self.access.record(Incident::QueueFull);
        }
    }

    /// Submits the next packet for an awake station to the radio.
    fn pump(&self) {
        let next = {
            let State { peers, ready, sending, .. } = &mut *self.state.borrow_mut();
            if sending.is_some() {
                return;
            }
            loop {
                let Some(packet) = ready.pop_front() else { return };
                let sleeper =
                    peers.iter_mut().find(|peer| peer.address == packet.to && peer.asleep);
                if let Some(peer) = sleeper {
                    peer.held.push_back(packet);
                    continue;
                }
                let more = ready.iter().any(|other| other.to == packet.to);
                let data = Data {
                    way: Way::Down,
                    receiver: packet.to,
                    transmitter: self.config.access.address,
                    end: packet.from,
                    sleeps: false,
                    more,
                    packet: Some(&packet.bytes),
                };
                let mpdu = data.to_vec();
                *sending = Some(packet);
                break mpdu;
            }
        };
        self.access.ask(Outgoing {
            mpdu: next,
            rate: self.config.rate,
            retry_rate: self.config.rate,
            beacon: false,
            slice: &slices::TRANSMIT,
            token: token::DATA,
        });
    }

    /// Processes a station's change of its sleep state.
    fn hear_of(&self, station: Address, sleeps: bool) {
        let now = self.now();
        let State { peers, ready, .. } = &mut *self.state.borrow_mut();
        let Some(peer) = peers.iter_mut().find(|peer| peer.address == station) else { return };
        peer.asleep = sleeps;
        if !sleeps {
            for packet in peer.held.drain(..).rev() {
                self.access.span(&slices::HELD_FOR_SLEEPER, packet.since, now);
                ready.push_front(Packet { since: now, ..packet });
            }
        }
    }
}

impl Timed for AccessPoint {
    fn due(self: Rc<Self>, token: u64) {
        match token {
            timer::FORWARD => self.forward(),
            nth => self.beacon_due(nth),
        }
    }
}

impl Upper for AccessPoint {
    fn finished(&self, token: u64, outcome: Option<Outcome>) {
        if token == token::BEACON {
            self.beacon_waits.set(false);
            return;
        }
        {
            let State { peers, sending, .. } = &mut *self.state.borrow_mut();
            let unheard = sending.take().filter(|_| outcome == Some(Outcome::Failed));
            // The station was already asleep when the frame was sent, so the frame is queued again.
            if let Some(packet) = unheard
                && let Some(peer) =
                    peers.iter_mut().find(|peer| peer.address == packet.to && peer.asleep)
            {
                peer.held.push_front(packet);
            }
        }
        self.pump();
        let user = self.user.borrow().as_ref().and_then(Weak::upgrade);
        if let Some(user) = user.filter(|_| self.told_full.take()) {
            user.has_room();
        }
    }

    fn received(&self, mpdu: &[u8]) {
        let Some(Frame::Data(data)) = frame::read(mpdu) else { return };
        if data.way == Way::Down {
            return;
        }
        self.hear_of(data.transmitter, data.sleeps);
        if let Some(packet) = data.packet {
            self.accept(data.end, data.transmitter, packet);
        }
        self.pump();
    }
}

impl Port for AccessPoint {
    fn mtu(&self) -> usize {
        self.config.mtu
    }

    fn room(&self) -> usize {
        let state = self.state.borrow();
        let held: usize = state.peers.iter().map(|peer| peer.held.len()).sum();
        let used = state.ready.len() + held + usize::from(state.sending.is_some());
        let room = self.config.queue.saturating_sub(used);
        self.told_full.set(room == 0);
        room
    }

    fn send(&self, bytes: Vec<u8>) {
        let now = self.now();
        let to = self.config.stations.first().copied();
        if let Some(to) = to {
            self.queue(Packet { to, from: self.config.access.address, bytes, since: now });
            self.pump();
            // A full port signals when it has room again.
            self.room();
        }
    }

    fn attach(&self, user: Weak<dyn PortUser>) {
        *self.user.borrow_mut() = Some(user);
    }
}
