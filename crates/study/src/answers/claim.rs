//! Payload and serial line rate stated in the name of a run.
//!
//! Captures often have names like `9600-256B.csv`. For such a slow link, the wire time of the
//! payload confirms or refutes the name.

use airlag_kinds::registry;
use airlag_rig::parameter::Value;
use airlag_stats::findings::bench::Bench;
use airlag_stats::findings::name_disagrees::{Claim as Bytes, uart_ns};
use airlag_stats::findings::run::Context;

/// Common UART line rates, baud. Other numbers in a name are not read as line rates.
const RATES: [u64; 22] = [
    1_200, 2_400, 4_800, 9_600, 14_400, 19_200, 28_800, 38_400, 57_600, 76_800, 115_200, 230_400,
    250_000, 460_800, 500_000, 921_600, 1_000_000, 1_500_000, 1_843_200, 2_000_000, 3_000_000,
    4_000_000,
];

/// Payload and line rate that the name of a run states.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Claim {
    /// Payload, bytes.
    pub bytes: Option<u64>,
    /// Rate of the serial line, bit/s.
    pub baud: Option<f64>,
}

impl Claim {
    /// Reads a claim from the name of a run. An explicit link or size takes precedence.
    #[must_use]
    pub fn of(source: &str, link: Option<&str>, size: Option<u64>) -> Self {
        let stem = source.rsplit_once('.').map_or(source, |(stem, _)| stem);
        let bytes = size.or_else(|| only(numbers(stem, 1..=6, Some('B'))));
        let baud = match link {
            Some(link) => serial_line(link),
            None => {
                let rates = numbers(stem, 4..=7, None);
                only(rates.into_iter().filter(|one| RATES.contains(one)).collect())
                    .map(|rate| rate as f64)
            }
        };
        Self { bytes, baud }
    }

    /// Calls a function with the context for the findings. The context contains a claim only if
    /// both size and rate are known.
    pub fn context<R>(
        &self,
        service_ns: Option<u64>,
        bench: Option<Bench>,
        work: impl FnOnce(&Context<'_>) -> R,
    ) -> R {
        let least_ns = |bytes| uart_ns(bytes, self.baud.unwrap_or(f64::INFINITY));
        let bytes = self.bytes.filter(|_| self.baud.is_some());
        let claim = bytes.map(|bytes| Bytes { bytes, least_ns: &least_ns });
        let service_ns = service_ns.map(|ns| ns as i64);
        work(&Context { service_ns, claim, bench, ..Context::default() })
    }
}

/// Returns the common value of a list whose values are all equal.
fn only(mut values: Vec<u64>) -> Option<u64> {
    values.dedup();
    (values.len() == 1).then(|| values[0])
}

/// Returns, in ascending order, the numbers in a text that have a digit count in `digits` and stand
/// alone or, with a `unit`, before this unit.
fn numbers(text: &str, digits: std::ops::RangeInclusive<usize>, unit: Option<char>) -> Vec<u64> {
    let is_word = |c: char| c.is_ascii_alphanumeric();
    let mut found = Vec::new();
    let mut before = None;
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        if length == 0 {
            before = Some(first);
            rest = &rest[first.len_utf8()..];
            continue;
        }
        let (number, after) = rest.split_at(length);
        let mut follows = after.chars();
        let ends = match unit {
            Some(unit) => follows.next() == Some(unit) && !follows.next().is_some_and(is_word),
            None => !follows.next().is_some_and(|c| is_word(c) || c == '.'),
        };
        let begins = !before.is_some_and(|c| is_word(c) || c == '.');
        if begins && ends && digits.contains(&length) {
            found.extend(number.parse::<u64>());
        }
        before = number.chars().next_back();
        rest = after;
    }
    found.sort_unstable();
    found
}

/// Returns the rate of the serial line of a link profile, baud.
fn serial_line(link: &str) -> Option<f64> {
    let profiles = registry::all().ok()?;
    let profile = profiles.iter().find(|profile| profile.name == link)?;
    profile.constants().find(|one| one.unit == "baud").and_then(|one| Value::number(one.value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_captures_claim_what_stands_by_itself() {
        let claims = [
            ("9600-256B.csv", Some(256), Some(9_600.0)),
            ("uart/115200-12B.csv", Some(12), Some(115_200.0)),
            ("12B-128B.csv", None, None),
            ("12B-12B.csv", Some(12), None),
            ("x12B.csv", None, None),
            ("12Bytes.csv", None, None),
            ("1.12B.csv", None, None),
            ("9600.5-1B.csv", Some(1), None),
            ("1234567B.csv", None, None),
            ("9601-1B.csv", Some(1), None),
            ("µ9600_2B", Some(2), Some(9_600.0)),
        ];
        for (name, bytes, baud) in claims {
            assert_eq!(Claim::of(name, None, None), Claim { bytes, baud }, "{name}");
        }
    }

    #[test]
    fn a_link_and_a_payload_that_are_known_go_before_the_name() {
        let claim = Claim::of("9600-256B.csv", Some("uart-115200-irq"), Some(12));
        assert_eq!(claim, Claim { bytes: Some(12), baud: Some(115_200.0) });
        assert_eq!(Claim::of("9600-256B.csv", Some("espnow"), None).baud, None);
        assert_eq!(Claim::of("9600-256B.csv", Some("none such"), None).baud, None);
    }
}
