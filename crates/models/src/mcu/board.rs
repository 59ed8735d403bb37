//! A board: name, clock, and track in a timeline.

use std::cell::Cell;
use std::rc::Rc;

use airlag_sim::meter::{Part, State};
use airlag_sim::sim::Busy;
use airlag_sim::{Class, Clock, Duration, Instant, Meter, Sim, Slice, Stream, Track};

/// A microcontroller board. Clones are handles to the same board.
#[derive(Clone)]
pub struct Board(Rc<Inner>);

struct Inner {
    sim: Sim,
    name: String,
    clock: Clock,
    track: Track,
    meter: Meter,
    computing: Cell<f64>,
}

impl Board {
    /// Creates a board called `name` with its own clock.
    #[must_use]
    pub fn new(sim: &Sim, name: &str, clock: Clock) -> Self {
        let (track, meter) = (sim.track(name), sim.meter(name, Part::Processor));
        let inner = Inner {
            sim: sim.clone(),
            name: name.to_owned(),
            clock,
            track,
            meter,
            computing: Cell::new(1.0),
        };
        Self(Rc::new(inner))
    }

    /// Sets the share of software time in which the processor runs. In the remaining time it
    /// sleeps, because software also waits. Latencies do not change.
    #[must_use]
    pub fn computing(self, share: f64) -> Self {
        self.0.computing.set(share.clamp(0.0, 1.0));
        self
    }

    /// Name of the board.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.0.name
    }

    /// Simulation.
    #[must_use]
    pub fn sim(&self) -> &Sim {
        &self.0.sim
    }

    /// Clock of the board.
    #[must_use]
    pub fn clock(&self) -> &Clock {
        &self.0.clock
    }

    /// Random stream `use_name` of this board.
    #[must_use]
    pub fn stream(&self, use_name: &str) -> Stream {
        self.0.sim.stream(&format!("{}/{use_name}", self.0.name))
    }

    /// Spends `wait` of the board's time on `what`.
    pub fn spend(&self, what: &'static Slice, wait: Duration) -> Busy<'_> {
        let now = self.0.sim.now();
        self.spend_until(what, self.0.clock.after(now, wait))
    }

    /// Records that the board was busy with `what` from `begin` to `end`.
    pub fn span(&self, what: &'static Slice, begin: Instant, end: Instant) {
        if matches!(what.class(), Class::Fixture | Class::Work | Class::Bus) {
            let share = self.0.computing.get();
            self.works(
                begin,
                if share < 1.0 { begin + portion(end.since(begin), share) } else { end },
            );
        }
        self.0.sim.span(self.0.track, what, begin, end);
    }

    /// Records that the processor runs from `begin` to `end`, without delaying anything.
    pub fn works(&self, begin: Instant, end: Instant) {
        self.0.meter.during(State::Run, begin, end);
    }

    /// Sets whether the idle processor waits awake or sleeps.
    pub fn waits_awake(&self, awake: bool) {
        self.0.meter.enter(if awake { State::Standby } else { State::Sleep });
    }

    /// Spends the time until `at` on `what`.
    pub fn spend_until(&self, what: &'static Slice, at: Instant) -> Busy<'_> {
        self.span(what, self.0.sim.now(), at);
        self.0.sim.busy_until(at)
    }
}

fn portion(whole: Duration, share: f64) -> Duration {
    Duration::from_ns((whole.as_ns() as f64 * share) as u64)
}
