//! Parsers of memory sizes, charges, battery lives and rates with units.

use super::duration::{decimal, parts};
use rust_decimal::Decimal;
use rust_decimal::prelude::ToPrimitive;

/// Longest accepted text of an amount, characters.
const LONGEST: usize = 40;
/// Bytes per unit of memory.
const MEMORY: [(&str, u64); 9] = [
    ("B", 1),
    ("KiB", 1 << 10),
    ("MiB", 1 << 20),
    ("GiB", 1 << 30),
    ("TiB", 1 << 40),
    ("KB", 1_000),
    ("MB", 1_000_000),
    ("GB", 1_000_000_000),
    ("TB", 1_000_000_000_000),
];
/// Smallest memory limit, bytes.
const LEAST_MEMORY: i64 = 1 << 20;
/// Units, with the size of each in the first unit.
type Units = &'static [(&'static str, f64)];
const CHARGES: Units = &[("nC", 1.0), ("uC", 1e3), ("mC", 1e6), ("C", 1e9)];
const YEARS: Units = &[("h", 1.0 / 8766.0), ("d", 1.0 / 365.25), ("w", 7.0 / 365.25), ("y", 1.0)];
const SECONDS: Units = &[("s", 1.0), ("min", 60.0), ("h", 3600.0), ("d", 86_400.0)];

fn shown(text: &str) -> String {
    let cut: String = text.trim().chars().take(LONGEST).collect();
    format!("'{}'", cut.escape_debug())
}

/// Splits a text into an unsigned number and the word after it.
fn unsigned(text: &str) -> Option<(&str, &str)> {
    let is_plain = !text.trim_start().starts_with(['+', '-']);
    parts(text).filter(|(_, word)| is_plain && !word.is_empty())
}

/// Parses a size of memory such as `4GiB` or `1.5GB`, bytes.
///
/// # Errors
///
/// One line for the user, if the text has no number, no unit or an unknown unit, or if the size is below
/// 1 MiB or above 64 bits.
pub fn memory(text: &str) -> Result<i64, String> {
    let shown = shown(text);
    let size = |unit: &str| MEMORY.iter().find(|(known, _)| known.eq_ignore_ascii_case(unit));
    let found = parts(text).filter(|_| text.trim().chars().count() <= LONGEST);
    let found = found.and_then(|(number, unit)| Some((decimal(number)?, size(unit)?.1)));
    let (number, size) = found.ok_or_else(|| {
        format!("{shown} is not a memory size; write a number and a unit, such as 512MiB or 4GiB")
    })?;
    let bytes = number.checked_mul(Decimal::from(size)).and_then(|bytes| bytes.trunc().to_i64());
    bytes
        .filter(|bytes| *bytes >= LEAST_MEMORY)
        .ok_or_else(|| format!("{shown} is not between 1MiB and 8 million TiB; check its unit"))
}

/// Parses a charge such as `50uC`, nC.
///
/// # Errors
///
/// One line for the user, if the text is not a positive charge.
pub fn charge(text: &str) -> Result<f64, String> {
    amount(text, CHARGES, "charge", "50uC")
}

/// Parses a battery life such as `1y`, `6w` or `90d`, years.
///
/// # Errors
///
/// One line for the user, if the text is not a positive battery life.
pub fn life(text: &str) -> Result<f64, String> {
    amount(text, YEARS, "battery life", "1y or 90d")
}

/// Parses a message rate such as `1/min` or `10/s`, 1/s.
///
/// # Errors
///
/// One line for the user, if the text is not a rate that a link can have.
pub fn rate(text: &str) -> Result<f64, String> {
    let shown = shown(text);
    let found = text.split_once('/').and_then(|(number, unit)| {
        let (_, seconds) = SECONDS.iter().find(|(known, _)| *known == unit.trim())?;
        let number = number.trim();
        let is_plain = number.chars().all(|c| c.is_ascii_digit() || c == '.');
        Some(number.parse::<f64>().ok().filter(|_| is_plain)? / seconds)
    });
    let rate = found.ok_or_else(|| {
        format!("{shown} is not a message rate; write a number per s, min, h or d, such as 1/min")
    })?;
    if !(rate > 0.0 && rate < 1e6) {
        return Err(format!(
            "{shown} is out of range for a message rate; write one such as 1/min or 10/s"
        ));
    }
    Ok(rate)
}

fn amount(text: &str, units: Units, what: &str, example: &str) -> Result<f64, String> {
    let shown = shown(text);
    let found = unsigned(text).and_then(|(number, unit)| {
        let (_, size) = units.iter().find(|(known, _)| *known == unit)?;
        Some(number.parse::<f64>().ok()? * size)
    });
    let value = found.ok_or_else(|| {
        let names: Vec<&str> = units.iter().map(|(name, _)| *name).collect();
        let names = names.join(", ");
        format!("{shown} is not a {what}; write a number and one of {names}, such as {example}")
    })?;
    if !(value > 0.0 && value.is_finite()) {
        return Err(format!("{shown} is not a {what}; write one above 0, such as {example}"));
    }
    Ok(value)
}

/// Parses a sample rate of whole Hz, such as `10MHz` or `2.5 kHz`. Returns `None` if `text` is invalid or above
/// 1 THz.
#[must_use]
pub fn sample_rate(text: &str) -> Option<u64> {
    let text = text.trim();
    let (number, unit) = text.split_at(text.find(|c: char| !c.is_ascii_digit() && c != '.')?);
    let decimals: usize = match unit.trim_start().to_ascii_lowercase().as_str() {
        "hz" => 0,
        "khz" => 3,
        "mhz" => 6,
        "ghz" => 9,
        _ => return None,
    };
    let (whole, fraction) = number.split_once('.').unwrap_or((number, "0"));
    if whole.is_empty() || fraction.is_empty() || fraction.contains('.') {
        return None;
    }
    let fraction = fraction.trim_end_matches('0');
    let zeros = decimals.checked_sub(fraction.len())?;
    let hertz: u64 = format!("{whole}{fraction}{}", "0".repeat(zeros)).parse().ok()?;
    (1..=1_000_000_000_000).contains(&hertz).then_some(hertz)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_amount_is_read_in_its_unit() {
        assert_eq!(memory("4GiB"), Ok(4 << 30));
        assert_eq!(memory(" 1.5 gb "), Ok(1_500_000_000));
        assert_eq!(charge("50uC"), Ok(50e3));
        assert_eq!(life("90d"), Ok(90.0 / 365.25));
        assert_eq!(rate("6/min"), Ok(0.1));
        assert_eq!(rate(".5 / s"), Ok(0.5));
    }

    #[test]
    fn what_is_no_amount_is_refused_in_one_line() {
        let wrong = [
            (memory("4").map(|_| ()), "is not a memory size"),
            (memory("1KiB").map(|_| ()), "is not between 1MiB"),
            (memory("99999999TiB").map(|_| ()), "is not between 1MiB"),
            (charge("50").map(|_| ()), "is not a charge; write a number and one of nC, uC"),
            (charge("-50uC").map(|_| ()), "is not a charge"),
            (charge("0uC").map(|_| ()), "write one above 0"),
            (life("1m").map(|_| ()), "is not a battery life"),
            (rate("1/y").map(|_| ()), "is not a message rate"),
            (rate("inf/s").map(|_| ()), "is not a message rate"),
            (rate("0/s").map(|_| ()), "is out of range for a message rate"),
        ];
        for (found, why) in wrong {
            let error = found.expect_err(why);
            assert!(error.contains(why) && !error.contains('\n'), "{error}");
        }
    }

    #[test]
    fn a_sample_rate_has_whole_hertz() {
        for (text, hertz) in [
            ("10MHz", 10_000_000),
            (" 2.5 kHz ", 2_500),
            ("1hz", 1),
            ("0.001kHz", 1),
            ("1.50GHZ", 1_500_000_000),
            ("1000GHz", 1_000_000_000_000),
        ] {
            assert_eq!(sample_rate(text), Some(hertz), "{text}");
        }
        for text in [
            "", "10", "MHz", "0Hz", "1.5Hz", "1001GHz", "1.kHz", ".5kHz", "1.2.3kHz", "-1Hz",
            "1e3Hz", "1 THz",
        ] {
            assert_eq!(sample_rate(text), None, "{text}");
        }
    }
}
