//! Step, ramp or sawtooth: which of three shapes latency over time has, and by what odds.
//!
//! Each is fitted by medians, so that slow transfers move it little, and judged by how likely what is
//! left is under Cauchy's distribution, whose tails a few slow transfers fit into. The odds are those
//! of two such likelihoods, less half a logarithm of the number of transfers for each parameter more
//! (G. Schwarz, "Estimating the dimension of a model", Annals of Statistics 6 (1978) 461).

use super::{BLOCKS, block_medians, level_slope, median, theil_sen};

/// A shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// Two levels.
    Step,
    /// A straight line.
    Ramp,
    /// Two lines of one slope, a jump back between them: a phase that wraps.
    Sawtooth,
}

/// Logarithm of the odds that settle it: 20 to 1.
const SURE: f64 = 3.0;

/// The shape of `latencies` with a change at `at`; of a step, with the natural logarithm of its odds
/// against a ramp. A step is a sawtooth of no slope, so a sawtooth has to be surer than that.
pub(super) fn shape(latencies: &[i64], at: usize) -> (Shape, f64) {
    let (step, ramp) = (step(latencies, at), ramp(latencies));
    if sawtooth(latencies, at) - step.max(ramp) >= SURE {
        return (Shape::Sawtooth, 0.0);
    }
    let ln_odds = step - ramp;
    (if ln_odds >= SURE { Shape::Step } else { Shape::Ramp }, ln_odds)
}

/// `odds` in words, from their natural logarithm.
pub(super) fn odds(ln: f64) -> String {
    let whole = ln.min(690.0).exp();
    if whole < 1e6 {
        format!("{whole:.0} to 1")
    } else {
        format!("10^{:.0} to 1", ln / 10.0_f64.ln())
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
    // It jumps back: along the slope it would be a line with a step in it.
    if slope * jump >= 0.0 {
        f64::NEG_INFINITY
    } else {
        likelihood(without(latencies, slope, at), 4)
    }
}

/// What is left of a line of this slope on either side of `at`.
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

/// Logarithm of the likelihood of what is left, with its own quartiles for a scale.
fn likelihood(left: Vec<f64>, parameters: u32) -> f64 {
    let n = left.len() as f64;
    // Half of Cauchy's values lie within one scale of the middle.
    let scale = median_of(&left.iter().map(|v| v.abs()).collect::<Vec<_>>()).max(1.0);
    let fit: f64 = left.iter().map(|v| -(1.0 + (v / scale).powi(2)).ln()).sum();
    fit - n * scale.ln() - 0.5 * f64::from(parameters) * n.ln()
}

fn median_of(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    sorted.get(sorted.len() / 2).copied().unwrap_or(0.0)
}
