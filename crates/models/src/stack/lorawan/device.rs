//! The MAC of an end device: states and transitions.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::{Rc, Weak};

use airlag_air::{Medium, NodeId, Radio, Reception, Verdict};
use airlag_sim::channel::Notice;
use airlag_sim::meter::State as Draws;
use airlag_sim::{Clock, Duration, Instant, Sim, Slice, Stream, Timed, Timers, Track};

use super::config::{BETWEEN_WINDOWS, Class, Config, off_time_ns};
use super::ear::Ear;
use super::frame::MacFrame;
use super::plan::{DataRate, Direction, SYNC_WORD};
use super::slices;
use crate::chip::sx127x::{packet, settings};
use crate::observer::Observer;
use crate::stack::frames::next_of;

/// A named incident. It is a result, not an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Incident {
    /// An uplink waited for its duty cycle.
    OffTime,
    /// Retransmission of an uplink.
    Repeat,
    /// The device gave up a confirmed uplink, because no acknowledgement arrived.
    NoAck,
    /// A duplicate of the previous downlink was dropped.
    Duplicate,
}

impl Incident {
    /// Name of the incident.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::OffTime => "duty cycle off time",
            Self::Repeat => "repeated uplink",
            Self::NoAck => "no acknowledgement",
            Self::Duplicate => "duplicate",
        }
    }
}

/// State of the MAC. A phase with an end has a timer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    Idle,
    /// The duty cycle does not allow an uplink yet.
    OffTime,
    /// The radio starts.
    Start,
    Transmit,
    /// Before a receive window.
    Await(Nth),
    /// In a receive window.
    Window(Nth),
    /// Before the retransmission of a confirmed uplink.
    Delay,
}

/// A receive window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Nth {
    First,
    Second,
}

/// An uplink in progress.
#[derive(Clone, Debug)]
struct Uplink {
    data: Option<Rc<[u8]>>,
    count: u32,
    /// Transmissions left.
    left: u8,
}

/// Results of the uplinks with data since they were last read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Results {
    /// Number of uplinks that were acknowledged, or sent without requesting an acknowledgement.
    pub done: u32,
    /// Number of uplinks that the device gave up.
    pub lost: u32,
}

struct State {
    phase: Phase,
    generation: u64,
    queue: VecDeque<Option<Rc<[u8]>>>,
    uplink: Option<Uplink>,
    counter: u32,
    channel: u8,
    /// Channels not used in this turn.
    remaining: Vec<u8>,
    /// End of the off time.
    free_at: Instant,
    /// End of the last uplink.
    ended: Instant,
    ear: Option<Ear>,
    results: Results,
    inbox: VecDeque<Rc<[u8]>>,
    last_down: Option<u32>,
    stream: Stream,
}

/// An end device.
pub struct Device {
    timers: Timers,
    sim: Sim,
    medium: Medium,
    id: NodeId,
    clock: Clock,
    track: Track,
    config: Config,
    state: RefCell<State>,
    concluded: Notice,
    arrived: Notice,
    observer: Observer<Incident>,
}

/// Port of the data: the first one for applications (LoRaWAN 1.0.4, 4.3.2).
pub const PORT: u8 = 1;
/// Token of the timer for the device's own uplinks.
const REPORT: u64 = u64::MAX;

impl Device {
    /// Creates a device called `name` on `medium`.
    #[must_use]
    pub fn new(medium: &Medium, name: &str, sim: &Sim, clock: Clock, config: Config) -> Rc<Self> {
        // Chirps of different slopes are orthogonal (SX1276 rev. 7, 4.1.1.2).
        medium.orthogonal(settings::FAMILY);
        let id = medium.join(name);
        let state = State {
            phase: Phase::Idle,
            generation: 0,
            queue: VecDeque::new(),
            uplink: None,
            counter: 0,
            channel: 0,
            remaining: Vec::new(),
            free_at: Instant::START,
            ended: Instant::START,
            ear: None,
            results: Results::default(),
            inbox: VecDeque::new(),
            last_down: None,
            stream: sim.stream(&format!("{name}/LoRaWAN")),
        };
        let device = Rc::new_cyclic(|this| Self {
            timers: sim.timers(this),
            sim: sim.clone(),
            medium: medium.clone(),
            id,
            clock,
            track: sim.track(name),
            config,
            state: RefCell::new(state),
            concluded: Notice::new(sim),
            arrived: Notice::new(sim),
            observer: Observer::none(),
        });
        let radio: Weak<Self> = Rc::downgrade(&device);
        medium.attach(id, radio);
        device.rest(&mut device.state.borrow_mut());
        if !config.report_period.is_zero() {
            let phase = device.state.borrow_mut().stream.within(config.report_period);
            device.timers.set(device.after(sim.now(), phase), REPORT);
        }
        device
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

    /// Sets the observer of incidents, replacing the previous one.
    pub fn observe(&self, observer: impl Fn(Incident) + 'static) {
        self.observer.set(observer);
    }

    fn note(&self, incident: Incident) {
        self.observer.record(incident);
    }

    /// Waits until the MAC is idle and starts an uplink with `data`.
    pub async fn queue(&self, data: &[u8]) {
        self.drain().await;
        let mut state = self.state.borrow_mut();
        state.queue.push_back(Some(data.into()));
        self.next(&mut state);
    }

    /// Waits until all uplinks are concluded.
    pub async fn drain(&self) {
        while self.is_busy() {
            self.concluded.wait().await;
        }
    }

    fn is_busy(&self) -> bool {
        let state = self.state.borrow();
        state.uplink.is_some() || !state.queue.is_empty()
    }

    /// Returns the results since the last call.
    pub fn take_results(&self) -> Results {
        core::mem::take(&mut self.state.borrow_mut().results)
    }

    /// Waits for the data of the next downlink, copies them into `buffer` and returns their size.
    /// Data that do not fit are truncated.
    pub async fn next_data(&self, buffer: &mut [u8]) -> usize {
        next_of(buffer, &self.arrived, || self.state.borrow_mut().inbox.pop_front()).await
    }

    fn after(&self, from: Instant, wait: Duration) -> Instant {
        self.clock.after(from, wait)
    }

    fn span(&self, what: &'static Slice, begin: Instant, end: Instant) {
        self.sim.span(self.track, what, begin, end);
    }

    /// Enters a phase that ends at `at`.
    fn enter(&self, state: &mut State, phase: Phase, at: Instant) {
        state.phase = phase;
        state.generation += 1;
        self.timers.set(at, state.generation);
    }

    /// Puts the radio to sleep, or in class C into the second window.
    fn rest(&self, state: &mut State) {
        state.ear = match (self.config.class, self.config.second_window()) {
            (Class::C, Some(rate)) => {
                let khz = self.config.plan.second_window_khz();
                Some(Ear { from: self.sim.now(), rate, khz })
            }
            _ => None,
        };
        let draws = if state.ear.is_some() { Draws::Receive } else { Draws::PowerDown };
        self.medium.enter(self.id, draws);
    }

    /// Starts the next uplink of the queue, or rests.
    fn next(&self, state: &mut State) {
        if state.phase != Phase::Idle {
            return;
        }
        let Some(data) = state.queue.pop_front() else { return };
        let count = state.counter;
        state.counter += 1;
        state.uplink = Some(Uplink { data, count, left: self.config.transmissions.max(1) });
        self.attempt(state);
    }

    /// Starts the radio for a transmission, as soon as the duty cycle allows it.
    fn attempt(&self, state: &mut State) {
        let now = self.sim.now();
        if now < state.free_at {
            let free_at = state.free_at;
            self.note(Incident::OffTime);
            self.span(&slices::OFF_TIME, now, free_at);
            self.enter(state, Phase::OffTime, free_at);
            return;
        }
        let at = self.after(now, self.config.start);
        self.span(&slices::RADIO_START, now, at);
        state.ear = None;
        self.medium.enter(self.id, Draws::SettleTransmit);
        self.enter(state, Phase::Start, at);
    }

    /// Channel of the next uplink, at random.
    fn choose(&self, state: &mut State) -> u8 {
        let (first, count) = self.config.plan.channels(self.config.data_rate, self.config.sub_band);
        if state.remaining.is_empty() {
            state.remaining.extend(first..first + count);
        }
        let at = state.stream.below(state.remaining.len() as u64) as usize;
        if self.config.plan.takes_turns() {
            state.remaining.swap_remove(at)
        } else {
            state.remaining[at]
        }
    }

    fn transmit(&self, state: &mut State) {
        let Some(rate) = self.config.uplink() else { return };
        state.channel = self.choose(state);
        let Some(uplink) = &mut state.uplink else { return };
        uplink.left = uplink.left.saturating_sub(1);
        let frame = MacFrame {
            direction: Direction::Up,
            confirmed: self.config.confirmed && uplink.data.is_some(),
            ack: false,
            count: uplink.count,
            data: uplink.data.as_ref().map(|data| (PORT, data.to_vec())),
        };
        let bytes = frame.encode(&self.config.session);
        let chirps = rate.frame(Direction::Up);
        let airtime = chirps.duration_ns(bytes.len());
        let now = self.sim.now();
        let end = self.after(now, Duration::from_ns(airtime));
        let band = rate.band(self.config.plan.channel_khz(state.channel));
        let sent = packet::pack(&chirps, SYNC_WORD, bytes.into_iter());
        self.span(&slices::TRANSMIT, now, end);
        self.medium.send(self.id, band, rate.modulation(Direction::Up), end, sent);
        let off = Duration::from_ns(off_time_ns(airtime, self.config.duty));
        state.free_at = self.after(end, off);
        state.ended = end;
        self.enter(state, Phase::Transmit, end);
    }

    /// Waits for the window `nth` after an uplink.
    fn await_window(&self, state: &mut State, nth: Nth) {
        let Some((rate, _, delay)) = self.window(state, nth) else { return };
        let nominal = self.after(state.ended, delay).as_ns() as i64;
        let opens = Instant::from_ns((nominal + self.config.window(rate).opens_ns) as u64);
        let now = self.sim.now();
        self.span(&slices::RECEIVE_WINDOWS, now, opens.max(now));
        self.enter(state, Phase::Await(nth), opens.max(now));
    }

    /// Data rate, frequency and nominal delay of a window.
    fn window(&self, state: &State, nth: Nth) -> Option<(DataRate, u32, Duration)> {
        let (plan, delay) = (self.config.plan, self.config.receive_delay);
        Some(match nth {
            Nth::First => {
                (self.config.first_window()?, plan.first_window_khz(state.channel), delay)
            }
            Nth::Second => {
                let delay = delay + BETWEEN_WINDOWS;
                (self.config.second_window()?, plan.second_window_khz(), delay)
            }
        })
    }

    fn open(&self, state: &mut State, nth: Nth) {
        let Some((rate, khz, _)) = self.window(state, nth) else { return };
        let now = self.sim.now();
        // Class C listens to the second window already.
        if self.config.class == Class::A || nth == Nth::First {
            state.ear = Some(Ear { from: now, rate, khz });
            self.medium.enter(self.id, Draws::Receive);
        }
        let closes = self.after(now, self.config.window(rate).length);
        self.span(&slices::RECEIVE_WINDOWS, now, closes);
        self.enter(state, Phase::Window(nth), closes);
    }

    /// Handles the end of a window: a preamble that was found keeps it open until the frame ends.
    fn close(&self, state: &mut State, nth: Nth) {
        let now = self.sim.now();
        if let Some(ear) = state.ear
            && let Some(frame) = self.medium.hearing(self.id, ear.band(), ear.modulation())
            && ear.finds(frame.begin, now, self.config.lock_symbols)
        {
            // With a margin: the frame is delivered at its end, rounded to a nanosecond.
            let until = frame.end + Duration::from_us(1);
            self.span(&slices::RECEIVE_WINDOWS, now, until);
            self.enter(state, Phase::Window(nth), until);
            return;
        }
        self.rest(state);
        match nth {
            Nth::First => self.await_window(state, Nth::Second),
            Nth::Second => self.windows_over(state, false),
        }
    }

    /// Handles the end of both windows, or a downlink in one of them.
    fn windows_over(&self, state: &mut State, acknowledged: bool) {
        self.rest(state);
        let Some(uplink) = &state.uplink else {
            state.phase = Phase::Idle;
            return;
        };
        let confirmed = self.config.confirmed && uplink.data.is_some();
        // A downlink ends the repetitions of an unconfirmed uplink (LoRaWAN 1.0.4, 5.2).
        if acknowledged || uplink.left == 0 || uplink.data.is_none() {
            let lost = confirmed && !acknowledged;
            if lost {
                self.note(Incident::NoAck);
            }
            if uplink.data.is_some() {
                state.results.lost += u32::from(lost);
                state.results.done += u32::from(!lost);
            }
            state.uplink = None;
            state.phase = Phase::Idle;
            self.concluded.raise();
            self.next(state);
            return;
        }
        self.note(Incident::Repeat);
        if confirmed {
            let now = self.sim.now();
            let spread = state.stream.within(self.config.ack_timeout_spread);
            let at = self.after(now, self.config.ack_timeout + spread);
            self.span(&slices::RETRANSMIT_DELAY, now, at);
            self.enter(state, Phase::Delay, at);
        } else {
            self.attempt(state);
        }
    }

    /// Starts an uplink of the device's own, unless one is in progress.
    fn report(&self, state: &mut State) {
        self.timers.set(self.after(self.sim.now(), self.config.report_period), REPORT);
        if state.uplink.is_none() && state.queue.is_empty() {
            state.queue.push_back(None);
            self.next(state);
        }
    }
}

impl Timed for Device {
    fn due(self: Rc<Self>, generation: u64) {
        let mut guard = self.state.borrow_mut();
        let state = &mut *guard;
        if generation == REPORT {
            self.report(state);
            return;
        }
        if generation != state.generation {
            return;
        }
        match state.phase {
            Phase::Idle => {}
            Phase::OffTime | Phase::Delay => self.attempt(state),
            Phase::Start => self.transmit(state),
            Phase::Transmit => {
                self.rest(state);
                self.await_window(state, Nth::First);
            }
            Phase::Await(nth) => self.open(state, nth),
            Phase::Window(nth) => self.close(state, nth),
        }
    }
}

impl Radio for Device {
    fn frame_ended(&self, reception: &Reception<'_>) {
        let frame = reception.frame;
        let mut guard = self.state.borrow_mut();
        let state = &mut *guard;
        let Some(ear) = state.ear else { return };
        if frame.band != ear.band()
            || frame.modulation != ear.modulation()
            || !ear.finds(reception.begin, reception.end, self.config.lock_symbols)
            || reception.verdict != Verdict::Whole
        {
            return;
        }
        let Some(heard) = packet::unpack(&frame.bytes) else { return };
        let (session, last) = (&self.config.session, state.last_down);
        let Some(down) = MacFrame::decode(heard.payload, session, Direction::Down, last) else {
            return;
        };
        if last == Some(down.count) {
            self.note(Incident::Duplicate);
        } else if let Some((_, data)) = down.data {
            state.inbox.push_back(data.into());
            self.arrived.raise();
        }
        state.last_down = Some(down.count);
        let has_data = state.uplink.as_ref().is_some_and(|uplink| uplink.data.is_some());
        let confirmed = self.config.confirmed && has_data;
        // Class C may hear a downlink that has nothing to do with its uplink.
        let replies = matches!(state.phase, Phase::Window(_)) && (down.ack || !confirmed);
        if replies {
            self.windows_over(state, true);
        }
    }
}
