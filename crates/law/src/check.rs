//! Comparison of one quantity with one limit.

use std::fmt;

use crate::clause::Clause;

/// Result of a check, best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Compliance {
    /// Within the limit.
    Within,
    /// Within the limit, but by less than [`NEAR_SHARE`] for a time or [`NEAR_DB`] for a power. Two
    /// boards or two measurements differ by more than this.
    AtLimit,
    /// Limit exceeded.
    NotAllowed,
}

impl Compliance {
    /// Name of the result.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Within => "within",
            Self::AtLimit => "at the limit",
            Self::NotAllowed => "not allowed",
        }
    }
}

/// Relative margin below which a time is at the limit.
pub const NEAR_SHARE: f64 = 0.1;
/// Margin below which a power is at the limit, dB.
pub const NEAR_DB: f64 = 0.5;

/// Change with which the limit would be met.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Remedy {
    /// Divide the message rate by this factor.
    LowerRate(f64),
    /// Reduce the power by this amount, dB.
    LowerPower(f64),
}

/// Direction and value of a limit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Limit {
    /// Upper limit.
    AtMost(f64),
    /// Lower limit.
    AtLeast(f64),
    /// No value is allowed.
    Never,
}

impl Limit {
    /// Wording of the limit, and its value if it has one.
    #[must_use]
    pub const fn wording(self) -> (&'static str, Option<f64>) {
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
    /// Quantity.
    pub quantity: String,
    /// Measured value.
    pub value: f64,
    /// Limit of the clause.
    pub limit: Limit,
    /// Unit of both.
    pub unit: &'static str,
    /// Clause that sets the limit.
    pub clause: Clause,
    /// Result.
    pub standing: Compliance,
    /// Change that would satisfy the limit. `None` if it is satisfied or no change helps.
    pub remedy: Option<Remedy>,
}

impl Check {
    /// Checks a power, dBm, or a power density.
    #[must_use]
    pub fn power(quantity: &str, dbm: f64, most: f64, unit: &'static str, clause: Clause) -> Self {
        let standing = if dbm > most + 1e-9 {
            Compliance::NotAllowed
        } else if dbm > most - NEAR_DB {
            Compliance::AtLimit
        } else {
            Compliance::Within
        };
        let remedy = (standing == Compliance::NotAllowed).then_some(Remedy::LowerPower(dbm - most));
        let (quantity, limit) = (quantity.to_owned(), Limit::AtMost(most));
        Self { quantity, value: dbm, limit, unit, clause, standing, remedy }
    }

    /// Checks a time or a share of time. `scales` is true if the value grows with the message rate.
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
            Compliance::NotAllowed
        } else if value > most * (1.0 - NEAR_SHARE) {
            Compliance::AtLimit
        } else {
            Compliance::Within
        };
        let remedy = (scales && standing == Compliance::NotAllowed)
            .then_some(Remedy::LowerRate(value / most));
        let (quantity, limit) = (quantity.into(), Limit::AtMost(most));
        Self { quantity, value, limit, unit, clause, standing, remedy }
    }

    /// Checks a fixed property: a width, a number of channels.
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
        let standing = if kept { Compliance::Within } else { Compliance::NotAllowed };
        let quantity = quantity.to_owned();
        Self { quantity, value, limit, unit, clause, standing, remedy: None }
    }

    /// Relative margin to the limit, greater is better, for comparing checks with the same result.
    pub(crate) fn room(&self) -> f64 {
        match (self.limit, self.unit) {
            (Limit::AtMost(most), unit) if unit.starts_with("dBm") => most - self.value,
            (Limit::AtMost(most), _) => 10.0 * libm::log10(most / self.value.max(1e-12)),
            (Limit::AtLeast(least), _) => 10.0 * libm::log10(self.value.max(1e-12) / least),
            (Limit::Never, _) => f64::NEG_INFINITY,
        }
    }
}

impl fmt::Display for Check {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (value, unit) = (number(self.value), self.unit);
        let space = if unit.is_empty() { "" } else { " " };
        write!(f, "{} {value}{space}{unit}", self.quantity)?;
        if let (side, Some(limit)) = self.limit.wording() {
            write!(f, ", {side} {}{space}{unit} by {}", number(limit), self.clause)
        } else {
            write!(f, ": {}", self.clause)
        }
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

/// Formats a number with three digits.
#[must_use]
pub fn number(value: f64) -> String {
    digits(value, f64::round)
}

/// Formats a number rounded up, so that a remedy is sufficient.
fn above(value: f64) -> String {
    digits(value, f64::ceil)
}

fn digits(value: f64, whole: impl Fn(f64) -> f64) -> String {
    let magnitude = if value == 0.0 { 0 } else { libm::log10(value.abs()).floor() as i32 };
    let decimals = (2 - magnitude).clamp(0, 6);
    let scale = 10_f64.powi(decimals);
    // A whole number of steps is kept, apart from rounding errors.
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
        let texts = [10.34, 0.1, 0.0, -1.249, 1_152.8, 100.0, 0.01234].map(number);
        assert_eq!(texts, ["10.3", "0.1", "0", "-1.25", "1153", "100", "0.0123"]);
        assert_eq!(Remedy::LowerRate(10.31).to_string(), "at 1/10.4 of this rate");
        assert_eq!(Remedy::LowerPower(7.0).to_string(), "with 7 dB less power");
    }
}
