//! Confidence intervals that assume no shape of distribution, but for that of a mean of few runs, all
//! at 95 %.
//!
//! They do assume that transfers are independent of each other. A run that sweeps the phase of a
//! slow clock is more even than that, and its true intervals are narrower; a run whose phase is
//! frozen says nothing about other phases, and no interval can tell. The findings say which is
//! the case.

use statrs::distribution::{Beta, ContinuousCDF, Normal, StudentsT};
use statrs::function::gamma::ln_gamma;

/// Share of intervals that miss on either side.
const TAIL: f64 = 0.025;

/// 97.5 % quantile of the normal distribution.
const Z: f64 = 1.959_963_984_540_054;

/// Ranks, counted from 0, between which the `p` quantile of the distribution behind `n` values
/// lies with 95 % confidence; `None` on a side where even the most extreme value bounds nothing.
///
/// The number of values below the quantile is binomial whatever the distribution (W. J. Conover,
/// "Practical Nonparametric Statistics", 3.2; H. A. David and H. N. Nagaraja, "Order Statistics",
/// 7.1). The binomial is summed exactly at any `n`, over ten standard deviations.
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
        // `below` is the probability of fewer than `count` values under the quantile: of the
        // value of rank `count - 1` lying above it.
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

/// Probability of exactly `count` of `n`, each with probability `p`.
fn binomial(n: usize, count: usize, p: f64) -> f64 {
    let (n, k) = (n as f64, count as f64);
    (ln_choose(n, k) + k * p.ln() + (n - k) * (-p).ln_1p()).exp()
}

/// Logarithm of the number of ways to choose `k` of `n`.
pub(crate) fn ln_choose(n: f64, k: f64) -> f64 {
    ln_gamma(n + 1.0) - ln_gamma(k + 1.0) - ln_gamma(n - k + 1.0)
}

/// Wilson's score interval of a ratio: never outside 0 to 1, and right even at 0 and at `n`.
///
/// E. B. Wilson, "Probable inference, the law of succession, and statistical inference", JASA 22
/// (1927) 209.
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
    // Rounding must not leave 0 of n with a lower bound above 0.
    let low = if count == 0 { 0.0 } else { (centre - half).max(0.0) };
    let high = if count == n { 1.0 } else { (centre + half).min(1.0) };
    Some((low, high))
}

/// Clopper and Pearson's interval of a ratio, which misses on either side with a probability of at most
/// `miss` / 2; all of it where there is nothing to count.
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

/// The value that a standard normal variable exceeds with probability `1 - p`.
#[must_use]
pub fn normal_quantile(p: f64) -> f64 {
    Normal::standard().inverse_cdf(p)
}

/// Student's interval of a mean of runs, each of which gives one value; none of fewer than two.
#[must_use]
pub fn mean(values: &[f64]) -> Option<(f64, f64)> {
    let count = values.len() as f64;
    let students = StudentsT::new(0.0, 1.0, count - 1.0).ok()?;
    let mean = values.iter().sum::<f64>() / count;
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    let reach = students.inverse_cdf(1.0 - TAIL) * (squares / (count - 1.0) / count).sqrt();
    Some((mean - reach, mean + reach))
}

/// Interval of the mean of shares of which each is of another place, all of them independent; none of
/// none.
///
/// Shares of places lie anywhere between 0 and 1, mostly near one of both. Of all distributions with
/// the same mean, that of places which either have all or nothing is the widest, and its interval is
/// C. J. Clopper and E. S. Pearson's, "The use of confidence or fiducial limits", Biometrika 26 (1934)
/// 404: quantiles of beta distributions, here at the whole numbers on either side of the sum. Unlike a
/// bootstrap it does not take twenty equal places for proof that there is no other.
#[must_use]
pub fn places(shares: &[f64]) -> Option<(f64, f64)> {
    let count = shares.len() as f64;
    if shares.is_empty() {
        return None;
    }
    let sum = shares.iter().sum::<f64>().clamp(0.0, count);
    // What rounding left of a whole number is that number.
    let (least, most) = ((sum + 1e-9).floor(), (sum - 1e-9).ceil());
    let end = |have: f64, lack: f64, share: f64, limit: f64| {
        // Where there is no density, all have it or none.
        Beta::new(have, lack).map_or(limit, |beta| beta.inverse_cdf(share))
    };
    let low = if least < 1.0 { 0.0 } else { end(least, count - least + 1.0, TAIL, 0.0) };
    let high = if most >= count { 1.0 } else { end(most + 1.0, count - most, 1.0 - TAIL, 1.0) };
    Some((low, high))
}

/// A value and the bounds of its interval; a missing bound is no bound.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounded {
    /// The estimate.
    pub value: f64,
    /// Lower bound.
    pub low: Option<f64>,
    /// Upper bound.
    pub high: Option<f64>,
}

/// `b - a` with an interval made of the intervals of both: the distances to the bounds are added
/// in squares.
///
/// For ratios with Wilson intervals this is method 10 of R. G. Newcombe, "Interval estimation for
/// the difference between independent proportions", Statistics in Medicine 17 (1998) 873; for
/// anything else, G. Y. Zou and A. Donner, "Construction of confidence limits about effect
/// measures: a general approach", Statistics in Medicine 27 (2008) 1693. Unlike a bootstrap it
/// needs no random numbers, and it does not pretend to bound a tail that was not seen.
#[must_use]
pub fn difference(a: Bounded, b: Bounded) -> Bounded {
    let value = b.value - a.value;
    let reach = |from_b: Option<f64>, from_a: Option<f64>| {
        Some((b.value - from_b?).hypot(a.value - from_a?))
    };
    Bounded {
        value,
        low: reach(b.low, a.high).map(|r| value - r),
        high: reach(b.high, a.low).map(|r| value + r),
    }
}

#[cfg(test)]
mod tests;
