//! 95 % confidence intervals. Except for the mean of few runs, they assume no distribution.
//!
//! The confidence intervals assume independent transfers. The transfers of a run that sweeps the phase of a
//! slow clock are more regular than independent transfers, so the true intervals of this run are narrower
//! than the computed ones. A run with a frozen phase contains no information on the latencies at other
//! phases, so no interval can cover these latencies. The findings of a run report both cases.

use libm::lgamma;
use statrs::distribution::{Beta, ContinuousCDF, Normal, StudentsT};

/// Error probability on each side.
const TAIL: f64 = 0.025;

/// 97.5 % quantile of the normal distribution.
const Z: f64 = 1.959_963_984_540_054;

/// Returns the ranks, counted from 0, of the two of `n` values between which the true `p` quantile lies
/// with 95 % confidence. A rank is `None` if even the most extreme value is not a bound on its side.
///
/// The number of values below the quantile has a binomial distribution, whatever the distribution of the
/// values is (W. J. Conover, "Practical Nonparametric Statistics", 3.2; H. A. David and H. N. Nagaraja,
/// "Order Statistics", 7.1). The binomial distribution is not approximated, for any `n`. The sum of its
/// terms starts more than ten standard deviations below the mean.
#[must_use]
pub fn quantile_ranks(n: usize, p: f64) -> (Option<usize>, Option<usize>) {
    if n == 0 || !(0.0..=1.0).contains(&p) || p == 0.0 || p == 1.0 {
        return (None, None);
    }
    let (size, odds) = (n as f64, p / (1.0 - p));
    let spread = (size * p * (1.0 - p)).sqrt();
    let from = (size * p - 10.0 * spread - 10.0).max(0.0).floor() as usize;
    let mut probability = binomial(n, from, p);
    let mut below = 0.0;
    let (mut low, mut high) = (None, None);
    for count in from..=n {
        // `below` is the probability of fewer than `count` values below the quantile, that is, of the value
        // with rank `count - 1` above it.
        let up_to = below + probability;
        if up_to <= TAIL {
            low = Some(count);
        }
        if up_to >= 1.0 - TAIL {
            high = (count < n).then_some(count);
            break;
        }
        below = up_to;
        probability *= (n - count) as f64 / (count as f64 + 1.0) * odds;
    }
    (low, high)
}

/// Probability of exactly `count` of `n` with probability `p` each.
fn binomial(n: usize, count: usize, p: f64) -> f64 {
    let (n, k) = (n as f64, count as f64);
    libm::exp(ln_choose(n, k) + k * libm::log(p) + (n - k) * libm::log1p(-p))
}

/// Logarithm of the binomial coefficient of `n` over `k`.
pub(crate) fn ln_choose(n: f64, k: f64) -> f64 {
    lgamma(n + 1.0) - lgamma(k + 1.0) - lgamma(n - k + 1.0)
}

/// Wilson score interval of a ratio. It is within 0 to 1, and valid at 0 and at `n`.
///
/// E. B. Wilson, "Probable inference, the law of succession, and statistical inference", JASA 22 (1927) 209.
#[must_use]
pub fn wilson(count: usize, n: usize) -> Option<(f64, f64)> {
    if n == 0 {
        return None;
    }
    let (size, ratio) = (n as f64, count as f64 / n as f64);
    let denominator = 1.0 + Z * Z / size;
    let centre = (ratio + Z * Z / (2.0 * size)) / denominator;
    let half =
        Z / denominator * (ratio * (1.0 - ratio) / size + Z * Z / (4.0 * size * size)).sqrt();
    // Rounding must not give 0 of n a lower bound above 0.
    let low = if count == 0 { 0.0 } else { (centre - half).max(0.0) };
    let high = if count == n { 1.0 } else { (centre + half).min(1.0) };
    Some((low, high))
}

/// Clopper–Pearson interval of a ratio, with an error probability of at most `miss` / 2 on each side. The
/// whole range if `n` is 0.
#[must_use]
pub fn exact(count: usize, n: usize, miss: f64) -> (f64, f64) {
    let (have, lack) = (count as f64, n.saturating_sub(count) as f64);
    let end = |have: f64, lack: f64, share: f64, limit: f64| {
        Beta::new(have, lack).map_or(limit, |beta| beta.inverse_cdf(share))
    };
    let low = if count == 0 { 0.0 } else { end(have, lack + 1.0, miss / 2.0, 0.0) };
    let high = if count >= n { 1.0 } else { end(have + 1.0, lack, 1.0 - miss / 2.0, 1.0) };
    (low, high)
}

/// `p` quantile of the standard normal distribution.
#[must_use]
pub fn normal_quantile(p: f64) -> f64 {
    Normal::standard().inverse_cdf(p)
}

/// Student's 95 % confidence interval of the mean of one value per run. `None` for fewer than two.
#[must_use]
pub fn mean(values: &[f64]) -> Option<(f64, f64)> {
    let count = values.len() as f64;
    let students = StudentsT::new(0.0, 1.0, count - 1.0).ok()?;
    let mean = values.iter().sum::<f64>() / count;
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    let reach = students.inverse_cdf(1.0 - TAIL) * (squares / (count - 1.0) / count).sqrt();
    Some((mean - reach, mean + reach))
}

/// Returns the 95 % confidence interval of the mean of shares at independent locations. `None`
/// without shares.
///
/// A share that is measured at a location is between 0 and 1, and mostly near 0 or near 1. Of all
/// distributions between 0 and 1 with the same mean, the widest has only the values 0 and 1, and this
/// distribution is assumed. The interval for this distribution is that of C. J. Clopper and E. S. Pearson,
/// "The use of confidence or fiducial limits", Biometrika 26 (1934) 404. The bounds of a Clopper-Pearson
/// interval are quantiles of beta distributions. Here, the lower bound is computed for the sum of the shares
/// rounded down to an integer, and the upper bound for the sum rounded up. A bootstrap interval collapses to
/// a point for twenty locations with equal shares. The Clopper-Pearson interval does not.
#[must_use]
pub fn places(shares: &[f64]) -> Option<(f64, f64)> {
    let count = shares.len() as f64;
    if shares.is_empty() {
        return None;
    }
    let sum = shares.iter().sum::<f64>().clamp(0.0, count);
    // Rounds away numerical errors of integers.
    let (least, most) = ((sum + 1e-9).floor(), (sum - 1e-9).ceil());
    let end = |have: f64, lack: f64, share: f64, limit: f64| {
        // The distribution has no density if all or none have the property.
        Beta::new(have, lack).map_or(limit, |beta| beta.inverse_cdf(share))
    };
    let low = if least < 1.0 { 0.0 } else { end(least, count - least + 1.0, TAIL, 0.0) };
    let high = if most >= count { 1.0 } else { end(most + 1.0, count - most, 1.0 - TAIL, 1.0) };
    Some((low, high))
}

/// A value with the bounds of its interval. `None` if unbounded.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounded {
    /// The estimate.
    pub value: f64,
    /// Lower bound.
    pub low: Option<f64>,
    /// Upper bound.
    pub high: Option<f64>,
}

/// Returns `b - a` with an interval derived from the intervals of both: the squared distances to the
/// bounds are added.
///
/// For ratios with Wilson intervals, the interval of `b - a` is computed with method 10 of R. G. Newcombe,
/// "Interval estimation for the difference between independent proportions", Statistics in Medicine 17 (1998)
/// 873. For other intervals, it is computed with the method of G. Y. Zou and A. Donner, "Construction of
/// confidence limits about effect measures: a general approach", Statistics in Medicine 27 (2008) 1693. In
/// contrast to a bootstrap, neither method needs random numbers. A bound of `a` or `b` is missing if the tail
/// of the distribution may extend beyond the observed values. A bound of `b - a` that depends on a missing
/// bound is also missing.
#[must_use]
pub fn difference(a: Bounded, b: Bounded) -> Bounded {
    let value = b.value - a.value;
    let reach = |from_b: Option<f64>, from_a: Option<f64>| {
        Some(libm::hypot(b.value - from_b?, a.value - from_a?))
    };
    Bounded {
        value,
        low: reach(b.low, a.high).map(|r| value - r),
        high: reach(b.high, a.low).map(|r| value + r),
    }
}

#[cfg(test)]
mod tests;
