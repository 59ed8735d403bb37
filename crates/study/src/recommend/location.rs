//! The deciding location of a link at a distance.
//!
//! Locations at the same distance differ only in their shadowing, and a larger path loss never
//! improves a link. A given share of the locations therefore meets a requirement if and only if the
//! location at the corresponding quantile of the shadowing meets the requirement. The location at
//! this quantile has the same excess loss for all links. One simulation at this location replaces a
//! simulation of many random locations.

use airlag_rig::parameter::Parameter;
use airlag_rig::places::{apart, at_mean};
use airlag_rig::profile::Profile;
use airlag_rig::propagation::Propagation;
use airlag_stats::interval::normal_quantile;

use crate::error::Error;

/// Returns the link of `profile` at the location that is worse than a share `share` of all
/// locations. If the locations do not differ, the profile is returned unchanged.
///
/// # Errors
///
/// [`Error`] if a propagation parameter cannot be set.
pub fn located(profile: &Profile, share: f64) -> Result<Profile, Error> {
    let mut located = at_mean(profile)?;
    let Some(propagation) = apart(profile) else { return Ok(located) };
    let beyond = propagation.deviation().0 * normal_quantile(share);
    let name = Propagation::antenna_gain.as_str();
    let gain = located.parameters.get(name).map_or(0.0, gain);
    located.set(name, &format!("{:.3}", gain - beyond))?;
    Ok(located)
}

fn gain(parameter: &Parameter) -> f64 {
    parameter.value.number().unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use airlag_kinds::registry::find;

    use super::*;

    #[test]
    fn nine_of_ten_locations_are_no_worse_than_one_with_1_28_deviations_more_loss() {
        let mut link = find("nrf24-250k").expect("listed");
        link.set("range", "30m").expect("a range");
        link.set("environment", "office").expect("an environment");
        let found = located(&link, 0.9).expect("a location");
        let gain = found.parameters["antenna_gain"].value.number().expect("a number");
        // The shadowing of an office has a standard deviation of 10 dB.
        assert!((gain + 12.816).abs() < 2e-3, "{gain}");
        assert_eq!(found.parameters["shadowing"].value.to_string(), "0");
        // The mean is the median.
        let median = located(&link, 0.5).expect("a location");
        assert!(median.parameters["antenna_gain"].value.number().expect("a number").abs() < 1e-3);
    }
}
