//! A board of a Thread network: its state and counters.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::rc::{Rc, Weak};

use airlag_sim::Instant;
use airlag_sim::channel::{self, Notice};

use super::address::Ends;
use super::config::{Config, Radio, WhenFull};
use super::queue::{Content, Queue, Refused};
use super::reassembly::Reassembly;
use super::routes::Routes;
use super::security::{Keys, NETWORK_KEY};
use super::sleepy::Sleepy;
use super::slices;
use super::spinel::Way;
use crate::mcu::Board;
use crate::stack::ieee802154::Node;
use crate::stack::processor::Processor;

/// A named incident of a station, in addition to those of its MAC.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Incident {
    /// A datagram was refused because no message buffer was free.
    NoBuffers,
    /// A datagram was dropped because the direct transmit queue was full.
    QueueFull,
    /// A frame to forward was dropped because no message buffer was free.
    RelayNoBuffers,
    /// A frame to forward was dropped because the direct transmit queue was full.
    RelayQueueFull,
    /// A datagram or a frame to forward was dropped because it had waited too long.
    DroppedLate,
    /// A datagram or a frame to forward was dropped because there was no route to its destination.
    NoRoute,
    /// A frame was given up, and its datagram with it.
    DatagramLost,
    /// A received frame was dropped because the co-processor's buffer was full.
    CoProcessorFull,
    /// A received frame was not secured with the network's key, or was a replay.
    SecurityError,
    /// A received fragment continues no datagram.
    OrphanFragment,
    /// A datagram was incomplete at its timeout.
    FragmentTimeout,
    /// The reassembly of a datagram was not started because no message buffer was free.
    FragmentStorm,
    /// The co-processor stopped responding.
    CoProcessorStopped,
    /// The co-processor did not report the outcome of a frame in time.
    RadioTimeout,
}

impl Incident {
    /// Name of the incident.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::NoBuffers => "no message buffers",
            Self::QueueFull => "transmit queue full",
            Self::RelayNoBuffers => "no message buffers at a relay",
            Self::RelayQueueFull => "transmit queue full at a relay",
            Self::DroppedLate => "dropped late",
            Self::NoRoute => "no route",
            Self::DatagramLost => "datagram given up",
            Self::CoProcessorFull => "co-processor buffer full",
            Self::SecurityError => "security error",
            Self::OrphanFragment => "orphan fragment",
            Self::FragmentTimeout => "fragment timeout",
            Self::FragmentStorm => "fragment storm",
            Self::CoProcessorStopped => "co-processor stopped",
            Self::RadioTimeout => "radio tx timeout",
        }
    }
}

/// A board with its stack. Its tasks run until the end of the simulation.
pub struct Station {
    pub(super) this: Weak<Self>,
    pub(super) board: Board,
    pub(super) node: Rc<Node>,
    pub(super) config: Config,
    pub(super) keys: Keys,
    pub(super) routes: RefCell<Routes>,
    /// Frame counter of the next frame.
    pub(super) counter: Cell<u32>,
    pub(super) tag: Cell<u16>,
    pub(super) queue: RefCell<Queue>,
    /// Raised when there is something to send, and when room becomes free.
    pub(super) news: Notice,
    pub(super) room: Notice,
    pub(super) reassembly: RefCell<Reassembly>,
    /// Datagrams for the program.
    pub(super) inbox: RefCell<VecDeque<Vec<u8>>>,
    pub(super) arrived: Notice,
    /// Both directions of a co-processor's line.
    pub(super) down: RefCell<Way>,
    pub(super) up: RefCell<Way>,
    /// Time before which no frame is sent, because a neighbour is forwarding one.
    pub(super) silent_until: Cell<Instant>,
    /// Time before which the co-processor does not respond, and whether it may stop.
    pub(super) stopped_until: Cell<Instant>,
    pub(super) may_stop: Cell<bool>,
    /// Role in polling, as parent or child, and whether a poll is due.
    pub(super) sleepy: RefCell<Option<Sleepy>>,
    pub(super) poll_due: Cell<bool>,
    pub(super) processor: Processor,
    observer: Box<dyn Fn(Incident)>,
}

impl Station {
    /// Starts the station on `board` with the radio `node` and these routes; `observer` is called
    /// with every incident.
    #[must_use]
    pub fn start(
        board: &Board,
        node: &Rc<Node>,
        config: Config,
        routes: Routes,
        observer: impl Fn(Incident) + 'static,
    ) -> Rc<Self> {
        let sim = board.sim();
        let station = Rc::new_cyclic(|this| Self {
            this: Weak::clone(this),
            board: board.clone(),
            node: Rc::clone(node),
            config,
            keys: Keys::new(NETWORK_KEY, 0),
            routes: RefCell::new(routes),
            counter: Cell::new(1),
            tag: Cell::new(1),
            queue: RefCell::new(Queue::new(config.limits)),
            news: Notice::new(sim),
            room: Notice::new(sim),
            reassembly: RefCell::default(),
            inbox: RefCell::default(),
            arrived: Notice::new(sim),
            down: RefCell::new(Way::new()),
            up: RefCell::new(Way::new()),
            silent_until: Cell::new(Instant::START),
            stopped_until: Cell::new(Instant::START),
            may_stop: Cell::new(true),
            sleepy: RefCell::default(),
            poll_due: Cell::new(false),
            processor: Processor::new(board),
            observer: Box::new(observer),
        });
        let name = board.name();
        let sending = Rc::clone(&station);
        sim.spawn(format!("{name}/transmit"), async move { sending.send_all().await });
        let receiving = Rc::clone(&station);
        match config.radio {
            Radio::Own => {
                sim.spawn(format!("{name}/receive"), async move { receiving.take_all().await });
            }
            Radio::CoProcessor(serial) => {
                let (into, out) = channel::channel(sim);
                let listening = Rc::clone(&station);
                sim.spawn(format!("{name}/co-processor"), async move {
                    listening.pass_up(serial, into).await;
                });
                sim.spawn(format!("{name}/receive"), async move {
                    receiving.take_from(out).await;
                });
            }
        }
        station
    }

    /// Submits a datagram. Returns false if the program is notified that there is no room.
    pub(super) async fn offer(&self, payload: &[u8]) -> bool {
        let since = self.board.sim().now();
        let taken = loop {
            let now = self.board.sim().now();
            let content = Content::Datagram(payload.to_vec());
            let (outcome, late) = self.queue.borrow_mut().push(content, now);
            (0..late).for_each(|_| self.record(Incident::DroppedLate));
            match (outcome, self.config.when_full) {
                (Ok(()), _) => break true,
                (Err(_), WhenFull::Wait) => self.room.wait().await,
                (Err(Refused::NoBuffers), WhenFull::Refuse) => {
                    self.record(Incident::NoBuffers);
                    break false;
                }
                // The call succeeds nevertheless.
                (Err(Refused::QueueFull), WhenFull::Refuse) => {
                    self.record(Incident::QueueFull);
                    break true;
                }
            }
        };
        self.board.span(&slices::BUFFER_WAIT, since, self.board.sim().now());
        self.news.raise();
        taken
    }

    /// Addresses of its outgoing datagrams.
    pub(super) fn outward(&self) -> Ends {
        let own = self.routes.borrow().own;
        Ends { from: own, to: self.config.peer, scope: self.config.scope }
    }

    pub(super) fn record(&self, incident: Incident) {
        (self.observer)(incident);
    }
}
