//! A node: reliability and flooding (`ReliableRouter.cpp`, `NextHopRouter.cpp`, `FloodingRouter.cpp`).

use std::cell::RefCell;
use std::collections::{BTreeMap, VecDeque};
use std::rc::{Rc, Weak};

use airlag_air::{Medium, NodeId, Radio as Receiver, Reception};
use airlag_sim::channel::Notice;
use airlag_sim::{Clock, Duration, Instant, Sim, Slice, Stream, Timed, Timers, Track};

use super::config::{Addressee, Config, Role};
use super::contention::timeout_ms;
use super::data::{ACKNOWLEDGEMENT, Data, PUBLIC_KEY_OVERHEAD, ROUTING, TEXT, crypt};
use super::header::{BROADCAST, Header};
use super::history::History;
use super::incident::Incident;
use super::job::{Job, Message};
use super::queue::{Packet, Priority};
use super::radio::Radio;
use super::slices;
use crate::observer::Observer;
use crate::stack::frames::next_of;

/// Results of the messages since they were last read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Results {
    /// Messages that were sent, and acknowledged where that was requested.
    pub done: u32,
    /// Number of messages that the node gave up or refused.
    pub lost: u32,
    /// Number of acknowledged messages for which the sender heard only a copy from a relay.
    pub implicit: u32,
}

/// Bits of a packet's identifier that count; the others are random (`Router.cpp`, `generatePacketId`).
const COUNTED: u32 = 0x3FF;

struct State {
    history: History,
    counter: u32,
    message: Option<Message>,
    /// Identifier of the last direct message, until its addressee has acknowledged it.
    unconfirmed: Option<u32>,
    inbox: VecDeque<Rc<[u8]>>,
    results: Results,
    jobs: BTreeMap<u64, Job>,
    next_job: u64,
    stream: Stream,
}

/// A node.
pub struct Node {
    timers: Timers,
    sim: Sim,
    id: NodeId,
    clock: Clock,
    track: Track,
    config: Config,
    radio: Rc<Radio>,
    state: RefCell<State>,
    concluded: Notice,
    confirmed: Notice,
    arrived: Notice,
    observer: Rc<Observer<Incident>>,
}

impl Node {
    /// Creates a node called `name` on `medium`.
    #[must_use]
    pub fn new(medium: &Medium, name: &str, sim: &Sim, clock: Clock, config: Config) -> Rc<Self> {
        let id = medium.join(name);
        let state = State {
            history: History::default(),
            counter: 0,
            message: None,
            unconfirmed: None,
            inbox: VecDeque::new(),
            results: Results::default(),
            jobs: BTreeMap::new(),
            next_job: 0,
            stream: sim.stream(&format!("{name}/Meshtastic")),
        };
        let observer = Rc::new(Observer::none());
        let node = Rc::new_cyclic(|this: &Weak<Self>| {
            let node = Weak::clone(this);
            let sent = move |packet: &Packet| {
                if let Some(node) = node.upgrade() {
                    node.sent(packet);
                }
            };
            let incidents = Rc::clone(&observer);
            let note = move |incident| incidents.record(incident);
            Self {
                timers: sim.timers(this),
                sim: sim.clone(),
                id,
                clock,
                track: sim.track(name),
                config,
                radio: Radio::new(medium, id, sim, clock, config, sent, note),
                state: RefCell::new(state),
                concluded: Notice::new(sim),
                confirmed: Notice::new(sim),
                arrived: Notice::new(sim),
                observer,
            }
        });
        let receiver: Weak<Self> = Rc::downgrade(&node);
        medium.attach(id, receiver);
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

    fn note(&self, incident: Incident) {
        self.observer.record(incident);
    }

    /// Waits until no message is in progress and sends one with `data`.
    pub async fn queue(&self, data: &[u8]) {
        self.drain().await;
        let mut guard = self.state.borrow_mut();
        let state = &mut *guard;
        let to = match self.config.addressee {
            Addressee::Node => self.config.peer,
            Addressee::Channel => BROADCAST,
        };
        let text = Data { port: TEXT, payload: data.to_vec(), request_id: 0 };
        // A broadcast does not request an acknowledgement on the air; its sender listens for relays.
        let want_ack = self.config.acknowledged && to != BROADCAST;
        let packet = self.create(state, &text, to, self.config.hop_limit, want_ack);
        if self.refuses() {
            state.results.lost += 1;
            return;
        }
        let left = if self.config.acknowledged { self.config.transmissions.max(1) } else { 1 };
        state.unconfirmed = want_ack.then_some(packet.header.id);
        let message = Message { packet, left, due: Instant::START, waits_since: None };
        state.message = Some(message);
        self.transmit(state);
    }

    /// Waits until no message is in progress.
    pub async fn drain(&self) {
        while self.state.borrow().message.is_some() {
            self.concluded.wait().await;
        }
    }

    /// Waits until the addressee has acknowledged the last message, or until this node has given the
    /// message up, but not longer than `patience`. The limit is needed because the message may be lost
    /// after a relay has forwarded it.
    pub async fn confirm(&self, patience: Duration) {
        {
            let mut guard = self.state.borrow_mut();
            let Some(id) = guard.unconfirmed else { return };
            let at = self.clock.after(self.sim.now(), patience);
            self.at(&mut guard, at, Job::Lose(id));
        }
        let since = self.sim.now();
        while self.state.borrow().unconfirmed.is_some() {
            self.confirmed.wait().await;
        }
        self.span(&slices::AWAIT_ACK, since, self.sim.now());
    }

    /// Returns the results since the last call.
    pub fn take_results(&self) -> Results {
        core::mem::take(&mut self.state.borrow_mut().results)
    }

    /// Waits for the data of the next message, copies them into `buffer` and returns their size. More
    /// than fits is truncated.
    pub async fn next_data(&self, buffer: &mut [u8]) -> usize {
        next_of(buffer, &self.arrived, || self.state.borrow_mut().inbox.pop_front()).await
    }

    fn span(&self, what: &'static Slice, begin: Instant, end: Instant) {
        self.sim.span(self.track, what, begin, end);
    }

    fn at(&self, state: &mut State, at: Instant, job: Job) {
        let token = state.next_job;
        state.next_job += 1;
        state.jobs.insert(token, job);
        self.timers.set(at, token);
    }

    /// Whether the duty cycle refuses a packet.
    fn refuses(&self) -> bool {
        let refuses = self.radio.is_beyond_duty_cycle();
        if refuses {
            self.note(Incident::DutyCycle);
        }
        refuses
    }

    /// A packet of the node's own.
    fn create(&self, state: &mut State, data: &Data, to: u32, hops: u8, want_ack: bool) -> Packet {
        state.counter = state.counter.wrapping_add(1);
        let from = self.config.number;
        let id = (state.stream.bits() as u32 & !COUNTED) | state.counter & COUNTED;
        // Only text messages are encrypted with a public key.
        let seals = data.port == TEXT && self.config.seals();
        let mut sealed = data.encode();
        crypt(from, id, &mut sealed);
        if seals {
            sealed.extend([0; PUBLIC_KEY_OVERHEAD]);
        }
        state.history.sees_again(from, id);
        let header = Header {
            to,
            from,
            id,
            hop_limit: hops,
            hop_start: hops,
            want_ack,
            via_mqtt: false,
            channel: if seals { 0 } else { self.config.channel },
            next_hop: 0,
            relay_node: from as u8,
        };
        let priority = if data.port == ROUTING { Priority::Ack } else { Priority::High };
        Packet { header, sealed: sealed.into(), priority, relayed: false }
    }

    /// Sends the message in progress.
    fn transmit(&self, state: &mut State) {
        let Some(message) = &mut state.message else { return };
        message.left = message.left.saturating_sub(1);
        let (packet, id) = (message.packet.clone(), message.packet.header.id);
        let airtime_ms = self.config.airtime_ms(packet.octets());
        let timeout = timeout_ms(&self.config.frame, airtime_ms, self.radio.channel_percent());
        message.due = self.clock.after(self.sim.now(), Duration::from_ms(timeout));
        let due = message.due;
        if self.config.acknowledged {
            self.at(state, due, Job::Retransmit(id));
        }
        self.radio.send(packet);
    }

    /// A packet has been sent.
    fn sent(&self, packet: &Packet) {
        let mut guard = self.state.borrow_mut();
        let state = &mut *guard;
        let Some(message) = &mut state.message else { return };
        if message.packet.identity() != packet.identity() {
            return;
        }
        if self.config.acknowledged {
            message.waits_since.get_or_insert(self.sim.now());
        } else {
            self.conclude(state, Results { done: 1, ..Results::default() });
        }
    }

    fn conclude(&self, state: &mut State, result: Results) {
        let Some(message) = state.message.take() else { return };
        if let Some(since) = message.waits_since {
            self.span(&slices::AWAIT_ACK, since, self.sim.now());
        }
        // A retransmission that has not been sent yet is not needed any more.
        self.radio.cancel(message.packet.identity());
        state.results.done += result.done;
        state.results.lost += result.lost;
        state.results.implicit += result.implicit;
        if result.lost > 0 {
            self.note(Incident::GivenUp);
            self.cease(state, message.packet.header.id);
        }
        if result.implicit > 0 {
            self.note(Incident::Implicit);
        }
        self.concluded.raise();
    }

    /// The addressee has acknowledged a message, or will not.
    fn cease(&self, state: &mut State, id: u32) {
        if state.unconfirmed == Some(id) {
            state.unconfirmed = None;
            self.confirmed.raise();
        }
    }

    /// Postpones the retransmission of the message by the airtime of another packet.
    fn postpone(&self, state: &mut State, len: usize) {
        if let Some(message) = &mut state.message {
            message.due += Duration::from_ms(self.config.airtime_ms(len));
        }
    }

    fn retransmit(&self, state: &mut State, id: u32) {
        let Some(message) = &state.message else { return };
        if message.packet.header.id != id {
            return;
        }
        let due = message.due;
        if due > self.sim.now() {
            self.at(state, due, Job::Retransmit(id));
        } else if message.left == 0 || self.refuses() {
            self.conclude(state, Results { lost: 1, ..Results::default() });
        } else {
            self.note(Incident::Retransmission);
            self.transmit(state);
        }
    }

    /// Relays a packet if it may and its duty cycle allows it.
    fn relay(&self, header: &Header, sealed: &Rc<[u8]>) {
        if header.to == self.config.number || header.hop_limit == 0 || self.refuses() {
            return;
        }
        let header = Header {
            hop_limit: header.hop_limit - 1,
            relay_node: self.config.number as u8,
            ..*header
        };
        let priority = if header.want_ack { Priority::Reliable } else { Priority::Default };
        self.radio.send(Packet { header, sealed: Rc::clone(sealed), priority, relayed: true });
    }

    /// Acknowledges a message within `hops`.
    fn acknowledge(&self, state: &mut State, request: &Header, hops: u8) {
        if self.refuses() {
            return;
        }
        let data =
            Data { port: ROUTING, payload: ACKNOWLEDGEMENT.to_vec(), request_id: request.id };
        let packet = self.create(state, &data, request.from, hops, false);
        self.postpone(state, packet.octets());
        self.radio.send(packet);
    }

    /// Decides about a received packet.
    fn handle(&self, state: &mut State, header: Header, sealed: &Rc<[u8]>) {
        let own = self.config.number;
        let identity = (header.from, header.id);
        if header.from == own {
            let is_pending =
                state.message.as_ref().is_some_and(|one| one.packet.identity() == identity);
            if is_pending && self.config.acknowledged {
                self.conclude(state, Results { done: 1, implicit: 1, ..Results::default() });
            }
        }
        self.postpone(state, super::header::LEN + sealed.len());
        if state.history.sees_again(header.from, header.id) {
            self.handle_again(state, &header, sealed);
            return;
        }
        let data = self.open(&header, sealed);
        let is_own = header.to == own;
        if is_own && header.want_ack {
            let hops = response_hops(&header, self.config.hop_limit);
            self.acknowledge(state, &header, hops);
        }
        if let Some(data) = data {
            self.understand(state, &header, &data);
        }
        self.relay(&header, sealed);
    }

    /// A further copy of a packet.
    fn handle_again(&self, state: &mut State, header: &Header, sealed: &Rc<[u8]>) {
        let identity = (header.from, header.id);
        if header.from == self.config.number {
            return;
        }
        if header.hops_used() > 0 {
            if self.config.role == Role::Client && self.radio.cancel(identity) {
                self.note(Incident::Cancelled);
            }
        } else if !self.radio.is_queued(identity) {
            // Its sender has not heard the rebroadcast or the acknowledgement.
            if header.to == self.config.number && header.want_ack {
                self.acknowledge(state, header, 0);
            }
            self.relay(header, sealed);
        }
    }

    /// The message of a packet, if the node has its key.
    fn open(&self, header: &Header, sealed: &[u8]) -> Option<Data> {
        let cipher = if header.channel == self.config.channel {
            sealed
        } else if header.channel == 0 && header.to == self.config.number {
            sealed.get(..sealed.len().checked_sub(PUBLIC_KEY_OVERHEAD)?)?
        } else {
            return None;
        };
        let mut bytes = cipher.to_vec();
        crypt(header.from, header.id, &mut bytes);
        Data::decode(&bytes)
    }

    /// Acts on a message: one to this node, or an acknowledgement to another one.
    fn understand(&self, state: &mut State, header: &Header, data: &Data) {
        let is_own = header.to == self.config.number;
        if data.request_id != 0 && is_own {
            self.cease(state, data.request_id);
            let awaited = state.message.as_ref().map(|one| one.packet.header.id);
            if self.config.acknowledged && awaited == Some(data.request_id) {
                self.conclude(state, Results { done: 1, ..Results::default() });
            }
        } else if data.request_id != 0 {
            // The acknowledged packet has arrived, and need not be relayed.
            if self.radio.cancel((header.to, data.request_id)) {
                self.note(Incident::Cancelled);
            }
        } else if data.port == TEXT
            && header.from == self.config.peer
            && (is_own || header.to == BROADCAST)
        {
            state.inbox.push_back(data.payload.as_slice().into());
            self.arrived.raise();
        }
    }
}

/// Hop limit of the response to a request: two more than the hops that the request used, because the return
/// path may be different. At most `limit`, unless the request used more hops (`RoutingModule.cpp`,
/// `getHopLimitForResponse`).
const fn response_hops(request: &Header, limit: u8) -> u8 {
    let used = request.hops_used();
    if used > limit {
        used
    } else if used + 2 < limit {
        used + 2
    } else {
        limit
    }
}

impl Timed for Node {
    fn due(self: Rc<Self>, token: u64) {
        let mut guard = self.state.borrow_mut();
        let state = &mut *guard;
        match state.jobs.remove(&token) {
            Some(Job::Handle(header, sealed)) => self.handle(state, header, &sealed),
            Some(Job::Retransmit(id)) => self.retransmit(state, id),
            Some(Job::Lose(id)) => self.cease(state, id),
            None => {}
        }
    }
}

impl Receiver for Node {
    fn frame_ended(&self, reception: &Reception<'_>) {
        let Some(bytes) = self.radio.receive(reception) else { return };
        let Some((header, sealed)) = Header::decode(&bytes) else { return };
        let at = self.clock.after(reception.end, self.config.processing);
        self.span(&slices::PROCESSING, reception.end, at);
        self.at(&mut self.state.borrow_mut(), at, Job::Handle(header, sealed.into()));
    }
}
