//! Finding of completions that do not depend on the triggers.

use super::{FEWEST, completion_rises, gaps};
use crate::findings::{Finding, Name, Value};
use crate::pair::Transfers;

/// Threshold for the product of the Kolmogorov distance and the square root of the number of values. For
/// independent values that follow the assumed distribution, this product exceeds the threshold once in 20
/// times (A. N. Kolmogorov, 1933; N. Smirnov, "Table for estimating the goodness of fit of empirical
/// distributions", Annals of Mathematical Statistics 19, 1948).
const FAR: f64 = 1.358;

/// Returns the finding if the time from a trigger to the next completion has the same distribution
/// as the time from a random instant.
///
/// For an instant that does not depend on the completions, the probability that the next completion follows
/// within `x` is `1/m` times the integral of `1 - G` from 0 to `x`. `G` is the distribution function of the
/// intervals between completions, and `m` is the mean of these intervals (D. R. Cox, "Renewal theory", 1962,
/// 5.4).
#[must_use]
pub fn no_relation(transfers: &Transfers) -> Option<Finding> {
    let completions = completion_rises(transfers);
    let waits = waits(&transfers.trigger_ns, &completions);
    let mut gaps = gaps(&completions);
    if waits.len() < FEWEST || gaps.len() < FEWEST {
        return None;
    }
    gaps.sort_unstable();
    let distance = distance(&waits, &gaps);
    let scaled = distance * (waits.len() as f64).sqrt();
    (scaled < FAR).then(|| Finding {
        name: Name::NoRelation,
        evidence: vec![
            ("n", Value::Int(waits.len() as i64)),
            ("distance", Value::Float(distance)),
            ("threshold", Value::Float(FAR / (waits.len() as f64).sqrt())),
        ],
        message: format!(
            "The time from a trigger to the next completion has the same distribution as that from a random \
             time (Kolmogorov distance {distance:.3}, n = {}). The two channels are unrelated.",
            waits.len()
        ),
        advice: "Choose other channels with --trigger and --completion; `airlag channels` lists them."
            .to_owned(),
    })
}

/// Time from each trigger to the next completion, regardless of triggers in between. Ascending.
fn waits(triggers: &[i64], completions: &[i64]) -> Vec<i64> {
    let wait = |&at: &i64| {
        let next = completions.partition_point(|&completion| completion <= at);
        Some(completions.get(next)? - at)
    };
    // Triggers before the first completion are left out, because the interval that contains them is unknown.
    let since = completions.first().copied().unwrap_or(i64::MAX);
    let mut waits: Vec<i64> = triggers.iter().filter(|&&at| at >= since).filter_map(wait).collect();
    waits.sort_unstable();
    waits
}

/// Largest difference between the distribution of `waits` and that from a random time. Both slices ascend.
fn distance(waits: &[i64], gaps: &[i64]) -> f64 {
    let total: f64 = gaps.iter().map(|&gap| gap as f64).sum();
    let n = waits.len() as f64;
    // Cumulative sum of the intervals up to the current one.
    let (mut at, mut below, mut most) = (0, 0.0, 0.0_f64);
    for (nth, &wait) in waits.iter().enumerate() {
        while at < gaps.len() && gaps[at] <= wait {
            below += gaps[at] as f64;
            at += 1;
        }
        let expected = (below + wait as f64 * (gaps.len() - at) as f64) / total;
        let (from, to) = (nth as f64 / n, (nth + 1) as f64 / n);
        most = most.max((expected - from).abs()).max((to - expected).abs());
    }
    most
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::noise::{CLEAN, Noise, clean, run};

    /// Instants at random intervals with this mean.
    fn at_random(noise: &mut Noise, mean_ns: f64, count: usize) -> Vec<i64> {
        let mut at = 0.0;
        let next = |_| {
            at += mean_ns * noise.exponential();
            at as i64
        };
        (0..count).map(next).collect()
    }

    #[test]
    fn wires_that_know_nothing_of_each_other_are_told_nineteen_times_in_twenty() {
        let mut noise = Noise::seed(9);
        let mut reported = 0;
        for _ in 0..400 {
            let trigger_ns = at_random(&mut noise, 5e6, 200);
            let spurious_ns = at_random(&mut noise, 3e6, 400);
            let both = Transfers { trigger_ns, spurious_ns, ..Transfers::default() };
            reported += usize::from(no_relation(&both).is_some());
        }
        // The distances are estimated from the same run, so the finding is reported more often.
        assert!((370..=400).contains(&reported), "{reported}");
    }

    #[test]
    fn a_link_has_a_relation_however_its_latency_spreads() {
        for (kind, (name, _)) in CLEAN.iter().enumerate() {
            for seed in 0..5 {
                let right = run(50_000_000, &clean(kind, 100, seed));
                assert_eq!(no_relation(&right), None, "{name}");
            }
        }
    }

    #[test]
    fn a_few_transfers_tell_nothing() {
        assert_eq!(no_relation(&run(50_000_000, &clean(1, 20, 1))), None);
        assert_eq!(no_relation(&Transfers::default()), None);
    }
}
