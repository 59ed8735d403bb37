//! Finding of first transfers that differ from the rest: caches, connections, crystals.

use super::delivered::FALSE_ALARM;
use super::{Finding, Name, Value};
use crate::dist::quantiles;
use crate::duration::nice;
use crate::interval::ln_choose;
use crate::pair::Transfers;
use crate::rank::{autocorrelation, midranks};

/// Smallest number of transfers.
const FEWEST: usize = 20;

/// Smallest number of transfers for the test by distance. A single outlier at the start is mistaken for a
/// warm-up at most once in e * n runs.
const FEWEST_BY_DISTANCE: usize = 200;

/// Longest warm-up, transfers.
const LONGEST: usize = 50;

/// Share of the permitted false alarms that the test by rank may use. The test by distance may use the rest.
const BY_RANK: f64 = 0.2;

/// Share of the permitted false alarms that slow first transfers may use. Fast ones, which are less common,
/// may use the rest.
const SLOW: f64 = 0.8;

/// Number of lags that are tested for dependence between transfers.
const LAGS: usize = 5;

/// Returns the finding if the first transfers stand out, at [`FALSE_ALARM`] over all lengths. There are two
/// tests:
///
/// - By rank: if transfers are independent, the first `m` of `n` transfers are all among the `r` largest with
///   probability C(r, m) / C(n, m). The test by rank is used only if no dependence between transfers is
///   detected, because the drift of a run can also make its first transfers extreme. The test by rank also
///   requires that the median of the first transfers differs from the median of the rest by at least the
///   interquartile range of the rest.
/// - By distance: each of `n` transfers is the most extreme one with probability 1/n. Beyond the largest of
///   the other transfers, the tail of the distribution is assumed to be exponential. The mean of this
///   exponential is the mean excess of the other transfers over their 95 % quantile (the memoryless limit of
///   light tails; J. Pickands, Annals of Statistics 3 (1975) 119). The test by distance is also valid for
///   dependent transfers.
#[must_use]
pub fn warm_up(transfers: &Transfers) -> Option<Finding> {
    let latencies = transfers.latencies_ns();
    if latencies.len() < FEWEST {
        return None;
    }
    let mirrored: Vec<i64> = latencies.iter().map(|&v| -v).collect();
    let slow = first_apart(&latencies, SLOW);
    let count = slow.or_else(|| first_apart(&mirrored, 1.0 - SLOW))?;
    let (first, rest) = latencies.split_at(count);
    let median = |values: &[i64]| quantiles(values, &[0.5]).first().copied();
    let (first_ns, rest_ns) = (median(first)?, median(rest)?);
    let excess_ns = first_ns - rest_ns;
    let (subject, verb) = if count == 1 {
        ("The first transfer".to_owned(), "takes")
    } else {
        (format!("The first {count} transfers"), "take")
    };
    let direction = if excess_ns > 0.0 { "longer" } else { "shorter" };
    Some(Finding {
        name: Name::WarmUp,
        evidence: vec![
            ("count", Value::Int(count as i64)),
            ("excess_ns", Value::Float(excess_ns)),
            ("first_ns", Value::Float(first_ns)),
            ("rest_ns", Value::Float(rest_ns)),
        ],
        message: format!(
            "{subject} {verb} {}, {} {direction} than the {} of the rest.",
            nice(first_ns),
            nice(excess_ns.abs()),
            nice(rest_ns)
        ),
        advice: format!(
            "Evaluate the steady state without the first {count}. Report the first one separately if users \
             experience a cold link."
        ),
    })
}

/// Number of first values above the rest, if any. `share` is the available share of the false alarms.
fn first_apart(values: &[i64], share: f64) -> Option<usize> {
    let longest = LONGEST.min(values.len() / 10);
    let by_distance = FALSE_ALARM * share * (1.0 - BY_RANK);
    let by_rank = FALSE_ALARM * share * BY_RANK;
    let independent = (2..=longest)
        .map(|m| (m, apart_by_rank(values, m) * (m * (m - 1)) as f64))
        .filter(|&(m, p)| p < by_rank && shifted(values, m));
    let independent = least(independent).filter(|&m| is_independent(&values[m..]));
    independent.or_else(|| {
        // The weights 1/(m(m+1)) add up to 1.
        let far = (1..=longest)
            .map(|m| (m, apart_by_distance(values, m) * (m * (m + 1)) as f64))
            .filter(|&(_, p)| p < by_distance);
        least(far)
    })
}

/// The most significant length.
fn least(found: impl Iterator<Item = (usize, f64)>) -> Option<usize> {
    found.min_by(|a, b| a.1.total_cmp(&b.1)).map(|(m, _)| m)
}

fn apart_by_rank(values: &[i64], m: usize) -> f64 {
    let lowest = values[..m].iter().copied().min().unwrap_or(i64::MAX);
    let as_large = values.iter().filter(|&&v| v >= lowest).count();
    libm::exp(ln_choose(as_large as f64, m as f64) - ln_choose(values.len() as f64, m as f64))
}

fn shifted(values: &[i64], m: usize) -> bool {
    let first = quantiles(&values[..m], &[0.5]);
    let rest = quantiles(&values[m..], &[0.25, 0.5, 0.75]);
    let (&[first], &[p25, p50, p75]) = (first.as_slice(), rest.as_slice()) else { return false };
    first - p50 >= p75 - p25
}

fn is_independent(values: &[i64]) -> bool {
    let ranks = midranks(values);
    // Three standard errors of the correlation of independent values.
    let noise = 3.0 / (ranks.len() as f64).sqrt();
    (1..=LAGS).all(|lag| autocorrelation(&ranks, lag).abs() < noise)
}

fn apart_by_distance(values: &[i64], m: usize) -> f64 {
    let n = values.len();
    let lowest = values[..m].iter().copied().min().unwrap_or(i64::MAX);
    let rest = &values[m..];
    // For most lengths the first few values decide, and a run may have millions.
    if n < FEWEST_BY_DISTANCE || rest.iter().any(|&value| value >= lowest) {
        return 1.0;
    }
    let highest = rest.iter().copied().max().unwrap_or(i64::MAX);
    let Some(&threshold) = quantiles(rest, &[0.95]).first() else { return 1.0 };
    let (mut sum, mut count) = (0.0, 0usize);
    for &value in rest.iter().filter(|&&v| v as f64 >= threshold) {
        sum += value as f64 - threshold;
        count += 1;
    }
    let mean_excess = (sum / count.max(1) as f64).max(1.0);
    libm::exp(-(lowest - highest) as f64 / mean_excess) / n as f64
}

#[cfg(test)]
mod tests;
