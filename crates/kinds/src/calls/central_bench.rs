//! A bench whose first board relays the packets of an external central.
//!
//! Time advances only while a packet is awaited.

use airlag_sim::Duration;

use super::Calls;
use super::drive::Drive;
use super::outside::Outside;
use airlag_rig::error::Error;
use airlag_rig::profile::Profile;
use airlag_rig::run::MAX_SIZE;
use airlag_rig::session::{Session, Wiring};

/// A bench after set-up, and the central's end of its link.
pub struct CentralBench {
    session: Session,
    outside: Outside,
}

impl CentralBench {
    /// Sets up a bench on which the benchmark service responds over the link of `profile`.
    ///
    /// # Errors
    ///
    /// Errors of a run; [`Error::OneWay`] and [`Error::NoBytes`] over links without responses.
    pub fn open(profile: &Profile, seed: u64) -> Result<Self, Error> {
        let wiring = Wiring::new(seed);
        let outside = Outside::new(wiring.sim());
        let calls = Calls::new(profile, Drive::Outside(outside.clone()))?;
        let session = wiring.open(profile, MAX_SIZE, &calls, None)?;
        Ok(Self { session, outside })
    }

    /// Longest container that the link accepts, bytes.
    #[must_use]
    pub fn longest(&self) -> usize {
        self.outside.longest()
    }

    /// Time since the bench was ready.
    #[must_use]
    pub fn now(&self) -> Duration {
        self.session.time().now().since(self.session.ready())
    }

    /// Sends a container.
    pub fn send(&self, container: Vec<u8>) {
        self.outside.give(container);
    }

    /// Waits for the next container. Returns `None` if no container arrives within `patience`.
    ///
    /// # Errors
    ///
    /// [`Error::Stopped`] if a board stopped.
    pub fn receive(&self, patience: Duration) -> Result<Option<Vec<u8>>, Error> {
        let time = self.session.time();
        let until = time.now() + patience;
        // Keeps time advancing without other events.
        time.at(until, || ());
        loop {
            if let Some(container) = self.outside.take() {
                return Ok(Some(container));
            }
            if time.now() >= until {
                return Ok(None);
            }
            self.session.run_until(until)?;
        }
    }
}
