//! The distributed coordination function (IEEE Std 802.11-2012, 9.3): a radio that contends for the
//! medium, sends frames, repeats those nobody acknowledges, and acknowledges those it gets.
//!
//! Whoever has one hands frames down with [`Access::ask`] and is told what became of them, and what
//! came, through [`Upper`]. [`contend`], [`exchange`] and [`receive`] are its parts.
//!
//! ```text
//!  sender    space │ backoff, if it was busy │ frame │             acknowledgement │ space │ …
//!  receiver                                  │ frame │ SIFS │ ACK │
//! ```
//!
//! What it leaves out: the virtual carrier (frames are announced no further ahead than the SIFS that
//! the interframe space covers), RTS, fragments and aggregates, rate control. Signal strength is the
//! medium's to leave out. A station that waits for an acknowledgement takes in no other frame.

pub mod config;
mod contend;
mod exchange;
mod receive;

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::rc::{Rc, Weak};

use airlag_air::{Medium, NodeId, Radio, Reception};
use airlag_link::airtime::wifi::Rate;
use airlag_sim::meter::State as Draws;
use airlag_sim::{Clock, Instant, Sim, Slice, Stream, Timed, Track};

use super::frame::Address;
use crate::stack::frames::Taken;
pub use config::{Config, Unreadable, channel_band, modulation, rate_of};

/// What became of a frame, as its sender knows.
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
    /// A frame came and a queue behind the radio was full.
    QueueFull,
    /// A station that sleeps did not receive the beacon it woke for.
    MissedBeacon,
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
            Self::MissedBeacon => "missed beacon",
        }
    }
}

/// What a radio counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Frames to a single receiver put on the air, retries included.
    pub frames: u64,
    /// Of these, retries.
    pub retries: u64,
    /// Frames acknowledged to us.
    pub acknowledged: u64,
    /// Frames given up on.
    pub failed: u64,
    /// Frames to everybody put on the air: beacons.
    pub beacons: u64,
    /// Frames for us alone that came whole, copies included.
    pub received: u64,
    /// Of these, copies.
    pub duplicates: u64,
    /// Of these, frames for which there was no room behind the radio.
    pub overflows: u64,
    /// Times a frame had to wait for the medium.
    pub deferrals: u64,
    /// Beacons that a station which sleeps woke for and did not receive.
    pub missed_beacons: u64,
}

/// A frame to be sent.
#[derive(Clone, Debug)]
pub struct Outgoing {
    /// All but its check; sequence number, retry flag and duration are filled in as it leaves. Where
    /// its first address is that of a group nobody acknowledges it.
    pub mpdu: Vec<u8>,
    /// Of the first attempt.
    pub rate: Rate,
    /// Of every other.
    pub retry_rate: Rate,
    /// Goes before everything that is not on the air yet, and gets the time it leaves at.
    pub beacon: bool,
    /// What being on the air is to its sender.
    pub slice: &'static Slice,
    /// What [`Upper::finished`] will call it.
    pub token: u64,
}

impl Outgoing {
    fn is_for_a_group(&self) -> bool {
        self.mpdu.get(4).is_some_and(|first| first & 1 != 0)
    }
}

/// Who uses a radio. Nothing of it is called while the radio is at work: it may ask for more.
pub trait Upper {
    /// The frame with this token is done with; there is no outcome where none can be known.
    fn finished(&self, token: u64, outcome: Option<Outcome>);

    /// A frame for us or for everybody, whole and not a copy.
    fn received(&self, mpdu: &[u8]);
}

/// What the radio is doing about the first frame of its queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
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
    pub(super) const BITS: u32 = 1;
}

type Observer = Box<dyn Fn(Incident)>;

/// What the user of the radio has yet to be told.
enum Event {
    Finished(u64, Option<Outcome>),
    Received(Rc<[u8]>),
}

struct State {
    phase: Phase,
    generation: u64,
    queue: VecDeque<Outgoing>,
    /// Slots left to wait, if a backoff was drawn.
    slots: Option<u64>,
    /// Contention window.
    window: u64,
    retries: u8,
    /// Sequence number of the first frame, once it has been on the air.
    sequence: Option<u16>,
    next_sequence: u16,
    /// When the first frame began to contend, or the medium was last given back to it.
    asked: Instant,
    /// The medium may be used from here on: an interframe space after its last frame.
    free_from: Instant,
    /// A frame that began earlier is not heard: the radio was sending, or off.
    listening_from: Instant,
    /// The acknowledgement being sent, or to be sent: to whom, when and until when.
    reply: Option<Reply>,
    taken: Taken<Address, u16>,
    backoff: Stream,
    events: VecDeque<Event>,
}

#[derive(Clone, Copy)]
struct Reply {
    to: Address,
    rate: Rate,
    until: Instant,
}

/// A radio that contends for the medium.
pub struct Access {
    this: Weak<Self>,
    sim: Sim,
    medium: Medium,
    id: NodeId,
    clock: Clock,
    track: Track,
    config: Config,
    state: RefCell<State>,
    counts: Cell<Counts>,
    upper: RefCell<Option<Weak<dyn Upper>>>,
    telling: Cell<bool>,
    observer: RefCell<Option<Observer>>,
}

impl Access {
    /// A radio called `name` on `medium`.
    #[must_use]
    pub fn new(medium: &Medium, name: &str, sim: &Sim, clock: Clock, config: Config) -> Rc<Self> {
        let id = medium.join(name);
        medium.enter(id, Draws::Receive);
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
            taken: Taken::new(),
            backoff: sim.stream(&format!("{name}/backoff")),
            events: VecDeque::new(),
        };
        let access = Rc::new_cyclic(|this| Self {
            this: Weak::clone(this),
            sim: sim.clone(),
            medium: medium.clone(),
            id,
            clock,
            track: sim.track(name),
            config,
            state: RefCell::new(state),
            counts: Cell::default(),
            upper: RefCell::new(None),
            telling: Cell::new(false),
            observer: RefCell::new(None),
        });
        let radio: Weak<dyn Radio> = Weak::clone(&access.this) as Weak<dyn Radio>;
        medium.attach(id, radio);
        access
    }

    /// Says who uses it.
    pub fn serve(&self, upper: Weak<dyn Upper>) {
        *self.upper.borrow_mut() = Some(upper);
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

    /// Its own idea of time.
    #[must_use]
    pub const fn clock(&self) -> &Clock {
        &self.clock
    }

    /// Virtual time.
    #[must_use]
    pub const fn sim(&self) -> &Sim {
        &self.sim
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

    /// Hands a frame down.
    pub fn ask(&self, frame: Outgoing) {
        self.contend_for(&mut self.state.borrow_mut(), frame);
        self.pass_on();
    }

    /// Switches the receiver off, unless the radio has something to do. True if it is off now.
    pub fn doze(&self) -> bool {
        let mut state = self.state.borrow_mut();
        let idle = state.phase == Phase::Idle && state.queue.is_empty() && state.reply.is_none();
        if idle {
            state.listening_from = Instant::FOREVER;
            self.medium.enter(self.id, Draws::PowerDown);
        }
        idle
    }

    /// Switches the receiver on, if it is off.
    pub fn wake(&self) {
        let mut state = self.state.borrow_mut();
        if state.listening_from == Instant::FOREVER {
            state.listening_from = self.sim.now();
            self.medium.enter(self.id, Draws::Receive);
        }
    }

    fn count(&self, change: impl FnOnce(&mut Counts)) {
        let mut counts = self.counts.get();
        change(&mut counts);
        self.counts.set(counts);
    }

    /// Counts what went wrong here, or behind the radio.
    pub fn tell(&self, incident: Incident) {
        self.count(|counts| match incident {
            Incident::Retry => counts.retries += 1,
            Incident::NoAck => counts.failed += 1,
            Incident::Deferral => counts.deferrals += 1,
            Incident::Duplicate => counts.duplicates += 1,
            Incident::QueueFull => counts.overflows += 1,
            Incident::MissedBeacon => counts.missed_beacons += 1,
        });
        if let Some(observer) = &*self.observer.borrow() {
            observer(incident);
        }
    }

    /// Tells the user of the radio what there is, one thing after the other.
    fn pass_on(&self) {
        if self.telling.replace(true) {
            return;
        }
        loop {
            let next = self.state.borrow_mut().events.pop_front();
            let Some(event) = next else { break };
            let upper = self.upper.borrow().as_ref().and_then(Weak::upgrade);
            let Some(upper) = upper else { continue };
            match event {
                Event::Finished(token, outcome) => upper.finished(token, outcome),
                Event::Received(mpdu) => upper.received(&mpdu),
            }
        }
        self.telling.set(false);
    }

    /// Enters a phase that ends at `at` unless something else ends it first.
    fn enter(&self, state: &mut State, phase: Phase, at: Instant) {
        Self::stay(state, phase);
        self.set(timer::PHASE, state.generation, at);
    }

    /// Enters a phase that ends when something happens.
    fn stay(state: &mut State, phase: Phase) {
        state.phase = phase;
        state.generation += 1;
    }

    fn set(&self, kind: u64, number: u64, at: Instant) {
        if let Some(this) = self.this.upgrade() {
            self.sim.timer(at, this, number << timer::BITS | kind);
        }
    }

    /// Records what the radio spent time on.
    pub fn span(&self, what: &'static Slice, begin: Instant, end: Instant) {
        self.sim.span(self.track, what, begin, end);
    }
}

impl Timed for Access {
    fn due(self: Rc<Self>, token: u64) {
        let (kind, number) = (token & ((1 << timer::BITS) - 1), token >> timer::BITS);
        let mut state = self.state.borrow_mut();
        match kind {
            timer::REPLY => self.send_ack(&mut state),
            _ if number == state.generation => self.phase_over(&mut state),
            _ => {}
        }
        drop(state);
        self.pass_on();
    }
}

impl Radio for Access {
    fn frame_ended(&self, reception: &Reception<'_>) {
        self.heard(&mut self.state.borrow_mut(), reception);
        self.pass_on();
    }
}
