//! How long a part that draws current spends in each of its states.
//!
//! A part is in one state at a time. Models say when it enters one, which may lie ahead: an entry
//! that comes before it replaces what was planned. What a part does for a known stretch whatever
//! state it is in otherwise, such as sending a frame, is laid over. Nothing here knows a current.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;

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
    ledger: Option<Rc<RefCell<Ledger>>>,
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

/// A state that a part is in whatever state it is in otherwise. Instants in ns.
#[derive(Clone, Copy)]
struct Laid {
    state: State,
    begin: u64,
    end: u64,
}

/// The book of one part. Instants in ns.
pub(crate) struct Ledger {
    /// Its place among the readings.
    reading: usize,
    name: String,
    part: Part,
    state: State,
    /// Up to when everything is in the totals.
    since: u64,
    planned: VecDeque<(u64, State)>,
    /// What is laid over first, if anything is: kept by itself, because seldom more is.
    over: Option<Laid>,
    /// What is laid over after it.
    later: VecDeque<Laid>,
    spent: [u64; State::ALL.len()],
    last: State,
    wakes: u64,
}

impl Ledger {
    fn new(reading: usize, name: String, part: Part, now: u64) -> Self {
        let (planned, over, later) = (VecDeque::new(), None, VecDeque::new());
        let (state, spent) = (part.rest(), [0; State::ALL.len()]);
        let (since, last, wakes) = (now, state, 0);
        Self { reading, name, part, state, since, planned, over, later, spent, last, wakes }
    }

    /// Puts everything up to `until` into the totals, and passes each stretch to `record`.
    #[inline]
    fn settle(&mut self, until: u64, mut record: impl FnMut(State, u64, u64)) {
        if self.over.is_none() && self.planned.is_empty() {
            self.pass(self.state, until, &mut record);
        } else {
            self.settle_plans(until, record);
        }
    }

    /// The same where something is planned or laid over. Apart from [`settle`](Self::settle), which has
    /// little to do without.
    #[inline(never)]
    fn settle_plans(&mut self, until: u64, mut record: impl FnMut(State, u64, u64)) {
        while let Some(Laid { state, begin, end }) = self.over {
            self.follow_plan(begin.min(until), &mut record);
            if until <= begin {
                return;
            }
            self.pass(state, end.min(until), &mut record);
            if until < end {
                return;
            }
            self.over = self.later.pop_front();
        }
        self.follow_plan(until, &mut record);
    }

    /// The same where nothing is laid over.
    #[inline]
    fn follow_plan(&mut self, until: u64, record: &mut impl FnMut(State, u64, u64)) {
        if !self.planned.is_empty() {
            self.enter_planned(until, record);
        }
        self.pass(self.state, until, record);
    }

    /// Enters the states that are planned to come before `until`.
    #[inline(never)]
    fn enter_planned(&mut self, until: u64, record: &mut impl FnMut(State, u64, u64)) {
        while let Some(&(at, state)) = self.planned.front().filter(|plan| plan.0 < until) {
            self.pass(self.state, at, record);
            self.state = state;
            self.planned.pop_front();
        }
    }

    /// One stretch, unless it is empty.
    #[inline]
    fn pass(&mut self, state: State, end: u64, record: &mut impl FnMut(State, u64, u64)) {
        if self.since < end {
            self.spent[state.index()] += end - self.since;
            self.wakes += u64::from(self.last.is_rest() && !state.is_rest());
            self.last = state;
            record(state, self.since, end);
            self.since = end;
        }
    }

    /// What is laid over last.
    #[inline]
    fn last_over(&mut self) -> Option<&mut Laid> {
        self.later.back_mut().or(self.over.as_mut())
    }

    /// Lays `state` over until `end` if it is laid over until `begin` already.
    #[inline]
    fn prolongs(&mut self, state: State, begin: u64, end: u64) -> bool {
        match self.last_over() {
            Some(last) if last.end == begin && last.state == state => {
                last.end = end.max(begin);
                true
            }
            _ => false,
        }
    }

    /// Lays `state` over from `begin` to `end`, as far as nothing else is laid over; everything up to
    /// now is in the totals.
    fn lay_over(&mut self, state: State, begin: u64, end: u64) {
        let since = self.since;
        let free = self.last_over().map_or(since, |last| last.end.max(since));
        let begin = begin.max(free);
        if begin >= end {
            return;
        }
        let laid = Laid { state, begin, end };
        match self.over {
            None => self.over = Some(laid),
            Some(_) => self.later.push_back(laid),
        }
    }

    /// The part is in `state` from `at` on; everything up to now is in the totals.
    #[inline]
    fn enter(&mut self, state: State, at: u64) {
        if at <= self.since {
            // What is planned is not over before now, and so is void.
            if !self.planned.is_empty() {
                self.planned.clear();
            }
            self.state = state;
            return;
        }
        while self.planned.back().is_some_and(|plan| plan.0 >= at) {
            self.planned.pop_back();
        }
        self.planned.push_back((at, state));
    }
}

impl Sim {
    /// A part called `name` that is off, or asleep, until it says otherwise. A handle made with
    /// [`beside`](Self::beside) gives one that is not looked at.
    #[must_use]
    pub fn meter(&self, name: &str, part: Part) -> Meter {
        if self.scope().is_some() {
            return Meter { sim: self.clone(), ledger: None };
        }
        let mut ledgers = self.kernel.meters.borrow_mut();
        let ledger = Ledger::new(ledgers.len(), name.to_owned(), part, self.now().as_ns());
        let ledger = Rc::new(RefCell::new(ledger));
        ledgers.push(Rc::clone(&ledger));
        Meter { sim: self.clone(), ledger: Some(ledger) }
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
        ledgers.iter().map(|ledger| read(&ledger.borrow())).collect()
    }

    /// Takes the stretches recorded so far, each part's in their order.
    #[must_use]
    pub fn take_stretches(&self) -> Vec<Stretch> {
        core::mem::take(&mut *self.kernel.stretches.borrow_mut())
    }

    pub(crate) fn settle_meters(&self, until: Instant) {
        for ledger in self.kernel.meters.borrow().iter() {
            self.settle(&mut ledger.borrow_mut(), until);
        }
    }

    #[inline]
    fn settle(&self, ledger: &mut Ledger, until: Instant) {
        if self.kernel.recording.get() {
            self.settle_and_record(ledger, until);
        } else {
            ledger.settle(until.as_ns(), |_, _, _| {});
        }
    }

    #[inline(never)]
    fn settle_and_record(&self, ledger: &mut Ledger, until: Instant) {
        let reading = ledger.reading;
        let mut stretches = self.kernel.stretches.borrow_mut();
        ledger.settle(until.as_ns(), |state, begin, end| {
            let (begin, end) = (Instant::from_ns(begin), Instant::from_ns(end));
            stretches.push(Stretch { reading, state, begin, end });
        });
    }
}

impl Meter {
    /// Changes the book when everything up to now is in the totals.
    #[inline]
    fn book(&self, change: impl FnOnce(&mut Ledger)) {
        if let Some(ledger) = &self.ledger {
            let mut ledger = ledger.borrow_mut();
            self.sim.settle(&mut ledger, self.sim.now());
            change(&mut ledger);
        }
    }

    /// The part is in `state` from now on.
    #[inline]
    pub fn enter(&self, state: State) {
        self.book(|ledger| ledger.enter(state, ledger.since));
    }

    /// The part is in `state` from `at` on, now or later; what was planned from then on is void.
    pub fn enter_at(&self, state: State, at: Instant) {
        self.book(|ledger| ledger.enter(state, at.as_ns()));
    }

    /// The part does `state` from `begin` to `end`, whatever state it is in otherwise. Of two that
    /// overlap the first goes on to its end; what is over already does not count again.
    #[inline]
    pub fn during(&self, state: State, begin: Instant, end: Instant) {
        let Some(ledger) = &self.ledger else { return };
        let (mut ledger, begin, end) = (ledger.borrow_mut(), begin.as_ns(), end.as_ns());
        let (kernel, now) = (&self.sim.kernel, self.sim.now());
        // While stretches are recorded each is one by itself.
        if kernel.recording.get() || begin < now.as_ns() || !ledger.prolongs(state, begin, end) {
            self.begin(&mut ledger, state, begin, end);
        }
    }

    /// What [`during`](Self::during) does if it does not prolong what was laid over before.
    #[inline(never)]
    fn begin(&self, ledger: &mut Ledger, state: State, begin: u64, end: u64) {
        self.sim.settle(ledger, self.sim.now());
        ledger.lay_over(state, begin, end);
    }

    /// What the part does besides its state ends now.
    pub fn cut(&self) {
        self.book(|ledger| {
            ledger.over = None;
            ledger.later.clear();
        });
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
