//! The value of a parameter.

use std::fmt;

use airlag_rig::origin::Origin;
use airlag_rig::parameter::Value;
use schemars::JsonSchema;
use serde::Serialize;

/// The value of a parameter, in its unit.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(untagged)]
#[schemars(inline)]
pub enum Setting {
    /// True or false.
    Flag(bool),
    /// An integer, in the unit.
    Whole(i64),
    /// A real number, in the unit.
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

impl fmt::Display for Setting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Flag(value) => write!(f, "{value}"),
            Self::Whole(value) => write!(f, "{value}"),
            Self::Real(value) => write!(f, "{value:.4}"),
            Self::Choice(value) => f.write_str(&value.to_lowercase()),
        }
    }
}

/// Returns the bounds of a constant. `None` if they are not known.
#[must_use]
pub fn bound(origin: &Origin) -> Option<[Setting; 2]> {
    origin.bound().map(|one| [Setting::from(&one.low), Setting::from(&one.high)])
}
