//! A radio with the library: states and transitions.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::{Rc, Weak};

use airlag_air::{Band, Medium, Modulation, NodeId, Radio, Reception, Verdict};
use airlag_sim::channel::Notice;
use airlag_sim::meter::State as Draws;
use airlag_sim::{Clock, Duration, Instant, Sim, Slice, Timed, Timers, Track};

use crate::observer::Observer;
use crate::stack::frames::next_of;

use super::config::{Config, Role, ack_timeout};
use super::frame::Packet;
use super::slices;

/// A named incident. It is a result and not an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Incident {
    /// Retransmission of an unacknowledged packet.
    Retry,
    /// The transmitter gave up a packet, because no acknowledgement arrived.
    NoAck,
    /// A duplicate of the previous packet was acknowledged and dropped.
    Duplicate,
    /// A packet was neither acknowledged nor kept because the queue was full.
    QueueFull,
}

impl Incident {
    /// Name of the incident.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Retry => "retry",
            Self::NoAck => "no acknowledgement",
            Self::Duplicate => "duplicate",
            Self::QueueFull => "queue full",
        }
    }
}

/// State of the radio. A phase with an end has a timer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// A transmitter in standby, a receiver that listens.
    Idle,
    /// The library prepares the next packet.
    Prepare,
    RampUp,
    Transmit,
    /// A transmitter waits for the address of an acknowledgement. It can receive from `hears` on.
    AwaitAck {
        ended: Instant,
        hears: Instant,
    },
    /// An acknowledgement has started; the outcome is known at its end.
    HearAck {
        ended: Instant,
        hears: Instant,
    },
    /// Standby until the retransmission's ramp-up.
    Delay,
    /// A receiver's ramp-up for the acknowledgement.
    Turn {
        identity: u8,
    },
    Acknowledge,
    /// A receiver starts its radio again.
    Rearm,
}

/// Result of the packets of a transmitter since it was last read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Results {
    /// Number of packets that were acknowledged, or sent without requesting an acknowledgement.
    pub done: u32,
    /// Number of packets that the transmitter gave up.
    pub lost: u32,
}

struct State {
    phase: Phase,
    generation: u64,
    /// Payloads of a transmitter; the first is in flight.
    queue: VecDeque<Rc<[u8]>>,
    identity: u8,
    retransmissions: u16,
    results: Results,
    /// Received payloads.
    inbox: VecDeque<Rc<[u8]>>,
    /// Frame received last, for duplicate detection: identity and CRC in the library.
    last: Option<Rc<[u8]>>,
    /// A frame that began earlier is missed.
    listening_from: Instant,
}

/// A radio with the library.
pub struct Node {
    timers: Timers,
    sim: Sim,
    medium: Medium,
    id: NodeId,
    clock: Clock,
    track: Track,
    config: Config,
    band: Band,
    modulation: Modulation,
    state: RefCell<State>,
    concluded: Notice,
    arrived: Notice,
    observer: Observer<Incident>,
}

impl Node {
    /// Creates a node called `name` on `medium`.
    #[must_use]
    pub fn new(medium: &Medium, name: &str, sim: &Sim, clock: Clock, config: Config) -> Rc<Self> {
        let id = medium.join(name);
        let listening_from = match config.role {
            Role::Receiver => Instant::START,
            Role::Transmitter => Instant::FOREVER,
        };
        let rests = match config.role {
            Role::Receiver => Draws::Receive,
            Role::Transmitter => Draws::PowerDown,
        };
        medium.enter(id, rests);
        let state = State {
            phase: Phase::Idle,
            generation: 0,
            queue: VecDeque::new(),
            identity: 0,
            retransmissions: 0,
            results: Results::default(),
            inbox: VecDeque::new(),
            last: None,
            listening_from,
        };
        let node = Rc::new_cyclic(|this| Self {
            timers: sim.timers(this),
            sim: sim.clone(),
            medium: medium.clone(),
            id,
            clock,
            track: sim.track(name),
            config,
            band: config.format.band(config.channel),
            modulation: config.format.modulation(),
            state: RefCell::new(state),
            concluded: Notice::new(sim),
            arrived: Notice::new(sim),
            observer: Observer::none(),
        });
        let radio: Weak<Self> = Rc::downgrade(&node);
        medium.attach(id, radio);
        node
    }

    /// Node on the medium, for configuring its paths.
    #[must_use]
    pub const fn id(&self) -> NodeId {
        self.id
    }

    /// Configuration.
    #[must_use]
    pub const fn config(&self) -> &Config {
        &self.config
    }

    /// Sets the observer of incidents, replacing the previous one.
    pub fn observe(&self, observer: impl Fn(Incident) + 'static) {
        self.observer.set(observer);
    }

    fn record(&self, incident: Incident) {
        self.observer.record(incident);
    }

    /// Waits for room in the queue and appends a payload. A transmitter in standby starts its
    /// radio.
    pub async fn queue(&self, payload: &[u8]) {
        while self.queued() >= self.config.transmit_queue.max(1) {
            self.concluded.wait().await;
        }
        let mut state = self.state.borrow_mut();
        state.queue.push_back(payload.into());
        if state.phase == Phase::Idle {
            self.ramp_up(&mut state);
        }
    }

    /// Waits until the queue is empty.
    pub async fn drain(&self) {
        while self.queued() > 0 {
            self.concluded.wait().await;
        }
    }

    fn queued(&self) -> usize {
        self.state.borrow().queue.len()
    }

    /// Returns the results since the last call.
    pub fn take_results(&self) -> Results {
        core::mem::take(&mut self.state.borrow_mut().results)
    }

    /// Waits for the next payload, copies it into `buffer` and returns its size. A longer payload
    /// is truncated.
    pub async fn next_payload(&self, buffer: &mut [u8]) -> usize {
        next_of(buffer, &self.arrived, || self.state.borrow_mut().inbox.pop_front()).await
    }

    fn after(&self, from: Instant, wait: Duration) -> Instant {
        self.clock.after(from, wait)
    }

    fn span(&self, what: &'static Slice, begin: Instant, end: Instant) {
        self.sim.span(self.track, what, begin, end);
    }

    /// Enters a phase that ends at `at` unless another event ends it earlier.
    fn enter(&self, state: &mut State, phase: Phase, at: Instant) {
        state.phase = phase;
        state.generation += 1;
        self.timers.set(at, state.generation);
    }

    fn ramp_up(&self, state: &mut State) {
        let now = self.sim.now();
        let at = self.after(now, self.config.ramp_up.transmit());
        self.span(&slices::RAMP_UP, now, at);
        self.medium.enter(self.id, Draws::SettleTransmit);
        self.enter(state, Phase::RampUp, at);
    }

    fn transmit(&self, state: &mut State) {
        let Some(payload) = state.queue.front().cloned() else { return };
        let (now, Config { format, acknowledge, .. }) = (self.sim.now(), self.config);
        let end = self.after(now, Duration::from_ns(format.duration_ns(payload.len())));
        let packet = Packet {
            address: self.config.address(),
            identity: state.identity,
            no_ack: !acknowledge,
            payload: &payload,
        };
        self.span(&slices::TRANSMIT, now, end);
        self.medium.send(self.id, self.band, self.modulation, end, packet.encode());
        self.enter(state, Phase::Transmit, end);
    }

    /// Handles the end of a packet: the radio switches to receive the acknowledgement.
    fn transmitted(&self, state: &mut State) {
        if !self.config.acknowledge {
            self.conclude(state, true);
            return;
        }
        let ended = self.sim.now();
        let hears = self.after(ended, self.config.ramp_up.receive());
        self.medium.enter(self.id, Draws::SettleReceive);
        self.medium.enter_at(self.id, Draws::Receive, hears);
        let deadline = self.after(hears, ack_timeout(self.config.format.rate));
        state.listening_from = hears;
        self.enter(state, Phase::AwaitAck { ended, hears }, deadline);
    }

    /// Handles the deadline for the address of an acknowledgement.
    fn deadline(&self, state: &mut State, ended: Instant, hears: Instant) {
        let address = Duration::from_ns(self.config.format.address_ns());
        let begun = self.medium.hearing(self.id, self.band, self.modulation).filter(|frame| {
            frame.begin >= hears
                && frame.begin + address <= self.sim.now()
                && frame.bytes.starts_with(self.config.address())
        });
        match begun {
            Some(frame) => {
                // With a margin: the frame is delivered at its end, rounded to a nanosecond.
                let until = frame.end + Duration::from_us(1);
                self.enter(state, Phase::HearAck { ended, hears }, until);
            }
            None => self.unacknowledged(state, ended, hears),
        }
    }

    fn unacknowledged(&self, state: &mut State, ended: Instant, hears: Instant) {
        let now = self.sim.now();
        self.span(&slices::ACKNOWLEDGEMENT_TIMEOUT, hears, now);
        state.listening_from = Instant::FOREVER;
        self.medium.enter(self.id, Draws::PowerDown);
        if state.retransmissions >= self.config.retransmit_count {
            self.record(Incident::NoAck);
            self.conclude(state, false);
            return;
        }
        state.retransmissions += 1;
        self.record(Incident::Retry);
        let ramp = self.config.ramp_up.transmit();
        let wait = self.config.retransmit_delay.saturating_sub(ramp);
        let at = self.after(ended, wait).max(now);
        self.span(&slices::RETRANSMIT_DELAY, now, at);
        self.enter(state, Phase::Delay, at);
    }

    /// Handles the outcome of the packet in flight.
    fn conclude(&self, state: &mut State, arrived: bool) {
        state.queue.pop_front();
        state.identity = (state.identity + 1) & 3;
        state.retransmissions = 0;
        state.listening_from = Instant::FOREVER;
        if arrived {
            state.results.done += 1;
        } else {
            state.results.lost += 1;
        }
        self.medium.enter(self.id, Draws::PowerDown);
        // The interrupt handler checks for the next payload at its end.
        let now = self.sim.now();
        let at = self.after(now, self.config.next_packet);
        if !state.queue.is_empty() {
            self.span(&slices::NEXT_PACKET, now, at);
        }
        self.enter(state, Phase::Prepare, at);
        self.concluded.raise();
    }

    fn acknowledge(&self, state: &mut State, identity: u8) {
        let now = self.sim.now();
        let end = self.after(now, Duration::from_ns(self.config.format.duration_ns(0)));
        let address = self.config.address();
        let packet = Packet { address, identity, no_ack: false, payload: &[] };
        self.span(&slices::ACKNOWLEDGEMENT, now, end);
        self.medium.send(self.id, self.band, self.modulation, end, packet.encode());
        self.enter(state, Phase::Acknowledge, end);
    }

    /// Starts the receiver again after a packet.
    fn rearm(&self, state: &mut State) {
        let now = self.sim.now();
        let starts = self.after(now, self.config.rearm);
        let hears = self.after(starts, self.config.ramp_up.receive());
        self.medium.enter(self.id, Draws::SettleReceive);
        self.medium.enter_at(self.id, Draws::Receive, hears);
        state.listening_from = hears;
        self.enter(state, Phase::Rearm, hears);
    }

    /// Handles a whole packet to this receiver.
    fn packet(&self, state: &mut State, bytes: &Rc<[u8]>, packet: &Packet<'_>) {
        let repeats = state.last.as_ref().is_some_and(|last| last == bytes);
        if repeats {
            self.record(Incident::Duplicate);
        } else if state.inbox.len() < self.config.receive_queue {
            state.inbox.push_back(packet.payload.into());
            state.last = Some(Rc::clone(bytes));
            self.arrived.raise();
        } else {
            self.record(Incident::QueueFull);
            self.rearm(state);
            return;
        }
        if packet.no_ack {
            self.rearm(state);
            return;
        }
        let now = self.sim.now();
        let at = self.after(now, self.config.turn());
        self.span(&slices::ACKNOWLEDGEMENT_TURNAROUND, now, at);
        self.medium.enter(self.id, Draws::SettleTransmit);
        state.listening_from = Instant::FOREVER;
        self.enter(state, Phase::Turn { identity: packet.identity }, at);
    }
}

impl Timed for Node {
    fn due(self: Rc<Self>, generation: u64) {
        let mut guard = self.state.borrow_mut();
        let state = &mut *guard;
        if generation != state.generation {
            return;
        }
        match state.phase {
            Phase::Idle => {}
            Phase::RampUp => self.transmit(state),
            Phase::Transmit => self.transmitted(state),
            Phase::AwaitAck { ended, hears } => self.deadline(state, ended, hears),
            Phase::HearAck { ended, hears } => self.unacknowledged(state, ended, hears),
            Phase::Prepare if state.queue.is_empty() => state.phase = Phase::Idle,
            Phase::Prepare | Phase::Delay => self.ramp_up(state),
            Phase::Turn { identity } => self.acknowledge(state, identity),
            Phase::Acknowledge => self.rearm(state),
            Phase::Rearm => state.phase = Phase::Idle,
        }
    }
}

impl Radio for Node {
    fn frame_ended(&self, reception: &Reception<'_>) {
        let frame = reception.frame;
        if frame.band != self.band || frame.modulation != self.modulation {
            return;
        }
        let mut guard = self.state.borrow_mut();
        let state = &mut *guard;
        if reception.begin < state.listening_from || reception.verdict != Verdict::Whole {
            return;
        }
        let Some(packet) = Packet::decode(&frame.bytes, self.config.format.address) else { return };
        if packet.address != self.config.address() {
            return;
        }
        match state.phase {
            Phase::Idle if self.config.role == Role::Receiver => {
                self.packet(state, &frame.bytes, &packet);
            }
            Phase::AwaitAck { hears, .. } | Phase::HearAck { hears, .. } => {
                self.span(&slices::AWAIT_ACKNOWLEDGEMENT, hears, self.sim.now());
                self.conclude(state, true);
            }
            _ => {}
        }
    }
}
