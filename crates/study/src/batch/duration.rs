//! Parser of durations with units, such as `200ms`.

use rust_decimal::Decimal;
use rust_decimal::prelude::ToPrimitive;

/// Longest accepted text of a duration, characters.
const LONGEST: usize = 40;

/// Nanoseconds per unit. Returns `None` for an unknown unit.
#[must_use]
pub fn unit_ns(unit: &str) -> Option<u64> {
    match unit {
        "ns" => Some(1),
        // The micro sign and the Greek letter mu are both in use.
        "us" | "µs" | "μs" => Some(1_000),
        "ms" => Some(1_000_000),
        "s" => Some(1_000_000_000),
        "min" => Some(60_000_000_000),
        "h" => Some(3_600_000_000_000),
        "d" => Some(86_400_000_000_000),
        _ => None,
    }
}

/// Splits a text into a number and the word after it. Returns `None` for other text.
#[must_use]
pub fn parts(text: &str) -> Option<(&str, &str)> {
    let text = text.trim();
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    let digits = unsigned.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(unsigned.len());
    let (number, word) = text.split_at(text.len() - unsigned.len() + digits);
    let word = word.trim_start();
    let is_number = unsigned[..digits].matches('.').count() < 2
        && unsigned[..digits].contains(|c: char| c.is_ascii_digit());
    let is_word = word.chars().all(|c| c.is_alphabetic() || c == '_');
    (is_number && is_word).then_some((number, word))
}

/// Parses a number in decimal digits, as [`parts`] returns it. Returns `None` for more than 28 digits.
#[must_use]
pub fn decimal(number: &str) -> Option<Decimal> {
    read(number).ok()
}

fn read(number: &str) -> Result<Decimal, rust_decimal::Error> {
    Decimal::from_str_exact(number.trim_start_matches('+').trim_end_matches('.'))
}

/// Parses a duration such as `1us`, `16.6ms` or `2h`, ns.
///
/// # Errors
///
/// One line for the user: no number, no unit, an unknown unit, a negative duration, a resolution below
/// 1 ns, or a duration beyond 64-bit nanoseconds.
pub fn parse(text: &str) -> Result<i64, String> {
    let text = text.trim();
    let shown: String = text.chars().take(LONGEST).collect();
    let shown = format!("'{}'", shown.escape_debug());
    let found = parts(text).filter(|_| text.chars().count() <= LONGEST);
    let (number, unit) = found.ok_or_else(|| {
        format!("{shown} is not a duration; write a number and a unit, such as 1us or 200ms")
    })?;
    if unit.is_empty() {
        return Err(format!("{shown} has no unit; write {number}us, {number}ms or {number}s"));
    }
    let size = unit_ns(unit).ok_or_else(|| {
        format!("unit '{unit}' of {shown} is unknown; expected ns, us, ms, s, min, h or d")
    })?;
    let too_long = || format!("{shown} is longer than 292 years; check its unit");
    let too_fine = || format!("{shown} is finer than 1 ns; airlag counts whole nanoseconds");
    let number = read(number).map_err(|error| match error {
        rust_decimal::Error::Underflow => too_fine(),
        _ => too_long(),
    })?;
    let exact = number.checked_mul(Decimal::from(size)).ok_or_else(too_long)?;
    if exact < Decimal::ZERO {
        return Err(format!("{shown} is negative; a duration is 0 or longer"));
    }
    if !exact.fract().is_zero() {
        return Err(too_fine());
    }
    exact.to_i64().ok_or_else(too_long)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_duration_is_exact() {
        let good = [
            ("1us", 1_000),
            ("16.6ms", 16_600_000),
            (" 0.3 s ", 300_000_000),
            ("2.μs", 2_000),
            (".5µs", 500),
            ("+7ns", 7),
            ("1.5min", 90_000_000_000),
            ("1h", 3_600_000_000_000),
            ("365d", 31_536_000_000_000_000),
            ("9223372036854775807ns", i64::MAX),
        ];
        for (text, ns) in good {
            assert_eq!(parse(text), Ok(ns), "{text}");
        }
    }

    #[test]
    fn what_is_wrong_with_a_duration_is_one_line_that_names_it() {
        let wrong = [
            ("20", "has no unit"),
            ("fast", "is not a duration"),
            ("1.2.3ms", "is not a duration"),
            ("1 m s", "is not a duration"),
            ("20m", "unit 'm'"),
            ("-1ms", "is negative"),
            ("0.5ns", "is finer than 1 ns"),
            ("0.0000000000000000000000000000000001s", "is finer than 1 ns"),
            ("107000d", "is longer than 292 years"),
            ("9223372036854775808ns", "is longer than 292 years"),
            ("99999999999999999999999999999999s", "is longer than 292 years"),
        ];
        for (text, why) in wrong {
            let error = parse(text).expect_err(text);
            assert!(error.contains(why) && !error.contains('\n'), "{error}");
        }
        assert!(parse(&"1".repeat(1_000)).expect_err("too long").len() < 200);
    }
}
