//! What a capture leaves free: where clocks stood when it began, and how fast they ran.
//!
//! Everything else about a link is in its profile, and a match never touches it. Nobody writes
//! down at which moment of its tick a board met the first trigger; nobody knows a crystal to the
//! millionth. A phase a profile sets to a number, and a value set by the user, are not free.

use crate::error::Error;
use airlag_rig::parameter::{Domain, RANDOM, Value};
use airlag_rig::profile::Profile;

/// What kind of value it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Shape {
    /// A share of a cycle, from 0 to below 1.
    Phase,
    /// A position in a ring of this many.
    Position(u64),
    /// How fast a clock runs, ppb.
    Rate {
        /// What the profile has.
        own: f64,
        /// How far off that it may be.
        reach: f64,
    },
}

/// A value a capture leaves free.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Free {
    /// Of which parameter.
    pub(super) name: &'static str,
    /// In which unit.
    pub(super) unit: &'static str,
    pub(super) shape: Shape,
}

impl Free {
    /// `value` as a parameter has it.
    pub(super) fn value(&self, value: f64) -> Value {
        match self.shape {
            Shape::Phase => Value::Real(value),
            Shape::Position(_) | Shape::Rate { .. } => Value::Whole(value.round() as i64),
        }
    }

    /// How far `value` is from what the profile has, ppb; 0 for what is no rate.
    pub(super) fn off_ppb(&self, value: f64) -> f64 {
        if let Shape::Rate { own, .. } = self.shape { (value - own).abs() } else { 0.0 }
    }

    /// Whether a clock cannot be so far off.
    pub(super) fn is_beyond(&self, value: f64) -> bool {
        matches!(self.shape, Shape::Rate { own, reach } if (value - own).abs() > reach)
    }

    /// Whether going past the end leads to the beginning.
    pub(super) fn is_cyclic(&self) -> bool {
        !matches!(self.shape, Shape::Rate { .. })
    }
}

/// How far a clock may be off what its profile says, as a share of what is sold at all. Crystals of
/// 200 ppm are; those of radio modules have 10 to 40 and age by a few more.
const PLAUSIBLE: f64 = 0.25;

/// The free values of a profile; `fixed` are parameters the user has set.
///
/// How fast a clock runs only shows against a phase that was frozen: without a free phase no rate
/// is free either.
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

/// `profile` with these values; a value that is `None` stays as the profile has it, or is drawn.
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
