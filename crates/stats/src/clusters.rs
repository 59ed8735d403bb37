//! One-sided confidence bounds of a share, a quantile and a mean over several runs.
//!
//! Messages of one run may be dependent: a burst of losses affects consecutive messages, and the clock of a
//! board has one phase for all messages of the run. Runs with different seeds are independent. The bounds of
//! a share are therefore computed as for a cluster sample, in which each run is a cluster. They are the
//! bounds of the Clopper–Pearson interval at the effective sample size (E. L. Korn and B. I. Graubard,
//! "Confidence intervals for proportions with small expected number of positive counts estimated from survey
//! data", Survey Methodology 24 (1998) 193).
//!
//! The bounds of a quantile follow from the bounds of a share (R. S. Woodruff, "Confidence intervals for
//! medians and other position measures", JASA 47 (1952) 635). For the quantile q, the bounds of the share of
//! messages below a value x are computed as a function of x. The lower bound of the quantile is the x at
//! which the upper bound of the share equals q. The upper bound of the quantile is the x at which the lower
//! bound of the share equals q.

use statrs::distribution::{Beta, Binomial, ContinuousCDF, DiscreteCDF, StudentsT};

/// End of an interval.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// Lower bound. The true value is below it with the permitted probability.
    Lower,
    /// Upper bound. The true value is above it with the permitted probability.
    Upper,
}

/// A share in one run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Share {
    /// Messages with the property.
    pub count: usize,
    /// All messages.
    pub of: usize,
}

/// Confidence bound of a share over several runs. The true value lies beyond this bound with
/// probability `miss`.
///
/// Returns the trivial bound, 0 or 1, if there are no messages.
#[must_use]
pub fn share_bound(runs: &[Share], miss: f64, end: End) -> f64 {
    let all: usize = runs.iter().map(|run| run.of).sum();
    if all == 0 {
        return if end == End::Upper { 1.0 } else { 0.0 };
    }
    let size = effective_size(runs, miss);
    let count: usize = runs.iter().map(|run| run.count).sum();
    let held = count as f64 / all as f64 * size;
    // The beta distribution is not defined if all messages or no messages have the property.
    let bound = |a, b, p| Beta::new(a, b).map(|beta| beta.inverse_cdf(p)).ok();
    match end {
        End::Upper if held >= size => 1.0,
        End::Upper => bound(held + 1.0, size - held, 1.0 - miss).unwrap_or(1.0),
        End::Lower if held <= 0.0 => 0.0,
        End::Lower => bound(held, size - held + 1.0, miss).unwrap_or(0.0),
    }
}

/// Effective sample size: the number of independent messages that would determine the share as accurately as
/// these runs.
fn effective_size(runs: &[Share], miss: f64) -> f64 {
    let (clusters, all) = (runs.len() as f64, runs.iter().map(|run| run.of).sum::<usize>() as f64);
    let p = runs.iter().map(|run| run.count).sum::<usize>() as f64 / all;
    if runs.len() < 2 || p == 0.0 || p == 1.0 {
        return all;
    }
    // The linearised variance of a ratio of two sums over clusters.
    let spread: f64 = runs.iter().map(|run| (run.count as f64 - p * run.of as f64).powi(2)).sum();
    let effect = clusters / (clusters - 1.0) * spread / all / (p * (1.0 - p));
    if effect <= 1.0 {
        return all;
    }
    // The design effect is itself an estimate, from few runs. The ratio of t quantiles allows for its error.
    let ratio = student_t(1.0 - miss, all - 1.0) / student_t(1.0 - miss, clusters - 1.0);
    all / effect * ratio * ratio
}

/// Type 7 quantile of ascending values, which may be infinite. NaN without values.
#[must_use]
pub fn quantile(sorted: &[f64], level: f64) -> f64 {
    if sorted.is_empty() {
        return f64::NAN;
    }
    let place = level * (sorted.len() - 1) as f64;
    let (below, part) = (place.floor() as usize, place - place.floor());
    let low = sorted[below];
    if part == 0.0 { low } else { low + part * (sorted[below + 1] - low) }
}

/// Confidence bound of a quantile over the values of several runs. The bound is one of the values,
/// 0, or infinite.
///
/// An upper bound is infinite if too many values are infinite, or if there are too few values.
#[must_use]
pub fn quantile_bound(runs: &[&[f64]], level: f64, miss: f64, end: End) -> f64 {
    let pooled = pooled(runs);
    let n = pooled.len() as f64;
    if pooled.is_empty() {
        return if end == End::Upper { f64::INFINITY } else { 0.0 };
    }
    let middle = quantile(&pooled, level);
    // If many latencies equal `middle`, the runs may differ in the share below it or in the share up to it.
    // The smaller effective size is used.
    let below = |run: &&[f64], with: bool| Share {
        count: run.iter().filter(|&&one| one < middle || with && one == middle).count(),
        of: run.len(),
    };
    let size = |with| {
        let shares: Vec<Share> = runs.iter().map(|run| below(run, with)).collect();
        effective_size(&shares, miss)
    };
    let many = size(false).min(size(true)).floor();
    let Ok(counts) = Binomial::new(level, many as u64) else {
        return if end == End::Upper { f64::INFINITY } else { 0.0 };
    };
    // Rank in a sample of the effective size. The match below scales it to the actual number of messages.
    let rank = |p: f64| counts.inverse_cdf(p) as f64;
    match end {
        End::Upper => {
            let place =
                if many > 0.0 { ((rank(1.0 - miss) + 1.0) * n / many).ceil() } else { n + 1.0 };
            pooled.get(place as usize - 1).copied().unwrap_or(f64::INFINITY)
        }
        End::Lower => {
            let place = if many > 0.0 { (rank(miss) * n / many).floor() as usize } else { 0 };
            place.checked_sub(1).map_or(0.0, |at| pooled[at])
        }
    }
}

/// Values of all runs in ascending order.
#[must_use]
pub fn pooled(runs: &[&[f64]]) -> Vec<f64> {
    let mut all = runs.concat();
    all.sort_unstable_by(f64::total_cmp);
    all
}

/// Bound of the mean of one value per run (Student's t). Infinite for fewer than two finite values.
#[must_use]
pub fn mean_bound(values: &[f64], miss: f64, end: End) -> f64 {
    let sign = if end == End::Upper { 1.0 } else { -1.0 };
    if values.len() < 2 || !values.iter().all(|value| value.is_finite()) {
        return sign * f64::INFINITY;
    }
    let (count, middle) = (values.len() as f64, mean(values));
    let squares: Vec<f64> = values.iter().map(|value| (value - middle).powi(2)).collect();
    let error = (sum(&squares) / (count - 1.0)).sqrt() / count.sqrt();
    middle + sign * student_t(1.0 - miss, count - 1.0) * error
}

/// Arithmetic mean. NaN without values.
#[must_use]
pub fn mean(values: &[f64]) -> f64 {
    sum(values) / values.len() as f64
}

/// Sum in eight lanes, as numpy adds small arrays. It has a smaller rounding error than a single running sum.
fn sum(values: &[f64]) -> f64 {
    let (eights, rest) = values.as_chunks::<8>();
    let Some((first, others)) = eights.split_first() else { return rest.iter().sum() };
    let mut lanes = *first;
    for chunk in others {
        for (lane, value) in lanes.iter_mut().zip(chunk) {
            *lane += value;
        }
    }
    let [a, b, c, d, e, f, g, h] = lanes;
    rest.iter().fold(((a + b) + (c + d)) + ((e + f) + (g + h)), |total, value| total + value)
}

/// Quantile of Student's t distribution.
fn student_t(p: f64, freedom: f64) -> f64 {
    StudentsT::new(0.0, 1.0, freedom).map_or(f64::NAN, |students| students.inverse_cdf(p))
}

#[cfg(test)]
mod tests;
