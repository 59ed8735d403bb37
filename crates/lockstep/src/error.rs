//! Errors of a run in lock step.

use std::io;

use airlag_sim::Instant;

use crate::request::Pin;

/// Reason why a run ended early.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The profile is invalid.
    #[error(transparent)]
    Profile(#[from] airlag_rig::Error),
    /// Radios of this kind have no pins.
    #[error("{link} is of kind {kind}; only nrf24 and lora have a chip model with SPI and pins")]
    Kind {
        /// Profile.
        link: String,
        /// Kind of its link.
        kind: &'static str,
    },
    /// The settings conflict.
    #[error("{link}: {cause}")]
    Settings {
        /// Profile.
        link: String,
        /// Problem and remedy.
        cause: String,
    },
    /// A line is not a request.
    #[error("not a request: {}", .0.escape_debug())]
    Syntax(String),
    /// The radios do not have this pin.
    #[error("{link}: its radios have no pin {pin}, but {driven}")]
    Pin {
        /// Profile.
        link: String,
        /// Requested pin.
        pin: Pin,
        /// Pin of these radios.
        driven: Pin,
    },
    /// A request is earlier than the one before.
    #[error("a request at {at} follows one at {now}")]
    Past {
        /// Time of the request.
        at: Instant,
        /// Time of the last one.
        now: Instant,
    },
    /// A request skips an event of the radios.
    #[error("a request at {at} skips an event at {next}")]
    Skipped {
        /// Time of the request.
        at: Instant,
        /// Time of the event.
        next: Instant,
    },
    /// The simulation failed.
    #[error(transparent)]
    Simulation(#[from] airlag_sim::Error),
    /// The emulator's pipe failed.
    #[error("the emulator: {0}")]
    Pipe(#[from] io::Error),
}
