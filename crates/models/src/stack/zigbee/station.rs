//! A Zigbee device: its state and counters.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, VecDeque};
use std::rc::{Rc, Weak};

use airlag_sim::Instant;
use airlag_sim::channel::Notice;

use super::config::Config;
use super::frame::Nwk;
use super::message::{Message, Results};
use super::security::{Key, NETWORK_KEY};
use crate::mcu::Board;
use crate::stack::frames::{Taken, next_of};
use crate::stack::ieee802154::Node;
use crate::stack::processor::Processor;

/// A named incident of a device, in addition to those of its MAC.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Incident {
    /// A frame that the MAC had given up was repeated.
    UnicastRetry,
    /// An NWK frame was given up.
    FrameLost,
    /// A message without an APS acknowledgement was repeated.
    ApsRetry,
    /// A message was given up without an APS acknowledgement.
    NoApsAck,
    /// A repetition of the last message was dropped.
    ApsDuplicate,
    /// A frame to forward was dropped because no buffer was free.
    NoBuffers,
    /// A frame was dropped because there was no route to its destination.
    NoRoute,
    /// A frame to forward was dropped because its radius was used up.
    RadiusExpired,
    /// A frame was not secured as configured, or was a replay.
    SecurityError,
}

impl Incident {
    /// Name of the incident.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::UnicastRetry => "unicast retry",
            Self::FrameLost => "frame given up",
            Self::ApsRetry => "repeated message",
            Self::NoApsAck => "message given up",
            Self::ApsDuplicate => "duplicate message",
            Self::NoBuffers => "no buffers at a router",
            Self::NoRoute => "no route",
            Self::RadiusExpired => "radius expired",
            Self::SecurityError => "security error",
        }
    }
}

/// An NWK frame that waits to be sent.
pub(super) struct Outgoing {
    pub(super) nwk: Nwk,
    pub(super) payload: Vec<u8>,
    pub(super) since: Instant,
    /// Number of the transmission, if it is a message of the device.
    pub(super) round: Option<u64>,
}

/// Short address of the neighbour to which frames for a destination are sent.
pub type Routes = BTreeMap<u16, u16>;

/// A device with its stack. Its tasks run until the end of the simulation.
pub struct Station {
    pub(super) this: Weak<Self>,
    pub(super) board: Board,
    pub(super) node: Rc<Node>,
    pub(super) config: Config,
    pub(super) routes: Routes,
    pub(super) key: Key,
    /// Frame counter of the next secured frame, and the last ones of the neighbours.
    pub(super) counter: Cell<u32>,
    pub(super) heard: RefCell<BTreeMap<u64, u32>>,
    pub(super) sequence: Cell<u8>,
    /// Sequence number of the next MAC frame: `macDSN`.
    pub(super) mac_sequence: Cell<u8>,
    pub(super) queue: RefCell<VecDeque<Outgoing>>,
    pub(super) queued: Notice,
    pub(super) message: RefCell<Option<Message>>,
    pub(super) round: Cell<u64>,
    pub(super) aps_counter: Cell<u8>,
    pub(super) results: Cell<Results>,
    pub(super) concluded: Notice,
    /// APS counters of the last messages, by sender.
    pub(super) taken: RefCell<Taken<u16, u8>>,
    /// Messages for the program.
    pub(super) inbox: RefCell<VecDeque<Vec<u8>>>,
    pub(super) arrived: Notice,
    pub(super) processor: Processor,
    observer: Box<dyn Fn(Incident)>,
}

impl Station {
    /// Starts the device on `board` with the radio `node`; `observer` is called with every
    /// incident.
    #[must_use]
    pub fn start(
        board: &Board,
        node: &Rc<Node>,
        config: Config,
        routes: Routes,
        observer: impl Fn(Incident) + 'static,
    ) -> Rc<Self> {
        let sim = board.sim();
        // macDSN starts at a random value (IEEE 802.15.4-2006, 7.4.2). If all devices counted from
        // the same value, a device could take the acknowledgement of another device's frame, which
        // has no address, for its own.
        let mac_sequence = board.stream("macDSN").below(256) as u8;
        let station = Rc::new_cyclic(|this| Self {
            this: Weak::clone(this),
            board: board.clone(),
            node: Rc::clone(node),
            config,
            routes,
            key: Key::new(NETWORK_KEY),
            counter: Cell::new(1),
            heard: RefCell::default(),
            sequence: Cell::new(0),
            mac_sequence: Cell::new(mac_sequence),
            queue: RefCell::default(),
            queued: Notice::new(sim),
            message: RefCell::default(),
            round: Cell::new(0),
            aps_counter: Cell::new(0),
            results: Cell::default(),
            concluded: Notice::new(sim),
            taken: RefCell::new(Taken::new()),
            inbox: RefCell::default(),
            arrived: Notice::new(sim),
            processor: Processor::new(board),
            observer: Box::new(observer),
        });
        let name = board.name();
        let sending = Rc::clone(&station);
        sim.spawn(format!("{name}/transmit"), async move { sending.send_all().await });
        let receiving = Rc::clone(&station);
        sim.spawn(format!("{name}/receive"), async move { receiving.take_all().await });
        station
    }

    /// Configuration.
    #[must_use]
    pub const fn config(&self) -> &Config {
        &self.config
    }

    /// Adds a frame to the queue.
    pub(super) fn enqueue(&self, nwk: Nwk, payload: Vec<u8>, round: Option<u64>) {
        let since = self.board.sim().now();
        self.queue.borrow_mut().push_back(Outgoing { nwk, payload, since, round });
        self.queued.raise();
    }

    /// Waits for the next message, copies it into `buffer` and returns its size. A longer one is
    /// truncated.
    pub(super) async fn next_message(&self, buffer: &mut [u8]) -> usize {
        next_of(buffer, &self.arrived, || self.inbox.borrow_mut().pop_front()).await
    }

    pub(super) fn record(&self, incident: Incident) {
        (self.observer)(incident);
    }
}
