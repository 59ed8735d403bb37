//! The transmitter module, with the handset's line to it.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;

use airlag_air::{Medium, NodeId};
use airlag_sim::channel::Notice;
use airlag_sim::meter::State as Draws;
use airlag_sim::{Clock, Duration, Instant, Sim, Slice, Timed, Timers, Track};

use super::config::{Config, Content, Handset};
use super::ota::{self, COUNTERS};
use super::schedule::{Schedule, Use};
use super::silence::Silence;
use super::slices;
use crate::observer::Observer;

/// A named incident. It is a result, not an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Incident {
    /// Data waited while the receiver sent telemetry.
    Telemetry,
    /// Data waited while the module sent synchronisation.
    Sync,
    /// The module sent nothing in a slot, because another transmitter used the channel.
    Busy,
}

impl Incident {
    /// Name of the incident.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Telemetry => "telemetry slot",
            Self::Sync => "sync slot",
            Self::Busy => "busy channel",
        }
    }
}

/// Data on the way to a slot.
pub(super) struct Waiting {
    /// Time at which the program changed the data.
    asked: Instant,
    /// Time at which a free handset computes the data.
    computed: Instant,
    /// First tick at which the data can be sent.
    ready: Instant,
    data: Rc<[u8]>,
}

pub(super) struct State {
    pub(super) waiting: VecDeque<Waiting>,
    /// Time at which a free handset next computes its channels.
    next_period: Instant,
    /// Data of the slots, and their counter.
    pub(super) current: Option<(u8, Rc<[u8]>)>,
    counter: u8,
    /// Slot of the next event.
    next_slot: u64,
    pub(super) silence: Silence,
}

/// A transmitter module.
pub struct Module {
    timers: Timers,
    pub(super) sim: Sim,
    pub(super) medium: Medium,
    id: NodeId,
    pub(super) clock: Clock,
    track: Track,
    config: Config,
    pub(super) schedule: Schedule,
    pub(super) state: RefCell<State>,
    taken: Notice,
    observer: Observer<Incident>,
}

impl Module {
    /// Creates a module called `name` on `medium`, which sends from slot 0 of the schedule on. The
    /// first period of a free handset starts at `handset_phase`.
    #[must_use]
    pub fn new(
        medium: &Medium,
        name: &str,
        sim: &Sim,
        clock: Clock,
        config: Config,
        schedule: &Schedule,
        handset_phase: Duration,
    ) -> Rc<Self> {
        let id = medium.join(name);
        let state = State {
            waiting: VecDeque::new(),
            next_period: clock.after(Instant::START, handset_phase),
            current: None,
            counter: 0,
            next_slot: 0,
            silence: Silence::default(),
        };
        let module = Rc::new_cyclic(|this| Self {
            timers: sim.timers(this),
            sim: sim.clone(),
            medium: medium.clone(),
            id,
            clock,
            track: sim.track(name),
            config,
            schedule: schedule.clone(),
            state: RefCell::new(state),
            taken: Notice::new(sim),
            observer: Observer::none(),
        });
        medium.enter(id, Draws::Standby);
        module.await_slot(&mut module.state.borrow_mut(), 0);
        module
    }

    /// Node on the medium, for configuring its paths.
    #[must_use]
    pub const fn id(&self) -> NodeId {
        self.id
    }

    /// Settings.
    #[must_use]
    pub const fn config(&self) -> &Config {
        &self.config
    }

    /// Sets the observer of incidents, replacing the previous one.
    pub fn observe(&self, observer: impl Fn(Incident) + 'static) {
        self.observer.set(observer);
    }

    /// Waits for room and changes the channels to `data`, or adds them to the serial stream.
    pub async fn queue(&self, data: &[u8]) {
        while self.state.borrow().waiting.len() >= self.config.queue.max(1) {
            self.taken.wait().await;
        }
        let (now, config) = (self.sim.now(), &self.config);
        let mut state = self.state.borrow_mut();
        let (computed, ready) = match config.handset {
            Handset::Synchronised => (now, self.clock.after(now, config.lead())),
            Handset::Free => {
                let period = config.handset_period;
                while state.next_period < now {
                    state.next_period = self.clock.after(state.next_period, period);
                }
                let computed = state.next_period;
                state.next_period = self.clock.after(computed, period);
                (computed, self.clock.after(computed, config.mixer + config.handset_frame))
            }
        };
        state.waiting.push_back(Waiting { asked: now, computed, ready, data: data.into() });
        self.end_silence(&mut state);
    }

    /// Waits until all data were sent once.
    pub async fn drain(&self) {
        while !self.state.borrow().waiting.is_empty() {
            self.taken.wait().await;
        }
    }

    /// First symbol of a slot.
    pub(super) fn begins(&self, slot: u64) -> Instant {
        self.clock.after(self.schedule.tick(slot), self.config.setup)
    }

    /// Sets the slot of the next event, in place of an earlier one.
    pub(super) fn await_slot(&self, state: &mut State, slot: u64) {
        state.next_slot = slot;
        self.timers.set(self.begins(slot), slot);
    }

    fn span(&self, what: &'static Slice, begin: Instant, end: Instant) {
        self.sim.span(self.track, what, begin, end);
    }

    /// Takes the next data for a slot if they are ready at its tick. Returns true if they were.
    fn load(&self, state: &mut State, tick: Instant) -> bool {
        if state.waiting.front().is_none_or(|next| next.ready > tick) {
            if self.config.content == Content::Airport {
                state.current = None;
            }
            return false;
        }
        let Some(next) = state.waiting.pop_front() else { return false };
        self.record(&next, tick);
        state.current = Some((state.counter, next.data));
        state.counter = (state.counter + 1) % COUNTERS;
        self.taken.raise();
        true
    }

    /// Records how the time of data up to their frame was spent.
    fn record(&self, data: &Waiting, tick: Instant) {
        let config = &self.config;
        let (wait, computed) = match config.handset {
            Handset::Synchronised => {
                let computed = tick.as_ns().saturating_sub(config.lead().as_ns());
                (&slices::SLOT_WAIT, Instant::from_ns(computed).max(data.asked))
            }
            Handset::Free => (&slices::HANDSET_WAIT, data.computed),
        };
        let mixed = self.clock.after(computed, config.mixer);
        let there = self.clock.after(mixed, config.handset_frame).min(tick);
        self.span(wait, data.asked, computed);
        self.span(&slices::MIXER, computed, mixed);
        self.span(&slices::UART, mixed, there);
        self.span(&slices::SLOT_WAIT, there, tick);
        self.span(&slices::FRAME_SETUP, tick, self.sim.now());
    }

    /// Sends the frame of a slot now. `is_new` is true if its data were not sent before.
    fn send(&self, state: &State, slot: u64, usage: Use, is_new: bool) {
        let (now, config) = (self.sim.now(), &self.config);
        let band = self.schedule.band(slot);
        if !config.listen.is_zero() && self.medium.busy(self.id, band) {
            self.observer.record(Incident::Busy);
            return;
        }
        let content = match (&state.current, usage) {
            (_, Use::Sync) => ota::Content::Sync,
            (Some((counter, data)), _) => ota::Content::Data { counter: *counter, data },
            (None, _) => ota::Content::Idle,
        };
        let bytes = ota::encode(config.rate.format(), config.pair, content);
        let waveform = config.rate.waveform();
        let end = self.clock.after(now, config.rate.airtime());
        if !is_new {
            self.span(&slices::REPEATED, now, end);
        }
        self.medium.send(self.id, band, waveform.modulation(), end, waveform.wrap(&bytes));
    }
}

impl Timed for Module {
    fn due(self: Rc<Self>, slot: u64) {
        let mut guard = self.state.borrow_mut();
        let state = &mut *guard;
        // The event at the end of a silence that new data have ended earlier has no effect.
        if slot != state.next_slot || self.falls_silent(state, slot) {
            return;
        }
        self.await_slot(state, slot + 1);
        let (tick, usage) = (self.schedule.tick(slot), self.schedule.usage(slot));
        let is_late =
            usage != Use::Data && state.waiting.front().is_some_and(|next| next.ready <= tick);
        match usage {
            Use::Telemetry => {
                if is_late {
                    self.observer.record(Incident::Telemetry);
                }
                if !state.silence.covers(slot) {
                    self.medium.enter(self.id, Draws::Receive);
                    self.medium.enter_at(self.id, Draws::Standby, self.schedule.tick(slot + 1));
                }
            }
            Use::Sync => {
                if is_late {
                    self.observer.record(Incident::Sync);
                }
                self.send(state, slot, usage, false);
            }
            Use::Data => {
                let is_new = self.schedule.loads(slot) && self.load(state, tick);
                self.send(state, slot, usage, is_new);
            }
        }
    }
}
