//! The receiver, with its line to the program.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::{Rc, Weak};

use airlag_air::{Medium, NodeId, Radio, Reception, Verdict};
use airlag_sim::channel::Notice;
use airlag_sim::meter::State as Draws;
use airlag_sim::{Clock, Instant, Sim, Timed, Timers, Track};

use super::config::Config;
use super::ota::{self, Content};
use super::schedule::{Schedule, Use};
use super::slices;
use crate::stack::frames::next_of;

struct State {
    /// Data received last and their counter, for the detection of repetitions.
    last: Option<(u8, Rc<[u8]>)>,
    /// End of the last frame on the line.
    line_free: Instant,
    /// Data on the line.
    on_the_line: VecDeque<Rc<[u8]>>,
    inbox: VecDeque<Rc<[u8]>>,
}

/// A receiver.
pub struct Receiver {
    timers: Timers,
    sim: Sim,
    medium: Medium,
    id: NodeId,
    clock: Clock,
    track: Track,
    config: Config,
    schedule: Schedule,
    state: RefCell<State>,
    arrived: Notice,
}

/// Token of the end of a frame on the line. Other tokens are slots of telemetry.
const LINE: u64 = u64::MAX;

impl Receiver {
    /// Creates a receiver called `name` on `medium`, synchronised with `schedule`.
    #[must_use]
    pub fn new(
        medium: &Medium,
        name: &str,
        sim: &Sim,
        clock: Clock,
        config: Config,
        schedule: &Schedule,
    ) -> Rc<Self> {
        let id = medium.join(name);
        let state = State {
            last: None,
            line_free: Instant::START,
            on_the_line: VecDeque::new(),
            inbox: VecDeque::new(),
        };
        let receiver = Rc::new_cyclic(|this| Self {
            timers: sim.timers(this),
            sim: sim.clone(),
            medium: medium.clone(),
            id,
            clock,
            track: sim.track(name),
            config,
            schedule: schedule.clone(),
            state: RefCell::new(state),
            arrived: Notice::new(sim),
        });
        let radio: Weak<Self> = Rc::downgrade(&receiver);
        medium.attach(id, radio);
        medium.enter(id, Draws::Receive);
        receiver.await_telemetry(0);
        receiver
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

    /// Waits for the next data, copies them into `buffer` and returns their size. Data that do not
    /// fit are truncated.
    pub async fn next_data(&self, buffer: &mut [u8]) -> usize {
        next_of(buffer, &self.arrived, || self.state.borrow_mut().inbox.pop_front()).await
    }

    /// Whether these data were the last to arrive, so that their repetitions are dropped.
    #[must_use]
    pub(super) fn has(&self, counter: u8, data: &[u8]) -> bool {
        let state = self.state.borrow();
        state.last.as_ref().is_some_and(|(nth, last)| *nth == counter && **last == *data)
    }

    fn await_telemetry(&self, slot: u64) {
        if let Some(slot) = self.schedule.next_telemetry(slot) {
            self.timers.set(self.clock.after(self.schedule.tick(slot), self.config.setup), slot);
        }
    }

    fn send_telemetry(&self, slot: u64) {
        let (now, config) = (self.sim.now(), &self.config);
        let bytes = ota::encode(config.rate.format(), config.pair, Content::Telemetry);
        let waveform = config.rate.waveform();
        let end = self.clock.after(now, config.rate.airtime());
        self.sim.span(self.track, &slices::TELEMETRY, now, end);
        let band = self.schedule.band(slot);
        self.medium.send(self.id, band, waveform.modulation(), end, waveform.wrap(&bytes));
    }
}

impl Timed for Receiver {
    fn due(self: Rc<Self>, token: u64) {
        if token == LINE {
            let mut state = self.state.borrow_mut();
            if let Some(data) = state.on_the_line.pop_front() {
                state.inbox.push_back(data);
                self.arrived.raise();
            }
            return;
        }
        self.await_telemetry(token + 1);
        self.send_telemetry(token);
    }
}

impl Radio for Receiver {
    fn frame_ended(&self, reception: &Reception<'_>) {
        let (frame, config) = (reception.frame, &self.config);
        let waveform = config.rate.waveform();
        if frame.modulation != waveform.modulation() || reception.verdict != Verdict::Whole {
            return;
        }
        let slot = self.schedule.nearest(reception.begin);
        if self.schedule.usage(slot) == Use::Telemetry || frame.band != self.schedule.band(slot) {
            return;
        }
        let Some(bytes) = waveform.unwrap(&frame.bytes) else { return };
        let Some(content) = ota::decode(config.rate.format(), config.pair, bytes) else { return };
        if matches!(content, Content::Sync | Content::Telemetry) {
            return;
        }
        let mut state = self.state.borrow_mut();
        let processed = self.clock.after(reception.end, config.processing);
        let begin = processed.max(state.line_free);
        let end = self.clock.after(begin, config.receiver_frame);
        state.line_free = end;
        let Content::Data { counter, data } = content else { return };
        if state.last.as_ref().is_some_and(|(nth, last)| *nth == counter && **last == *data) {
            return;
        }
        let data: Rc<[u8]> = data.into();
        state.last = Some((counter, Rc::clone(&data)));
        state.on_the_line.push_back(data);
        self.sim.span(self.track, &slices::RECEIVER_LATENCY, reception.end, processed);
        self.sim.span(self.track, &slices::UART, begin, end);
        self.timers.set(end, LINE);
    }
}
