//! Life cycle of a bench, from its wiring to its last instant.
//!
//! ```text
//!  Wiring::new ─► programs on its virtual time ─► open ─► Session: ready ─► run_until … ─► draws, spans, report
//! ```
//!
//! Every run, load and relay uses a session, so stopped boards, interruptions and meter readings
//! are handled in one place.

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

/// Longest set-up time of a bench.
pub const SET_UP: Duration = Duration::from_secs(10);

/// Latest instant at which a bench is ready.
pub const READY: Instant = Instant::from_ns(SET_UP.as_ns());

/// An empty bench.
pub struct Wiring {
    time: Simulation,
    bench: Bench,
}

impl Wiring {
    /// Creates an empty bench whose random streams all derive from `seed`.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        let time = Simulation::new(seed);
        let bench = Bench::new(&time);
        Self { time, bench }
    }

    /// Virtual time, on which programs are created.
    #[must_use]
    pub fn sim(&self) -> &Sim {
        &self.time
    }

    /// Places the link of `profile` and its neighbours (other transmitters on the air) on the
    /// bench, for messages of `size` bytes. The boards of the link run `program`. The simulation
    /// then runs until the boards are set up. A neighbour may be a further pair of boards with the
    /// same link. `twin` creates the programs of such a pair.
    ///
    /// # Errors
    ///
    /// Errors of the profile and of its link, [`Error::Stopped`] if a board stopped or took longer
    /// than [`SET_UP`], [`Error::Interrupted`] and [`Error::Allowance`].
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
            // Too few frames arrived for the set-up. This is a result and not an error: all
            // messages are lost.
            let missing = u32::from(boards - ready);
            bench.shared_report().borrow_mut().incidents.insert("not set up", missing);
        }
        let (ready, before) = (time.now(), time.read_meters());
        Ok(Session { time, bench, ready, before })
    }
}

/// A bench after set-up.
pub struct Session {
    time: Simulation,
    bench: Bench,
    ready: Instant,
    before: Vec<Reading>,
}

impl Session {
    /// Instant at which the boards were ready.
    #[must_use]
    pub const fn ready(&self) -> Instant {
        self.ready
    }

    /// Virtual time.
    #[must_use]
    pub const fn time(&self) -> &Simulation {
        &self.time
    }

    /// Returns the bench.
    #[must_use]
    pub const fn bench(&self) -> &Bench {
        &self.bench
    }

    /// Returns the report so far.
    #[must_use]
    pub fn report(&self) -> Report {
        self.bench.report()
    }

    /// Records all frames from now on, on a clock that begins when the boards were ready.
    ///
    /// # Errors
    ///
    /// [`Error::NoAir`] for a link without a radio.
    pub fn sniffer(&self, profile: &Profile) -> Result<Sniffer, Error> {
        let no_air = || Error::NoAir { link: profile.name.clone() };
        let air = self.bench.air_in_use().ok_or_else(no_air)?;
        Ok(profile.bind()?.link().tap(Sniffer::attach(air, self.ready)))
    }

    /// Runs until `at`, until no event is left, or until a program stops the clock.
    ///
    /// # Errors
    ///
    /// [`Error::Stopped`] if a board stopped, [`Error::Interrupted`] and [`Error::Allowance`].
    pub fn run_until(&self, at: Instant) -> Result<Stopped, Error> {
        let stopped = self.time.run_until_or(at, ends_early)?;
        check()?;
        fail_if_stopped(&self.bench)?;
        Ok(stopped)
    }

    /// Runs until exactly `at`, even without events, and without checking for interruption. For
    /// callers that advance in short steps and check it themselves.
    ///
    /// # Errors
    ///
    /// [`Error::Stopped`] if a board stopped.
    pub fn step_until(&self, at: Instant) -> Result<(), Error> {
        self.time.at(at, || ());
        self.time.run_until(at)?;
        fail_if_stopped(&self.bench)
    }

    /// Runs while `more` returns true, but no longer than until `limit`. `more` is called whenever the elapsed
    /// time has increased by an eighth. The run therefore stops soon after `more` starts to return false.
    ///
    /// # Errors
    ///
    /// Errors of [`Session::run_until`].
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

    /// Time in each power state since the boards were ready. Virtual time may stop before `end`
    /// when no event is left.
    #[must_use]
    pub fn draws(&self, end: Instant) -> Draws {
        let after = self.time.read_meters_until(end);
        Draws::since(&self.before, after, &self.time.take_stretches(), self.ready)
    }

    /// Named time slices so far, on a clock that starts at `origin`.
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

/// Whether this thread's work should end early.
fn ends_early() -> bool {
    interrupt::is_requested() || allowance::spend()
}

fn check() -> Result<(), Error> {
    interrupt::check()?;
    allowance::check()
}
