//! Variation between simulated locations: the share of locations that meet a requirement, with confidence
//! intervals.
//!
//! Messages at one location are dependent, and do not predict another location. A location therefore counts
//! once, regardless of its number of messages. Latency quantiles cover all messages of all locations.

use crate::interval;
use crate::pair::{NONE, Outcome, Transfers};

/// Requirement on each location.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LocationRequirement {
    /// Deadline, ns. `None` means no deadline.
    pub deadline_ns: Option<i64>,
    /// Share of the messages of a location that must meet the deadline.
    pub share: f64,
    /// Largest loss ratio of a location. The value 1 means no limit.
    pub max_loss: f64,
}

/// No requirement: counts the delivered messages.
pub const ANY: LocationRequirement =
    LocationRequirement { deadline_ns: None, share: 0.0, max_loss: 1.0 };

/// Statistics over locations.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Places {
    /// Number of locations with at least one known outcome.
    pub count: usize,
    /// The 10 % quantile, the median and the 90 % quantile, over locations, of the share of messages that
    /// meet the deadline.
    pub shares: [f64; 3],
    /// Mean of these shares over locations.
    pub mean: f64,
    /// The 95 % confidence interval of the mean.
    pub mean_interval: (f64, f64),
    /// Number of locations that meet the requirement.
    pub keep: usize,
    /// The 95 % confidence interval of the share of locations that meet the requirement
    /// (Clopper–Pearson).
    pub keep_interval: (f64, f64),
}

impl Places {
    /// Computes the statistics from the transfers of a run. `None` if no location has a known
    /// outcome.
    #[must_use]
    pub fn of(transfers: &Transfers, asked: LocationRequirement) -> Option<Self> {
        let begins_ns = &transfers.places_ns;
        let mut counts = vec![Counts::default(); begins_ns.len()];
        let fates = transfers.trigger_ns.iter().zip(&transfers.completion_ns);
        for ((&trigger, &completion), outcome) in fates.zip(&transfers.outcome) {
            let place = begins_ns.partition_point(|&begin| begin <= trigger);
            // Transfers before the first location belong to no location.
            let Some(here) = place.checked_sub(1).and_then(|at| counts.get_mut(at)) else {
                continue;
            };
            if *outcome == Outcome::Censored {
                continue;
            }
            here.known += 1;
            if completion == NONE {
                here.lost += 1;
            } else if asked.deadline_ns.is_none_or(|most| completion - trigger <= most) {
                here.in_time += 1;
            }
        }
        counts.retain(|here| here.known > 0);
        let mut shares: Vec<f64> = counts.iter().map(|here| here.share(here.in_time)).collect();
        shares.sort_by(f64::total_cmp);
        let (count, mean_interval) = (shares.len(), interval::places(&shares)?);
        // A share such as 0.99 is not exact.
        let keeps = |here: &Counts| {
            here.share(here.in_time) >= asked.share - 1e-9
                && here.share(here.lost) <= asked.max_loss + 1e-9
        };
        let kept: Vec<f64> = counts.iter().map(|here| f64::from(u8::from(keeps(here)))).collect();
        Some(Self {
            count,
            shares: [0.1, 0.5, 0.9].map(|p| quantile(&shares, p)),
            mean: shares.iter().sum::<f64>() / count as f64,
            mean_interval,
            keep: counts.iter().filter(|here| keeps(here)).count(),
            keep_interval: interval::places(&kept)?,
        })
    }
}

/// Outcomes of the messages at a location.
#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    known: usize,
    in_time: usize,
    lost: usize,
}

impl Counts {
    fn share(&self, of: usize) -> f64 {
        of as f64 / self.known.max(1) as f64
    }
}

/// Type 7 quantile of ascending values.
fn quantile(sorted: &[f64], p: f64) -> f64 {
    let at = p * (sorted.len() - 1) as f64;
    let (below, above) = (at.floor() as usize, at.ceil() as usize);
    sorted[below] + (sorted[above] - sorted[below]) * (at - below as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    const REQUIREMENT: LocationRequirement =
        LocationRequirement { deadline_ns: None, share: 0.99, max_loss: 1.0 };

    /// Ten messages per location, of which this many arrive.
    fn transfers(arrive: &[usize]) -> Transfers {
        let mut made = Transfers::default();
        for (place, &arrive) in arrive.iter().enumerate() {
            for nth in 0..10 {
                let trigger = (place * 10 + nth) as i64 * 1_000;
                let came = nth < arrive;
                made.trigger_ns.push(trigger);
                made.completion_ns.push(if came { trigger + 100 + nth as i64 } else { NONE });
                made.outcome.push(if came { Outcome::Delivered } else { Outcome::Lost });
            }
        }
        made.places_ns = (0..arrive.len()).map(|place| place as i64 * 10_000).collect();
        made
    }

    fn places(arrive: &[usize]) -> Places {
        Places::of(&transfers(arrive), REQUIREMENT).expect("places")
    }

    #[test]
    fn each_place_counts_once_and_those_that_deliver_are_counted() {
        let seen = places(&[10, 10, 9, 0]);
        assert_eq!((seen.count, seen.keep), (4, 2));
        assert_eq!(seen.shares[1], 0.95);
        assert!((seen.mean - 0.725).abs() < 1e-12, "{seen:?}");
        // Type 7 quantiles of 0, 0.9, 1, 1 at positions 0.3 and 2.7.
        assert!((seen.shares[0] - 0.27).abs() < 1e-12 && seen.shares[2] == 1.0, "{seen:?}");
    }

    #[test]
    fn places_that_all_deliver_are_no_proof_that_every_one_does() {
        // 0.025^(1/20) = 0.8316 is the smallest share of good locations that is compatible with
        // twenty of twenty.
        let seen = places(&[10; 20]);
        assert!((seen.mean_interval.0 - 0.8316).abs() < 1e-3 && seen.mean_interval.1 == 1.0);
        assert_eq!(seen.mean_interval, seen.keep_interval);
        let none = places(&[0; 20]);
        assert!(none.mean_interval.0 == 0.0 && (none.mean_interval.1 - 0.1684).abs() < 1e-3);
        // Clopper–Pearson, 15 of 20: 0.509 to 0.913.
        let most: Vec<usize> = (0..20).map(|place| if place < 15 { 10 } else { 0 }).collect();
        let (low, high) = places(&most).keep_interval;
        assert!((low - 0.509).abs() < 1e-3 && (high - 0.913).abs() < 1e-3, "{low} {high}");
    }

    #[test]
    fn a_late_message_misses_and_a_censored_one_does_not_count() {
        let mut transfers = transfers(&[10, 10]);
        let asked = LocationRequirement { deadline_ns: Some(108), ..REQUIREMENT };
        let seen = Places::of(&transfers, asked).expect("places");
        assert_eq!((seen.keep, seen.shares[1]), (0, 0.9));
        transfers.outcome[9] = Outcome::Censored;
        let seen = Places::of(&transfers, asked).expect("places");
        assert_eq!(seen.keep, 1);
        transfers.outcome.fill(Outcome::Censored);
        assert_eq!(Places::of(&transfers, asked), None);
    }
}
