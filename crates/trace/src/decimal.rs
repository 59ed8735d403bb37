//! Exact conversion of decimal text to integer nanoseconds.

use crate::error::Problem;

/// Reason why a text is not a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotATime {
    /// Not a number.
    Syntax,
    /// Beyond the range of 64-bit nanoseconds.
    Range,
}

impl NotATime {
    /// Returns the problem to report for `text`.
    #[must_use]
    pub fn describe(self, text: &str) -> Problem {
        let found = text.chars().take(40).collect();
        match self {
            Self::Syntax => Problem::BadTime { found },
            Self::Range => Problem::TimeRange { found },
        }
    }
}

/// Converts seconds in decimal notation, with an optional sign and exponent, to nanoseconds. Digits below a
/// nanosecond are rounded to nearest, with halves away from zero.
///
/// # Errors
/// [`NotATime`] if `text` is not a number or out of range.
pub fn seconds_to_ns(text: &str) -> Result<i64, NotATime> {
    scaled(text, 9)
}

/// Returns `text` times ten to the power `shift`, rounded to an integer.
///
/// # Errors
/// Returns the errors of [`seconds_to_ns`].
pub fn scaled(text: &str, shift: i32) -> Result<i64, NotATime> {
    let (negative, text) = match text.as_bytes() {
        [b'-', ..] => (true, &text[1..]),
        [b'+', ..] => (false, &text[1..]),
        _ => (false, text),
    };
    let (mantissa, exponent) = match text.find(['e', 'E']) {
        Some(at) => (&text[..at], text[at + 1..].parse::<i32>().map_err(|_| NotATime::Syntax)?),
        None => (text, 0),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    if whole.is_empty() && fraction.is_empty() {
        return Err(NotATime::Syntax);
    }
    // Each digit of the mantissa has a weight of 10^power. Digits at or above 10^0 are kept.
    let mut power = i64::from(shift) + i64::from(exponent) + whole.len() as i64;
    let mut value: i128 = 0;
    let mut round_up = false;
    for digit in whole.bytes().chain(fraction.bytes()) {
        if !digit.is_ascii_digit() {
            return Err(NotATime::Syntax);
        }
        power -= 1;
        if power >= 0 {
            value = value * 10 + i128::from(digit - b'0');
            if value > i128::from(i64::MAX) {
                return Err(NotATime::Range);
            }
        } else if power == -1 {
            round_up = digit >= b'5';
        }
    }
    while power > 0 && value != 0 {
        value *= 10;
        if value > i128::from(i64::MAX) {
            return Err(NotATime::Range);
        }
        power -= 1;
    }
    let value = value + i128::from(round_up);
    i64::try_from(if negative { -value } else { value }).map_err(|_| NotATime::Range)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nine_decimals_are_exact() {
        assert_eq!(seconds_to_ns("12.345678901"), Ok(12_345_678_901));
        assert_eq!(seconds_to_ns("-0.000000123"), Ok(-123));
        assert_eq!(seconds_to_ns("7"), Ok(7_000_000_000));
        assert_eq!(seconds_to_ns(".5"), Ok(500_000_000));
    }

    #[test]
    fn digits_below_a_nanosecond_round() {
        assert_eq!(seconds_to_ns("0.0000000015"), Ok(2));
        assert_eq!(seconds_to_ns("0.00000000149"), Ok(1));
        assert_eq!(seconds_to_ns("0.00000000009"), Ok(0));
    }

    #[test]
    fn exponents_count() {
        assert_eq!(seconds_to_ns("1.25e-3"), Ok(1_250_000));
        assert_eq!(seconds_to_ns("4e2"), Ok(400_000_000_000));
    }

    #[test]
    fn what_is_no_number_is_refused() {
        for text in ["", "-", ".", "1.2.3", "abc", "1e", "0x10", "nan", "inf", "1 "] {
            assert_eq!(seconds_to_ns(text), Err(NotATime::Syntax), "{text:?}");
        }
        assert_eq!(seconds_to_ns("1e300"), Err(NotATime::Range));
        assert_eq!(seconds_to_ns("9223372037"), Err(NotATime::Range));
        assert_eq!(seconds_to_ns("0e2000000000"), Ok(0));
    }
}
