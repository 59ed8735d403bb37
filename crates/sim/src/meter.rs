//! Time that a component spends in each power state.
//!
//! A component is in one state at a time. A model sets the state of a component from now on or from
//! a later instant on. When a model sets the state from an instant, all states that were planned
//! for this instant or a later one are cancelled. An overlay is a state for a known interval, such
//! as the transmission of a frame. During this interval, the overlay takes precedence over the
//! component's state. This module records times in states; it does not contain currents.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;

use crate::sim::Sim;
use crate::time::{Duration, Instant};

/// Power state of a component.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum State {
    /// Radio off, registers retained.
    PowerDown,
    /// Crystal starting.
    Start,
    /// Crystal running, everything else off.
    Standby,
    /// Settling before transmission.
    SettleTransmit,
    /// Settling before reception.
    SettleReceive,
    /// Transmitting a frame.
    Transmit,
    /// Listening or receiving a frame.
    Receive,
    /// Processor idle.
    Sleep,
    /// Processor active.
    Run,
}

impl State {
    /// All states.
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

    /// Name of the state.
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

    /// Index in [`ALL`](Self::ALL).
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Returns true for the lowest state of a component, from which a change counts as a wake.
    const fn is_rest(self) -> bool {
        matches!(self, Self::PowerDown | Self::Sleep)
    }
}

/// Kind of component.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Part {
    /// A radio.
    Radio,
    /// A processor.
    Processor,
}

impl Part {
    /// Name of the kind.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Radio => "radio",
            Self::Processor => "processor",
        }
    }

    /// Initial state.
    const fn rest(self) -> State {
        match self {
            Self::Radio => State::PowerDown,
            Self::Processor => State::Sleep,
        }
    }
}

/// Records the states of a component. Clones are handles to the same record.
#[derive(Clone)]
pub struct Meter {
    sim: Sim,
    /// `None` if the component is not recorded.
    ledger: Option<Rc<RefCell<Ledger>>>,
}

/// Totals of a component so far.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reading {
    /// Name of the component.
    pub name: String,
    /// Kind of component.
    pub part: Part,
    /// Time in each state, in the order of [`State::ALL`].
    pub spent: [Duration; State::ALL.len()],
    /// Number of changes from power down or sleep to another state.
    pub wakes: u64,
}

/// An interval in one state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stretch {
    /// Index of the component in the readings.
    pub reading: usize,
    /// State in the interval.
    pub state: State,
    /// Start of the interval.
    pub begin: Instant,
    /// End of the interval.
    pub end: Instant,
}

/// An overlay: a state for an interval, with precedence over the component's state. Instants in ns.
#[derive(Clone, Copy)]
struct Laid {
    state: State,
    begin: u64,
    end: u64,
}

/// Record of one component. Instants in ns.
pub(crate) struct Ledger {
    /// Index of the component in the readings.
    reading: usize,
    name: String,
    part: Part,
    state: State,
    /// Instant up to which the totals are complete.
    since: u64,
    planned: VecDeque<(u64, State)>,
    /// First overlay. Separate from `later`, because there is rarely more than one.
    over: Option<Laid>,
    /// Further overlays, in order.
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

    /// Adds the time up to `until` to the totals, and passes each interval to `record`.
    #[inline]
    fn settle(&mut self, until: u64, mut record: impl FnMut(State, u64, u64)) {
        if self.over.is_none() && self.planned.is_empty() {
            self.pass(self.state, until, &mut record);
        } else {
            self.settle_plans(until, record);
        }
    }

    /// [`settle`](Self::settle) with planned states or overlays. A separate function keeps the
    /// common case short.
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

    /// [`settle_plans`](Self::settle_plans) without overlays.
    #[inline]
    fn follow_plan(&mut self, until: u64, record: &mut impl FnMut(State, u64, u64)) {
        if !self.planned.is_empty() {
            self.enter_planned(until, record);
        }
        self.pass(self.state, until, record);
    }

    /// Enters the states planned before `until`.
    #[inline(never)]
    fn enter_planned(&mut self, until: u64, record: &mut impl FnMut(State, u64, u64)) {
        while let Some(&(at, state)) = self.planned.front().filter(|plan| plan.0 < until) {
            self.pass(self.state, at, record);
            self.state = state;
            self.planned.pop_front();
        }
    }

    /// Adds one interval to the totals, unless it is empty.
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

    /// Last overlay.
    #[inline]
    fn last_over(&mut self) -> Option<&mut Laid> {
        self.later.back_mut().or(self.over.as_mut())
    }

    /// Extends the last overlay to `end` if it has the same state and ends at `begin`. Returns
    /// whether it did.
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

    /// Adds an overlay from `begin` to `end`, shortened to begin after existing ones. The totals
    /// must be complete up to now.
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

    /// Sets the state from `at` on. The totals must be complete up to now.
    #[inline]
    fn enter(&mut self, state: State, at: u64) {
        if at <= self.since {
            // All planned states are later than `at`, so they are cancelled.
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
    /// Creates the meter of a component called `name`, initially off or asleep. A handle from
    /// [`beside`](Self::beside) returns a meter without a record.
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

    /// Totals of every component up to now, in the order of creation.
    #[must_use]
    pub fn read_meters(&self) -> Vec<Reading> {
        self.read_meters_until(self.now())
    }

    /// Totals of every component up to `until`. No event may be scheduled before `until`.
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

    /// Takes the intervals recorded so far, in order for each component.
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
    /// Completes the totals up to now, then applies `change` to the record.
    #[inline]
    fn book(&self, change: impl FnOnce(&mut Ledger)) {
        if let Some(ledger) = &self.ledger {
            let mut ledger = ledger.borrow_mut();
            self.sim.settle(&mut ledger, self.sim.now());
            change(&mut ledger);
        }
    }

    /// Sets the state from now on.
    #[inline]
    pub fn enter(&self, state: State) {
        self.book(|ledger| ledger.enter(state, ledger.since));
    }

    /// Sets the state from `at` on, now or later. Cancels states planned for `at` or after it.
    pub fn enter_at(&self, state: State, at: Instant) {
        self.book(|ledger| ledger.enter(state, at.as_ns()));
    }

    /// Adds an overlay with `state` from `begin` to `end`. If two overlays overlap, the earlier
    /// call applies up to its end. Time before now is already counted and does not change.
    #[inline]
    pub fn during(&self, state: State, begin: Instant, end: Instant) {
        let Some(ledger) = &self.ledger else { return };
        let (mut ledger, begin, end) = (ledger.borrow_mut(), begin.as_ns(), end.as_ns());
        let (kernel, now) = (&self.sim.kernel, self.sim.now());
        // While intervals are recorded, each overlay stays a separate interval.
        if kernel.recording.get() || begin < now.as_ns() || !ledger.prolongs(state, begin, end) {
            self.begin(&mut ledger, state, begin, end);
        }
    }

    /// [`during`](Self::during) with a new overlay instead of an extended one.
    #[inline(never)]
    fn begin(&self, ledger: &mut Ledger, state: State, begin: u64, end: u64) {
        self.sim.settle(ledger, self.sim.now());
        ledger.lay_over(state, begin, end);
    }

    /// Ends all overlays now.
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
        // Without a scheduled event, time would not advance.
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
        // A state that is set for an earlier instant cancels the planned reception.
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
        // Two overlays do not apply at once.
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
