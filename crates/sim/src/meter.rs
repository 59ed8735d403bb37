//! How long a part that draws current spends in each of its states.
//!
//! A part is in one state at a time. Models say when it enters one, which may lie ahead: an entry
//! that comes before it replaces what was planned. What a part does for a known stretch whatever
//! state it is in otherwise, such as sending a frame, is laid over. Nothing here knows a current.

use std::collections::VecDeque;

use crate::sim::Sim;
use crate::time::{Duration, Instant};

/// What a part does, as far as its current depends on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum State {
    /// A radio that is off but for its registers.
    PowerDown,
    /// Its crystal starts.
    Start,
    /// Its crystal runs, nothing else does.
    Standby,
    /// On the way to sending.
    SettleTransmit,
    /// On the way to listening.
    SettleReceive,
    /// A frame is sent.
    Transmit,
    /// It listens, or takes a frame.
    Receive,
    /// A processor that waits.
    Sleep,
    /// A processor at work.
    Run,
}

impl State {
    /// Every state.
    pub const ALL: [Self; 9] = [
        Self::PowerDown,
        Self::Start,
        Self::Standby,
        Self::SettleTransmit,
        Self::SettleReceive,
        Self::Transmit,
        Self::Receive,
        Self::Sleep,
        Self::Run,
    ];

    /// Its name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::PowerDown => "power-down",
            Self::Start => "start",
            Self::Standby => "standby",
            Self::SettleTransmit => "settle-transmit",
            Self::SettleReceive => "settle-receive",
            Self::Transmit => "transmit",
            Self::Receive => "receive",
            Self::Sleep => "sleep",
            Self::Run => "run",
        }
    }

    /// Its place in [`ALL`](Self::ALL).
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// True of a state in which nothing starts that has to be started to leave it.
    const fn is_rest(self) -> bool {
        matches!(self, Self::PowerDown | Self::Sleep)
    }
}

/// What kind of part it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Part {
    /// A radio.
    Radio,
    /// A processor.
    Processor,
}

impl Part {
    /// Its name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Radio => "radio",
            Self::Processor => "processor",
        }
    }

    /// In which state it is until it says otherwise.
    const fn rest(self) -> State {
        match self {
            Self::Radio => State::PowerDown,
            Self::Processor => State::Sleep,
        }
    }
}

/// A part whose states are told. Clones are handles on the same one.
#[derive(Clone)]
pub struct Meter {
    sim: Sim,
    /// None where it is not looked at.
    index: Option<usize>,
}

/// What a part did so far.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reading {
    /// What the part is called.
    pub name: String,
    /// What it is.
    pub part: Part,
    /// How long it was in each state, in the order of [`State::ALL`].
    pub spent: [Duration; State::ALL.len()],
    /// How often it left power down or sleep.
    pub wakes: u64,
}

/// A stretch of one state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stretch {
    /// Which part: its place among the readings.
    pub reading: usize,
    /// In which state.
    pub state: State,
    /// From when.
    pub begin: Instant,
    /// Until when.
    pub end: Instant,
}

/// The book of one part. Instants in ns.
pub(crate) struct Ledger {
    name: String,
    part: Part,
    state: State,
    /// Up to when everything is in the totals.
    since: u64,
    planned: VecDeque<(u64, State)>,
    over: VecDeque<(u64, u64, State)>,
    spent: [u64; State::ALL.len()],
    last: State,
    wakes: u64,
}

impl Ledger {
    fn new(name: String, part: Part, now: u64) -> Self {
        let (planned, over) = (VecDeque::new(), VecDeque::new());
        let (state, spent) = (part.rest(), [0; State::ALL.len()]);
        Self { name, part, state, since: now, planned, over, spent, last: state, wakes: 0 }
    }

    /// Puts everything up to `until` into the totals, and tells each stretch.
    fn settle(&mut self, until: u64, mut told: impl FnMut(State, u64, u64)) {
        while self.since < until {
            while let Some(&(at, state)) = self.planned.front().filter(|plan| plan.0 <= self.since)
            {
                debug_assert!(at <= self.since);
                self.state = state;
                self.planned.pop_front();
            }
            while self.over.front().is_some_and(|over| over.1 <= self.since) {
                self.over.pop_front();
            }
            let mut end = self.planned.front().map_or(until, |plan| plan.0.min(until));
            let state = match self.over.front() {
                Some(&(begin, over, state)) if begin <= self.since => {
                    end = over.min(until);
                    state
                }
                Some(&(begin, ..)) => {
                    end = end.min(begin);
                    self.state
                }
                None => self.state,
            };
            self.spent[state.index()] += end - self.since;
            if self.last.is_rest() && !state.is_rest() {
                self.wakes += 1;
            }
            self.last = state;
            told(state, self.since, end);
            self.since = end;
        }
    }
}

impl Sim {
    /// A part called `name` that is off, or asleep, until it says otherwise. A handle made with
    /// [`beside`](Self::beside) gives one that is not looked at.
    #[must_use]
    pub fn meter(&self, name: &str, part: Part) -> Meter {
        if self.scope().is_some() {
            return Meter { sim: self.clone(), index: None };
        }
        let mut ledgers = self.kernel.meters.borrow_mut();
        ledgers.push(Ledger::new(name.to_owned(), part, self.now().as_ns()));
        Meter { sim: self.clone(), index: Some(ledgers.len() - 1) }
    }

    /// What every part did up to now, in the order in which they came.
    #[must_use]
    pub fn read_meters(&self) -> Vec<Reading> {
        self.read_meters_until(self.now())
    }

    /// The same up to an instant that nothing is scheduled before any more.
    #[must_use]
    pub fn read_meters_until(&self, until: Instant) -> Vec<Reading> {
        self.settle_meters(until);
        let ledgers = self.kernel.meters.borrow();
        let read = |ledger: &Ledger| Reading {
            name: ledger.name.clone(),
            part: ledger.part,
            spent: ledger.spent.map(Duration::from_ns),
            wakes: ledger.wakes,
        };
        ledgers.iter().map(read).collect()
    }

    /// Takes the stretches recorded so far, each part's in their order.
    #[must_use]
    pub fn take_stretches(&self) -> Vec<Stretch> {
        core::mem::take(&mut *self.kernel.stretches.borrow_mut())
    }

    pub(crate) fn settle_meters(&self, until: Instant) {
        let parts = self.kernel.meters.borrow().len();
        (0..parts).for_each(|part| self.settle(part, until));
    }

    fn settle(&self, part: usize, until: Instant) {
        let recording = self.kernel.recording.get();
        let mut stretches = self.kernel.stretches.borrow_mut();
        let mut ledgers = self.kernel.meters.borrow_mut();
        let Some(ledger) = ledgers.get_mut(part) else { return };
        ledger.settle(until.as_ns(), |state, begin, end| {
            if recording {
                let (begin, end) = (Instant::from_ns(begin), Instant::from_ns(end));
                stretches.push(Stretch { reading: part, state, begin, end });
            }
        });
    }
}

impl Meter {
    /// The part is in `state` from now on.
    pub fn enter(&self, state: State) {
        self.enter_at(state, self.sim.now());
    }

    /// The part is in `state` from `at` on, now or later; what was planned from then on is void.
    pub fn enter_at(&self, state: State, at: Instant) {
        let Some(part) = self.index else { return };
        self.sim.settle(part, self.sim.now());
        if let Some(ledger) = self.sim.kernel.meters.borrow_mut().get_mut(part) {
            let at = at.as_ns().max(ledger.since);
            if ledger.planned.is_empty() && ledger.state == state {
                return;
            }
            while ledger.planned.back().is_some_and(|plan| plan.0 >= at) {
                ledger.planned.pop_back();
            }
            ledger.planned.push_back((at, state));
        }
    }

    /// The part does `state` from `begin` to `end`, whatever state it is in otherwise. Of two that
    /// overlap the first goes on to its end; what is over already does not count again.
    pub fn during(&self, state: State, begin: Instant, end: Instant) {
        let Some(part) = self.index else { return };
        self.sim.settle(part, self.sim.now());
        if let Some(ledger) = self.sim.kernel.meters.borrow_mut().get_mut(part) {
            let free = ledger.over.back().map_or(ledger.since, |over| over.1.max(ledger.since));
            let (begin, end) = (begin.as_ns().max(free), end.as_ns());
            if begin < end {
                ledger.over.push_back((begin, end, state));
            }
        }
    }

    /// What the part does besides its state ends now.
    pub fn cut(&self) {
        let Some(part) = self.index else { return };
        self.sim.settle(part, self.sim.now());
        if let Some(ledger) = self.sim.kernel.meters.borrow_mut().get_mut(part) {
            ledger.over.clear();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Simulation;

    fn read(time: &Simulation) -> Vec<(State, u64)> {
        let reading = time.read_meters().remove(0);
        let spent = State::ALL.into_iter().zip(reading.spent.map(Duration::as_ns));
        spent.filter(|&(_, ns)| ns > 0).collect()
    }

    fn until(time: &Simulation, ns: u64) {
        // Time stands still where nothing is left to happen.
        time.at(Instant::from_ns(ns), || {});
        time.run_until(Instant::from_ns(ns)).expect("quiet");
    }

    #[test]
    fn what_is_planned_comes_unless_something_else_does() {
        let time = Simulation::new(1);
        let meter = time.meter("radio", Part::Radio);
        meter.enter_at(State::Standby, Instant::from_ns(10));
        meter.enter_at(State::Receive, Instant::from_ns(30));
        until(&time, 20);
        // Before it listened it went back.
        meter.enter_at(State::PowerDown, Instant::from_ns(25));
        until(&time, 100);
        assert_eq!(read(&time), [(State::PowerDown, 85), (State::Standby, 15)]);
        assert_eq!(time.read_meters()[0].wakes, 1);
    }

    #[test]
    fn a_frame_lies_over_whatever_the_radio_does_otherwise() {
        let time = Simulation::new(1);
        let meter = time.meter("radio", Part::Radio);
        meter.enter(State::Receive);
        until(&time, 10);
        meter.during(State::Transmit, Instant::from_ns(10), Instant::from_ns(40));
        until(&time, 20);
        meter.enter(State::Standby);
        // Not two at once.
        meter.during(State::Transmit, Instant::from_ns(20), Instant::from_ns(50));
        until(&time, 100);
        let spent = [(State::Standby, 50), (State::Transmit, 40), (State::Receive, 10)];
        assert_eq!(read(&time), spent);
    }

    #[test]
    fn a_frame_that_is_cut_ends() {
        let time = Simulation::new(1);
        let meter = time.meter("radio", Part::Radio);
        meter.enter(State::Standby);
        meter.during(State::Transmit, Instant::from_ns(0), Instant::from_ns(40));
        until(&time, 15);
        meter.cut();
        until(&time, 50);
        assert_eq!(read(&time), [(State::Standby, 35), (State::Transmit, 15)]);
    }

    #[test]
    fn stretches_fill_the_time_they_are_recorded_in() {
        let time = Simulation::new(1);
        let meter = time.meter("radio", Part::Radio);
        meter.enter(State::Standby);
        until(&time, 5);
        let _ = time.read_meters();
        time.record_spans(true);
        meter.enter_at(State::Receive, Instant::from_ns(7));
        until(&time, 20);
        let _ = time.read_meters();
        let stretches = time.take_stretches();
        let ends: Vec<_> =
            stretches.iter().map(|one| (one.begin.as_ns(), one.end.as_ns())).collect();
        assert_eq!(ends, [(5, 7), (7, 20)]);
    }

    #[test]
    fn who_stands_beside_is_not_looked_at() {
        let time = Simulation::new(1);
        time.beside("neighbour").meter("radio", Part::Radio).enter(State::Standby);
        assert!(time.read_meters().is_empty());
    }
}
