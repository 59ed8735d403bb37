//! One quantity against one limit.

use std::fmt;

use crate::clause::Clause;

/// How something stands with a rule, the best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Standing {
    /// It keeps the limit.
    Within,
    /// It does, by less than [`NEAR_SHARE`] of a time or [`NEAR_DB`] of a power: less than what two
    /// boards, or two measurements, differ by.
    AtLimit,
    /// It does not.
    NotAllowed,
}

impl Standing {
    /// Its name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Within => "within",
            Self::AtLimit => "at the limit",
            Self::NotAllowed => "not allowed",
        }
    }
}

/// A time this near its limit, as a share of it, is at the limit.
pub const NEAR_SHARE: f64 = 0.1;
/// A power this near its limit is at the limit, dB.
pub const NEAR_DB: f64 = 0.5;

/// What would make it allowed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Remedy {
    /// The message rate divided by this.
    LowerRate(f64),
    /// This much less power, dB.
    LowerPower(f64),
}

/// On which side of the limit it has to be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Limit {
    /// No more.
    AtMost(f64),
    /// No less.
    AtLeast(f64),
    /// Not at all: there is no such value.
    Never,
}

impl Limit {
    /// In words, with the limit where there is one.
    #[must_use]
    pub const fn told(self) -> (&'static str, Option<f64>) {
        match self {
            Self::AtMost(most) => ("at most", Some(most)),
            Self::AtLeast(least) => ("at least", Some(least)),
            Self::Never => ("never", None),
        }
    }
}

/// A quantity and its limit, both in `unit`.
#[derive(Clone, Debug, PartialEq)]
pub struct Check {
    /// What it is.
    pub quantity: String,
    /// Of what is judged.
    pub value: f64,
    /// What the clause allows.
    pub limit: Limit,
    /// Of both.
    pub unit: &'static str,
    /// Where that stands.
    pub clause: Clause,
    /// How it stands.
    pub standing: Standing,
    /// What would make it allowed, where something would; none if it is.
    pub remedy: Option<Remedy>,
}

impl Check {
    /// A power, dBm, or its density.
    #[must_use]
    pub fn power(quantity: &str, dbm: f64, most: f64, unit: &'static str, clause: Clause) -> Self {
        let standing = if dbm > most + 1e-9 {
            Standing::NotAllowed
        } else if dbm > most - NEAR_DB {
            Standing::AtLimit
        } else {
            Standing::Within
        };
        let remedy = (standing == Standing::NotAllowed).then_some(Remedy::LowerPower(dbm - most));
        let (quantity, limit) = (quantity.to_owned(), Limit::AtMost(most));
        Self { quantity, value: dbm, limit, unit, clause, standing, remedy }
    }

    /// A time, or a share of time, that grows with the rate of messages if `scales`.
    #[must_use]
    pub fn time(
        quantity: impl Into<String>,
        value: f64,
        most: f64,
        unit: &'static str,
        scales: bool,
        clause: Clause,
    ) -> Self {
        let standing = if value > most * (1.0 + 1e-9) {
            Standing::NotAllowed
        } else if value > most * (1.0 - NEAR_SHARE) {
            Standing::AtLimit
        } else {
            Standing::Within
        };
        let remedy =
            (scales && standing == Standing::NotAllowed).then_some(Remedy::LowerRate(value / most));
        let (quantity, limit) = (quantity.into(), Limit::AtMost(most));
        Self { quantity, value, limit, unit, clause, standing, remedy }
    }

    /// Something that is built so: a width, a number of channels.
    #[must_use]
    pub fn built(
        quantity: &str,
        value: f64,
        limit: Limit,
        unit: &'static str,
        clause: Clause,
    ) -> Self {
        let kept = match limit {
            Limit::AtMost(most) => value <= most,
            Limit::AtLeast(least) => value >= least,
            Limit::Never => false,
        };
        let standing = if kept { Standing::Within } else { Standing::NotAllowed };
        let quantity = quantity.to_owned();
        Self { quantity, value, limit, unit, clause, standing, remedy: None }
    }

    /// How much of the limit is left, the more the better, to compare checks that stand alike.
    pub(crate) fn room(&self) -> f64 {
        match (self.limit, self.unit) {
            (Limit::AtMost(most), unit) if unit.starts_with("dBm") => most - self.value,
            (Limit::AtMost(most), _) => 10.0 * (most / self.value.max(1e-12)).log10(),
            (Limit::AtLeast(least), _) => 10.0 * (self.value.max(1e-12) / least).log10(),
            (Limit::Never, _) => f64::NEG_INFINITY,
        }
    }
}

impl fmt::Display for Check {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (value, unit) = (number(self.value), self.unit);
        let space = if unit.is_empty() { "" } else { " " };
        write!(f, "{} {value}{space}{unit}", self.quantity)?;
        if let (side, Some(limit)) = self.limit.told() {
            write!(f, ", {side} {}", number(limit))?;
        }
        write!(f, ": {}", self.clause)
    }
}

impl fmt::Display for Remedy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::LowerRate(divisor) => write!(f, "at 1/{} of this rate", above(*divisor)),
            Self::LowerPower(db) => write!(f, "with {} dB less power", above(*db)),
        }
    }
}

/// With three digits.
#[must_use]
pub fn number(value: f64) -> String {
    digits(value, f64::round)
}

/// The same, but never less than it is: what has to be done must be enough.
fn above(value: f64) -> String {
    digits(value, f64::ceil)
}

fn digits(value: f64, whole: impl Fn(f64) -> f64) -> String {
    let magnitude = if value == 0.0 { 0 } else { value.abs().log10().floor() as i32 };
    let decimals = (2 - magnitude).clamp(0, 6);
    let scale = 10_f64.powi(decimals);
    // What is a whole number of steps but for the last bits stays there.
    let steps = value * scale;
    let near = steps.round();
    let steps = if (steps - near).abs() < 1e-6 { near } else { whole(steps) };
    let text = format!("{:.*}", decimals as usize, steps / scale);
    let text =
        if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_three_digits_and_remedies_are_enough() {
        let told = [10.34, 0.1, 0.0, -1.249, 1_152.8, 100.0, 0.01234].map(number);
        assert_eq!(told, ["10.3", "0.1", "0", "-1.25", "1153", "100", "0.0123"]);
        assert_eq!(Remedy::LowerRate(10.31).to_string(), "at 1/10.4 of this rate");
        assert_eq!(Remedy::LowerPower(7.0).to_string(), "with 7 dB less power");
    }
}
