//! Two nRF24L01+ and the air between them, as the profile of a link configures them.

use std::rc::Rc;

use airlag_kinds::nrf24::{Parameters, stations};
use airlag_models::chip::nrf24::Nrf24;
use airlag_models::mcu::SpiTarget;
use airlag_rig::ends::Bench;
use airlag_rig::error::Refusal;
use airlag_rig::{Profile, neighbours};
use airlag_sim::{Instant, Simulation};

use crate::error::Error;
use crate::request::{Action, Reply, Request};

/// Message size, bytes. It selects the payload length of the bench's own drivers, which do not run here.
const SIZE: usize = 32;

/// Two chips, numbered 0 and 1, and the air between them.
pub struct Radios {
    time: Simulation,
    chips: [Rc<Nrf24>; 2],
    /// Keeps the air.
    _bench: Bench,
}

impl Radios {
    /// Creates the chips of `profile` at instant 0, after power-on reset.
    ///
    /// # Errors
    ///
    /// [`Error::Kind`] for another kind of link, [`Error::Settings`] for neighbours and for settings that
    /// the chip refuses, and [`Error::Profile`].
    pub fn new(profile: &Profile, seed: u64) -> Result<Self, Error> {
        let (link, kind) = (profile.name.clone(), profile.kind.name());
        if kind != "nrf24" {
            return Err(Error::Kind { link, kind });
        }
        let refused = |cause: &str| Error::Settings { link: link.clone(), cause: cause.to_owned() };
        if profile.constants().any(|constant| constant.name == neighbours::NAME) {
            return Err(refused("neighbours are on the virtual bench only"));
        }
        let parameters: Parameters = profile.read()?;
        let time = Simulation::new(seed);
        let bench = Bench::new(&time);
        let placed = stations(&parameters, SIZE, &bench).map_err(|refusal| match refusal {
            Refusal::Setting { cause, .. } | Refusal::Stopped { cause, .. } => refused(&cause),
        });
        let (near, far) = placed?;
        let chips = [Rc::clone(near.chip()), Rc::clone(far.chip())];
        Ok(Self { time, chips, _bench: bench })
    }

    /// Advances to the time of `request` and applies its action.
    ///
    /// # Errors
    ///
    /// [`Error::Past`] and [`Error::Skipped`] for a time out of order, and [`Error::Simulation`].
    pub fn apply(&self, request: Request) -> Result<Reply, Error> {
        let Request { at, action } = request;
        self.advance(at)?;
        let byte = match action {
            Action::Advance => None,
            Action::Enable { board, level } => {
                self.chips[board].ce().set(level);
                None
            }
            Action::Select { board } => {
                self.chips[board].select();
                None
            }
            Action::Exchange { board, byte } => {
                let mut bytes = [byte];
                self.chips[board].exchange(&mut bytes);
                Some(bytes[0])
            }
            Action::Deselect { board } => {
                self.chips[board].deselect();
                None
            }
        };
        // Runs what the action has made ready at this instant.
        self.time.run_until(at)?;
        Ok(Reply { next: self.time.next_at(), interrupts: self.interrupts(), byte })
    }

    /// Levels of the interrupt pins, active low.
    #[must_use]
    pub fn interrupts(&self) -> [bool; 2] {
        [self.chips[0].irq().level(), self.chips[1].irq().level()]
    }

    /// Runs the events until `at`. Virtual time advances to `at` even without an event.
    fn advance(&self, at: Instant) -> Result<(), Error> {
        let now = self.time.now();
        if at < now {
            return Err(Error::Past { at, now });
        }
        if let Some(next) = self.time.next_at().filter(|&next| next < at) {
            return Err(Error::Skipped { at, next });
        }
        self.time.at(at, || ());
        self.time.run_until(at)?;
        Ok(())
    }
}
