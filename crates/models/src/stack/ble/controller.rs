//! The link layer of one device in one connection.
//!
//! The host side hands over packets with [`Controller::submit`] and takes [`Event`]s; the radio side
//! is a node of the air. One [`connect`] makes two controllers the two ends of a connection.
//!
//! - [`settings`]: what the two ends agreed on, and what is allowed.
//! - [`queue`]: packets cut to PDUs, and the one that is not acknowledged yet.
//! - [`control`]: procedures of the link layer itself: another interval, encryption.
//! - [`event`]: connection events: who sends when, and when it is over.
//! - `state`: what a controller knows of its connection, and when the next event is due.
//! - [`setup`]: the two packets on the air that make a connection.
//!
//! Bluetooth Core Specification 5.4, volume 6, part B, section 4.5.

pub mod control;
pub mod event;
pub mod queue;
pub mod settings;
pub mod setup;
mod state;

use std::cell::{Cell, RefCell};
use std::rc::{Rc, Weak};

use airlag_air::{Medium, NodeId};
use airlag_sim::channel::{Receiver, Sender, channel};
use airlag_sim::{Clock, Sim, Stream, Track};

use crate::mcu::Board;

pub use queue::Packet;
pub use settings::{ChannelSelection, Illegal, Settings, range_delay};
pub use setup::connect;
use state::State;

/// Which end of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Sets the anchor points and sends first.
    Central,
    /// Follows and answers.
    Peripheral,
}

/// Why a connection ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// No valid packet for as long as the supervision timeout (section 4.5.2).
    SupervisionTimeout,
    /// A sealed PDU whose integrity check does not fit (section 5.1.3.1).
    MicFailure,
    /// A change came after the event it was to begin with (section 5.1.1).
    InstantPassed,
}

/// What a controller tells its host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// A connection is there, in the given role.
    Connected(Role),
    /// A piece of an L2CAP frame came.
    Received(Packet),
    /// The other end acknowledged the oldest packet; its buffer is free.
    Completed,
    /// The connection is gone, and so is everything still in the queue.
    Disconnected(Reason),
}

/// Name of the incident of a packet with data that is sent again.
pub const RETRY: &str = "retry";

/// Called with the name of an incident.
type Told = Box<dyn Fn(&'static str)>;

/// One device's link layer. Held by its host; the air and the timers hold it weakly.
pub struct Controller {
    sim: Sim,
    air: Medium,
    node: NodeId,
    clock: Clock,
    track: Track,
    state: RefCell<State>,
    /// Draws which connection events are missed, by the radio or by data.
    slips: RefCell<Stream>,
    generation: Cell<u64>,
    /// What was lost on the way: bytes given up when the connection ended.
    abandoned: Cell<u64>,
    events: Sender<Event>,
    /// The board it computes on; none where nobody asks for its current.
    board: RefCell<Option<Board>>,
    incident: RefCell<Option<Told>>,
    this: Weak<Self>,
}

impl Controller {
    /// A device called `name` on the air, its anchor points kept by `clock`, and what it tells its
    /// host.
    #[must_use]
    pub fn new(air: &Medium, sim: &Sim, name: &str, clock: Clock) -> (Rc<Self>, Receiver<Event>) {
        let node = air.join(name);
        let (events, told) = channel(sim);
        let new = Rc::new_cyclic(|this: &Weak<Self>| Self {
            sim: sim.clone(),
            air: air.clone(),
            node,
            clock,
            track: sim.track(name),
            state: RefCell::default(),
            slips: RefCell::new(sim.stream(&format!("{name}/slip"))),
            generation: Cell::new(0),
            abandoned: Cell::new(0),
            events,
            board: RefCell::default(),
            incident: RefCell::new(None),
            this: this.clone(),
        });
        let radio: Weak<dyn airlag_air::Radio> = new.this.clone();
        air.attach(node, radio);
        (new, told)
    }

    /// Connection events are prepared and followed up by the processor of `board`.
    pub fn compute_on(&self, board: &Board) {
        *self.board.borrow_mut() = Some(board.clone());
    }

    /// Its node on the air.
    #[must_use]
    pub const fn node(&self) -> NodeId {
        self.node
    }

    /// Queues a packet of the host for the other end. Without a connection it is abandoned.
    pub fn submit(&self, packet: Packet) {
        let now = self.sim.now();
        let mut state = self.state.borrow_mut();
        if !state.connected() {
            self.abandon(packet.bytes.len());
            return;
        }
        let first = !state.queue.has_data();
        state.data_since(now);
        state.queue.push(packet);
        drop(state);
        self.stop_skipping();
        if first {
            self.hold(&mut self.state.borrow_mut());
        }
    }

    /// Bytes handed over and not acknowledged yet.
    #[must_use]
    pub fn queued(&self) -> usize {
        self.state.borrow().queue.bytes()
    }

    /// Bytes given up because the connection was gone.
    #[must_use]
    pub fn abandoned(&self) -> u64 {
        self.abandoned.get()
    }

    /// True while there is a connection.
    #[must_use]
    pub fn is_connected(&self) -> bool {
        self.state.borrow().connected()
    }

    /// Calls `told` with [`RETRY`] for every packet with data that is sent again.
    pub fn on_incident(&self, told: impl Fn(&'static str) + 'static) {
        *self.incident.borrow_mut() = Some(Box::new(told));
    }

    fn repeats(&self) {
        if let Some(told) = &*self.incident.borrow() {
            told(RETRY);
        }
    }

    fn abandon(&self, bytes: usize) {
        self.abandoned.set(self.abandoned.get() + bytes as u64);
    }
}

#[cfg(test)]
mod tests;
