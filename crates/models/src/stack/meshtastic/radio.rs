//! Channel access of a node, and its packets on the air (`RadioLibInterface.cpp`).
//!
//! ```text
//!  queue ─ contention window ─ channel activity detection ─ start ─ packet ─ queue
//!              ↑ again after every packet on the channel       └ active: listen ─ contention window
//! ```
//!
//! The delay of a packet starts again whenever a packet has been received or sent, and when the radio is
//! receiving at its end.

use std::cell::RefCell;
use std::rc::Rc;

use airlag_air::{Medium, Modulation, NodeId, Reception, Verdict};
use airlag_link::airtime::lora::Frame;
use airlag_sim::meter::State as Draws;
use airlag_sim::{Clock, Duration, Instant, Sim, Slice, Stream, Timed, Timers, Track};

use super::config::Config;
use super::contention::{self, detection, slot_ms};
use super::incident::Incident;
use super::preset::SYNC_WORD;
use super::queue::{Packet, Queue};
use super::slices;
use super::usage::Usage;
use crate::chip::sx127x::{packet, settings};

/// State of the radio. Each one but the first has a timer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// Receiving, or waiting for a packet.
    Listen,
    /// Channel activity detection.
    Detect,
    /// From its end to the first symbol.
    Start,
    /// A packet is on the air.
    Transmit,
}

/// The delay before the next packet.
#[derive(Clone, Copy, Debug)]
struct Delay {
    since: Instant,
}

struct State {
    phase: Phase,
    phase_token: u64,
    delay: Option<Delay>,
    delay_token: u64,
    queue: Queue,
    sending: Option<Packet>,
    /// Time from which the radio has been listening.
    listening_from: Instant,
    usage: Usage,
    stream: Stream,
}

/// The radio of a node.
pub struct Radio {
    timers: Timers,
    sim: Sim,
    medium: Medium,
    id: NodeId,
    clock: Clock,
    track: Track,
    config: Config,
    modulation: Modulation,
    state: RefCell<State>,
    /// Called when a packet has been sent.
    sent: Box<dyn Fn(&Packet)>,
    note: Box<dyn Fn(Incident)>,
}

/// Lowest bit of a timer token. It is set for the delay of a packet.
const DELAY: u64 = 1;

impl Radio {
    /// Creates the radio of the node `id`, which listens. `sent` is called with each packet that has been
    /// sent, and `note` with incidents.
    #[must_use]
    pub fn new(
        medium: &Medium,
        id: NodeId,
        sim: &Sim,
        clock: Clock,
        config: Config,
        sent: impl Fn(&Packet) + 'static,
        note: impl Fn(Incident) + 'static,
    ) -> Rc<Self> {
        // Chirps of different slopes are orthogonal (SX1276 rev. 7, 4.1.1.2).
        medium.orthogonal(settings::FAMILY);
        medium.enter(id, Draws::Receive);
        let name = medium.name(id);
        let state = State {
            phase: Phase::Listen,
            phase_token: 0,
            delay: None,
            delay_token: DELAY,
            queue: Queue::default(),
            sending: None,
            listening_from: Instant::START,
            usage: Usage::default(),
            stream: sim.stream(&format!("{name}/contention")),
        };
        Rc::new_cyclic(|this| Self {
            timers: sim.timers(this),
            sim: sim.clone(),
            medium: medium.clone(),
            id,
            clock,
            track: sim.track(&name),
            config,
            modulation: settings::modulation(&config.frame, false),
            state: RefCell::new(state),
            sent: Box::new(sent),
            note: Box::new(note),
        })
    }

    /// Appends a packet to the queue.
    pub fn send(&self, packet: Packet) {
        let mut state = self.state.borrow_mut();
        if state.queue.insert(packet, self.sim.now()).is_some() {
            (self.note)(Incident::QueueFull);
        }
        self.delay(&mut state);
    }

    /// Removes a packet from the queue; returns whether it was there.
    pub fn cancel(&self, identity: (u32, u32)) -> bool {
        self.state.borrow_mut().queue.remove(identity)
    }

    /// Whether a packet is in the queue.
    #[must_use]
    pub fn is_queued(&self, identity: (u32, u32)) -> bool {
        self.state.borrow().queue.contains(identity)
    }

    /// Utilisation of the channel in the last minute, %.
    #[must_use]
    pub fn channel_percent(&self) -> f64 {
        let now = self.now();
        self.state.borrow_mut().usage.channel_percent(now)
    }

    /// Whether the node has sent for more than its share of the last hour.
    #[must_use]
    pub fn is_beyond_duty_cycle(&self) -> bool {
        let (limit, now) = (self.config.duty_cycle, self.now());
        limit < 100.0 && self.state.borrow_mut().usage.sent_percent(now) > limit
    }

    /// The bytes of a packet that has ended, if the radio received it.
    #[must_use]
    pub fn receive(&self, reception: &Reception<'_>) -> Option<Rc<[u8]>> {
        let frame = reception.frame;
        let mut guard = self.state.borrow_mut();
        let state = &mut *guard;
        let is_detected = matches!(reception.verdict, Verdict::Whole | Verdict::Collided);
        if frame.modulation != self.modulation
            || frame.band != self.config.band
            || state.phase != Phase::Listen
            || !self.finds(state, reception.begin)
            || !is_detected
        {
            return None;
        }
        let heard = packet::unpack(&frame.bytes).filter(|one| one.sync_word == SYNC_WORD)?;
        let airtime_ms = self.config.airtime_ms(heard.payload.len());
        state.usage.received(self.now(), airtime_ms);
        // The interrupt replaces the delay of the next packet by a new one.
        self.end_delay(state);
        self.delay(state);
        (reception.verdict == Verdict::Whole).then(|| Rc::from(heard.payload))
    }

    /// The time of the node, which counts airtimes in its periods.
    fn now(&self) -> Instant {
        Instant::from_ns(self.clock.local_ns(self.sim.now()).max(0) as u64)
    }

    fn symbols(&self, count: u16) -> Duration {
        Duration::from_ns(u64::from(count) * self.config.frame.symbol_ns())
    }

    /// Whether enough of the preamble of a packet that began at `begin` was left when the radio began to
    /// listen.
    fn finds(&self, state: &State, begin: Instant) -> bool {
        let Frame { preamble, .. } = self.config.frame;
        let dispensable = preamble.saturating_sub(self.config.lock_symbols);
        state.listening_from <= begin + self.symbols(dispensable)
    }

    /// Whether the radio has detected the preamble of a packet that is still on the air.
    fn is_receiving(&self, state: &State) -> bool {
        let lock = self.symbols(self.config.lock_symbols);
        self.medium.hearing(self.id, self.config.band, self.modulation).is_some_and(|frame| {
            self.finds(state, frame.begin)
                && frame.begin.max(state.listening_from) + lock <= self.sim.now()
        })
    }

    fn after(&self, wait: Duration) -> Instant {
        self.clock.after(self.sim.now(), wait)
    }

    fn span(&self, what: &'static Slice, begin: Instant, end: Instant) {
        self.sim.span(self.track, what, begin, end);
    }

    fn enter(&self, state: &mut State, phase: Phase, wait: Duration) -> Instant {
        let at = self.after(wait);
        state.phase = phase;
        state.phase_token += 2;
        self.timers.set(at, state.phase_token);
        at
    }

    /// Starts the delay before the next packet. Does nothing if a delay is running or the radio is busy,
    /// because a new delay starts afterwards anyway.
    fn delay(&self, state: &mut State) {
        if state.phase != Phase::Listen || state.delay.is_some() {
            return;
        }
        let Some(next) = state.queue.front() else { return };
        let slots = if next.relayed {
            let window = contention::window_of_snr(self.config.snr_db);
            contention::relay_slots(self.config.role, window, &mut state.stream)
        } else {
            let window = contention::window_of_load(state.usage.channel_percent(self.now()));
            contention::own_slots(window, &mut state.stream)
        };
        let wait = Duration::from_ms(slots * slot_ms(&self.config.frame));
        state.delay = Some(Delay { since: self.sim.now() });
        state.delay_token += 2;
        self.timers.set(self.after(wait), state.delay_token);
    }

    fn end_delay(&self, state: &mut State) {
        let Some(Delay { since }) = state.delay.take() else { return };
        state.delay_token += 2;
        // The packet may be newer than the delay.
        if let Some(from) = state.queue.waits_since() {
            self.span(&slices::CONTENTION, since.max(from), self.sim.now());
        }
    }

    /// The delay is over.
    fn access(&self, state: &mut State) {
        self.end_delay(state);
        if state.queue.front().is_none() {
            return;
        }
        if self.is_receiving(state) {
            self.delay(state);
            return;
        }
        let end = self.enter(state, Phase::Detect, detection(&self.config.frame));
        self.span(&slices::DETECTION, self.sim.now(), end);
    }

    /// Ends channel activity detection. A packet is detected only if it was on the air from the beginning
    /// of the detection.
    fn detected(&self, state: &mut State) {
        let now = self.sim.now();
        let all = detection(&self.config.frame);
        let heard = self.medium.hearing(self.id, self.config.band, self.modulation);
        let is_active = heard.is_some_and(|frame| frame.begin + all <= now);
        state.sending = if is_active { None } else { state.queue.pop() };
        if is_active {
            (self.note)(Incident::ChannelActive);
        }
        if state.sending.is_none() {
            self.listen(state);
            return;
        }
        let at = self.enter(state, Phase::Start, self.config.start);
        self.medium.enter(self.id, Draws::SettleTransmit);
        self.span(&slices::RADIO_START, now, at);
    }

    fn transmit(&self, state: &mut State) {
        let Some(sending) = &state.sending else { return };
        let frame = &self.config.frame;
        let airtime = Duration::from_ns(frame.duration_ns(sending.octets()));
        let bytes = packet::pack(frame, SYNC_WORD, sending.bytes());
        let end = self.enter(state, Phase::Transmit, airtime);
        self.span(&slices::TRANSMIT, self.sim.now(), end);
        self.medium.send(self.id, self.config.band, self.modulation, end, bytes);
    }

    /// Receives again.
    fn listen(&self, state: &mut State) {
        state.phase = Phase::Listen;
        state.listening_from = self.sim.now();
        self.medium.enter(self.id, Draws::Receive);
        self.delay(state);
    }
}

impl Timed for Radio {
    fn due(self: Rc<Self>, token: u64) {
        let mut guard = self.state.borrow_mut();
        let state = &mut *guard;
        if token & DELAY != 0 {
            if token == state.delay_token && state.delay.is_some() {
                self.access(state);
            }
            return;
        }
        if token != state.phase_token {
            return;
        }
        match state.phase {
            Phase::Listen => {}
            Phase::Detect => self.detected(state),
            Phase::Start => self.transmit(state),
            Phase::Transmit => {
                let sent = state.sending.take();
                if let Some(sent) = &sent {
                    let airtime_ms = self.config.airtime_ms(sent.octets());
                    state.usage.sent(self.now(), airtime_ms);
                }
                self.listen(state);
                // The node may append a packet at once.
                drop(guard);
                if let Some(sent) = &sent {
                    (self.sent)(sent);
                }
            }
        }
    }
}
