//! The distributed coordination function (IEEE Std 802.11-2012, 9.3): a radio that contends for the
//! medium, sends frames, retransmits unacknowledged ones, and acknowledges received ones.
//!
//! Users submit frames with [`Access::ask`] and get outcomes and received frames through [`Upper`].
//! [`contend`], [`exchange`] and [`receive`] are its parts.
//!
//! ```text
//!  sender    space │ backoff, if it was busy │ frame │             acknowledgement │ space │ …
//!  receiver                                  │ frame │ SIFS │ ACK │
//! ```
//!
//! Not modelled: virtual carrier sense, RTS, fragmentation, aggregation, and rate control. Virtual
//! carrier sense is not needed: the only idle time that a frame reserves is the SIFS, and other
//! stations do not send within a SIFS, because the interframe space is longer. The model of the
//! medium accounts for signal strength. A station that waits for an acknowledgement receives no
//! other frame.

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
use airlag_sim::{Clock, Instant, Sim, Slice, Stream, Timed, Timers, Track};

use super::frame::Address;
use crate::observer::Observer;
use crate::stack::frames::Taken;
pub use config::{Config, Unreadable, channel_band, modulation, rate_of};

/// Outcome of a frame from the sender's point of view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The frame was acknowledged.
    Acknowledged,
    /// All attempts remained unacknowledged.
    Failed,
}

/// A named incident. It is a result and not an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Incident {
    /// Retransmission of an unacknowledged frame.
    Retry,
    /// The radio gave up a frame, because no acknowledgement arrived.
    NoAck,
    /// A frame waits because the medium is busy.
    Deferral,
    /// A duplicate of the previous frame was dropped.
    Duplicate,
    /// A frame was dropped because a queue behind the radio was full.
    QueueFull,
    /// A sleeping station missed the beacon for which it woke.
    MissedBeacon,
}

impl Incident {
    /// Name of the incident.
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

/// Counters of a radio.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Unicast frames on the air, retries included.
    pub frames: u64,
    /// Number of retries among the unicast frames on the air.
    pub retries: u64,
    /// Frames of this radio that were acknowledged.
    pub acknowledged: u64,
    /// Number of frames that the radio gave up.
    pub failed: u64,
    /// Broadcast frames on the air: beacons.
    pub beacons: u64,
    /// Unicast frames for this radio that arrived intact, duplicates included.
    pub received: u64,
    /// Number of duplicates among the received unicast frames.
    pub duplicates: u64,
    /// Number of frames that were dropped because a queue behind the radio was full.
    pub overflows: u64,
    /// Number of times that a frame waited for the medium.
    pub deferrals: u64,
    /// Number of beacons that a sleeping station missed although it woke for them.
    pub missed_beacons: u64,
}

/// A frame to send.
#[derive(Clone, Debug)]
pub struct Outgoing {
    /// Frame without FCS; sequence number, retry flag and duration are filled in on transmission. A
    /// frame to a group address is not acknowledged.
    pub mpdu: Vec<u8>,
    /// Rate of the first attempt.
    pub rate: Rate,
    /// Rate of all further attempts.
    pub retry_rate: Rate,
    /// Whether the frame is a beacon. A beacon is sent before all frames that are not on the air
    /// yet, and gets its time stamp when it is sent.
    pub beacon: bool,
    /// Time slice of its transmission.
    pub slice: &'static Slice,
    /// Identifier for [`Upper::finished`].
    pub token: u64,
}

impl Outgoing {
    fn is_for_a_group(&self) -> bool {
        self.mpdu.get(4).is_some_and(|first| first & 1 != 0)
    }
}

/// User of a radio. Its methods are called while the radio is idle, so they may submit frames.
pub trait Upper {
    /// Called when the frame with this token is finished. `outcome` is `None` if the outcome is
    /// unknown.
    fn finished(&self, token: u64, outcome: Option<Outcome>);

    /// Called when a frame for this radio or for all radios was received, intact and not a
    /// duplicate.
    fn received(&self, mpdu: &[u8]);
}

/// State of the first frame in the queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    Idle,
    /// The interframe space and the backoff after it are running; slots count from `from`.
    Count {
        from: Instant,
    },
    /// The medium is busy.
    Defer {
        since: Instant,
    },
    Transmit,
    /// From the start of the frame. Reception is impossible until its end.
    AwaitAck,
    /// The window is over, and a frame is being received.
    AckComing,
}

mod timer {
    pub(super) const PHASE: u64 = 0;
    pub(super) const REPLY: u64 = 1;
    pub(super) const BITS: u32 = 1;
}

/// A pending notification of the radio's user.
enum Event {
    Finished(u64, Option<Outcome>),
    Received(Rc<[u8]>),
}

struct State {
    phase: Phase,
    generation: u64,
    queue: VecDeque<Outgoing>,
    /// Remaining backoff slots, if a backoff was drawn.
    slots: Option<u64>,
    /// Contention window.
    window: u64,
    retries: u8,
    /// Sequence number of the first frame, once it has been on the air.
    sequence: Option<u16>,
    next_sequence: u16,
    /// Time at which the first frame started to contend, or resumed after the medium was busy.
    asked: Instant,
    /// Earliest instant at which the medium may be used: one interframe space after the last frame
    /// on it.
    free_from: Instant,
    /// Start of reception. A frame that started earlier is missed, because the radio was sending or
    /// off.
    listening_from: Instant,
    /// The current or pending acknowledgement: destination, start and end.
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
    timers: Timers,
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
    observer: Observer<Incident>,
}

impl Access {
    /// Creates a radio called `name` on `medium`.
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
            timers: sim.timers(this),
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
            observer: Observer::none(),
        });
        let radio: Weak<Self> = Rc::downgrade(&access);
        medium.attach(id, radio);
        access
    }

    /// Sets the user of the radio.
    pub fn serve(&self, upper: Weak<dyn Upper>) {
        *self.upper.borrow_mut() = Some(upper);
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

    /// Clock of the radio.
    #[must_use]
    pub const fn clock(&self) -> &Clock {
        &self.clock
    }

    /// Virtual time.
    #[must_use]
    pub const fn sim(&self) -> &Sim {
        &self.sim
    }

    /// Counters so far.
    #[must_use]
    pub fn counts(&self) -> Counts {
        self.counts.get()
    }

    /// Sets the observer of incidents, replacing the previous one.
    pub fn observe(&self, observer: impl Fn(Incident) + 'static) {
        self.observer.set(observer);
    }

    /// Submits a frame.
    pub fn ask(&self, frame: Outgoing) {
        self.contend_for(&mut self.state.borrow_mut(), frame);
        self.pass_on();
    }

    /// Switches the receiver off unless the radio is busy. Returns true if it is off now.
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

    /// Counts an incident of the radio or of its user.
    pub fn record(&self, incident: Incident) {
        self.count(|counts| match incident {
            Incident::Retry => counts.retries += 1,
            Incident::NoAck => counts.failed += 1,
            Incident::Deferral => counts.deferrals += 1,
            Incident::Duplicate => counts.duplicates += 1,
            Incident::QueueFull => counts.overflows += 1,
            Incident::MissedBeacon => counts.missed_beacons += 1,
        });
        self.observer.record(incident);
    }

    /// Delivers pending notifications to the user of the radio, one after the other.
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

    /// Enters a phase that ends at `at` unless another event ends it earlier.
    fn enter(&self, state: &mut State, phase: Phase, at: Instant) {
        Self::stay(state, phase);
        self.set(timer::PHASE, state.generation, at);
    }

    /// Enters a phase that an event ends.
    fn stay(state: &mut State, phase: Phase) {
        state.phase = phase;
        state.generation += 1;
    }

    fn set(&self, kind: u64, number: u64, at: Instant) {
        self.timers.set(at, number << timer::BITS | kind);
    }

    /// Records a time slice of the radio.
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
