//! Misfit of a virtual run against a captured one, in nanoseconds per transfer.
//!
//! A comparison of distributions alone ignores the order of transfers, but a drifting clock is visible only in
//! this order. A comparison of individual transfers is not sufficient either, because retries and backoff
//! occur at other triggers on the bench than in the capture. Capture and bench are therefore divided into
//! short stretches of time. Within each stretch, the latency distributions of capture and bench are compared
//! by the Wasserstein distance (L. Wasserstein; the mean distance of equal quantiles). The comparison of
//! individual transfers is added with a small weight, to include patterns that repeat within a stretch.

use airlag_stats::NONE;
use airlag_stats::rank::ks_distance;

use crate::matching::ks_chance;

/// Number of triggers per stretch. A smaller number follows a clock more closely. A larger number
/// averages out chance.
const STRETCH: usize = 10;

/// Quantiles compared within a stretch. The slowest tenth is excluded: it contains the retries of a good link,
/// whose number in ten transfers is random.
const LEVELS: [f64; 18] = [
    0.025, 0.075, 0.125, 0.175, 0.225, 0.275, 0.325, 0.375, 0.425, 0.475, 0.525, 0.575, 0.625,
    0.675, 0.725, 0.775, 0.825, 0.875,
];

/// Weight of individual transfers relative to the distributions.
const ONE_BY_ONE: f64 = 0.1;

/// A capture, split into stretches.
#[derive(Clone, Debug)]
pub(super) struct Target {
    /// Latencies of each stretch in order, and sorted without losses.
    stretches: Vec<(Vec<i64>, Vec<i64>)>,
    /// Cost of a transfer that arrives on one side only: the median latency, so that losses never improve a
    /// fit.
    missing_ns: f64,
    /// All latencies that arrived.
    all: Spread,
}

/// Latencies that arrived, ascending.
#[derive(Clone, Debug)]
pub(super) struct Spread(Vec<i64>);

impl Spread {
    /// Builds it from one latency per trigger. [`NONE`] if nothing arrived.
    pub(super) fn new(latency: &[i64]) -> Self {
        Self(arrived(latency))
    }

    /// Kolmogorov–Smirnov distance to `other`, plus the share of transfers that arrive on one side
    /// only, so that losses never improve a fit.
    pub(super) fn distance(&self, other: &Self) -> f64 {
        let (ours, theirs) = (&self.0, &other.0);
        let most = ours.len().max(theirs.len()).max(1) as f64;
        let missing = ours.len().abs_diff(theirs.len()) as f64 / most;
        ks_distance(ours, theirs).unwrap_or(1.0) + missing
    }
}

impl Target {
    /// Builds it from one latency per trigger. [`NONE`] if nothing arrived.
    pub(super) fn new(latency: &[i64]) -> Self {
        let all = Spread::new(latency);
        let middle = all.0.len() / 2;
        Self {
            missing_ns: all.0.get(middle).map_or(1e9, |&median| median as f64),
            stretches: latency.chunks(STRETCH).map(|all| (all.to_vec(), arrived(all))).collect(),
            all,
        }
    }

    /// 95 % point of the distance of two samples of this size with independent latencies.
    pub(super) fn chance(&self) -> f64 {
        ks_chance(self.all.0.len(), self.all.0.len())
    }

    /// Distance of `made`, as defined by [`Spread::distance`].
    pub(super) fn distance(&self, made: &[i64]) -> f64 {
        self.all.distance(&Spread::new(made))
    }

    /// Mean misfit of `made`, the latencies of the bench, over the three quarters of the stretches with the
    /// smallest misfit. The other stretches are left out, because a cycle may wrap slightly earlier in the
    /// capture than on the bench, or slightly later. The few transfers between the two wraps have a misfit of
    /// a whole cycle, which would hide the fit of all other transfers. `made` contains the latencies for the
    /// triggers of the capture, in order. Triggers without a latency in `made` count as lost.
    pub(super) fn misfit(&self, made: &[i64]) -> f64 {
        let mut made = made.chunks(STRETCH);
        let stretch = |(in_turn, theirs): &(Vec<i64>, Vec<i64>)| {
            let made = made.next().unwrap_or_default();
            let ours = arrived(made);
            let both = theirs.len().max(ours.len()).max(1) as f64;
            let missing = theirs.len().abs_diff(ours.len()) as f64 / both * self.missing_ns;
            let alike = (1.0 - ONE_BY_ONE) * apart(theirs, &ours);
            missing + alike + ONE_BY_ONE * apart_in_turn(in_turn, made)
        };
        let mut each: Vec<f64> = self.stretches.iter().map(stretch).collect();
        each.sort_unstable_by(f64::total_cmp);
        let kept = (3 * each.len()).div_ceil(4);
        each.iter().take(kept).sum::<f64>() / kept.max(1) as f64
    }
}

/// Latencies that arrived, ascending.
fn arrived(latency: &[i64]) -> Vec<i64> {
    let mut there: Vec<i64> = latency.iter().copied().filter(|&ns| ns != NONE).collect();
    there.sort_unstable();
    there
}

/// Mean distance of the quantiles of two sorted sets. 0 if either is empty.
fn apart(one: &[i64], other: &[i64]) -> f64 {
    if one.is_empty() || other.is_empty() {
        return 0.0;
    }
    let at = |sorted: &[i64], level: f64| sorted[(sorted.len() as f64 * level) as usize];
    let each = LEVELS.iter().map(|&level| at(one, level).abs_diff(at(other, level)) as f64);
    each.sum::<f64>() / LEVELS.len() as f64
}

/// Mean absolute difference of transfers with the same trigger that arrived on both sides. 0 if none did.
fn apart_in_turn(one: &[i64], other: &[i64]) -> f64 {
    let both = one.iter().zip(other).filter(|&(&a, &b)| a != NONE && b != NONE);
    let (sum, count) =
        both.fold((0.0, 0), |(sum, count), (a, b)| (sum + a.abs_diff(*b) as f64, count + 1));
    sum / f64::from(count.max(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_repeats_itself_and_a_shift_is_as_large_as_it_is() {
        let ramp: Vec<i64> = (0..95).map(|nth| 1_000_000 + 700 * nth).collect();
        let target = Target::new(&ramp);
        assert_eq!(target.misfit(&ramp), 0.0);
        let later: Vec<i64> = ramp.iter().map(|at| at + 250).collect();
        assert!((target.misfit(&later) - 250.0).abs() < 1e-6);
    }

    #[test]
    fn order_counts_though_the_distribution_is_the_same() {
        let up: Vec<i64> = (0..100).map(|nth| 1_000_000 + 1_000 * nth).collect();
        let down: Vec<i64> = up.iter().rev().copied().collect();
        assert!(Target::new(&up).misfit(&down) > 30_000.0);
    }

    #[test]
    fn one_late_transfer_in_ten_counts_little_and_a_lost_one_is_not_free() {
        let plain = vec![1_000_000; 100];
        let retried: Vec<i64> =
            (0..100).map(|n| if n % 10 == 3 { 9_000_000 } else { 1_000_000 }).collect();
        // One transfer in ten is 8 ms late, which is visible only in a comparison of individual
        // transfers.
        assert!((Target::new(&plain).misfit(&retried) - 80_000.0).abs() < 1e-6);
        let lossy: Vec<i64> =
            (0..100).map(|n| if n % 10 == 3 { NONE } else { 1_000_000 }).collect();
        assert_eq!(Target::new(&plain).misfit(&lossy), 100_000.0);
        assert_eq!(Target::new(&plain).misfit(&[]), 1_000_000.0);
    }

    #[test]
    fn a_distance_is_that_of_the_spread_and_a_loss_is_not_free() {
        let up: Vec<i64> = (0..100).map(|nth| 1_000_000 + 1_000 * nth).collect();
        let down: Vec<i64> = up.iter().rev().copied().collect();
        assert_eq!(Target::new(&up).distance(&down), 0.0);
        let later: Vec<i64> = up.iter().map(|at| at + 10_000).collect();
        assert!((Target::new(&up).distance(&later) - 0.1).abs() < 1e-9);
        let every_other = |(nth, &at): (usize, &i64)| if nth % 2 == 0 { at } else { NONE };
        let lossy: Vec<i64> = up.iter().enumerate().map(every_other).collect();
        assert!(Target::new(&up).distance(&lossy) >= 0.5);
        assert!(Target::new(&up).distance(&[NONE; 100]) >= 1.0);
    }
}
