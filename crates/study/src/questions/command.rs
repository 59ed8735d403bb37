//! Command lines that run something again.

/// The words that run a link.
pub(super) fn run(link: &str, size: Option<usize>) -> Vec<String> {
    let mut words = ["airlag", "run", link].map(str::to_owned).to_vec();
    if let Some(size) = size {
        words.extend(["--size".to_owned(), size.to_string()]);
    }
    words
}

/// Units of time on a command line, and how many digits of nanoseconds they have.
const UNITS: [(&str, u64, usize); 4] =
    [("s", 1_000_000_000, 9), ("ms", 1_000_000, 6), ("us", 1_000, 3), ("ns", 1, 0)];

/// A duration as a command line takes it, to the nanosecond: `16.6ms`.
pub(super) fn exact(ns: u64) -> String {
    let fits = |unit: &&(&str, u64, usize)| ns >= unit.1;
    let &(name, unit, digits) = UNITS.iter().find(fits).unwrap_or(&UNITS[3]);
    let rest = format!("{:0digits$}", ns % unit);
    let rest = rest.trim_end_matches('0');
    let point = if digits == 0 || rest.is_empty() { "" } else { "." };
    let rest = if point.is_empty() { "" } else { rest };
    format!("{}{point}{rest}{name}", ns / unit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_exact() {
        let known = [
            (0, "0ns"),
            (999, "999ns"),
            (1_000, "1us"),
            (1_001, "1.001us"),
            (16_600_000, "16.6ms"),
            (200_000_000, "200ms"),
            (1_000_000_001, "1.000000001s"),
            (90_000_000_000, "90s"),
        ];
        for (ns, text) in known {
            assert_eq!(exact(ns), text);
        }
    }

    #[test]
    fn a_link_without_a_message_has_no_size() {
        assert_eq!(run("gpio-stm32-ll-o3", None), ["airlag", "run", "gpio-stm32-ll-o3"]);
        assert_eq!(run("nrf24-2m", Some(12)), ["airlag", "run", "nrf24-2m", "--size", "12"]);
    }
}
