//! A radio with its MAC: states and transitions.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::rc::{Rc, Weak};

use airlag_air::{Band, Medium, Modulation, NodeId, Radio, Reception};
use airlag_link::airtime::ieee802154::{ACK_PSDU, CCA_SYMBOLS, UNIT_BACKOFF_SYMBOLS};
use airlag_sim::channel::Notice;
use airlag_sim::meter::State as Draws;
use airlag_sim::{Clock, Duration, Instant, Sim, Slice, Stream, Timed, Timers, Track};

use super::config::Config;
use super::frame::{Address, Header};
use crate::observer::Observer;
use crate::stack::frames::Taken;

/// Outcome of a frame from the sender's point of view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The frame was sent without requesting an acknowledgement.
    Sent,
    /// The frame was acknowledged.
    Acknowledged,
    /// Every channel assessment found the channel busy (`CHANNEL_ACCESS_FAILURE`).
    ChannelAccessFailure,
    /// All attempts remained unacknowledged (`NO_ACK`).
    NoAck,
}

/// Counters of a node.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Data frames put on the air, retries included.
    pub frames: u64,
    /// Number of retries among the data frames put on the air.
    pub retries: u64,
    /// Frames of this node that were acknowledged.
    pub acknowledged: u64,
    /// Frames given up because the channel was never clear.
    pub channel_access_failures: u64,
    /// Frames given up without an acknowledgement.
    pub no_acks: u64,
    /// Channel assessments that found the channel busy.
    pub busy: u64,
    /// Data frames for this node that arrived intact, duplicates included.
    pub received: u64,
    /// Number of duplicates among them, which are not passed to the program.
    pub duplicates: u64,
    /// Number of frames among them dropped because the queue was full.
    pub overflows: u64,
}

/// A named incident. It is a result and not an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Incident {
    /// Retransmission of an unacknowledged frame.
    Retry,
    /// A frame was given up because the channel was never clear.
    ChannelAccessFailure,
    /// A frame was given up without an acknowledgement.
    NoAck,
    /// A duplicate of the previous frame was dropped.
    Duplicate,
    /// A frame was dropped because the queue was full.
    BufferOverflow,
}

impl Incident {
    /// Name of the incident.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Retry => "retry",
            Self::ChannelAccessFailure => "channel access failure",
            Self::NoAck => "no acknowledgement",
            Self::Duplicate => "duplicate",
            Self::BufferOverflow => "buffer overflow",
        }
    }
}

/// State of the sending side. Where the channel is not observed, the phase ends when its timer
/// fires.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Phase {
    Idle,
    /// Wait until the radio is free after an acknowledgement or the interframe space, or until a
    /// retry begins.
    Hold,
    /// Backoff of software that does not observe the radio.
    BackOff,
    /// Wait until the radio is free after such a backoff.
    Free,
    /// Backoff, followed by the clear channel assessment.
    Assess {
        from: Instant,
    },
    Turnaround,
    Transmit,
    /// From the start of the frame. Reception is impossible until its end.
    AwaitAck,
}

/// Timers, in the low bits of a token; the generation is above.
mod timer {
    pub(super) const PHASE: u64 = 0;
    pub(super) const REPLY: u64 = 1;
    pub(super) const DOZE: u64 = 2;
    pub(super) const BITS: u32 = 2;
    pub(super) const KIND: u64 = 0b11;
}

/// Encodes a frame that begins at the given time.
pub(super) type Encode = Box<dyn Fn(Instant) -> Option<Rc<[u8]>>>;
/// Encodes the acknowledgement of a received frame. `None`: that of the 2006 edition.
type Answer = Box<dyn Fn(&Asked<'_>) -> Option<Rc<[u8]>>>;

/// A received frame that requests an acknowledgement.
pub struct Asked<'a> {
    /// Header of the frame.
    pub header: &'a Header,
    /// Data between the header and the FCS.
    pub body: &'a [u8],
    /// First symbol of the frame.
    pub begin: Instant,
    /// First symbol of its acknowledgement.
    pub answered: Instant,
}

/// Receiver of a node that rests, between the times at which it is on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Window {
    /// Number of times that the receiver was switched on.
    pub(super) nth: u64,
    /// Whether it is switched off after the next frame for this node.
    pub(super) once: bool,
    /// Whether it is switched off at the end of the current frame.
    pub(super) closing: bool,
}

pub(super) struct State {
    pub(super) phase: Phase,
    pub(super) generation: u64,
    /// Frame being sent, kept for its retries.
    pub(super) outgoing: Option<Rc<[u8]>>,
    /// Whether that frame requests an acknowledgement, and an enhanced one.
    pub(super) ack_request: bool,
    pub(super) enhanced: bool,
    /// Whether the wait for its acknowledgement was extended by one that has begun.
    pub(super) extended: bool,
    /// Encodes the frame when it begins, if its content depends on that time.
    pub(super) encode: Option<Encode>,
    /// Time at which the frame has to begin.
    pub(super) at: Option<Instant>,
    pub(super) retries: u8,
    pub(super) max_retries: u8,
    /// `NB` and `BE` of the algorithm in 7.5.1.4.
    pub(super) backoffs: u8,
    pub(super) exponent: u8,
    /// Backoff exponent before the next retry.
    pub(super) retry_exponent: u8,
    pub(super) sequence: u8,
    pub(super) outcome: Option<Outcome>,
    /// Start of reception. A frame that started earlier is missed, because the radio was sending or
    /// turning around.
    pub(super) listening_from: Instant,
    /// End of the current or pending acknowledgement.
    pub(super) reply_until: Instant,
    pub(super) reply_to: u8,
    /// An acknowledgement other than that of the 2006 edition.
    pub(super) reply: Option<Rc<[u8]>>,
    /// Acknowledgement of the last frame, if it has more than a sequence number.
    pub(super) ack: Option<(Instant, Rc<[u8]>)>,
    pub(super) window: Window,
    /// End of the interframe space.
    pub(super) quiet_until: Instant,
    /// End of the last frame in the band, decodable or not.
    pub(super) energy_until: Instant,
    /// Complete frames for the program.
    pub(super) inbox: VecDeque<Rc<[u8]>>,
    pub(super) taken: Taken<Address, u8>,
    pub(super) backoff: Stream,
    pub(super) retry: Stream,
}

/// MAC times on this channel.
#[derive(Clone, Copy)]
pub(super) struct Times {
    pub(super) unit_backoff: Duration,
    pub(super) cca: Duration,
    pub(super) ack: Duration,
    pub(super) ack_wait: Duration,
}

/// A radio with its MAC.
pub struct Node {
    timers: Timers,
    pub(super) sim: Sim,
    pub(super) medium: Medium,
    pub(super) id: NodeId,
    pub(super) clock: Clock,
    pub(super) track: Track,
    pub(super) config: Config,
    pub(super) band: Band,
    pub(super) modulation: Modulation,
    pub(super) times: Times,
    pub(super) state: RefCell<State>,
    pub(super) counts: Cell<Counts>,
    pub(super) done: Notice,
    pub(super) arrived: Notice,
    /// Whether its receiver is off while it is idle.
    pub(super) rests: Cell<bool>,
    pub(super) answer: RefCell<Option<Answer>>,
    observer: Observer<Incident>,
}

impl Node {
    /// Creates a node called `name` on `medium`.
    #[must_use]
    pub fn new(medium: &Medium, name: &str, sim: &Sim, clock: Clock, config: Config) -> Rc<Self> {
        Self::at(medium, medium.join(name), name, sim, clock, config)
    }

    /// Creates a node for `id`, which has joined `medium`.
    #[must_use]
    pub fn at(
        medium: &Medium,
        id: NodeId,
        name: &str,
        sim: &Sim,
        clock: Clock,
        config: Config,
    ) -> Rc<Self> {
        // It listens whenever it does not send.
        medium.enter(id, Draws::Receive);
        let phy = config.phy();
        let symbols = |count| Duration::from_ns(phy.symbols_ns(count));
        let times = Times {
            unit_backoff: symbols(UNIT_BACKOFF_SYMBOLS),
            cca: symbols(CCA_SYMBOLS),
            ack: Duration::from_ns(phy.duration_ns(ACK_PSDU)),
            ack_wait: Duration::from_ns(phy.ack_wait_ns()),
        };
        let state = State {
            phase: Phase::Idle,
            generation: 0,
            outgoing: None,
            ack_request: false,
            enhanced: false,
            extended: false,
            encode: None,
            at: None,
            retries: 0,
            max_retries: 0,
            backoffs: 0,
            exponent: 0,
            retry_exponent: 0,
            sequence: 0,
            outcome: None,
            listening_from: Instant::START,
            reply_until: Instant::START,
            reply_to: 0,
            reply: None,
            ack: None,
            window: Window::default(),
            quiet_until: Instant::START,
            energy_until: Instant::START,
            inbox: VecDeque::new(),
            taken: Taken::new(),
            backoff: sim.stream(&format!("{name}/backoff")),
            retry: sim.stream(&format!("{name}/retry")),
        };
        let node = Rc::new_cyclic(|this| Self {
            timers: sim.timers(this),
            sim: sim.clone(),
            medium: medium.clone(),
            id,
            clock,
            track: sim.track(name),
            config,
            band: config.channel.band(),
            modulation: config.channel.modulation(),
            times,
            state: RefCell::new(state),
            counts: Cell::default(),
            done: Notice::new(sim),
            arrived: Notice::new(sim),
            rests: Cell::new(false),
            answer: RefCell::new(None),
            observer: Observer::none(),
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

    /// Counters so far.
    #[must_use]
    pub fn counts(&self) -> Counts {
        self.counts.get()
    }

    /// Sets the observer of incidents, replacing the previous one.
    pub fn observe(&self, observer: impl Fn(Incident) + 'static) {
        self.observer.set(observer);
    }

    /// Disables reception and acknowledgement until the given time, because the program has
    /// stopped.
    pub fn deafen(&self, until: Instant) {
        let mut state = self.state.borrow_mut();
        state.listening_from = state.listening_from.max(until);
    }

    pub(super) fn record(&self, incident: Incident) {
        self.count(|counts| match incident {
            Incident::Retry => counts.retries += 1,
            Incident::ChannelAccessFailure => counts.channel_access_failures += 1,
            Incident::NoAck => counts.no_acks += 1,
            Incident::Duplicate => counts.duplicates += 1,
            Incident::BufferOverflow => counts.overflows += 1,
        });
        self.observer.record(incident);
    }

    pub(super) fn count(&self, change: impl FnOnce(&mut Counts)) {
        let mut counts = self.counts.get();
        change(&mut counts);
        self.counts.set(counts);
    }

    /// Enters a phase that ends at `at` unless another event ends it earlier.
    pub(super) fn enter(&self, state: &mut State, phase: Phase, at: Instant) {
        state.phase = phase;
        state.generation += 1;
        self.set(timer::PHASE, state.generation, at);
    }

    pub(super) fn set_reply(&self, at: Instant) {
        self.set(timer::REPLY, 0, at);
    }

    /// Sets the time at which the receiver that was switched on as the `nth` is switched off.
    pub(super) fn set_doze(&self, nth: u64, at: Instant) {
        self.set(timer::DOZE, nth, at);
    }

    fn set(&self, kind: u64, generation: u64, at: Instant) {
        self.timers.set(at, generation << timer::BITS | kind);
    }

    pub(super) fn span(&self, what: &'static Slice, begin: Instant, end: Instant) {
        self.sim.span(self.track, what, begin, end);
    }
}

impl Timed for Node {
    fn due(self: Rc<Self>, token: u64) {
        let (kind, generation) = (token & timer::KIND, token >> timer::BITS);
        let mut state = self.state.borrow_mut();
        match kind {
            timer::REPLY => self.send_ack(&mut state),
            timer::DOZE => self.window_over(&mut state, generation),
            _ if generation == state.generation => self.phase_over(&mut state),
            _ => {}
        }
    }
}

impl Radio for Node {
    fn frame_ended(&self, reception: &Reception<'_>) {
        self.heard(&mut self.state.borrow_mut(), reception);
    }
}
