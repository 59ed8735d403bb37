//! Quantities as text: significant digits and readable units.
//!
//! Durations are in ns, charges in nC, currents in nA, and rates in messages per second.

/// A unit, and its size in the unit of the quantity.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Unit {
    /// Name, as written after a number and in axis titles.
    pub name: &'static str,
    /// Size in ns, nC or nA.
    pub size: f64,
}

const fn unit(name: &'static str, size: f64) -> Unit {
    Unit { name, size }
}

/// Units of time, smallest first.
pub const TIMES: [Unit; 4] = [unit("ns", 1.0), unit("us", 1e3), unit("ms", 1e6), unit("s", 1e9)];
/// Units of charge, smallest first.
pub const CHARGES: [Unit; 4] = [unit("nC", 1.0), unit("uC", 1e3), unit("mC", 1e6), unit("C", 1e9)];
/// Units of current, smallest first.
pub const CURRENTS: [Unit; 4] = [unit("nA", 1.0), unit("uA", 1e3), unit("mA", 1e6), unit("A", 1e9)];
/// Units of a rate on a command line, and their length in seconds.
const RATES: [(&str, f64); 4] = [("s", 1.0), ("min", 60.0), ("h", 3_600.0), ("d", 86_400.0)];
/// Days per year.
const YEAR_DAYS: f64 = 365.25;

/// Selects the unit in which the largest of these durations is at least 1 and below 10 000.
///
/// Milliseconds if no duration is above zero.
pub fn time_unit(durations_ns: impl IntoIterator<Item = f64>) -> Unit {
    let largest = durations_ns.into_iter().fold(0.0, |most: f64, ns| most.max(ns.abs()));
    if largest <= 0.0 {
        return TIMES[2];
    }
    let fits = TIMES[..3].iter().position(|unit| largest < 10_000.0 * unit.size);
    // 4 000 us reads better as 4 ms, but 400 us does not read better as 0.4 ms.
    fits.map_or(TIMES[3], |at| TIMES[at + usize::from(largest >= TIMES[at + 1].size)])
}

/// Returns the largest unit in which a value is at least 1, or the smallest unit.
#[must_use]
pub fn largest_unit(value: f64, units: &[Unit; 4]) -> Unit {
    let fits = units.iter().rev().find(|unit| value.abs() >= unit.size);
    *fits.unwrap_or(&units[0])
}

/// Formats a number with this many significant digits, without exponent, with thousands separators.
#[must_use]
pub fn number(value: f64, digits: i32) -> String {
    if !value.is_finite() {
        return "–".to_owned();
    }
    if value == 0.0 {
        return "0".to_owned();
    }
    let decimals = (digits - 1 - libm::log10(value.abs()).floor() as i32).max(0) as usize;
    let text = format!("{value:.decimals$}");
    let (whole, rest) = text.split_once('.').unwrap_or((&text, ""));
    let (sign, whole) = whole.strip_prefix('-').map_or(("", whole), |whole| ("-", whole));
    // Trailing zeros of a very small number carry no information.
    let rest = if decimals > 6 { rest.trim_end_matches('0') } else { rest };
    let point = if rest.is_empty() { "" } else { "." };
    format!("{sign}{}{point}{rest}", grouped(whole))
}

/// Formats a count with thousands separators: `100 000`.
#[must_use]
pub fn count(value: u64) -> String {
    grouped(&value.to_string())
}

fn grouped(digits: &str) -> String {
    let mut text = String::with_capacity(digits.len() * 4 / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(' ');
        }
        text.push(digit);
    }
    text
}

/// Formats a duration in a unit, with the unit.
#[must_use]
pub fn duration_in(ns: f64, unit: Unit) -> String {
    format!("{} {}", number(ns / unit.size, 4), unit.name)
}

/// Formats a duration in a suitable unit, with the unit.
#[must_use]
pub fn duration(ns: f64) -> String {
    duration_in(ns, time_unit([ns]))
}

/// Formats a duration for a command line, exact to the nanosecond: `16.6ms`.
#[must_use]
pub fn exact(ns: u64) -> String {
    let (at, size) = (0..4)
        .rev()
        .map(|at| (at, 1_000_u64.pow(at as u32)))
        .find(|&(_, size)| ns >= size)
        .unwrap_or((0, 1));
    let decimals = format!("{:0digits$}", ns % size, digits = 3 * at);
    let decimals = if at == 0 { "" } else { decimals.trim_end_matches('0') };
    let point = if decimals.is_empty() { "" } else { "." };
    format!("{}{point}{decimals}{}", ns / size, TIMES[at].name)
}

/// Formats a ratio in percent. Rounds to 0 % or 100 % only if it is exact.
#[must_use]
pub fn percent(ratio: f64) -> String {
    let value = 100.0 * ratio;
    if ratio == 0.0 || ratio == 1.0 {
        return format!("{value:.0} %");
    }
    let nearest = value.min(100.0 - value);
    let decimals = if nearest >= 0.1 { 1 } else { (1.0 - libm::log10(nearest).floor()) as usize };
    format!("{value:.decimals$} %")
}

/// Formats a percentage with two significant digits, or as an integer if it has more digits: `6.7`,
/// `91`, `400`.
#[must_use]
pub fn short_percent(value: f64) -> String {
    if value < 99.5 { general(value, 2) } else { format!("{value:.0}") }
}

/// Formats `part` of `whole` in percent, as [`percent`].
#[must_use]
pub fn share(part: u64, whole: u64) -> String {
    if whole == 0 { "–".to_owned() } else { percent(part as f64 / whole as f64) }
}

/// Formats a number with at most `digits` significant digits, without trailing zeros. Uses an exponent for
/// very small numbers and for numbers with more digits.
#[must_use]
pub fn general(value: f64, digits: usize) -> String {
    let scientific = format!("{value:.*e}", digits - 1);
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let trimmed = |text: &str| match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => text.to_owned(),
    };
    if (-4..digits as i32).contains(&exponent) {
        return trimmed(&format!("{value:.*}", (digits as i32 - 1 - exponent).max(0) as usize));
    }
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{}e{sign}{:02}", trimmed(mantissa), exponent.abs())
}

/// Formats a value in the largest unit in which it is at least 1: `1.83 uC`.
#[must_use]
pub fn in_units(value: f64, units: &[Unit; 4]) -> String {
    let unit = largest_unit(value, units);
    format!("{} {}", number(value / unit.size, 4), unit.name)
}

/// Formats a battery life: `1.4 years`, `35 days`, `7 hours`.
#[must_use]
pub fn years(years: f64) -> String {
    let days = years * YEAR_DAYS;
    match years {
        _ if years >= 1.0 => format!("{} years", number(years, 4)),
        _ if days >= 1.0 => format!("{} days", number(days, 4)),
        _ => format!("{} hours", number(days * 24.0, 4)),
    }
}

/// Formats a rate for a command line: `1/min`.
#[must_use]
pub fn rate(per_second: f64) -> String {
    let fits = RATES.iter().find(|(_, seconds)| per_second * seconds >= 1.0 - 1e-9);
    let (unit, seconds) = fits.unwrap_or(&RATES[3]);
    format!("{}/{unit}", general(per_second * seconds, 6))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn numbers_have_four_digits_and_their_thousands_apart() {
        let known = [
            (0.0, "0"),
            (1.0, "1.000"),
            (999.96, "1 000.0"),
            (1234.5, "1 234"),
            (-1_234_567.0, "-1 234 567"),
            (0.001_234_56, "0.001235"),
            (1e-9, "0.000000001"),
            (f64::NAN, "–"),
            (f64::INFINITY, "–"),
        ];
        for (value, text) in known {
            assert_eq!(number(value, 4), text);
        }
    }

    #[test]
    fn units_fit_the_largest_duration() {
        let known = [
            (0.0, "ms"),
            (1.0, "ns"),
            (999.0, "ns"),
            (1_000.0, "us"),
            (4e6, "ms"),
            (400_000.0, "us"),
            (9.9e9, "s"),
            (1e14, "s"),
        ];
        for (ns, name) in known {
            assert_eq!(time_unit([ns]).name, name, "{ns}");
        }
        assert_eq!(time_unit([]).name, "ms");
        assert_eq!(time_unit([-5e6, 3.0]).name, "ms");
    }

    #[test]
    fn shares_are_whole_only_where_they_are() {
        assert_eq!([percent(0.0), percent(1.0), percent(0.5)], ["0 %", "100 %", "50.0 %"]);
        assert_eq!([share(1, 100_000), share(99_999, 100_000)], ["0.0010 %", "99.99900 %"]);
        assert_eq!(share(0, 0), "–");
    }

    #[test]
    fn rates_lives_and_charges_are_in_units_that_read_well() {
        assert_eq!([rate(1.0 / 60.0), rate(2.5), rate(1e-9)], ["1/min", "2.5/s", "8.64e-05/d"]);
        assert_eq!(
            [years(1.4), years(0.1), years(0.001)],
            ["1.400 years", "36.52 days", "8.766 hours"]
        );
        assert_eq!(in_units(1_830.0, &CHARGES), "1.830 uC");
        assert_eq!(in_units(-0.5, &CURRENTS), "-0.5000 nA");
    }

    #[test]
    fn general_numbers_have_an_exponent_beyond_their_digits() {
        let known = [
            (0.0, "0"),
            (16.0, "16"),
            (0.1, "0.1"),
            (250_000.0, "250000"),
            (1e6, "1e+06"),
            (1.0 / 3.0, "0.333333"),
            (0.000_012_5, "1.25e-05"),
            (999_999.9, "1e+06"),
        ];
        for (value, text) in known {
            assert_eq!(general(value, 6), text);
        }
    }

    #[test]
    fn durations_are_exact() {
        let known = [
            (0, "0ns"),
            (999, "999ns"),
            (1_000, "1us"),
            (1_001, "1.001us"),
            (16_600_000, "16.6ms"),
            (1_000_000_001, "1.000000001s"),
            (90_000_000_000, "90s"),
        ];
        for (ns, text) in known {
            assert_eq!(exact(ns), text);
        }
    }

    proptest! {
        #[test]
        fn a_number_is_what_it_reads_as(value in -1e12_f64..1e12) {
            let read: f64 = number(value, 4).replace(' ', "").parse().expect("a number");
            prop_assert!((read - value).abs() <= 0.51e-3 * value.abs());
        }

        #[test]
        fn a_percentage_is_whole_only_at_its_ends(part in 0_u64..1_000_000, more in 0_u64..1_000_000) {
            let text = share(part, part + more);
            prop_assert_eq!(text == "0 %", part == 0 && more > 0);
            prop_assert_eq!(text == "100 %", more == 0 && part > 0);
        }
    }
}
