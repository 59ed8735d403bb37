//! A node: network, transport and access layer.

mod lower_transport;

use std::cell::RefCell;
use std::collections::{BTreeMap, VecDeque};
use std::rc::{Rc, Weak};

use airlag_air::{Medium, NodeId, Radio, Reception, Verdict};
use airlag_sim::channel::Notice;
use airlag_sim::{Clock, Duration, Instant, Sim, Slice, Stream, Timed, Timers, Track};

use super::bearer::{Bearer, CHANNELS};
use super::cache::Cache;
use super::config::{Config, RESPONSE_DELAY};
use super::incident::Incident;
use super::job::{Job, Message};
use super::pdu::{Network, Transport, UNSEGMENTED, bearer_modulation, network_of};
use super::segments::{Inbound, Outbound};
use super::slices;
use crate::observer::Observer;
use crate::stack::ble::hop::band;
use crate::stack::frames::next_of;

/// Opcodes of a vendor model, with the company identifier for tests.
const MESSAGE: [u8; 3] = [0xC1, 0xFF, 0xFF];
const REQUEST: [u8; 3] = [0xC2, 0xFF, 0xFF];
const STATUS: [u8; 3] = [0xC3, 0xFF, 0xFF];

/// Results of the messages since they were last read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Results {
    /// Messages that were sent, and acknowledged where that was requested.
    pub done: u32,
    /// Number of messages that the node gave up.
    pub lost: u32,
}

/// A segmented message that has arrived completely.
struct Complete {
    seq_zero: u16,
    /// Its block acknowledgement.
    block: u32,
    /// Time of its last acknowledgement.
    acknowledged: Instant,
}

struct State {
    cache: Cache,
    sequence: u32,
    tid: u8,
    round: u64,
    message: Option<Message>,
    inbound: Vec<Inbound>,
    /// Last message from each source that arrived completely, for late segments of it.
    complete: BTreeMap<u16, Complete>,
    /// Transaction identifier of the last request of each source.
    requests: BTreeMap<u16, u8>,
    /// Highest sequence number of each source that was delivered to this node.
    replay: BTreeMap<u16, u32>,
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
    /// Position of the scanner in its cycle of channels at the beginning.
    scan_phase: Duration,
    bearer: Rc<Bearer>,
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
        let cycle = Duration::from_ns(CHANNELS.len() as u64 * config.scan_interval.as_ns());
        let scan_phase = sim.stream(&format!("{name}/scan phase")).within(cycle);
        let state = State {
            cache: Cache::new(config.cache),
            sequence: 0,
            tid: 0,
            round: 0,
            message: None,
            inbound: Vec::new(),
            complete: BTreeMap::new(),
            requests: BTreeMap::new(),
            replay: BTreeMap::new(),
            inbox: VecDeque::new(),
            results: Results::default(),
            jobs: BTreeMap::new(),
            next_job: 0,
            stream: sim.stream(&format!("{name}/mesh")),
        };
        let node = Rc::new_cyclic(|this: &Weak<Self>| {
            let node = Weak::clone(this);
            let drained = move || {
                if let Some(node) = node.upgrade() {
                    node.drained();
                }
            };
            Self {
                timers: sim.timers(this),
                sim: sim.clone(),
                id,
                clock,
                track: sim.track(name),
                config,
                scan_phase,
                bearer: Bearer::new(medium, id, sim, clock, config, drained),
                state: RefCell::new(state),
                concluded: Notice::new(sim),
                arrived: Notice::new(sim),
                observer: Observer::none(),
            }
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

    fn note(&self, incident: Incident) {
        self.observer.record(incident);
    }

    /// Waits until no message is in progress and sends one with `data`.
    pub async fn queue(&self, data: &[u8]) {
        self.drain().await;
        let mut state = self.state.borrow_mut();
        let mut access = Vec::new();
        if self.config.acknowledged {
            state.tid = state.tid.wrapping_add(1);
            access.extend(REQUEST);
            access.push(state.tid);
        } else {
            access.extend(MESSAGE);
        }
        access.extend_from_slice(data);
        let attempts = if self.config.acknowledged { self.config.attempts.max(1) } else { 1 };
        state.message = Some(Message {
            access,
            segments: None,
            attempts,
            segment_attempts: 0,
            unsent: VecDeque::new(),
            handed_over: self.sim.now(),
            is_held: false,
            round: 0,
            waits_since: None,
        });
        self.transmit(&mut state);
    }

    /// Waits until no message is in progress.
    pub async fn drain(&self) {
        while self.state.borrow().message.is_some() {
            self.concluded.wait().await;
        }
    }

    /// Returns the results since the last call.
    pub fn take_results(&self) -> Results {
        core::mem::take(&mut self.state.borrow_mut().results)
    }

    /// Waits for the data of the next message, copies them into `buffer` and returns their size.
    /// Data that do not fit are truncated.
    pub async fn next_data(&self, buffer: &mut [u8]) -> usize {
        next_of(buffer, &self.arrived, || self.state.borrow_mut().inbox.pop_front()).await
    }

    fn span(&self, what: &'static Slice, begin: Instant, end: Instant) {
        self.sim.span(self.track, what, begin, end);
    }

    fn later(&self, state: &mut State, wait: Duration, job: Job) {
        self.at(state, self.clock.after(self.sim.now(), wait), job);
    }

    fn at(&self, state: &mut State, at: Instant, job: Job) {
        let token = state.next_job;
        state.next_job += 1;
        state.jobs.insert(token, job);
        self.timers.set(at, token);
    }

    /// Sends a PDU of its own.
    fn send(&self, state: &mut State, destination: u16, transport: Transport) {
        let sequence = state.sequence;
        state.sequence = (state.sequence + 1) & 0xFF_FFFF;
        let network = Network {
            nid: (self.config.network & 0x7F) as u8,
            ttl: self.config.ttl,
            sequence,
            source: self.config.address,
            destination,
            transport,
        };
        self.bearer.send(&network.encode());
    }

    /// Sends the message in progress, in segments if it is long.
    fn transmit(&self, state: &mut State) {
        state.round += 1;
        let (round, sequence, peer) = (state.round, state.sequence, self.config.peer);
        let Some(message) = &mut state.message else { return };
        message.round = round;
        message.attempts = message.attempts.saturating_sub(1);
        if message.access.len() <= UNSEGMENTED {
            let access = message.access.as_slice().into();
            self.send(state, peer, Transport::Access(access));
            return;
        }
        message.segments = Some(Outbound::new(&message.access, sequence));
        message.segment_attempts = self.config.segment_attempts.max(1);
        self.send_segments(state);
    }

    /// Handles a message that has been sent, and whose segments are acknowledged.
    fn arrived_or_sent(&self, state: &mut State) {
        let Some(message) = &mut state.message else { return };
        if !self.config.acknowledged {
            self.conclude(state, true);
            return;
        }
        message.waits_since = Some(self.sim.now());
        let round = message.round;
        self.later(state, self.config.response_timeout, Job::Response { round });
    }

    /// Ends the wait for a response or an acknowledgement.
    fn end_wait(&self, message: &mut Message, what: &'static Slice) {
        if let Some(since) = message.waits_since.take() {
            self.span(what, since, self.sim.now());
        }
    }

    fn conclude(&self, state: &mut State, done: bool) {
        if state.message.take().is_none() {
            return;
        }
        if done {
            state.results.done += 1;
        } else {
            self.note(Incident::GivenUp);
            state.results.lost += 1;
        }
        self.concluded.raise();
    }

    /// Handles a network PDU from another node.
    fn network(&self, state: &mut State, pdu: Network, end: Instant) {
        let Config { network, address, .. } = self.config;
        if pdu.nid != (network & 0x7F) as u8 || pdu.source == address {
            return;
        }
        if !state.cache.admits(pdu.source, pdu.sequence) {
            return;
        }
        if pdu.destination == address {
            self.transport(state, &pdu);
        } else if self.config.relay && pdu.ttl >= 2 {
            let spread = state.stream.within(self.config.relay_delay);
            let wait = self.config.relay_processing + spread;
            self.span(&slices::RELAY_PROCESSING, end, self.clock.after(end, wait));
            self.later(state, wait, Job::Relay(Network { ttl: pdu.ttl - 1, ..pdu }));
        }
    }

    /// Handles a network PDU to this node.
    fn transport(&self, state: &mut State, pdu: &Network) {
        let last = state.replay.get(&pdu.source).copied();
        let is_segment = matches!(pdu.transport, Transport::Segment { .. });
        // Segments of a message may arrive in any order.
        if last.is_some_and(|last| pdu.sequence <= last) && !is_segment {
            self.note(Incident::Duplicate);
            return;
        }
        state.replay.insert(pdu.source, last.unwrap_or(0).max(pdu.sequence));
        match &pdu.transport {
            Transport::Access(message) => self.access(state, pdu.source, message),
            Transport::Acknowledgement { seq_zero, block } => {
                self.acknowledged(state, *seq_zero, *block);
            }
            Transport::Segment { seq_zero, nth, last, piece } => {
                self.segment(state, pdu.source, *seq_zero, [*nth, *last], piece);
            }
        }
    }

    /// Handles an access message to this node.
    fn access(&self, state: &mut State, source: u16, message: &[u8]) {
        let Some((opcode, rest)) = message.split_first_chunk::<3>() else { return };
        match (*opcode, rest.split_first()) {
            (MESSAGE, _) => self.deliver(state, rest),
            (REQUEST, Some((&tid, data))) => {
                if state.requests.insert(source, tid) != Some(tid) {
                    self.deliver(state, data);
                }
                let [least, spread] = RESPONSE_DELAY;
                let wait = least + state.stream.within(spread);
                self.later(state, wait, Job::Respond { to: source, tid });
            }
            (STATUS, Some((&tid, _))) if tid == state.tid && self.config.acknowledged => {
                self.conclude(state, true);
            }
            _ => {}
        }
    }

    fn deliver(&self, state: &mut State, data: &[u8]) {
        state.inbox.push_back(data.into());
        self.arrived.raise();
    }

    /// Handles the absence of a response.
    fn retry_message(&self, state: &mut State, round: u64) {
        let Some(message) = &mut state.message else { return };
        if message.round != round {
            return;
        }
        self.end_wait(message, &slices::AWAIT_RESPONSE);
        if message.attempts == 0 {
            self.conclude(state, false);
        } else {
            self.note(Incident::MessageRetry);
            self.transmit(state);
        }
    }

    fn relay(&self, pdu: &Network) {
        if !self.bearer.relay(&pdu.encode()) {
            self.note(Incident::QueueFull);
        }
    }

    /// Channel on which the scanner listens at `at`.
    fn scanned_channel(&self, at: Instant) -> u8 {
        let interval = self.config.scan_interval.as_ns().max(1);
        let nth = (at.as_ns() + self.scan_phase.as_ns()) / interval;
        CHANNELS[(nth % CHANNELS.len() as u64) as usize]
    }
}

impl Timed for Node {
    fn due(self: Rc<Self>, token: u64) {
        let mut guard = self.state.borrow_mut();
        let state = &mut *guard;
        match state.jobs.remove(&token) {
            Some(Job::Relay(pdu)) => self.relay(&pdu),
            Some(Job::Respond { to, tid }) => {
                let status: Vec<u8> = STATUS.into_iter().chain([tid]).collect();
                self.send(state, to, Transport::Access(status.into()));
            }
            Some(Job::NextSegment { round }) => self.end_interval(state, round),
            Some(Job::Segments { round }) => self.retry_segments(state, round),
            Some(Job::Response { round }) => self.retry_message(state, round),
            Some(Job::Acknowledge { source, seq_zero }) => {
                self.acknowledge(state, source, seq_zero);
            }
            Some(Job::Discard { source, seq_zero }) => self.discard(state, source, seq_zero),
            None => {}
        }
    }
}

impl Radio for Node {
    fn frame_ended(&self, reception: &Reception<'_>) {
        let frame = reception.frame;
        if frame.modulation != bearer_modulation()
            || reception.verdict != Verdict::Whole
            || frame.band != band(self.scanned_channel(reception.begin))
            || !self.bearer.listens_since(reception.begin)
        {
            return;
        }
        let Some(bytes) = network_of(&frame.bytes) else { return };
        let mut state = self.state.borrow_mut();
        // Most packets are further copies, which need no decoding.
        let seen = |(source, sequence)| state.cache.contains(source, sequence);
        if Network::identity(bytes).is_some_and(seen) {
            return;
        }
        let Some(pdu) = Network::decode(bytes) else { return };
        self.network(&mut state, pdu, reception.end);
    }
}
