//! Shape of the latency over time: step, ramp or sawtooth, with odds.
//!
//! Each shape is fitted to the latencies by medians, which are robust against slow transfers. The likelihood
//! of a shape is the likelihood of its residuals under a Cauchy distribution, whose heavy tails allow for
//! slow transfers. The logarithm of the odds of two shapes is the difference of their log-likelihoods. From
//! each log-likelihood, half the logarithm of the number of transfers is subtracted for each parameter of the
//! shape (G. Schwarz, "Estimating the dimension of a model", Annals of Statistics 6 (1978) 461).

use super::{BLOCKS, block_medians, level_slope, median, theil_sen};

/// A shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// Two levels.
    Step,
    /// A straight line.
    Ramp,
    /// Two lines with one slope and a jump back between them: a phase that wraps.
    Sawtooth,
}

/// Natural logarithm of the odds at which one shape is accepted: 20 to 1.
const SURE: f64 = 3.0;

/// The shape of `latencies` with a change at `at`. For a step, with the natural logarithm of its odds against
/// a ramp. A step is a sawtooth with slope 0, so a sawtooth needs higher odds.
pub(super) fn shape(latencies: &[i64], at: usize) -> (Shape, f64) {
    let (step, ramp) = (step(latencies, at), ramp(latencies));
    if sawtooth(latencies, at) - step.max(ramp) >= SURE {
        return (Shape::Sawtooth, 0.0);
    }
    let ln_odds = step - ramp;
    (if ln_odds >= SURE { Shape::Step } else { Shape::Ramp }, ln_odds)
}

/// Formats odds from their natural logarithm.
pub(super) fn odds(ln: f64) -> String {
    let whole = libm::exp(ln.min(690.0));
    if whole < 1e6 {
        format!("{whole:.0} to 1")
    } else {
        format!("10^{:.0} to 1", ln / libm::log(10.0_f64))
    }
}

fn step(latencies: &[i64], at: usize) -> f64 {
    let levels = [median(&latencies[..at]), median(&latencies[at..])];
    let left = latencies.iter().enumerate().map(|(i, &v)| v as f64 - levels[usize::from(i >= at)]);
    likelihood(left.collect(), 3)
}

fn ramp(latencies: &[i64]) -> f64 {
    let blocks = BLOCKS.min(latencies.len() / 5).max(2);
    let each = latencies.len() as f64 / blocks as f64;
    let slope = theil_sen(&block_medians(latencies, blocks)) / each;
    likelihood(without(latencies, slope, usize::MAX), 2)
}

fn sawtooth(latencies: &[i64], at: usize) -> f64 {
    let slope = level_slope(latencies, at);
    let jump = median_of(&part(latencies, slope, at, true))
        - median_of(&part(latencies, slope, at, false));
    // The jump must be opposite to the slope. Otherwise it would be a line with a step.
    if slope * jump >= 0.0 {
        f64::NEG_INFINITY
    } else {
        likelihood(without(latencies, slope, at), 4)
    }
}

/// Residuals after subtracting a line with this slope on both sides of `at`.
fn without(latencies: &[i64], slope: f64, at: usize) -> Vec<f64> {
    let [before, after] = [false, true].map(|after| part(latencies, slope, at, after));
    let level = |values: Vec<f64>| {
        let middle = median_of(&values);
        values.into_iter().map(move |v| v - middle)
    };
    level(before).chain(level(after)).collect()
}

fn part(latencies: &[i64], slope: f64, at: usize, after: bool) -> Vec<f64> {
    let tilted = latencies.iter().enumerate().map(|(i, &v)| (i, v as f64 - slope * i as f64));
    tilted.filter(|&(i, _)| (i >= at) == after).map(|(_, v)| v).collect()
}

/// Logarithm of the likelihood of the residuals, scaled by their quartiles.
fn likelihood(left: Vec<f64>, parameters: u32) -> f64 {
    let n = left.len() as f64;
    // Half of the values of a Cauchy distribution are within one scale of the middle.
    let scale = median_of(&left.iter().map(|v| v.abs()).collect::<Vec<_>>()).max(1.0);
    let fit: f64 = left.iter().map(|v| -libm::log(1.0 + (v / scale).powi(2))).sum();
    fit - n * libm::log(scale) - 0.5 * f64::from(parameters) * libm::log(n)
}

fn median_of(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    sorted.get(sorted.len() / 2).copied().unwrap_or(0.0)
}
