//! Criterion to stop the replications of a configuration.
//!
//! Each replication of a configuration is a run with a seed of its own, and yields one value of the quantile.
//! The values are therefore independent, and the confidence interval is Student's t interval of their mean.
//! Transfers within a run need not be independent. The method of adding replications until the interval
//! reaches a relative precision is from A. M. Law, "Simulation Modeling and Analysis".

use airlag_stats::interval;
use rust_decimal::prelude::ToPrimitive;
use serde_json::Value;

use super::super::duration::{decimal, parse};
use super::super::table::{one_of, only, refused, whole, wrong};
use super::file::MOST_REPLICATIONS;
use crate::error::Error;

const KEYS: [&str; 4] = ["quantile", "within", "batch", "most"];
/// Quantiles that a criterion can use.
const QUANTILES: [&str; 3] = ["p50", "p95", "p99"];

/// Largest half-width of the 95 % confidence interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Within {
    /// Absolute, ns.
    Ns(f64),
    /// Relative to the quantile.
    Ratio(f64),
}

/// Stopping criterion.
#[derive(Clone, Debug, PartialEq)]
pub struct Stop {
    /// Quantile of the criterion.
    pub quantile: &'static str,
    /// Largest half-width of its interval.
    pub within: Within,
    /// Replications before the first check, and between checks.
    pub batch: u64,
    /// Largest number of replications.
    pub most: u64,
}

impl Stop {
    /// Returns the number of replications that the configuration requires for the precision of the
    /// criterion. `quantiles` has one entry per finished replication: the quantile of this replication,
    /// or `None` if no message arrived in it. No further replications are needed if the returned number
    /// is at most the length of `quantiles`.
    #[must_use]
    pub fn after(&self, quantiles: &[Option<f64>]) -> u64 {
        let mut looks = self.batch.min(self.most);
        while let Some(first) = quantiles.get(..looks as usize) {
            if looks == self.most || self.is_narrow(first) {
                break;
            }
            looks = (looks + self.batch).min(self.most);
        }
        looks
    }

    fn is_narrow(&self, quantiles: &[Option<f64>]) -> bool {
        let values: Vec<f64> = quantiles.iter().copied().flatten().collect();
        // If nothing arrived there is no quantile, and further replications do not help.
        if values.is_empty() {
            return true;
        }
        let Some((low, high)) = interval::mean(&values) else { return false };
        let mean = values.iter().sum::<f64>() / values.len() as f64;
        let widest = match self.within {
            Within::Ns(ns) => ns,
            Within::Ratio(ratio) => ratio * mean,
        };
        (high - low) / 2.0 <= widest
    }

    pub(super) fn read(given: &Value) -> Result<Self, Error> {
        let at = "[stop]: ";
        let right = "a table with quantile and within";
        let table = given.as_object().ok_or_else(|| wrong("", "stop", given, right))?;
        only(table, &KEYS, at)?;
        let within = table.get("within").ok_or_else(|| {
            refused(format!("{at}no `within`; write a half-width, such as \"5%\" or \"0.2ms\""))
        })?;
        let quantile = table
            .get("quantile")
            .map_or(Ok("p99"), |quantile| one_of(quantile, at, "quantile", &QUANTILES))?;
        let most = table
            .get("most")
            .map_or(Ok(100), |most| whole(most, at, "most", 2, MOST_REPLICATIONS))?;
        let batch = table.get("batch").map_or(Ok(5), |batch| whole(batch, at, "batch", 2, most))?;
        let within = narrow(within.as_str().unwrap_or_default())
            .map_err(|right| wrong(at, "within", within, right))?;
        Ok(Self { quantile, within, batch, most })
    }
}

fn narrow(text: &str) -> Result<Within, &'static str> {
    if let Some(percent) = text.strip_suffix('%') {
        let ratio = decimal(percent.trim()).and_then(|share| share.to_f64()).unwrap_or(0.0) / 100.0;
        let good = ratio > 0.0 && ratio < 1.0;
        return if good {
            Ok(Within::Ratio(ratio))
        } else {
            Err("a share of the quantile, such as \"5%\"")
        };
    }
    match parse(text) {
        Err(_) => Err("a share or a time, such as \"5%\" or \"0.2ms\""),
        Ok(0) => Err("a value above 0"),
        Ok(ns) => Ok(Within::Ns(ns as f64)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replications_end_when_the_interval_is_narrow() {
        let share = Stop { quantile: "p99", within: Within::Ratio(0.05), batch: 3, most: 10 };
        let after =
            |values: &[f64]| share.after(&values.iter().copied().map(Some).collect::<Vec<_>>());
        assert_eq!(after(&[]), 3);
        assert_eq!(after(&[100.0, 101.0, 99.0]), 3);
        assert_eq!(after(&[100.0, 150.0, 50.0]), 6);
        // Later replications do not change an earlier decision.
        assert_eq!(after(&[100.0, 101.0, 99.0, 500.0]), 3);
        assert_eq!(after(&[100.0, 150.0, 50.0].repeat(3)), 10);
        assert_eq!(share.after(&[None; 3]), 3);
        assert_eq!(share.after(&[Some(100.0), None, None]), 6);
        let time = Stop { quantile: "p50", within: Within::Ns(5.0), batch: 2, most: 2 };
        assert_eq!(time.after(&[Some(1.0), Some(100.0)]), 2);
    }
}
