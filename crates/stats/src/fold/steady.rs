//! Robust fit of a line to runs whose noise hides a thin line.
//!
//! The slope is the repeated median of A. F. Siegel ("Robust regression using repeated medians", Biometrika
//! 69 (1982) 242). For each transfer, the median of the slopes from this transfer to all other transfers is
//! computed. The repeated median is the median of these medians. Outliers do not affect the slope as long as
//! fewer than half of the transfers are outliers. Transfers with large residuals are the outliers, and least
//! squares over the other transfers gives the standard error of the slope. A rank test decides whether there
//! is a slope, because an outlier has no more weight in a rank test than any other transfer (H. B. Mann,
//! "Nonparametric tests against trend", Econometrica 13 (1945) 245).

use crate::fold::drift::Ramp;
use crate::fold::series::{correlation, median, rank_serial_correlation, robust_sd};
use crate::rank::two_sided;

/// Largest slope: two crystals of 50 ppm each.
const STEEPEST: f64 = 100e-6;

/// Smallest ratio of the height of the line to the spread around it. A smaller line moves the median of a run
/// by no more than its spread.
const LEAST_RISE: f64 = 2.5;

/// p-value of the rank test.
const FALSE_ALARM: f64 = 1e-6;

/// Number of standard deviations beyond which a transfer is an outlier.
const OUTLYING: f64 = 3.5;

/// Smallest share of transfers that are not outliers.
const LEAST_SHARE: f64 = 0.6;

/// Largest rank serial correlation of the residuals, in standard deviations from 0. If the latencies follow a
/// random walk or a curve, neighbouring residuals are similar, and their rank correlation is higher.
const ORDERED: f64 = 2.5;

/// Number of parts into which the run is divided. The median residual of each part must be within `BENT`
/// standard errors of 0. By chance, one of twelve parts exceeds this limit once in 500 runs.
const STRETCHES: usize = 12;
const BENT: f64 = 3.6;

/// Largest number of transfers for a comparison of all pairs.
const CAP: usize = 400;

/// The line along which the latency changes, if significant. `time` and `latency` are in ns, on a grid of
/// `grid` ns.
pub(super) fn line(time: &[f64], latency: &[f64], grid: f64) -> Option<Ramp> {
    let every = time.len().div_ceil(CAP).max(1);
    let thin = |values: &[f64]| values.iter().step_by(every).copied().collect::<Vec<f64>>();
    let (some, of_these) = (thin(time), thin(latency));
    if trend_by_chance(&of_these)? > FALSE_ALARM {
        return None;
    }
    let steep = repeated_median(&some, &of_these)?;
    let on = members(time, latency, steep, grid)?;
    let (slope, offset_ns, slope_stderr, residual_ns) = fitted(&on, time, latency, grid)?;
    let left: Vec<f64> = on.iter().map(|&i| latency[i] - offset_ns - slope * time[i]).collect();
    let span = time[time.len() - 1] - time[0];
    let height_ns = slope.abs() * span;
    let share = on.len() as f64 / time.len() as f64;
    let straight = rank_serial_correlation(&left).abs() * (left.len() as f64).sqrt() < ORDERED
        && is_level(&on, &left, time, residual_ns);
    if slope.abs() > STEEPEST
        || share < LEAST_SHARE
        || height_ns < LEAST_RISE * residual_ns
        || !straight
    {
        return None;
    }
    let of = |values: &[f64]| on.iter().map(|&i| values[i]).collect::<Vec<f64>>();
    Some(Ramp {
        slope,
        slope_stderr,
        offset_ns,
        residual_ns,
        height_ns,
        share,
        wraps: 0,
        correlation: correlation(&of(time), &of(latency)),
    })
}

/// Probability of at least this many concordant or discordant pairs for latencies in random order. Ties count
/// as neither. `None` for fewer than three.
fn trend_by_chance(latency: &[f64]) -> Option<f64> {
    let n = latency.len() as f64;
    if n < 3.0 {
        return None;
    }
    let mut score = 0.0;
    for (nth, later) in latency.iter().enumerate() {
        for earlier in &latency[..nth] {
            score += match later.total_cmp(earlier) {
                std::cmp::Ordering::Less => -1.0,
                std::cmp::Ordering::Equal => 0.0,
                std::cmp::Ordering::Greater => 1.0,
            };
        }
    }
    let variance = n * (n - 1.0) * (2.0 * n + 5.0) / 18.0;
    Some(two_sided((f64::abs(score) - 1.0).max(0.0) / variance.sqrt()))
}

/// Repeated median slope (Siegel).
fn repeated_median(time: &[f64], latency: &[f64]) -> Option<f64> {
    let each = |at: usize| {
        let others = (0..time.len()).filter(|&other| time[other] != time[at]);
        let slope = |other: usize| (latency[other] - latency[at]) / (time[other] - time[at]);
        median(&others.map(slope).collect::<Vec<f64>>())
    };
    median(&(0..time.len()).filter_map(each).collect::<Vec<f64>>())
}

/// Transfers that are not outliers of a line with this slope.
fn members(time: &[f64], latency: &[f64], slope: f64, grid: f64) -> Option<Vec<usize>> {
    let tilted: Vec<f64> = time.iter().zip(latency).map(|(t, l)| l - slope * t).collect();
    let centre = median(&tilted)?;
    let reach = (OUTLYING * robust_sd(&tilted)).max(2.0 * grid);
    Some((0..tilted.len()).filter(|&i| (tilted[i] - centre).abs() <= reach).collect())
}

/// Least squares over the members: slope, latency at time 0, standard error of the slope, and spread.
fn fitted(
    members: &[usize],
    time: &[f64],
    latency: &[f64],
    grid: f64,
) -> Option<(f64, f64, f64, f64)> {
    let n = members.len() as f64;
    if n < 3.0 {
        return None;
    }
    let mean = |values: &[f64]| members.iter().map(|&i| values[i]).sum::<f64>() / n;
    let (mean_time, mean_latency) = (mean(time), mean(latency));
    let times: f64 = members.iter().map(|&i| (time[i] - mean_time).powi(2)).sum();
    let both = members.iter().map(|&i| (time[i] - mean_time) * (latency[i] - mean_latency));
    let slope = if times > 0.0 { both.sum::<f64>() / times } else { return None };
    let offset = mean_latency - slope * mean_time;
    let left: Vec<f64> = members.iter().map(|&i| latency[i] - offset - slope * time[i]).collect();
    // The smallest possible spread is that of one uniformly distributed grid step.
    let spread = robust_sd(&left).max(grid / 12f64.sqrt());
    Some((slope, offset, spread / times.sqrt(), spread))
}

/// Whether the median residual of each part of the run is near 0.
fn is_level(members: &[usize], left: &[f64], time: &[f64], spread: f64) -> bool {
    let (first, last) = (time[0], time[time.len() - 1]);
    let mut stretches = vec![Vec::new(); STRETCHES];
    for (&i, &value) in members.iter().zip(left) {
        let at = (time[i] - first) / (last - first) * STRETCHES as f64;
        stretches[(at as usize).min(STRETCHES - 1)].push(value);
    }
    // The standard error of a median is 1.25 times that of a mean.
    let off = |part: &Vec<f64>| {
        Some(median(part)?.abs() * (part.len() as f64).sqrt() / (1.2533 * spread))
    };
    stretches.iter().filter(|part| part.len() >= 5).filter_map(off).all(|errors| errors < BENT)
}

#[cfg(test)]
mod tests;
