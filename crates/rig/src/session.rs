//! One bench, from its wiring to its last instant.
//!
//! ```text
//!  Wiring::new ─► programs on its virtual time ─► open ─► Session: ready ─► run_until … ─► draws, spans, report
//! ```
//!
//! Every run, load and relay goes this way, so a board that stops, a request to end and the reading of
//! the meters are looked after here and nowhere else.

use airlag_air::Sniffer;
use airlag_sim::meter::Reading;
use airlag_sim::{Duration, Instant, Sim, Simulation, Stopped};

use crate::allowance;
use crate::draws::Draws;
use crate::ends::Bench;
use crate::error::Error;
use crate::interrupt;
use crate::neighbours::{self, Twin};
use crate::profile::Profile;
use crate::programs::Program;
use crate::report::Report;
use crate::run::Span;

/// Longest time a bench may take to set itself up.
pub const SET_UP: Duration = Duration::from_secs(10);

/// When a bench is ready at the latest.
pub const READY: Instant = Instant::from_ns(SET_UP.as_ns());

/// A bench without anything on it yet.
pub struct Wiring {
    time: Simulation,
    bench: Bench,
}

impl Wiring {
    /// A bench whose random streams all come from `seed`.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        let time = Simulation::new(seed);
        let bench = Bench::new(&time);
        Self { time, bench }
    }

    /// Virtual time, on which programs are made.
    #[must_use]
    pub fn sim(&self) -> &Sim {
        &self.time
    }

    /// Puts the link of `profile` with `program` on the bench, for messages of `size` bytes, its
    /// neighbours beside it, and lets the boards set themselves up. Other pairs of the same link run
    /// what `twin` makes.
    ///
    /// # Errors
    ///
    /// Those of the profile and of its link, [`Error::Stopped`] where a board stopped or took longer than
    /// [`SET_UP`], [`Error::Interrupted`] and [`Error::Allowance`].
    pub fn open(
        self,
        profile: &Profile,
        size: usize,
        program: &dyn Program,
        twin: Twin<'_>,
    ) -> Result<Session, Error> {
        let Self { time, bench } = self;
        check()?;
        neighbours::start(profile, size, program, &bench, twin)?;
        time.run_until_or(READY, ends_early)?;
        check()?;
        fail_if_stopped(&bench)?;
        let boards = if profile.has_message() { 2 } else { 1 };
        let ready = bench.report().ready;
        if ready < boards {
            if bench.air_in_use().is_none() {
                let cause = format!("not set up after {} s", SET_UP.as_ns() / 1_000_000_000);
                return Err(Error::Stopped { board: "a board", cause });
            }
            // Too few frames get through: a result. Its messages are lost.
            let missing = u32::from(boards - ready);
            bench.told().borrow_mut().incidents.insert("not set up", missing);
        }
        let (ready, before) = (time.now(), time.read_meters());
        Ok(Session { time, bench, ready, before })
    }
}

/// A bench that has been set up.
pub struct Session {
    time: Simulation,
    bench: Bench,
    ready: Instant,
    before: Vec<Reading>,
}

impl Session {
    /// When its boards were ready.
    #[must_use]
    pub const fn ready(&self) -> Instant {
        self.ready
    }

    /// Virtual time.
    #[must_use]
    pub const fn time(&self) -> &Simulation {
        &self.time
    }

    /// What stands on it.
    #[must_use]
    pub const fn bench(&self) -> &Bench {
        &self.bench
    }

    /// What the programs counted so far.
    #[must_use]
    pub fn report(&self) -> Report {
        self.bench.report()
    }

    /// Keeps every frame that is sent from now on, on a clock that begins when the boards were ready.
    ///
    /// # Errors
    ///
    /// [`Error::NoAir`] where there is nothing to sniff.
    pub fn sniffer(&self, profile: &Profile) -> Result<Sniffer, Error> {
        let no_air = || Error::NoAir { link: profile.name.clone() };
        let air = self.bench.air_in_use().ok_or_else(no_air)?;
        Ok(profile.bind()?.link().tap(Sniffer::attach(air, self.ready)))
    }

    /// Goes on until `at`, until nothing is left to happen, or until a program stops the clock.
    ///
    /// # Errors
    ///
    /// [`Error::Stopped`] where a board stopped, [`Error::Interrupted`] and [`Error::Allowance`].
    pub fn run_until(&self, at: Instant) -> Result<Stopped, Error> {
        let stopped = self.time.run_until_or(at, ends_early)?;
        check()?;
        fail_if_stopped(&self.bench)?;
        Ok(stopped)
    }

    /// Goes on until exactly `at`, even where nothing happens, and whoever wants it to end. For callers
    /// that go in short steps and look after that themselves.
    ///
    /// # Errors
    ///
    /// [`Error::Stopped`] where a board stopped.
    pub fn step_until(&self, at: Instant) -> Result<(), Error> {
        self.time.at(at, || ());
        self.time.run_until(at)?;
        fail_if_stopped(&self.bench)
    }

    /// Goes on until `limit` at the latest, and looks now and then whether there is more to come: at
    /// every eighth of the time that has passed, so that it stops soon after the end.
    ///
    /// # Errors
    ///
    /// As [`Session::run_until`].
    pub fn run_while(&self, limit: Instant, more: impl Fn(Instant) -> bool) -> Result<(), Error> {
        let begin = self.time.now();
        while self.time.now() < limit && more(self.time.now()) {
            let step = Duration::from_ns(self.time.now().since(begin).as_ns() / 8);
            let next = self.time.now() + step.max(Duration::from_ms(1));
            if self.run_until(next.min(limit))? == Stopped::Idle {
                break;
            }
        }
        Ok(())
    }

    /// How long each part was in each of its states since the boards were ready. Where nothing is left
    /// to happen, time stands still before `end`.
    #[must_use]
    pub fn draws(&self, end: Instant) -> Draws {
        let after = self.time.read_meters_until(end);
        Draws::since(&self.before, after, &self.time.take_stretches(), self.ready)
    }

    /// Named slices of time so far, on a clock that begins at `origin`.
    #[must_use]
    pub fn spans(&self, origin: Instant) -> Vec<Span> {
        let on_clock = |span: &airlag_sim::Span| Span {
            track: span.track.index(),
            slice: span.slice,
            begin_ns: span.begin.since(origin).as_ns() as i64,
            end_ns: span.end.since(origin).as_ns() as i64,
        };
        self.time.take_spans().iter().map(on_clock).collect()
    }
}

fn fail_if_stopped(bench: &Bench) -> Result<(), Error> {
    match bench.report().stopped {
        Some((board, cause)) => Err(Error::Stopped { board, cause }),
        None => Ok(()),
    }
}

/// Whether the work of this thread shall end before it is done.
fn ends_early() -> bool {
    interrupt::is_requested() || allowance::spend()
}

fn check() -> Result<(), Error> {
    interrupt::check()?;
    allowance::check()
}
