//! A run with a sniffer, which records all frames for a `.pcapng` file.
//!
//! Instant 0 of the file is the instant at which the bench was ready, as in the run's trace.
//! Earlier frames, which belong to the set-up, are not included.

use airlag_air::Capture;

use crate::error::Error;
use crate::profile::Profile;
use crate::run::{Options, Run, observed};
use crate::stimulus::Stimulus;

/// Runs a bench as [`run`](crate::run()) does and records every frame.
///
/// # Errors
/// Errors of a run, and [`Error::NoAir`] for a link without a radio.
pub fn sniff(
    profile: &Profile,
    size: usize,
    stimulus: &Stimulus,
    options: Options,
) -> Result<(Run, Capture), Error> {
    let (run, sniffer) =
        observed(profile, size, stimulus, options, |session| session.sniffer(profile))?;
    Ok((run, sniffer.take()))
}
