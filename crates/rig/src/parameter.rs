//! Constants of a link: value, unit, range and origin.

mod bound;
mod field;
mod unit;

use serde::Deserialize;

pub use bound::Bound;
pub use field::{
    ByEnvironment, Field, Name, Phase, Ppb, Shape, choices, numbers, one, parameters, real, unit,
    whole,
};
use unit::in_unit;

use crate::neighbours;
use crate::origin::Origin;

/// Value of a constant.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(untagged)]
pub enum Value {
    /// Yes or no.
    Flag(bool),
    /// A whole number of units.
    Whole(i64),
    /// A real number.
    Real(f64),
    /// One of several choices.
    Choice(String),
}

impl Value {
    /// Returns the value as a number. `None` for a flag or a choice.
    #[must_use]
    pub const fn number(&self) -> Option<f64> {
        match *self {
            Self::Whole(whole) => Some(whole as f64),
            Self::Real(real) => Some(real),
            Self::Flag(_) | Self::Choice(_) => None,
        }
    }
}

impl std::fmt::Display for Value {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Flag(value) => write!(f, "{value}"),
            Self::Whole(value) => write!(f, "{value}"),
            Self::Real(value) => write!(f, "{value}"),
            Self::Choice(value) => write!(f, "{value:?}"),
        }
    }
}

/// A constant with its origin.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(try_from = "toml::Table")]
pub struct Parameter {
    /// Value.
    pub value: Value,
    /// Unit. It must be the unit that the kind of link uses.
    pub unit: String,
    /// Origin.
    pub origin: Origin,
}

impl TryFrom<toml::Table> for Parameter {
    type Error = String;

    fn try_from(mut table: toml::Table) -> Result<Self, String> {
        let value = take(&mut table, "value")?.ok_or("missing field `value`")?;
        let unit = take(&mut table, "unit")?.unwrap_or_default();
        Ok(Self { value, unit, origin: Origin::rest(table)? })
    }
}

/// Removes `key` from a table, if present.
pub(crate) fn take<T: serde::de::DeserializeOwned>(
    table: &mut toml::Table,
    key: &str,
) -> Result<Option<T>, String> {
    let read = |value: toml::Value| value.try_into().map_err(|error| format!("`{key}`: {error}"));
    table.remove(key).map(read).transpose()
}

/// Valid values of a parameter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Domain {
    /// Whole numbers in a range.
    Whole(i64, i64),
    /// Real numbers in a range.
    Real(f64, f64),
    /// Real numbers in a range, or [`OF_ENVIRONMENT`].
    RealOrEnvironment(f64, f64),
    /// Initial phase of a periodic process at the start of the bench, as a fraction of its cycle
    /// from 0 to below 1, or [`RANDOM`]. Captures do not record the phase, so a match may fit it.
    Phase,
    /// Yes or no.
    Flag,
    /// One of these words.
    Choice(&'static [&'static str]),
    /// Neighbours of these kinds.
    Neighbours(neighbours::Kinds),
}

/// Text of a value that is taken from the environment of the link.
pub const OF_ENVIRONMENT: &str = "environment";

/// Text of a phase that is drawn from the seed.
pub const RANDOM: &str = "random";

/// The declaration of a parameter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Known {
    /// Name.
    pub name: &'static str,
    /// Unit, empty for a plain number.
    pub unit: &'static str,
    /// Valid values.
    pub domain: Domain,
    /// Meaning.
    pub about: &'static str,
    /// Default and its justification. `None` for a required parameter.
    pub default: Option<(&'static str, &'static str)>,
}

impl Known {
    /// Parses `text` as a value of this parameter. A number may have another unit of the same
    /// quantity, such as `7.5ms` for a parameter in microseconds. Invalid text becomes a
    /// [`Value::Choice`], so that the error message can show the text.
    #[must_use]
    pub fn read(&self, text: &str) -> Value {
        let whole = |text: &str| {
            let number = in_unit(text, self.unit)?;
            // A float represents every valid whole number exactly.
            let near = number.round();
            ((number - near).abs() <= 1e-9 * near.abs().max(1.0)).then_some(near as i64)
        };
        let value = match self.domain {
            Domain::Whole(..) => whole(text).map(Value::Whole),
            Domain::Real(..) | Domain::RealOrEnvironment(..) => {
                in_unit(text, self.unit).map(Value::Real)
            }
            Domain::Phase => text.parse().map(Value::Real).ok(),
            Domain::Flag => text.parse().map(Value::Flag).ok(),
            // `2Mbit/s` is a valid value of a `rate` with the choices 250, 1000 and 2000 kbit/s.
            // Choices may also be fractions: `bandwidth` has 62.5 kHz.
            Domain::Choice(_) => in_unit(text, self.unit)
                .map(|number| Value::Choice(number.to_string()))
                .filter(|value| !self.unit.is_empty() && self.admits(value)),
            Domain::Neighbours(_) => None,
        };
        value.unwrap_or_else(|| Value::Choice(text.to_owned()))
    }

    /// Splits `text` at commas into values. Values of neighbours, such as `same-link:5,10m`,
    /// contain commas and are not split.
    pub fn values<'a>(&self, text: &'a str) -> impl Iterator<Item = &'a str> + use<'a> {
        let listed = !matches!(self.domain, Domain::Neighbours(_));
        text.split(move |letter| listed && letter == ',').map(str::trim)
    }

    /// Returns true if `value` is valid.
    #[must_use]
    pub fn admits(&self, value: &Value) -> bool {
        match (self.domain, value) {
            (Domain::Whole(low, high), Value::Whole(whole)) => (low..=high).contains(whole),
            (
                Domain::Real(low, high) | Domain::RealOrEnvironment(low, high),
                Value::Real(_) | Value::Whole(_),
            ) => value.number().is_some_and(|number| (low..=high).contains(&number)),
            (Domain::RealOrEnvironment(..), Value::Choice(choice)) => choice == OF_ENVIRONMENT,
            (Domain::Phase, Value::Real(share)) => (0.0..1.0).contains(share),
            (Domain::Phase, Value::Whole(whole)) => *whole == 0,
            (Domain::Phase, Value::Choice(choice)) => choice == RANDOM,
            (Domain::Flag, Value::Flag(_)) => true,
            (Domain::Choice(choices), Value::Choice(choice)) => {
                choices.iter().any(|known| known == choice)
            }
            (Domain::Neighbours(kinds), Value::Choice(text)) => {
                neighbours::spec::parse(text, kinds).is_ok()
            }
            _ => false,
        }
    }

    /// Valid words; empty for parameters without words.
    #[must_use]
    pub fn words(&self) -> Vec<&'static str> {
        match self.domain {
            Domain::Whole(..) | Domain::Real(..) | Domain::Neighbours(_) => Vec::new(),
            Domain::RealOrEnvironment(..) => vec![OF_ENVIRONMENT],
            Domain::Phase => vec![RANDOM],
            Domain::Flag => vec!["true", "false"],
            Domain::Choice(choices) => choices.to_vec(),
        }
    }

    /// Lower and upper limit, in the parameter's unit. `None` for parameters that are not numbers.
    #[must_use]
    pub fn ends(&self) -> Option<(f64, f64)> {
        match self.domain {
            Domain::Whole(low, high) => Some((low as f64, high as f64)),
            Domain::Real(low, high) | Domain::RealOrEnvironment(low, high) => Some((low, high)),
            Domain::Phase => Some((0.0, 1.0)),
            Domain::Flag | Domain::Choice(_) | Domain::Neighbours(_) => None,
        }
    }

    /// The default as a parameter. `None` for a required parameter.
    pub(crate) fn as_default(&self) -> Option<Parameter> {
        let (text, reason) = self.default?;
        let (unit, origin) = (self.unit.to_owned(), Origin::assumed(reason));
        Some(Parameter { value: self.read(text), unit, origin })
    }

    /// Description of the valid values.
    pub(crate) fn choices(&self) -> String {
        match self.domain {
            Domain::Whole(..) => "a whole number".to_owned(),
            Domain::Real(..) => "a number".to_owned(),
            Domain::RealOrEnvironment(low, high) => {
                format!("a number from {low} to {high}, or {OF_ENVIRONMENT}")
            }
            Domain::Phase => "a share of a cycle from 0 to below 1, or random".to_owned(),
            Domain::Flag => "true or false".to_owned(),
            Domain::Choice(choices) => choices.join(" | "),
            Domain::Neighbours(kinds) => kinds.examples(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known<F: Field>(shape: Shape) -> Known {
        F::declare("one", "", shape)[0]
    }

    fn interval() -> Known {
        known::<u32>(whole(7_500, 4_000_000, "us"))
    }

    numbers! {
        /// Data rates of a radio.
        struct Rate(u32) of 250, 1000, 2000
    }

    #[test]
    fn a_number_with_a_unit_is_converted_to_the_parameters_own() {
        assert_eq!(interval().read("7.5ms"), Value::Whole(7_500));
        assert_eq!(interval().read("30 ms"), Value::Whole(30_000));
        assert_eq!(interval().read("9000"), Value::Whole(9_000));
        assert_eq!(known::<Ppb>(Shape::default()).read("-2.5ppm"), Value::Whole(-2_500));
        assert_eq!(known::<f64>(Shape::default()).read("2.5%"), Value::Real(0.025));
        let rate = known::<Rate>(unit("kbit/s"));
        assert_eq!(rate.read("2Mbit/s"), Value::Choice("2000".to_owned()));
        let domain = Domain::Choice(&["31.25", "62.5"]);
        let bandwidth = Known { unit: "kHz", domain, ..interval() };
        assert_eq!(bandwidth.read("62.5kHz"), Value::Choice("62.5".to_owned()));
        assert_eq!(bandwidth.read("31250 Hz"), Value::Choice("31.25".to_owned()));
    }

    #[test]
    fn what_is_no_value_comes_back_as_its_text() {
        for text in ["7.5 dB", "soon", "", "7.5m", "1e3", "-", "0.0001ms"] {
            assert_eq!(interval().read(text), Value::Choice(text.to_owned()), "{text}");
            assert!(!interval().admits(&interval().read(text)));
        }
    }

    #[test]
    fn a_phase_is_a_share_of_a_cycle_or_random() {
        let phase = known::<Phase>(Shape::default());
        assert!(phase.admits(&phase.read("0.25")) && phase.admits(&phase.read("random")));
        assert!(phase.admits(&phase.read("0")));
        assert!(!phase.admits(&phase.read("1")) && !phase.admits(&phase.read("-0.1")));
    }

    #[test]
    fn commas_part_values_that_have_none_themselves() {
        let values =
            |known: &Known, text| known.values(text).map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(values(&interval(), "7.5ms, 30ms"), ["7.5ms", "30ms"]);
        assert_eq!(values(&interval(), "7.5ms"), ["7.5ms"]);
        // A missing value is passed on, and the parameter rejects it.
        assert_eq!(values(&interval(), "7.5ms,"), ["7.5ms", ""]);
        let domain = Domain::Neighbours(neighbours::Kinds::new(&[]));
        let crowd = Known { unit: "", domain, ..interval() };
        assert_eq!(values(&crowd, "same-link:5,10m"), ["same-link:5,10m"]);
    }

    proptest::proptest! {
        #[test]
        fn any_text_is_read_without_a_panic(text in ".{0,40}") {
            let _ = interval().admits(&interval().read(&text));
            let _ = known::<Phase>(Shape::default()).read(&text);
        }
    }
}
