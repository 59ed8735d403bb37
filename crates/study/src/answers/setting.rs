//! The value of a parameter.

use airlag_rig::origin::Origin;
use airlag_rig::parameter::Value;
use schemars::JsonSchema;
use serde::Serialize;

/// The value of a parameter, in its unit.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(untagged)]
#[schemars(inline)]
pub enum Setting {
    /// Yes or no.
    Flag(bool),
    /// A whole number of units.
    Whole(i64),
    /// Any number of units.
    Real(f64),
    /// One of several words.
    Choice(String),
}

impl From<&Value> for Setting {
    fn from(value: &Value) -> Self {
        match value {
            Value::Flag(value) => Self::Flag(*value),
            Value::Whole(value) => Self::Whole(*value),
            Value::Real(value) => Self::Real(*value),
            Value::Choice(value) => Self::Choice(value.clone()),
        }
    }
}

/// The two values between which a constant may lie; none where they are not known.
#[must_use]
pub fn bound(origin: &Origin) -> Option<[Setting; 2]> {
    origin.bound().map(|one| [Setting::from(&one.low), Setting::from(&one.high)])
}
