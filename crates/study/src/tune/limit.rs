//! Limits on metrics: `charge<50uC,loss<0.1%`.

use std::borrow::Borrow;

use super::Run;
use super::metric::{self, Metric};

/// Largest number of characters that an error quotes.
const QUOTED: usize = 40;

/// A metric with an upper or a lower limit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limit {
    /// Metric.
    pub metric: &'static Metric,
    /// Whether it is an upper limit.
    pub most: bool,
    /// Limit, in the unit of the metric.
    pub value: f64,
}

/// Invalid text of a metric or a limit.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Unreadable {
    /// Unknown metric.
    #[error("no metric `{name}`; did you mean `{nearest}`?")]
    Metric {
        /// Name as written.
        name: String,
        /// Nearest known name.
        nearest: String,
    },
    /// A text that is not a metric with a comparison and a number.
    #[error(
        "'{text}' is not a limit; write a metric, < or > and a number with its unit, such as \
         loss<0.1% or p99<20ms"
    )]
    Limit {
        /// Text as written.
        text: String,
    },
    /// Missing unit, or unit of another quantity.
    #[error("'{text}' needs a unit of {metric}; use {units}")]
    Unit {
        /// Text as written.
        text: String,
        /// Metric.
        metric: &'static str,
        /// Its units.
        units: String,
    },
    /// An upper limit on the longest latency.
    #[error(
        "'{text}': a longer latency is always possible, so no confidence can be given; limit p99 \
         instead"
    )]
    Unbounded {
        /// Text as written.
        text: String,
    },
    /// An infinite number.
    #[error("'{text}': the limit is too large; write a smaller one")]
    TooLarge {
        /// Text as written.
        text: String,
    },
}

impl Limit {
    /// Parses comma-separated limits. Returns an empty list for blank text.
    ///
    /// # Errors
    ///
    /// [`Unreadable`] for the first limit that cannot be parsed.
    pub fn read(text: &str) -> Result<Vec<Self>, Unreadable> {
        if text.trim().is_empty() {
            return Ok(Vec::new());
        }
        text.split(',').map(Self::one).collect()
    }

    fn one(text: &str) -> Result<Self, Unreadable> {
        let quoted = || text.trim().chars().take(QUOTED).collect();
        let parts = parts(text).ok_or_else(|| Unreadable::Limit { text: quoted() })?;
        let (name, most, number, unit) = parts;
        let metric = metric::find(name)?;
        let known = metric.units.0.iter().find(|(known, _)| !unit.is_empty() && *known == unit);
        let Some((_, size)) = known else {
            let ascii = |name: &&str| !name.is_empty() && name.is_ascii();
            let units = metric.units.0.iter().map(|(name, _)| *name).filter(ascii);
            let units = units.collect::<Vec<_>>().join(" or ");
            return Err(Unreadable::Unit { text: quoted(), metric: metric.name, units });
        };
        if most && metric.is_unbounded() {
            return Err(Unreadable::Unbounded { text: quoted() });
        }
        let value = number * size;
        if !value.is_finite() {
            return Err(Unreadable::TooLarge { text: quoted() });
        }
        Ok(Self { metric, most, value })
    }

    /// Relative violation of the limit. 0 or less if it is met.
    #[must_use]
    pub fn excess(&self, runs: &[impl Borrow<Run>]) -> f64 {
        let value = self.metric.value(runs);
        let over = if self.most { value - self.value } else { self.value - value };
        if self.value == 0.0 { over } else { over / self.value }
    }

    /// Whether the limit is met at a confidence of `1 - miss`.
    #[must_use]
    pub fn holds(&self, runs: &[impl Borrow<Run>], miss: f64) -> bool {
        self.metric.holds(runs, self.value, miss, self.most)
    }
}

/// Splits a limit into name, direction, number and unit.
fn parts(text: &str) -> Option<(&str, bool, f64, &str)> {
    let (name, rest) = text.split_at(text.find(['<', '>', '≤', '≥'])?);
    let name = name.trim();
    let mut signs = rest.chars();
    let sign = signs.next()?;
    let rest = signs.as_str();
    let rest =
        if matches!(sign, '<' | '>') { rest.strip_prefix('=').unwrap_or(rest) } else { rest };
    let rest = rest.trim();
    let digits = rest.find(|letter: char| !letter.is_ascii_digit() && letter != '.');
    let (number, unit) = rest.split_at(digits.unwrap_or(rest.len()));
    let unit = unit.trim_start();
    let is_word = |letter: char| letter.is_alphanumeric() || letter == '_';
    let is_unit = |letter: char| !letter.is_whitespace() && !letter.is_numeric();
    let good = !name.is_empty() && name.chars().all(is_word) && unit.chars().all(is_unit);
    let number = number.parse().ok().filter(|_| good)?;
    Some((name, matches!(sign, '<' | '≤'), number, unit))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_in_the_units_of_their_metrics() {
        let found = Limit::read("loss<0.1%, charge<=50µC,goodput>1Mbit/s ").expect("limits");
        let accepted: Vec<_> =
            found.iter().map(|one| (one.metric.name, one.most, one.value)).collect();
        assert_eq!(
            accepted,
            [("loss", true, 0.001), ("charge", true, 5e4), ("goodput", false, 1e3)]
        );
        assert_eq!(Limit::read("p99 ≤ 20 ms").expect("a limit")[0].value, 2e7);
        assert_eq!(Limit::read("max>.5us").expect("a limit")[0].value, 500.0);
        assert_eq!(Limit::read("  "), Ok(Vec::new()));
    }

    #[test]
    fn what_is_not_a_limit_is_named() {
        let unreadable = |text| Limit::read(text).expect_err("not a limit");
        for text in ["loss", "<5ms", "p99<ms", "p99<1.2.3ms", "p99<20 m s", "goodput>10kbit/s,"] {
            assert!(matches!(unreadable(text), Unreadable::Limit { .. }), "{text}");
        }
        for (text, units) in [("loss<0.1", "%"), ("p99<20", "ns or us or ms or s"), ("p99<2%", "")]
        {
            let Unreadable::Unit { units: accepted, .. } = unreadable(text) else {
                panic!("{text}")
            };
            assert!(accepted.contains(units), "{accepted}");
        }
        assert!(matches!(unreadable("p98<20ms"), Unreadable::Metric { .. }));
        assert!(matches!(unreadable("max<20ms"), Unreadable::Unbounded { .. }));
        let large = format!("p99<{}s", "9".repeat(400));
        assert!(matches!(unreadable(&large), Unreadable::TooLarge { .. }));
    }
}
