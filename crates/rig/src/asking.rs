//! A bench whose first board is the packets of a central that is not ours.
//!
//! Time passes only while something is awaited.

use airlag_sim::{Duration, Instant, Simulation};

use crate::ends::Bench;
use crate::error::Error;
use crate::interrupt;
use crate::neighbours;
use crate::profile::Profile;
use crate::programs::Program;
use crate::programs::calls::Calls;
use crate::programs::calls::drive::Drive;
use crate::programs::calls::outside::Outside;
use crate::run::{MAX_SIZE, fail_if_stopped, set_up};

/// A bench that has been set up, and the central's end of its link.
pub struct Asking {
    time: Simulation,
    bench: Bench,
    outside: Outside,
    ready: Instant,
}

impl Asking {
    /// Sets a bench up: the benchmark service answers behind the link of `profile`.
    ///
    /// # Errors
    ///
    /// Those of a run; [`Error::OneWay`] and [`Error::NoBytes`] where no answer can come.
    pub fn open(profile: &Profile, seed: u64) -> Result<Self, Error> {
        let time = Simulation::new(seed);
        let bench = Bench::new(&time);
        let outside = Outside::new(&time);
        let calls = Calls::new(profile, Drive::Outside(outside.clone()))?;
        neighbours::start(profile, MAX_SIZE, &Program::Calls(calls), &bench, None)?;
        let ready = set_up(profile, &time, &bench)?;
        Ok(Self { time, bench, outside, ready })
    }

    /// Longest container the link takes, bytes.
    #[must_use]
    pub fn longest(&self) -> usize {
        self.outside.longest()
    }

    /// Since the bench was ready.
    #[must_use]
    pub fn now(&self) -> Duration {
        self.time.now().since(self.ready)
    }

    /// Gives a container to be sent.
    pub fn send(&self, container: Vec<u8>) {
        self.outside.give(container);
    }

    /// Waits for the next container; none if none comes in `patience`.
    ///
    /// # Errors
    ///
    /// [`Error::Stopped`] where a board stopped.
    pub fn receive(&self, patience: Duration) -> Result<Option<Vec<u8>>, Error> {
        let until = self.time.now() + patience;
        // Time goes on where nothing happens, too.
        self.time.at(until, || ());
        loop {
            if let Some(container) = self.outside.take() {
                return Ok(Some(container));
            }
            if self.time.now() >= until {
                return Ok(None);
            }
            self.time.run_until_or(until, interrupt::is_requested)?;
            interrupt::check();
            fail_if_stopped(&self.bench)?;
        }
    }
}
