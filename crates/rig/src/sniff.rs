//! A run with a sniffer on the air: what was sent, as a `.pcapng` file.
//!
//! Instant 0 of the file is the instant at which the bench was ready, the same as that of the
//! run's trace. What the radios sent to set themselves up comes before and is not in it.

use airlag_air::{Capture, Medium, Sniffer};
use airlag_models::chip::nrf24::capture::ShockBurst;
use airlag_models::chip::sx127x::capture::LoraTap;
use airlag_models::chip::{nrf24, sx127x};
use airlag_sim::Instant;

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
    let (run, sniffer) = observed(profile, size, stimulus, options, |wiring, ready| {
        let no_air = || Error::NoAir { link: profile.name.clone() };
        Ok(attach(wiring.air.as_ref().ok_or_else(no_air)?, ready))
    })?;
    Ok((run, sniffer.take()))
}

/// A sniffer that knows every family of the models.
fn attach(air: &Medium, now: Instant) -> Sniffer {
    Sniffer::attach(air, now)
        .with(nrf24::packet::FAMILY, ShockBurst)
        .with(sx127x::settings::FAMILY, LoraTap)
}
