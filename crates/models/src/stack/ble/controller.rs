//! The link layer of one device in one connection.
//!
//! The host submits packets with [`Controller::submit`] and receives [`Event`]s. The radio is a
//! node of the air. [`connect`] connects two controllers.
//!
//! - [`settings`]: negotiated settings of the connection, and the limits of the settings.
//! - [`queue`]: fragmentation of packets to PDUs, and the PDU that the peer has not acknowledged
//!   yet.
//! - [`control`]: link layer procedures that change the connection interval or the frame space, or
//!   start encryption.
//! - [`event`]: order of the transmissions in a connection event, and the end of the event.
//! - `state`: state of the connection, and the time of the next connection event.
//! - [`setup`]: the two packets that create a connection.
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
use airlag_sim::{Clock, Sim, Stream, Timers, Track};

use crate::mcu::Board;

pub use queue::Packet;
pub use settings::{ChannelSelection, Illegal, Settings, range_delay};
pub use setup::connect;
use state::State;

/// Role of a device in a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Sets the anchor points and sends the first packet of an event.
    Central,
    /// Follows and responds.
    Peripheral,
}

/// Reason why a connection ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// No valid packet for as long as the supervision timeout (section 4.5.2).
    SupervisionTimeout,
    /// The integrity check of an encrypted PDU failed (section 5.1.3.1).
    MicFailure,
    /// A change arrived after the event at which it was to take effect (section 5.1.1).
    InstantPassed,
}

/// Event reported to the host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// A connection was created, with the given role.
    Connected(Role),
    /// A fragment of an L2CAP frame arrived.
    Received(Packet),
    /// The other end acknowledged the oldest packet, whose buffer is now free.
    Completed,
    /// The connection was lost, together with the content of the queue.
    Disconnected(Reason),
}

/// Name of the incident of a retransmitted data packet.
pub const RETRY: &str = "retry";

/// Called with the name of an incident.
type OnIncident = Box<dyn Fn(&'static str)>;

/// Link layer of one device. Its host owns it; the air and the timers have weak references.
pub struct Controller {
    sim: Sim,
    air: Medium,
    node: NodeId,
    clock: Clock,
    track: Track,
    state: RefCell<State>,
    /// Random stream for missed connection events and for data that misses an event.
    slips: RefCell<Stream>,
    generation: Cell<u64>,
    /// Bytes lost when the connection ended.
    abandoned: Cell<u64>,
    events: Sender<Event>,
    /// Board whose processor the controller uses. `None` if current is not measured.
    board: RefCell<Option<Board>>,
    incident: RefCell<Option<OnIncident>>,
    timers: Timers,
}

impl Controller {
    /// Creates a device called `name` on the air whose anchor points follow `clock`, and its event
    /// stream for the host.
    #[must_use]
    pub fn new(air: &Medium, sim: &Sim, name: &str, clock: Clock) -> (Rc<Self>, Receiver<Event>) {
        let node = air.join(name);
        let (events, received) = channel(sim);
        let new = Rc::new_cyclic(|this| Self {
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
            timers: sim.timers(this),
        });
        let radio: Weak<Self> = Rc::downgrade(&new);
        air.attach(node, radio);
        (new, received)
    }

    /// Charges the preparation and processing of connection events to `board`.
    pub fn compute_on(&self, board: &Board) {
        *self.board.borrow_mut() = Some(board.clone());
    }

    /// Node on the air.
    #[must_use]
    pub const fn node(&self) -> NodeId {
        self.node
    }

    /// Queues a packet of the host for the other end. Without a connection, the packet is dropped.
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

    /// Bytes submitted and not acknowledged.
    #[must_use]
    pub fn queued(&self) -> usize {
        self.state.borrow().queue.bytes()
    }

    /// Bytes dropped because the connection was lost.
    #[must_use]
    pub fn abandoned(&self) -> u64 {
        self.abandoned.get()
    }

    /// Returns true while connected.
    #[must_use]
    pub fn is_connected(&self) -> bool {
        self.state.borrow().connected()
    }

    /// Calls `on_incident` with [`RETRY`] for every retransmitted data packet.
    pub fn on_incident(&self, on_incident: impl Fn(&'static str) + 'static) {
        *self.incident.borrow_mut() = Some(Box::new(on_incident));
    }

    fn repeats(&self) {
        if let Some(on_incident) = &*self.incident.borrow() {
            on_incident(RETRY);
        }
    }

    fn abandon(&self, bytes: usize) {
        self.abandoned.set(self.abandoned.get() + bytes as u64);
    }
}

#[cfg(test)]
mod tests;
