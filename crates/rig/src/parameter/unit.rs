//! Units of the same quantity, and parsing of numbers with units.

/// Units of the same quantity, with their sizes.
const UNITS: &[&[(&str, f64)]] = &[
    &[("ns", 1.0), ("us", 1e3), ("ms", 1e6), ("s", 1e9)],
    &[("Hz", 1.0), ("kHz", 1e3), ("MHz", 1e6), ("GHz", 1e9)],
    &[("bit/s", 1.0), ("kbit/s", 1e3), ("Mbit/s", 1e6)],
    &[("ppb", 1.0), ("ppm", 1e3)],
    &[("m", 1.0), ("km", 1e3)],
    &[("B", 1.0), ("KiB", 1024.0)],
    &[("", 1.0), ("%", 0.01)],
];

/// Number of `of` in one `unit`. `None` for units of different quantities.
pub(crate) fn ratio(unit: &str, of: &str) -> Option<f64> {
    let size = |units: &[(&str, f64)], name: &str| {
        units.iter().find(|(known, _)| *known == name).map(|&(_, size)| size)
    };
    UNITS.iter().find_map(|units| Some(size(units, unit)? / size(units, of)?))
}

/// Parses `text` as a number of `unit`s: a plain number, or one with a unit of the same quantity.
pub(super) fn in_unit(text: &str, unit: &str) -> Option<f64> {
    let text = text.trim();
    let ends = text.find(|letter: char| !matches!(letter, '0'..='9' | '.' | '+' | '-' | '_'));
    let (digits, given) = text.split_at(ends.unwrap_or(text.len()));
    let number: f64 = digits.replace('_', "").parse().ok()?;
    let given = given.trim_start();
    if given.is_empty() || given == unit {
        return Some(number);
    }
    Some(number * ratio(given, unit)?)
}
