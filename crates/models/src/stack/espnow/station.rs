//! A radio with its MAC: what state it is in, and which events move it.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::rc::{Rc, Weak};

use airlag_air::{Band, Medium, NodeId, Radio, Reception};
use airlag_link::airtime::wifi::TIME_UNIT_NS;
use airlag_sim::channel::Notice;
use airlag_sim::{Clock, Duration, Instant, Sim, Slice, Stream, Timed, Track};

use super::config::Config;
use super::frame::Address;

/// What became of a frame, as its sender knows: what the send callback is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It was acknowledged.
    Acknowledged,
    /// It was sent as often as it may and never acknowledged.
    Failed,
}

/// Something that went wrong and has a name. A result, not an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Incident {
    /// A frame is sent again, because it was not acknowledged.
    Retry,
    /// A frame was given up on.
    NoAck,
    /// A frame waits, because the medium is busy.
    Deferral,
    /// A copy of the frame before came and was dropped.
    Duplicate,
    /// A frame came and the program's queue was full.
    QueueFull,
}

impl Incident {
    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Retry => "retry",
            Self::NoAck => "no acknowledgement",
            Self::Deferral => "deferral",
            Self::Duplicate => "duplicate",
            Self::QueueFull => "queue full",
        }
    }
}

/// What a station counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Data frames put on the air, retries included.
    pub frames: u64,
    /// Of these, retries.
    pub retries: u64,
    /// Frames acknowledged to us.
    pub acknowledged: u64,
    /// Frames given up on.
    pub failed: u64,
    /// Beacons put on the air.
    pub beacons: u64,
    /// Data frames for us that came whole, copies included.
    pub received: u64,
    /// Of these, copies.
    pub duplicates: u64,
    /// Of these, frames for which there was no room.
    pub overflows: u64,
    /// Times a frame had to wait for the medium.
    pub deferrals: u64,
}

/// What waits to be sent.
#[derive(Clone, Debug)]
pub(super) enum Job {
    Beacon,
    Data { body: Rc<[u8]>, random: [u8; 4] },
}

/// What the station is doing about the first job of its queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Phase {
    Idle,
    /// The interframe space and the backoff behind it run; slots count from `from`.
    Count {
        from: Instant,
    },
    /// The medium is busy.
    Defer {
        since: Instant,
    },
    Transmit,
    /// From the beginning of the frame: until it ends nothing can be heard.
    AwaitAck,
    /// The window is over, and something is coming in.
    AckComing,
}

mod timer {
    pub(super) const PHASE: u64 = 0;
    pub(super) const REPLY: u64 = 1;
    pub(super) const BEACON: u64 = 2;
    pub(super) const BITS: u32 = 2;
}

type Observer = Box<dyn Fn(Incident)>;

pub(super) struct State {
    pub(super) phase: Phase,
    pub(super) generation: u64,
    pub(super) queue: VecDeque<Job>,
    /// Slots left to wait, if a backoff was drawn.
    pub(super) slots: Option<u64>,
    /// Contention window.
    pub(super) window: u64,
    pub(super) retries: u8,
    /// Sequence number of the first job, once it has been on the air.
    pub(super) sequence: Option<u16>,
    pub(super) next_sequence: u16,
    /// When the first job began to contend, or the medium was last given back to it.
    pub(super) asked: Instant,
    /// The medium may be used from here on: DIFS or EIFS after its last frame.
    pub(super) free_from: Instant,
    /// A frame that began earlier is not heard: the station was sending.
    pub(super) listening_from: Instant,
    /// The acknowledgement being sent, or to be sent: to whom, when and until when.
    pub(super) reply: Option<Reply>,
    pub(super) outcome: Option<Outcome>,
    pub(super) inbox: VecDeque<Rc<[u8]>>,
    /// Sequence number last taken from each sender, ordered by sender.
    pub(super) last: Vec<(Address, u16)>,
    pub(super) backoff: Stream,
    pub(super) random: Stream,
}

#[derive(Clone, Copy)]
pub(super) struct Reply {
    pub(super) to: Address,
    pub(super) rate: airlag_link::airtime::wifi::Rate,
    pub(super) until: Instant,
}

/// A radio with its MAC.
pub struct Station {
    this: Weak<Self>,
    pub(super) sim: Sim,
    pub(super) medium: Medium,
    pub(super) id: NodeId,
    pub(super) clock: Clock,
    track: Track,
    pub(super) config: Config,
    pub(super) band: Band,
    pub(super) state: RefCell<State>,
    counts: Cell<Counts>,
    pub(super) done: Notice,
    pub(super) arrived: Notice,
    observer: RefCell<Option<Observer>>,
}

impl Station {
    /// A station called `name` on `medium`.
    #[must_use]
    pub fn new(medium: &Medium, name: &str, sim: &Sim, clock: Clock, config: Config) -> Rc<Self> {
        let id = medium.join(name);
        let state = State {
            phase: Phase::Idle,
            generation: 0,
            queue: VecDeque::new(),
            slots: None,
            window: u64::from(config.cw_min),
            retries: 0,
            sequence: None,
            next_sequence: 0,
            asked: Instant::START,
            free_from: Instant::START,
            listening_from: Instant::START,
            reply: None,
            outcome: None,
            inbox: VecDeque::new(),
            last: Vec::new(),
            backoff: sim.stream(&format!("{name}/backoff")),
            random: sim.stream(&format!("{name}/random values")),
        };
        let station = Rc::new_cyclic(|this| Self {
            this: Weak::clone(this),
            sim: sim.clone(),
            medium: medium.clone(),
            id,
            clock,
            track: sim.track(name),
            config,
            band: config.band(),
            state: RefCell::new(state),
            counts: Cell::default(),
            done: Notice::new(sim),
            arrived: Notice::new(sim),
            observer: RefCell::new(None),
        });
        let radio: Weak<dyn Radio> = Weak::clone(&station.this) as Weak<dyn Radio>;
        medium.attach(id, radio);
        if let Some(beacons) = config.beacons {
            station.set(timer::BEACON, 0, clock.after(sim.now(), beacons.phase));
        }
        station
    }

    /// Its place on the medium, to set what its paths do.
    #[must_use]
    pub const fn id(&self) -> NodeId {
        self.id
    }

    /// How it is set up.
    #[must_use]
    pub const fn config(&self) -> &Config {
        &self.config
    }

    /// What it counted so far.
    #[must_use]
    pub fn counts(&self) -> Counts {
        self.counts.get()
    }

    /// Tells `observer` of every incident, instead of whoever was told before.
    pub fn observe(&self, observer: impl Fn(Incident) + 'static) {
        *self.observer.borrow_mut() = Some(Box::new(observer));
    }

    pub(super) fn count(&self, change: impl FnOnce(&mut Counts)) {
        let mut counts = self.counts.get();
        change(&mut counts);
        self.counts.set(counts);
    }

    pub(super) fn tell(&self, incident: Incident) {
        self.count(|counts| match incident {
            Incident::Retry => counts.retries += 1,
            Incident::NoAck => counts.failed += 1,
            Incident::Deferral => counts.deferrals += 1,
            Incident::Duplicate => counts.duplicates += 1,
            Incident::QueueFull => counts.overflows += 1,
        });
        if let Some(observer) = &*self.observer.borrow() {
            observer(incident);
        }
    }

    /// Enters a phase that ends at `at` unless something else ends it first.
    pub(super) fn enter(&self, state: &mut State, phase: Phase, at: Instant) {
        self.stay(state, phase);
        self.set(timer::PHASE, state.generation, at);
    }

    /// Enters a phase that ends when something happens.
    pub(super) fn stay(&self, state: &mut State, phase: Phase) {
        state.phase = phase;
        state.generation += 1;
    }

    pub(super) fn set_reply(&self, at: Instant) {
        self.set(timer::REPLY, 0, at);
    }

    fn set(&self, kind: u64, number: u64, at: Instant) {
        if let Some(this) = self.this.upgrade() {
            self.sim.timer(at, this, number << timer::BITS | kind);
        }
    }

    pub(super) fn span(&self, what: &'static Slice, begin: Instant, end: Instant) {
        self.sim.span(self.track, what, begin, end);
    }

    /// The beacon number `nth` is due (10.1.3.2: at whole multiples of the interval, however late
    /// the one before was sent).
    fn beacon_due(&self, state: &mut State, nth: u64) {
        let Some(beacons) = self.config.beacons else { return };
        let interval = Duration::from_ns(u64::from(beacons.interval_tu.max(1)) * TIME_UNIT_NS);
        let next = self.clock.after(Instant::START, beacons.phase + interval * (nth + 1));
        self.set(timer::BEACON, nth + 1, next);
        let waiting = matches!(state.queue.front(), Some(Job::Beacon))
            || matches!(state.queue.get(1), Some(Job::Beacon));
        if !waiting {
            self.ask(state, Job::Beacon);
        }
    }
}

impl Timed for Station {
    fn due(self: Rc<Self>, token: u64) {
        let (kind, number) = (token & ((1 << timer::BITS) - 1), token >> timer::BITS);
        let mut state = self.state.borrow_mut();
        match kind {
            timer::REPLY => self.send_ack(&mut state),
            timer::BEACON => self.beacon_due(&mut state, number),
            _ if number == state.generation => self.phase_over(&mut state),
            _ => {}
        }
    }
}

impl Radio for Station {
    fn frame_ended(&self, reception: &Reception<'_>) {
        self.heard(&mut self.state.borrow_mut(), reception);
    }
}
