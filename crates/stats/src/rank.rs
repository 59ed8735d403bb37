//! Rank tests, which are robust against heavy tails.

use libm::{erfc, exp, lgamma, log, sqrt};

/// Rank of each value, counted from 1. Equal values have the mean of their ranks.
#[must_use]
pub fn midranks(values: &[i64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_unstable_by_key(|&index| values[index]);
    let mut ranks = vec![0.0; values.len()];
    let mut from = 0;
    for group in order.chunk_by(|&a, &b| values[a] == values[b]) {
        let shared = from as f64 + (group.len() as f64 + 1.0) / 2.0;
        for &index in group {
            ranks[index] = shared;
        }
        from += group.len();
    }
    ranks
}

/// Returns the two-sided p-value of a standard normal deviate `z`.
#[must_use]
pub fn two_sided(z: f64) -> f64 {
    erfc(z.abs() / std::f64::consts::SQRT_2)
}

/// Probability that a chi-squared variable exceeds `x`. For whole degrees of freedom this is a finite sum
/// (Abramowitz and Stegun, "Handbook of mathematical functions", 26.4.4 and 26.4.5).
#[must_use]
pub fn chi_squared_above(x: f64, degrees: usize) -> f64 {
    if x <= 0.0 || degrees == 0 {
        return 1.0;
    }
    let (half, is_odd) = (x / 2.0, degrees % 2 == 1);
    let first = if is_odd { erfc(sqrt(half)) } else { 0.0 };
    let offset = if is_odd { 0.5 } else { 0.0 };
    let term = |nth: usize| {
        let power = nth as f64 + offset;
        exp(power * log(half) - half - lgamma(power + 1.0))
    };
    (first + (0..degrees / 2).map(term).sum::<f64>()).min(1.0)
}

/// Result of a Kruskal–Wallis test: association between the class of a value and its rank.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Kruskal {
    /// p-value of the hypothesis that all classes have the same distribution.
    pub p: f64,
    /// Share of the variance of the ranks that the classes explain, minus the share expected by chance. 0
    /// without a difference, 1 if the class determines the rank.
    pub explained: f64,
}

/// Performs the rank test of W. H. Kruskal and W. A. Wallis ("Use of ranks in one-criterion variance
/// analysis", JASA 47 (1952) 583). Ties are corrected for by the variance of the actual ranks. `class`
/// takes an index into `ranks` and returns the class of this value, a number below `classes`. Returns
/// `None` if all values are in one class, if each value has a class of its own, or if all ranks are equal.
#[must_use]
pub fn kruskal(ranks: &[f64], class: impl Fn(usize) -> usize, classes: usize) -> Option<Kruskal> {
    let n = ranks.len() as f64;
    let mean = ranks.iter().sum::<f64>() / n;
    let mut sums = vec![(0.0, 0usize); classes];
    let mut squares = 0.0;
    for (index, &rank) in ranks.iter().enumerate() {
        let (sum, count) = &mut sums[class(index)];
        *sum += rank - mean;
        *count += 1;
        squares += (rank - mean) * (rank - mean);
    }
    let occupied = sums.iter().filter(|(_, count)| *count > 0);
    let (mut degrees, mut between) = (0, 0.0);
    for &(sum, count) in occupied {
        degrees += 1;
        between += sum * sum / count as f64;
    }
    if degrees < 2 || squares == 0.0 || ranks.len() <= degrees {
        return None;
    }
    let degrees = degrees - 1;
    let h = between / squares * (n - 1.0);
    let chance = degrees as f64;
    Some(Kruskal { p: chi_squared_above(h, degrees), explained: (h - chance) / (n - 1.0 - chance) })
}

/// Result of a rank-sum test of two sets.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Superiority {
    /// Probability that a value of the second set is smaller than one of the first. Equal values
    /// count half. 0.5 means no difference.
    pub second_smaller: f64,
    /// p-value for equal distributions.
    pub p: f64,
}

impl Superiority {
    /// Cliff's delta: -1 if every value of the second set is smaller, 1 if every one is larger (N. Cliff,
    /// "Dominance statistics", Psychological Bulletin 114 (1993) 494).
    #[must_use]
    pub fn delta(self) -> f64 {
        1.0 - 2.0 * self.second_smaller
    }
}

/// Performs the rank-sum test of H. B. Mann and D. R. Whitney (Annals of Mathematical Statistics 18 (1947)
/// 50), with a normal approximation and a correction for ties. `None` if a set is empty.
#[must_use]
pub fn superiority(first: &[i64], second: &[i64]) -> Option<Superiority> {
    if first.is_empty() || second.is_empty() {
        return None;
    }
    let all: Vec<i64> = first.iter().chain(second).copied().collect();
    let ranks = midranks(&all);
    let (n, a, b) = (all.len() as f64, first.len() as f64, second.len() as f64);
    let rank_sum: f64 = ranks[..first.len()].iter().sum();
    let larger_first = rank_sum - a * (a + 1.0) / 2.0;
    let squares: f64 = ranks.iter().map(|rank| (rank - (n + 1.0) / 2.0).powi(2)).sum();
    let variance = a * b / (n * (n - 1.0)) * squares;
    let p = if variance > 0.0 {
        two_sided((larger_first - a * b / 2.0) / variance.sqrt())
    } else {
        1.0
    };
    Some(Superiority { second_smaller: larger_first / (a * b), p })
}

/// Largest distance between two empirical distribution functions (Kolmogorov–Smirnov). `None` if a set is
/// empty.
#[must_use]
pub fn ks_distance(first: &[i64], second: &[i64]) -> Option<f64> {
    if first.is_empty() || second.is_empty() {
        return None;
    }
    let sorted = |values: &[i64]| {
        let mut sorted = values.to_vec();
        sorted.sort_unstable();
        sorted
    };
    let (a, b) = (sorted(first), sorted(second));
    let (mut i, mut j, mut distance) = (0, 0, 0.0f64);
    while i < a.len() && j < b.len() {
        let value = a[i].min(b[j]);
        while i < a.len() && a[i] == value {
            i += 1;
        }
        while j < b.len() && b[j] == value {
            j += 1;
        }
        distance = distance.max((i as f64 / a.len() as f64 - j as f64 / b.len() as f64).abs());
    }
    Some(distance)
}

/// Autocorrelation of a series at `lag`. 0 for a constant or too short series.
#[must_use]
pub fn autocorrelation(series: &[f64], lag: usize) -> f64 {
    let n = series.len();
    if lag >= n {
        return 0.0;
    }
    let mean = series.iter().sum::<f64>() / n as f64;
    let all: f64 = series.iter().map(|x| (x - mean) * (x - mean)).sum();
    if all == 0.0 {
        return 0.0;
    }
    let later = series.iter().zip(&series[lag..]);
    later.map(|(x, y)| (x - mean) * (y - mean)).sum::<f64>() / all
}

#[cfg(test)]
mod tests;
