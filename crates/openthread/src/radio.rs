//! A 2450 MHz transceiver with the interface that OpenThread requires.
//!
//! ```text
//!  sender    CCA │ turnaround │ frame │         await acknowledgement │ interframe space
//!  receiver                   │ frame │ turnaround │ acknowledgement │
//! ```
//!
//! The simulated transceiver filters addresses, performs one clear channel assessment per frame, sends
//! acknowledgements, and waits for acknowledgements, like the radio peripherals of chips. The transceiver
//! sets the frame pending bit of an acknowledgement according to its address table. OpenThread's own code
//! handles backoff and retries. The durations of assessments, turnarounds, frames and waits are those of
//! `airlag_link::airtime`, as in the profiles in `links/`.
//!
//! Not modelled: start-up from sleep, and crystal drift.

mod receive;
mod transmit;

use std::cell::{Cell, RefCell};
use std::rc::{Rc, Weak};

use airlag_air::{Medium, NodeId, Reception};
use airlag_link::airtime::ieee802154::{CCA_SYMBOLS, Phy, TURNAROUND_SYMBOLS};
use airlag_models::stack::ieee802154::Channel;
use airlag_sim::{Duration, Instant, Sim, Timed, Timers};

use crate::wire::{Identity, Listening, Sent, Waiting};

pub(crate) const PHY: Phy = Phy::Oqpsk2450;
const CCA: Duration = Duration::from_ns(PHY.symbols_ns(CCA_SYMBOLS));
const TURNAROUND: Duration = Duration::from_ns(PHY.symbols_ns(TURNAROUND_SYMBOLS));
const ACK_WAIT: Duration = Duration::from_ns(PHY.ack_wait_ns());

/// Owner of a transceiver.
pub trait Host {
    /// Receives a frame. `pending` is the frame pending bit of its acknowledgement.
    fn heard(&self, psdu: &[u8], pending: bool);

    /// Receives the outcome of a sent frame. `ack` is empty without an acknowledgement.
    fn sent(&self, outcome: Sent, ack: &[u8]);
}

/// Counters of a transceiver.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Sent frames, without acknowledgements.
    pub frames: u64,
    /// Sent frames that equal the previous one: retries.
    pub retries: u64,
    /// Frames without an acknowledgement.
    pub no_acks: u64,
    /// Channel assessments that found the channel busy.
    pub busy: u64,
    /// Octets of the PSDUs of the frames.
    pub octets: u64,
}

impl Counts {
    /// Sum of both.
    #[must_use]
    pub const fn plus(&self, other: &Self) -> Self {
        Self {
            frames: self.frames + other.frames,
            retries: self.retries + other.retries,
            no_acks: self.no_acks + other.no_acks,
            busy: self.busy + other.busy,
            octets: self.octets + other.octets,
        }
    }

    /// Difference to `earlier`.
    #[must_use]
    pub const fn less(&self, earlier: &Self) -> Self {
        Self {
            frames: self.frames - earlier.frames,
            retries: self.retries - earlier.retries,
            no_acks: self.no_acks - earlier.no_acks,
            busy: self.busy - earlier.busy,
            octets: self.octets - earlier.octets,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    Idle,
    /// Waits for the end of an acknowledgement or of the interframe space.
    Hold,
    /// Assesses the channel since this time.
    Assess {
        from: Instant,
    },
    Turnaround,
    Transmit,
    AwaitAck,
}

mod timer {
    pub(super) const PHASE: u64 = 0;
    pub(super) const REPLY: u64 = 1;
}

struct State {
    phase: Phase,
    generation: u64,
    listening: Listening,
    identity: Identity,
    waiting: Waiting,
    /// Current frame, with FCS.
    outgoing: Rc<[u8]>,
    /// Previous frame, to detect retries.
    last: Rc<[u8]>,
    channel: Channel,
    csma: bool,
    ack_request: bool,
    /// Start of reception. Earlier frames are missed, because it was sending, turning around or asleep.
    listening_from: Instant,
    /// End of the current or scheduled acknowledgement.
    reply_until: Instant,
    reply: Rc<[u8]>,
    /// End of the interframe space.
    quiet_until: Instant,
    /// End of the last frame in the band.
    energy_until: Instant,
    /// Sender of the last complete frame.
    heard_from: Option<NodeId>,
}

/// A transceiver on the air.
pub struct Radio {
    timers: Timers,
    host: Weak<dyn Host>,
    sim: Sim,
    medium: Medium,
    id: NodeId,
    /// Whether it waits for the interframe space after a frame (7.5.1.3).
    interframe_space: bool,
    state: RefCell<State>,
    counts: Cell<Counts>,
}

impl Radio {
    /// Creates a transceiver with this name on `medium`, switched off.
    #[must_use]
    pub fn new(
        medium: &Medium,
        name: &str,
        sim: &Sim,
        interframe_space: bool,
        host: Weak<dyn Host>,
    ) -> Rc<Self> {
        let id = medium.join(name);
        let state = State {
            phase: Phase::Idle,
            generation: 0,
            listening: Listening::Off,
            identity: Identity {
                pan: u16::MAX,
                short: u16::MAX - 1,
                extended: 0,
                promiscuous: false,
            },
            waiting: Waiting::default(),
            outgoing: Rc::from([]),
            last: Rc::from([]),
            channel: Channel::first(PHY),
            csma: false,
            ack_request: false,
            listening_from: Instant::FOREVER,
            reply_until: Instant::START,
            reply: Rc::from([]),
            quiet_until: Instant::START,
            energy_until: Instant::START,
            heard_from: None,
        };
        let radio = Rc::new_cyclic(|this| Self {
            timers: sim.timers(this),
            host,
            sim: sim.clone(),
            medium: medium.clone(),
            id,
            interframe_space,
            state: RefCell::new(state),
            counts: Cell::default(),
        });
        let weak: Weak<Self> = Rc::downgrade(&radio);
        medium.attach(id, weak);
        radio
    }

    /// Identifier on the medium.
    #[must_use]
    pub const fn id(&self) -> NodeId {
        self.id
    }

    /// Sender of the last complete frame.
    #[must_use]
    pub fn heard_from(&self) -> Option<NodeId> {
        self.state.borrow().heard_from
    }

    /// Counters so far.
    #[must_use]
    pub fn counts(&self) -> Counts {
        self.counts.get()
    }

    /// Sets the addresses of the filter.
    pub fn identify(&self, identity: Identity) {
        self.state.borrow_mut().identity = identity;
    }

    /// Sets the table of addresses with pending frames.
    pub fn set_waiting(&self, waiting: Waiting) {
        self.state.borrow_mut().waiting = waiting;
    }

    /// Switches it off, to sleep, or to reception. A current frame is completed first, followed by reception.
    pub fn listen(&self, listening: Listening) {
        let mut state = self.state.borrow_mut();
        let before = std::mem::replace(&mut state.listening, listening);
        match listening {
            Listening::Off | Listening::Asleep => state.listening_from = Instant::FOREVER,
            Listening::On(number) => {
                if before != listening && state.phase == Phase::Idle {
                    state.listening_from = self.sim.now().max(state.reply_until);
                }
                state.channel = channel(number);
            }
        }
    }

    fn enter(&self, state: &mut State, phase: Phase, at: Instant) {
        state.phase = phase;
        state.generation += 1;
        self.set(timer::PHASE, state.generation, at);
    }

    fn set(&self, kind: u64, generation: u64, at: Instant) {
        self.timers.set(at, generation << 1 | kind);
    }

    fn count(&self, change: impl FnOnce(&mut Counts)) {
        let mut counts = self.counts.get();
        change(&mut counts);
        self.counts.set(counts);
    }

    fn notify(&self, what: impl FnOnce(&dyn Host)) {
        if let Some(host) = self.host.upgrade() {
            what(&*host);
        }
    }
}

/// Channel with this number. A number out of the band gives the first channel.
fn channel(number: u8) -> Channel {
    Channel::new(number).filter(|one| one.phy() == PHY).unwrap_or(Channel::first(PHY))
}

impl Timed for Radio {
    fn due(self: Rc<Self>, token: u64) {
        let (kind, generation) = (token & 1, token >> 1);
        let current = self.state.borrow().generation;
        match kind {
            timer::REPLY => self.reply(),
            _ if generation == current => self.phase_over(),
            _ => {}
        }
    }
}

impl airlag_air::Radio for Radio {
    fn frame_ended(&self, reception: &Reception<'_>) {
        self.ended(reception);
    }
}

#[cfg(test)]
mod tests;
