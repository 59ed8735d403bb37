//! Parameters that are not known for a capture: the phases of clocks at its start, and their
//! frequency errors.
//!
//! A match varies only the free parameters, which are phases of clocks and frequency errors. All
//! other properties of a link are taken from the profile. The phases of clocks are free because the
//! phase of a board at the first trigger is not recorded. Frequency errors are free because crystal
//! frequencies are not known to 1 ppm. A phase that the profile sets to a number is not free. A
//! value that the user set is not free either.

use crate::error::Error;
use airlag_rig::parameter::{Domain, RANDOM, Value};
use airlag_rig::profile::Profile;

/// Kind of a free parameter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Shape {
    /// A phase, as a share of a cycle from 0 to below 1.
    Phase,
    /// A position in a ring with this many positions.
    Position(u64),
    /// A frequency error, ppb.
    Rate {
        /// Value of the profile.
        own: f64,
        /// Largest deviation from it.
        reach: f64,
    },
}

/// A free parameter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Free {
    /// Name of the parameter.
    pub(super) name: &'static str,
    /// Unit.
    pub(super) unit: &'static str,
    pub(super) shape: Shape,
}

impl Free {
    /// Converts `value` to a parameter value.
    pub(super) fn value(&self, value: f64) -> Value {
        match self.shape {
            Shape::Phase => Value::Real(value),
            Shape::Position(_) | Shape::Rate { .. } => Value::Whole(value.round() as i64),
        }
    }

    /// Deviation of a rate from the profile, ppb. 0 for other parameters.
    pub(super) fn off_ppb(&self, value: f64) -> f64 {
        if let Shape::Rate { own, .. } = self.shape { (value - own).abs() } else { 0.0 }
    }

    /// Whether a rate is outside its plausible range.
    pub(super) fn is_beyond(&self, value: f64) -> bool {
        matches!(self.shape, Shape::Rate { own, reach } if (value - own).abs() > reach)
    }

    /// Whether the parameter is cyclic.
    pub(super) fn is_cyclic(&self) -> bool {
        !matches!(self.shape, Shape::Rate { .. })
    }
}

/// Plausible frequency error, as a share of the largest error of crystals on sale. Crystals of 200
/// ppm exist. Crystals of radio modules have 10 to 40 ppm, and age by a few ppm.
const PLAUSIBLE: f64 = 0.25;

/// Free parameters of a profile, except those in `fixed`, which the user has set.
///
/// A frequency error is visible only through a phase. Without a free phase, no rate is therefore
/// free.
pub(super) fn free(profile: &Profile, fixed: &[String]) -> Result<Vec<Free>, Error> {
    let mut free = Vec::new();
    for known in profile.kind.parameters() {
        let random = |value: &Value| *value == Value::Choice(RANDOM.to_owned());
        let is_set = profile.parameters.get(known.name).is_some_and(|one| !random(&one.value));
        if known.domain == Domain::Phase && !is_set {
            free.push(Free { name: known.name, unit: known.unit, shape: Shape::Phase });
        }
    }
    for (name, count) in profile.bind()?.link().positions() {
        let known = profile.known(name.as_str())?;
        free.push(Free { name: known.name, unit: known.unit, shape: Shape::Position(count) });
    }
    if free.iter().any(|one| one.shape == Shape::Phase) {
        for known in profile.kind.parameters() {
            let Domain::Whole(slowest, fastest) = known.domain else { continue };
            if known.unit == "ppb" && known.name.ends_with("_ppb") {
                let Some(&Value::Whole(own)) =
                    profile.parameters.get(known.name).map(|one| &one.value)
                else {
                    continue;
                };
                let own = own as f64;
                let reach = PLAUSIBLE * 0.5 * (fastest - slowest) as f64;
                let shape = Shape::Rate { own, reach };
                free.push(Free { name: known.name, unit: known.unit, shape });
            }
        }
    }
    free.retain(|one| !fixed.iter().any(|name| name == one.name));
    Ok(free)
}

/// Sets values in `profile`. A `None` leaves the profile's value or its random choice.
pub(super) fn set(
    profile: &Profile,
    free: &[Free],
    values: &[Option<f64>],
) -> Result<Profile, Error> {
    let mut profile = profile.clone();
    for (one, value) in free.iter().zip(values) {
        if let Some(value) = *value {
            let text = one.value(value).to_string();
            profile.set(one.name, &text)?;
        }
    }
    Ok(profile)
}
