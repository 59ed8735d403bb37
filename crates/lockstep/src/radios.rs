//! Two radios and the air between them, as the profile of a link configures them.

use airlag_rig::ends::Bench;
use airlag_rig::error::Refusal;
use airlag_rig::{Profile, neighbours};
use airlag_sim::{Instant, Line, Simulation};

use crate::chips::{Chip, Unplaced, place};
use crate::error::Error;
use crate::request::{Action, Reply, Request};

/// Two chips, numbered 0 and 1, and the air between them.
pub struct Radios {
    time: Simulation,
    chips: [Chip; 2],
    link: String,
    /// Owns the air.
    _bench: Bench,
}

impl Radios {
    /// Creates the chips of `profile` at instant 0, after power-on reset.
    ///
    /// # Errors
    ///
    /// [`Error::Kind`] for a kind without a chip on SPI, [`Error::Settings`] for neighbours and for settings that
    /// the chip refuses, and [`Error::Profile`].
    pub fn new(profile: &Profile, seed: u64) -> Result<Self, Error> {
        let (link, kind) = (profile.name.clone(), profile.kind.name());
        let refused = |cause: &str| Error::Settings { link: link.clone(), cause: cause.to_owned() };
        if profile.constants().any(|constant| constant.name == neighbours::NAME) {
            return Err(refused("neighbours are on the virtual bench only"));
        }
        let time = Simulation::new(seed);
        let bench = Bench::new(&time);
        let chips = place(profile, &bench).map_err(|reason| match reason {
            Unplaced::Kind => Error::Kind { link: link.clone(), kind },
            Unplaced::Profile(error) => error.into(),
            Unplaced::Refused(Refusal::Setting { cause, .. } | Refusal::Stopped { cause, .. }) => {
                refused(&cause)
            }
        })?;
        Ok(Self { time, chips, link, _bench: bench })
    }

    /// Advances to the time of `request` and applies its action.
    ///
    /// # Errors
    ///
    /// [`Error::Past`] and [`Error::Skipped`] for a time out of order, [`Error::Pin`] for a pin that these
    /// radios do not have, and [`Error::Simulation`].
    pub fn apply(&self, request: Request) -> Result<Reply, Error> {
        let Request { at, action } = request;
        self.advance(at)?;
        let byte = match action {
            Action::Advance => None,
            Action::Drive { board, pin, level } => {
                let (driven, line) = &self.chips[board].driven;
                if *driven != pin {
                    return Err(Error::Pin { link: self.link.clone(), pin, driven: *driven });
                }
                line.set(level);
                None
            }
            Action::Select { board } => {
                self.chips[board].bus.select();
                None
            }
            Action::Exchange { board, byte } => {
                let mut bytes = [byte];
                self.chips[board].bus.exchange(&mut bytes);
                Some(bytes[0])
            }
            Action::Deselect { board } => {
                self.chips[board].bus.deselect();
                None
            }
        };
        // Runs what the action has made ready at this instant.
        self.time.run_until(at)?;
        Ok(Reply { next: self.time.next_at(), levels: self.levels(), byte })
    }

    /// Levels of the pins that either board reads.
    #[must_use]
    pub fn levels(&self) -> [Vec<bool>; 2] {
        [0, 1].map(|board: usize| self.chips[board].read.iter().map(Line::level).collect())
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
