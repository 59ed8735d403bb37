//! A constant of a link: its value, its unit, its range, and where it comes from.

use serde::Deserialize;

use crate::origin::Origin;

/// What a constant is set to.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(untagged)]
pub enum Value {
    /// Yes or no.
    Flag(bool),
    /// A whole number of units.
    Whole(i64),
    /// A share.
    Real(f64),
    /// One of several choices.
    Choice(String),
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
    /// What it is set to.
    pub value: Value,
    /// In which unit; must be the one this kind of link uses.
    pub unit: String,
    /// Where it comes from.
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

/// Takes `key` out of a table, if it is there.
pub(crate) fn take<T: serde::de::DeserializeOwned>(
    table: &mut toml::Table,
    key: &str,
) -> Result<Option<T>, String> {
    let read = |value: toml::Value| value.try_into().map_err(|error| format!("`{key}`: {error}"));
    table.remove(key).map(read).transpose()
}

/// What a parameter may be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Domain {
    /// A whole number between two ends.
    Whole(i64, i64),
    /// A real number between two ends.
    Real(f64, f64),
    /// Where something periodic stands when the bench begins, as a share of its cycle from 0 to
    /// below 1, or [`RANDOM`]. Nobody writes it down when a capture is taken, so a match may fit it.
    Phase,
    /// Yes or no.
    Flag,
    /// One of these, separated by ` | `.
    Choice(&'static str),
}

/// A phase that is drawn from the seed.
pub const RANDOM: &str = "random";

/// A parameter a kind of link has.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Known {
    /// Its name.
    pub name: &'static str,
    /// Its unit, empty for a plain number.
    pub unit: &'static str,
    /// What it may be.
    pub domain: Domain,
    /// What it means.
    pub about: &'static str,
}

impl Known {
    /// A whole number from `low` to `high`.
    #[must_use]
    pub const fn whole(
        name: &'static str,
        unit: &'static str,
        low: i64,
        high: i64,
        about: &'static str,
    ) -> Self {
        Self { name, unit, domain: Domain::Whole(low, high), about }
    }

    /// A real number from `low` to `high`.
    #[must_use]
    pub const fn real(
        name: &'static str,
        unit: &'static str,
        low: f64,
        high: f64,
        about: &'static str,
    ) -> Self {
        Self { name, unit, domain: Domain::Real(low, high), about }
    }

    /// A time of up to 1,000 s, in nanoseconds.
    #[must_use]
    pub const fn ns(name: &'static str, about: &'static str) -> Self {
        Self::whole(name, "ns", 0, 1_000_000_000_000, about)
    }

    /// How fast a clock runs; no crystal sold is off by more than 200 ppm.
    #[must_use]
    pub const fn ppb(name: &'static str, about: &'static str) -> Self {
        Self::whole(name, "ppb", -200_000, 200_000, about)
    }

    /// A phase.
    #[must_use]
    pub const fn phase(name: &'static str, about: &'static str) -> Self {
        Self { name, unit: "", domain: Domain::Phase, about }
    }

    /// Yes or no.
    #[must_use]
    pub const fn flag(name: &'static str, about: &'static str) -> Self {
        Self { name, unit: "", domain: Domain::Flag, about }
    }

    /// One of several choices, separated by ` | `.
    #[must_use]
    pub const fn choice(
        name: &'static str,
        unit: &'static str,
        choices: &'static str,
        about: &'static str,
    ) -> Self {
        Self { name, unit, domain: Domain::Choice(choices), about }
    }

    /// `text` as a value of this parameter; a number may carry a unit of the same kind, `7.5ms`
    /// where the parameter is in microseconds. What is no such value comes back as a
    /// [`Value::Choice`] with the text, for an error message to show.
    #[must_use]
    pub fn read(&self, text: &str) -> Value {
        let whole = |text: &str| {
            let number = in_unit(text, self.unit)?;
            // A float holds every whole number that a parameter may be.
            let near = number.round();
            ((number - near).abs() <= 1e-9 * near.abs().max(1.0)).then_some(near as i64)
        };
        let value = match self.domain {
            Domain::Whole(..) => whole(text).map(Value::Whole),
            Domain::Real(..) => in_unit(text, self.unit).map(Value::Real),
            Domain::Phase => text.parse().map(Value::Real).ok(),
            Domain::Flag => text.parse().map(Value::Flag).ok(),
            // `rate` is one of 250 | 1000 | 2000 kbit/s, and `2Mbit/s` is one of them.
            Domain::Choice(_) => whole(text)
                .map(|number| Value::Choice(number.to_string()))
                .filter(|value| !self.unit.is_empty() && self.admits(value)),
        };
        value.unwrap_or_else(|| Value::Choice(text.to_owned()))
    }

    /// True if the parameter may be `value`.
    #[must_use]
    pub fn admits(&self, value: &Value) -> bool {
        match (self.domain, value) {
            (Domain::Whole(low, high), Value::Whole(whole)) => (low..=high).contains(whole),
            (Domain::Real(low, high), Value::Real(real)) => (low..=high).contains(real),
            (Domain::Real(low, high), &Value::Whole(whole)) => {
                (low..=high).contains(&(whole as f64))
            }
            (Domain::Phase, Value::Real(share)) => (0.0..1.0).contains(share),
            (Domain::Phase, Value::Whole(whole)) => *whole == 0,
            (Domain::Phase, Value::Choice(choice)) => choice == RANDOM,
            (Domain::Flag, Value::Flag(_)) => true,
            (Domain::Choice(choices), Value::Choice(choice)) => {
                choices.split(" | ").any(|known| known == choice)
            }
            _ => false,
        }
    }

    /// What the parameter may be, in words.
    pub(crate) const fn choices(&self) -> &'static str {
        match self.domain {
            Domain::Whole(..) => "a whole number",
            Domain::Real(..) => "a number",
            Domain::Phase => "a share of a cycle from 0 to below 1, or random",
            Domain::Flag => "true or false",
            Domain::Choice(choices) => choices,
        }
    }
}

/// Units that mean the same kind of thing, with their size.
const UNITS: &[&[(&str, f64)]] = &[
    &[("ns", 1.0), ("us", 1e3), ("ms", 1e6), ("s", 1e9)],
    &[("Hz", 1.0), ("kHz", 1e3), ("MHz", 1e6), ("GHz", 1e9)],
    &[("bit/s", 1.0), ("kbit/s", 1e3), ("Mbit/s", 1e6)],
    &[("ppb", 1.0), ("ppm", 1e3)],
    &[("m", 1.0), ("km", 1e3)],
    &[("B", 1.0), ("KiB", 1024.0)],
    &[("", 1.0), ("%", 0.01)],
];

/// `text` as a number of `unit`s: a plain number, or one with a unit of the same kind.
fn in_unit(text: &str, unit: &str) -> Option<f64> {
    let text = text.trim();
    let ends = text.find(|letter: char| !matches!(letter, '0'..='9' | '.' | '+' | '-' | '_'));
    let (digits, given) = text.split_at(ends.unwrap_or(text.len()));
    let number: f64 = digits.replace('_', "").parse().ok()?;
    let given = given.trim_start();
    if given.is_empty() || given == unit {
        return Some(number);
    }
    let size = |units: &[(&str, f64)], name: &str| {
        units.iter().find(|(known, _)| *known == name).map(|&(_, size)| size)
    };
    UNITS.iter().find_map(|units| Some(number * size(units, given)? / size(units, unit)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    const INTERVAL: Known = Known::whole("interval", "us", 7_500, 4_000_000, "");

    #[test]
    fn a_number_with_a_unit_is_converted_to_the_parameters_own() {
        assert_eq!(INTERVAL.read("7.5ms"), Value::Whole(7_500));
        assert_eq!(INTERVAL.read("30 ms"), Value::Whole(30_000));
        assert_eq!(INTERVAL.read("9000"), Value::Whole(9_000));
        assert_eq!(Known::ppb("drift", "").read("-2.5ppm"), Value::Whole(-2_500));
        assert_eq!(Known::real("loss", "", 0.0, 1.0, "").read("2.5%"), Value::Real(0.025));
        let rate = Known::choice("rate", "kbit/s", "250 | 1000 | 2000", "");
        assert_eq!(rate.read("2Mbit/s"), Value::Choice("2000".to_owned()));
    }

    #[test]
    fn what_is_no_value_comes_back_as_its_text() {
        for text in ["7.5 dB", "soon", "", "7.5m", "1e3", "-", "0.0001ms"] {
            assert_eq!(INTERVAL.read(text), Value::Choice(text.to_owned()), "{text}");
            assert!(!INTERVAL.admits(&INTERVAL.read(text)));
        }
    }

    #[test]
    fn a_phase_is_a_share_of_a_cycle_or_random() {
        let phase = Known::phase("tick_phase", "");
        assert!(phase.admits(&phase.read("0.25")) && phase.admits(&phase.read("random")));
        assert!(phase.admits(&phase.read("0")));
        assert!(!phase.admits(&phase.read("1")) && !phase.admits(&phase.read("-0.1")));
    }

    proptest::proptest! {
        #[test]
        fn any_text_is_read_without_a_panic(text in ".{0,40}") {
            let _ = INTERVAL.admits(&INTERVAL.read(&text));
            let _ = Known::phase("phase", "").read(&text);
        }
    }
}
