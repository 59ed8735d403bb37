//! The advertiser of a node: its queue, and the advertising events of each PDU.
//!
//! ```text
//!  command ─ start ─ 37 · 38 · 39 ─ interval + advDelay ─ 37 · 38 · 39 ─ ... ─ next command
//! ```
//!
//! The advertiser advertises one PDU at a time. A PDU occupies the advertiser either until its last
//! transmission or for a fixed time ([`Occupancy`]), and other PDUs that arrive in the meantime
//! wait. A relay therefore passes on at most one PDU per sequence of transmissions. The state
//! [`Relay Retransmit`](super::config::Transmit) contains the number and the interval of the
//! transmissions in a sequence.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;

use airlag_air::{Medium, NodeId};
use airlag_sim::meter::State as Draws;
use airlag_sim::{Clock, Duration, Instant, Sim, Slice, Stream, Timed, Timers, Track};

use super::config::{ADV_DELAY, Config, Occupancy, Transmit};
use super::pdu::{advertisement, airtime_ns, bearer_modulation};
use super::slices;
use crate::stack::ble::hop::band;

/// Advertising channels, in the order of an event.
pub const CHANNELS: [u8; 3] = [37, 38, 39];

/// A network PDU to advertise.
#[derive(Clone, Debug)]
struct Outgoing {
    /// The advertising packet, equal on all channels.
    packet: Rc<[u8]>,
    airtime: Duration,
    transmit: Transmit,
    own: bool,
    since: Instant,
}

/// State of the advertiser. Each state but the first has a timer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    Idle,
    /// From the command to the first event.
    Start,
    /// A PDU on the channel of this index is on the air.
    Pdu(usize),
    /// The radio changes to the channel of this index.
    Change(usize),
    /// Until the next event.
    Interval,
    /// After the last event.
    End,
}

struct State {
    phase: Phase,
    generation: u64,
    queue: VecDeque<Outgoing>,
    /// Transmissions left of the PDU in progress.
    left: u8,
    /// Begin of its last event.
    event: Instant,
    /// End of its occupancy, if that is timed.
    until: Instant,
    /// Time from which the radio receives again.
    listening_from: Instant,
    stream: Stream,
}

/// The advertiser of a node.
pub struct Bearer {
    timers: Timers,
    sim: Sim,
    medium: Medium,
    id: NodeId,
    clock: Clock,
    track: Track,
    config: Config,
    state: RefCell<State>,
    /// Called when no PDU of the node's own is left.
    drained: Box<dyn Fn()>,
}

impl Bearer {
    /// Creates the advertiser of the node `id`, which listens. `drained` is called when the last
    /// PDU of the node's own has been sent.
    #[must_use]
    pub fn new(
        medium: &Medium,
        id: NodeId,
        sim: &Sim,
        clock: Clock,
        config: Config,
        drained: impl Fn() + 'static,
    ) -> Rc<Self> {
        let name = medium.name(id);
        medium.enter(id, Draws::Receive);
        let state = State {
            phase: Phase::Idle,
            generation: 0,
            queue: VecDeque::new(),
            left: 0,
            event: Instant::START,
            until: Instant::START,
            listening_from: Instant::START,
            stream: sim.stream(&format!("{name}/advertising")),
        };
        Rc::new_cyclic(|this| Self {
            timers: sim.timers(this),
            sim: sim.clone(),
            medium: medium.clone(),
            id,
            clock,
            track: sim.track(&name),
            config,
            state: RefCell::new(state),
            drained: Box::new(drained),
        })
    }

    /// Appends a PDU of the node's own to the queue.
    pub fn send(&self, network: &[u8]) {
        self.append(network, self.config.network_transmit, true);
    }

    /// Appends a PDU to relay to the queue; returns false if the queue is full.
    #[must_use]
    pub fn relay(&self, network: &[u8]) -> bool {
        if self.state.borrow().queue.len() >= self.config.queue {
            return false;
        }
        self.append(network, self.config.relay_retransmit, false);
        true
    }

    fn append(&self, network: &[u8], transmit: Transmit, own: bool) {
        let mut state = self.state.borrow_mut();
        let packet = advertisement(self.config.address, network);
        let airtime = Duration::from_ns(airtime_ns(network.len()));
        let since = self.sim.now();
        state.queue.push_back(Outgoing { packet, airtime, transmit, own, since });
        if state.phase == Phase::Idle {
            self.command(&mut state);
        }
    }

    /// Whether the radio receives a packet that began at `begin` and ends now.
    #[must_use]
    pub fn listens_since(&self, begin: Instant) -> bool {
        let state = self.state.borrow();
        let sending = matches!(state.phase, Phase::Pdu(_) | Phase::Change(_));
        !sending && begin >= state.listening_from
    }

    fn after(&self, from: Instant, wait: Duration) -> Instant {
        self.clock.after(from, wait)
    }

    fn span(&self, what: &'static Slice, begin: Instant, end: Instant) {
        self.sim.span(self.track, what, begin, end);
    }

    fn enter(&self, state: &mut State, phase: Phase, at: Instant) {
        state.phase = phase;
        state.generation += 1;
        self.timers.set(at, state.generation);
    }

    /// Commands the controller to advertise the first PDU of the queue.
    fn command(&self, state: &mut State) {
        let Some(first) = state.queue.front() else {
            state.phase = Phase::Idle;
            return;
        };
        let (now, transmit) = (self.sim.now(), first.transmit);
        self.span(&slices::ADVERTISING_QUEUE, first.since, now);
        state.left = transmit.transmissions.max(1);
        let ready = self.after(now, self.config.start);
        state.until = self.after(ready, Config::timed(&transmit));
        let begin = self.after(ready, state.stream.within(self.config.start_spread));
        self.span(&slices::ADVERTISING_START, now, begin);
        self.enter(state, Phase::Start, begin);
    }

    fn event(&self, state: &mut State) {
        state.event = self.sim.now();
        state.left = state.left.saturating_sub(1);
        self.medium.enter(self.id, Draws::SettleTransmit);
        self.pdu(state, 0);
    }

    fn pdu(&self, state: &mut State, nth: usize) {
        let Some(first) = state.queue.front() else { return };
        let now = self.sim.now();
        let (end, packet) = (self.after(now, first.airtime), Rc::clone(&first.packet));
        self.span(&slices::TRANSMIT, now, end);
        self.medium.send(self.id, band(CHANNELS[nth]), bearer_modulation(), end, packet);
        self.enter(state, Phase::Pdu(nth), end);
    }

    fn sent(&self, state: &mut State, nth: usize) {
        let now = self.sim.now();
        if nth + 1 < CHANNELS.len() {
            let at = self.after(now, self.config.channel_change);
            self.span(&slices::CHANNEL_CHANGE, now, at);
            self.enter(state, Phase::Change(nth + 1), at);
            return;
        }
        state.listening_from = now;
        self.medium.enter(self.id, Draws::Receive);
        let Some(first) = state.queue.front() else { return };
        let wait = Config::interval(&first.transmit) + state.stream.within(ADV_DELAY);
        let next = self.after(state.event, wait).max(now);
        let again = match self.config.occupancy {
            Occupancy::Counted => state.left > 0,
            Occupancy::Timed => next < state.until,
        };
        if again {
            self.span(&slices::RETRANSMIT_INTERVAL, now, next);
            self.enter(state, Phase::Interval, next);
            return;
        }
        let end = match self.config.occupancy {
            Occupancy::Counted => now,
            Occupancy::Timed => state.until.max(now),
        };
        self.span(&slices::ADVERTISING_END, now, end);
        self.enter(state, Phase::End, end);
    }

    /// Ends the occupancy by a PDU. Returns true if it was the last of the node's own.
    fn conclude(&self, state: &mut State) -> bool {
        let done = state.queue.pop_front();
        self.command(state);
        done.is_some_and(|one| one.own) && !state.queue.iter().any(|one| one.own)
    }
}

impl Timed for Bearer {
    fn due(self: Rc<Self>, generation: u64) {
        let mut guard = self.state.borrow_mut();
        let state = &mut *guard;
        if generation != state.generation {
            return;
        }
        let drained = match state.phase {
            Phase::Idle => return,
            Phase::Start | Phase::Interval => {
                self.event(state);
                false
            }
            Phase::Pdu(nth) => {
                self.sent(state, nth);
                false
            }
            Phase::Change(nth) => {
                self.pdu(state, nth);
                false
            }
            Phase::End => self.conclude(state),
        };
        // The node may append a PDU at once.
        drop(guard);
        if drained {
            (self.drained)();
        }
    }
}
