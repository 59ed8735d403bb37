//! A run with a sniffer on the air: what was sent, as a `.pcapng` file.
//!
//! Instant 0 of the file is the instant at which the bench was ready, the same as that of the
//! run's trace. What the radios sent to set themselves up comes before and is not in it.

use airlag_air::Capture;

use crate::error::Error;
use crate::profile::Profile;
use crate::run::{Options, Run, observed};
use crate::stimulus::Stimulus;

/// Does what [`run`](crate::run()) does, and keeps every frame that was sent meanwhile.
///
/// # Errors
/// Those of a run, and [`Error::NoAir`] for a link that has no radio.
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
