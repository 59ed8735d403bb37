//! How places differ at which the same link was run: the share of places that do what is asked, and
//! intervals that contain how different they are.
//!
//! Messages at one place are not independent of each other, and no number of them says anything of
//! another place. So a place counts once, however many messages it had. Quantiles of the latency are
//! of all messages of all places together.

use crate::interval;
use crate::pair::{NONE, Outcome, Transfers};

/// What each place has to do.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Asked {
    /// Longest time that will do, ns; none: any.
    pub deadline_ns: Option<i64>,
    /// Share of a place's messages that must arrive by then.
    pub share: f64,
    /// Share of them that may never arrive; 1 asks for nothing more.
    pub max_loss: f64,
}

/// Nothing in particular: how many arrive.
pub const ANY: Asked = Asked { deadline_ns: None, share: 0.0, max_loss: 1.0 };

/// What places say together.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Places {
    /// Places at which the fate of a message is known.
    pub count: usize,
    /// Share of a place's messages that arrive in time: the tenth percentile of places, the median
    /// and the ninetieth.
    pub shares: [f64; 3],
    /// The mean of these shares over places.
    pub mean: f64,
    /// The 95 % interval of what the mean over all places is.
    pub mean_interval: (f64, f64),
    /// Places at which the share that is asked for arrives in time.
    pub keep: usize,
    /// The 95 % interval of their share (Clopper and Pearson).
    pub keep_interval: (f64, f64),
}

impl Places {
    /// From the transfers of a run; none if there is no place of which anything is known.
    #[must_use]
    pub fn of(transfers: &Transfers, asked: Asked) -> Option<Self> {
        let begins_ns = &transfers.places_ns;
        let mut counts = vec![Counts::default(); begins_ns.len()];
        let fates = transfers.trigger_ns.iter().zip(&transfers.completion_ns);
        for ((&trigger, &completion), outcome) in fates.zip(&transfers.outcome) {
            let place = begins_ns.partition_point(|&begin| begin <= trigger);
            // What comes before the first place is of none.
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

/// What became of the messages at a place.
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

/// Linear between closest ranks (type 7), of ascending values.
fn quantile(sorted: &[f64], p: f64) -> f64 {
    let at = p * (sorted.len() - 1) as f64;
    let (below, above) = (at.floor() as usize, at.ceil() as usize);
    sorted[below] + (sorted[above] - sorted[below]) * (at - below as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ASKED: Asked = Asked { deadline_ns: None, share: 0.99, max_loss: 1.0 };

    /// Ten messages a place; so many of them arrive.
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
        Places::of(&transfers(arrive), ASKED).expect("places")
    }

    #[test]
    fn each_place_counts_once_and_those_that_deliver_are_counted() {
        let seen = places(&[10, 10, 9, 0]);
        assert_eq!((seen.count, seen.keep), (4, 2));
        assert_eq!(seen.shares[1], 0.95);
        assert!((seen.mean - 0.725).abs() < 1e-12, "{seen:?}");
        // Type 7 of 0, 0.9, 1, 1: at 0.3 and at 2.7.
        assert!((seen.shares[0] - 0.27).abs() < 1e-12 && seen.shares[2] == 1.0, "{seen:?}");
    }

    #[test]
    fn places_that_all_deliver_are_no_proof_that_every_one_does() {
        // 0.025^(1/20) = 0.8316: so many of all places may be that good and twenty be found.
        let seen = places(&[10; 20]);
        assert!((seen.mean_interval.0 - 0.8316).abs() < 1e-3 && seen.mean_interval.1 == 1.0);
        assert_eq!(seen.mean_interval, seen.keep_interval);
        let none = places(&[0; 20]);
        assert!(none.mean_interval.0 == 0.0 && (none.mean_interval.1 - 0.1684).abs() < 1e-3);
        // Clopper and Pearson, 15 of 20: 0.509 to 0.913.
        let most: Vec<usize> = (0..20).map(|place| if place < 15 { 10 } else { 0 }).collect();
        let (low, high) = places(&most).keep_interval;
        assert!((low - 0.509).abs() < 1e-3 && (high - 0.913).abs() < 1e-3, "{low} {high}");
    }

    #[test]
    fn a_message_that_comes_late_misses_and_one_that_nobody_saw_end_counts_not() {
        let mut transfers = transfers(&[10, 10]);
        let asked = Asked { deadline_ns: Some(108), ..ASKED };
        let seen = Places::of(&transfers, asked).expect("places");
        assert_eq!((seen.keep, seen.shares[1]), (0, 0.9));
        transfers.outcome[9] = Outcome::Censored;
        let seen = Places::of(&transfers, asked).expect("places");
        assert_eq!(seen.keep, 1);
        transfers.outcome.fill(Outcome::Censored);
        assert_eq!(Places::of(&transfers, asked), None);
    }
}
