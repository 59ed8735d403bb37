//! A board of a Thread network: what it keeps, and what it counts.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::rc::{Rc, Weak};

use airlag_sim::channel::{self, Notice};
use airlag_sim::{Duration, Instant, Slice};

use super::adaptation::Ends;
use super::config::{Config, Radio, WhenFull};
use super::queue::{Queue, Refused};
use super::reassembly::Reassembly;
use super::security::{Keys, NETWORK_KEY};
use super::slices;
use super::spinel::Way;
use crate::mcu::Board;
use crate::stack::ieee802154::{Address, Node};

/// Something that went wrong in a station and has a name; what its MAC tells comes besides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Incident {
    /// A datagram was refused: no message buffer was left.
    NoBuffers,
    /// A datagram was dropped: the direct transmit queue was full.
    QueueFull,
    /// A datagram was dropped: it had waited too long.
    DroppedLate,
    /// A frame was given up on, and its datagram with it.
    DatagramLost,
    /// A frame was heard and dropped: the co-processor's buffer was full.
    CoProcessorFull,
    /// A frame came that is not secured with the network's key, or that had come before.
    SecurityError,
    /// A fragment came that continues no datagram.
    OrphanFragment,
    /// A datagram was not whole in time.
    FragmentTimeout,
}

impl Incident {
    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::NoBuffers => "no message buffers",
            Self::QueueFull => "transmit queue full",
            Self::DroppedLate => "dropped late",
            Self::DatagramLost => "datagram given up",
            Self::CoProcessorFull => "co-processor buffer full",
            Self::SecurityError => "security error",
            Self::OrphanFragment => "orphan fragment",
            Self::FragmentTimeout => "fragment timeout",
        }
    }
}

/// A board with its stack. Its tasks run for as long as the simulation.
pub struct Station {
    pub(super) this: Weak<Self>,
    pub(super) board: Board,
    pub(super) node: Rc<Node>,
    pub(super) config: Config,
    pub(super) keys: Keys,
    /// Of the next frame sent, and of the last one taken.
    pub(super) counter: Cell<u32>,
    pub(super) taken: Cell<Option<u32>>,
    pub(super) tag: Cell<u16>,
    pub(super) queue: RefCell<Queue>,
    /// Raised when there is something to send, and when there is room for more.
    pub(super) news: Notice,
    pub(super) room: Notice,
    pub(super) reassembly: RefCell<Reassembly>,
    /// Datagrams for the program.
    pub(super) inbox: RefCell<VecDeque<Vec<u8>>>,
    pub(super) arrived: Notice,
    /// Both ways of a co-processor's line.
    pub(super) down: RefCell<Way>,
    pub(super) up: RefCell<Way>,
    /// Until when the processor has something to do.
    busy: Cell<Instant>,
    observer: Box<dyn Fn(Incident)>,
}

impl Station {
    /// The station on `board` whose radio is `node`; `observer` is told of every incident.
    #[must_use]
    pub fn start(
        board: &Board,
        node: &Rc<Node>,
        config: Config,
        observer: impl Fn(Incident) + 'static,
    ) -> Rc<Self> {
        let sim = board.sim();
        let station = Rc::new_cyclic(|this| Self {
            this: Weak::clone(this),
            board: board.clone(),
            node: Rc::clone(node),
            config,
            keys: Keys::new(NETWORK_KEY, 0),
            counter: Cell::new(1),
            taken: Cell::new(None),
            tag: Cell::new(1),
            queue: RefCell::new(Queue::new(config.limits)),
            news: Notice::new(sim),
            room: Notice::new(sim),
            reassembly: RefCell::default(),
            inbox: RefCell::default(),
            arrived: Notice::new(sim),
            down: RefCell::new(Way::new()),
            up: RefCell::new(Way::new()),
            busy: Cell::new(Instant::START),
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

    /// Hands over a datagram; false if the program is told that there is no room.
    pub(super) async fn offer(&self, payload: &[u8]) -> bool {
        let since = self.board.sim().now();
        let taken = loop {
            let now = self.board.sim().now();
            let (outcome, late) = self.queue.borrow_mut().push(payload, now);
            (0..late).for_each(|_| self.tell(Incident::DroppedLate));
            match (outcome, self.config.when_full) {
                (Ok(()), _) => break true,
                (Err(_), WhenFull::Wait) => self.room.wait().await,
                (Err(Refused::NoBuffers), WhenFull::Refuse) => {
                    self.tell(Incident::NoBuffers);
                    break false;
                }
                // The call succeeds all the same.
                (Err(Refused::QueueFull), WhenFull::Refuse) => {
                    self.tell(Incident::QueueFull);
                    break true;
                }
            }
        };
        self.board.span(&slices::BUFFER_WAIT, since, self.board.sim().now());
        self.news.raise();
        taken
    }

    /// Addresses of what it sends.
    pub(super) fn outward(&self) -> Ends {
        Ends { from: self.address(), to: self.config.peer }
    }

    /// Addresses of what it is sent.
    pub(super) fn inward(&self) -> Ends {
        Ends { from: self.config.peer, to: self.address() }
    }

    fn address(&self) -> u64 {
        match self.node.config().address {
            Address::Extended(address) => address,
            Address::Short(address) => u64::from(address),
        }
    }

    /// Has the processor do something, after what it is doing.
    pub(super) async fn compute(&self, what: &'static Slice, cost: Duration) {
        if cost.is_zero() {
            return;
        }
        let begin = self.busy.get().max(self.board.sim().now());
        let end = self.board.clock().after(begin, cost);
        self.busy.set(end);
        self.board.span(what, begin, end);
        self.board.sim().sleep_until(end).await;
    }

    pub(super) fn tell(&self, incident: Incident) {
        (self.observer)(incident);
    }
}
