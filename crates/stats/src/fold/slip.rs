//! Transfers that missed a period of the link's clock.
//!
//! If the trigger period T is a whole multiple k of the period of the link's clock, all transfers start at
//! the same phase of this clock and wait equally long. The period of the clock is then visible only in
//! transfers that waited one clock period more or less than the other transfers. The latency of these
//! transfers differs from the latency of the others by exactly T/k.

use std::collections::BTreeMap;

use crate::fold::drift::Ramp;
use crate::fold::series::{Series, median, quantile};

/// Shortest clock period that is tried, ns, and largest divisor of the trigger period. With larger divisors,
/// some fraction of the trigger period would be near any outlier.
const SHORTEST_NS: f64 = 5e6;
const MOST_FRACTIONS: u32 = 100;

/// Probability that groups of random outliers fit one of the fractions equally well.
const ALPHA: f64 = 0.02;

/// A period on which the outliers of a run lie.
#[derive(Clone, Debug, PartialEq)]
pub struct Slips {
    /// Period of the link's clock, ns. The trigger period is a whole multiple of this period.
    pub period_ns: f64,
    /// Standard error of the period, ns. 0 if the drift was too small to measure.
    pub period_stderr_ns: f64,
    /// Number of transfers that slipped by one or more periods.
    pub slipped: usize,
    /// Number of outliers, slipped or not.
    pub outliers: usize,
    /// Spread of the other transfers, ns.
    pub residual_ns: f64,
    /// Whether the other transfers form a line so thin that they must follow the clock itself, not a timer or
    /// a scheduler.
    pub tight: bool,
}

/// Finds the period that separates the outliers of a run from the rest.
#[must_use]
pub fn slips(series: &Series, ramp: Option<&Ramp>) -> Option<Slips> {
    let trigger = series.trigger_period_ns?;
    if series.len() < 20 {
        return None;
    }
    let (rest, spread) = around(series, ramp)?;
    let tight = ramp.is_some();
    // The reach is four standard deviations around a line. Without a line the distribution is not
    // normal, so the reach is wider.
    let reach = if tight { 4.0 * spread } else { 6.0 * spread } + 2.0 * series.grid_ns;
    let slope = ramp.map_or(0.0, |r| r.slope);
    let shifted = trigger * (1.0 + slope);
    let mut best: Option<(f64, Slips)> = None;
    for k in 2..=MOST_FRACTIONS {
        let period = shifted / f64::from(k);
        if period < SHORTEST_NS || period < 3.0 * reach {
            break;
        }
        let Some((chance, slipped, outliers)) = fit(&rest, period, spread, reach, series.grid_ns)
        else {
            continue;
        };
        // Larger periods were tried before, so the probability of a fit by chance is multiplied by the number
        // of trials.
        let chance = chance * f64::from(k - 1);
        // One or two outliers are significant only next to a thin line.
        if (tight || slipped >= 3) && best.as_ref().is_none_or(|b| chance < b.0) {
            let period_stderr_ns = ramp.map_or(0.0, |r| r.slope_stderr * trigger / f64::from(k));
            let residual_ns = spread;
            best = Some((
                chance,
                Slips {
                    period_ns: period,
                    period_stderr_ns,
                    slipped,
                    outliers,
                    residual_ns,
                    tight,
                },
            ));
        }
    }
    best.filter(|b| b.0 < ALPHA).map(|b| b.1)
}

/// Fit of outliers to a period: the probability of a fit by chance, the number of slips and the number of
/// outliers. Returns `None` if they do not fit.
///
/// The outliers form groups, one at each multiple of the period. The members of a group are not independent
/// of each other, so the probability of a fit by chance is computed per group and not per outlier. By chance,
/// the centre of a group falls within d of a multiple with probability 2 d / period. Here, d is the sum of the
/// resolution `grid` of the recorded times and the larger of two values: the deviation of the centre of the
/// group from the multiple, and the standard error of this centre.
fn fit(
    rest: &[f64],
    period: f64,
    spread: f64,
    reach: f64,
    grid: f64,
) -> Option<(f64, usize, usize)> {
    let mut groups: BTreeMap<i64, Vec<f64>> = BTreeMap::new();
    let (mut outliers, mut slipped) = (0usize, 0usize);
    for r in rest.iter().filter(|r| r.abs() > period / 2.0) {
        let turns = (r / period).round();
        outliers += 1;
        if (r - turns * period).abs() < reach {
            slipped += 1;
            groups.entry(turns as i64).or_default().push(r - turns * period);
        }
    }
    if slipped * 10 < outliers * 6 || slipped == 0 {
        return None;
    }
    // If some transfers missed two periods, at least as many missed one.
    let of = |turns: i64| groups.get(&turns).map_or(0, Vec::len);
    if groups.values().any(|g| g.len() > of(1).max(of(-1))) {
        return None;
    }
    let mut chance = 1.0;
    for group in groups.values() {
        let centre = median(group)?.abs();
        let stderr = spread / (group.len() as f64).sqrt();
        if centre > spread + 4.0 * stderr {
            return None;
        }
        chance *= (2.0 * (centre.max(stderr) + grid) / period).min(1.0);
    }
    Some((chance, slipped, outliers))
}

/// Distance of each latency from the line or the median of the run, and the spread of the distances.
fn around(series: &Series, ramp: Option<&Ramp>) -> Option<(Vec<f64>, f64)> {
    let off = |slope: f64, centre: f64| -> Vec<f64> {
        let pairs = series.trigger.iter().zip(&series.latency);
        pairs.map(|(t, l)| l - slope * t - centre).collect()
    };
    if let Some(ramp) = ramp {
        return Some((off(ramp.slope, ramp.offset_ns), ramp.residual_ns));
    }
    let (q1, q3) = (quantile(&series.latency, 0.25)?, quantile(&series.latency, 0.75)?);
    // The interquartile range of a normal sample is 1.349 standard deviations.
    Some((off(0.0, median(&series.latency)?), ((q3 - q1) / 1.349).max(series.grid_ns)))
}
