//! Formatting of durations: `1.16 ms`, `20 ns`, `40.86 s`.

use std::fmt;

/// A duration with up to four significant digits in the largest suitable unit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Nice(f64);

/// Formats a duration in ns for a message.
#[must_use]
pub fn nice(ns: impl Into<Nice>) -> Nice {
    ns.into()
}

impl From<i64> for Nice {
    fn from(ns: i64) -> Self {
        Self(ns as f64)
    }
}

impl From<f64> for Nice {
    fn from(ns: f64) -> Self {
        Self(ns)
    }
}

impl fmt::Display for Nice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(ns) = *self;
        if !ns.is_finite() {
            return write!(f, "{ns} ns");
        }
        // The unit is chosen after rounding, so that 999 999 ns is 1 ms and not 1000 us.
        let (mut scale, mut unit) = (1.0, "ns");
        for (larger, name) in [(1e3, "us"), (1e6, "ms"), (1e9, "s")] {
            if (ns.abs() / scale * 10.0).round() / 10.0 >= 1000.0 {
                (scale, unit) = (larger, name);
            }
        }
        let value = ns / scale;
        let whole_digits = libm::log10(value.abs()).floor().max(0.0) as usize + 1;
        let text = format!("{value:.*}", 4usize.saturating_sub(whole_digits));
        let text = if text.contains('.') {
            text.trim_end_matches('0').trim_end_matches('.')
        } else {
            &text
        };
        let text = if text == "-0" { "0" } else { text };
        write!(f, "{text} {unit}")
    }
}

#[cfg(test)]
mod tests {
    use super::nice;

    #[test]
    fn a_duration_takes_the_largest_unit_that_fits_and_four_digits() {
        let shown = [
            (0, "0 ns"),
            (20, "20 ns"),
            (999, "999 ns"),
            (1_000, "1 us"),
            (1_159_700, "1.16 ms"),
            (115_648_000, "115.6 ms"),
            (30_000_410, "30 ms"),
            (999_999, "1 ms"),
            (1_137_260_000, "1.137 s"),
            (40_864_632_000, "40.86 s"),
            (12_345_000_000_000, "12345 s"),
            (-2_700, "-2.7 us"),
        ];
        for (ns, text) in shown {
            assert_eq!(nice(ns).to_string(), text);
        }
        assert_eq!(nice(0.25).to_string(), "0.25 ns");
        assert_eq!(nice(-0.0).to_string(), "0 ns");
        assert_eq!(nice(f64::NAN).to_string(), "NaN ns");
    }
}
