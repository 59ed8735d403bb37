//! Finding of a latency that changes over the run: a drift or a step.

mod shape;

use self::shape::{Shape, odds, shape};
use super::delivered::{Delivered, FALSE_ALARM};
use super::{Finding, Name, Value};
use crate::dist::quantiles;
use crate::duration::nice;
use crate::pair::Transfers;
use crate::rank::{autocorrelation, midranks, two_sided};

/// Smallest number of transfers.
const FEWEST: usize = 40;

/// Number of blocks whose medians are compared, with at least five transfers each.
const BLOCKS: usize = 20;

/// Smallest change of the median by a drift, as a share of the interquartile range around it.
const VISIBLE: f64 = 0.5;

/// Largest scatter of a ramp caused by two clocks, as a share of its rise. Such a ramp is reported by another
/// finding.
const CLOCKWORK: f64 = 0.1;

/// Largest drift of two free-running crystals (two times +-50 ppm), us per s.
const CRYSTALS_US_PER_S: f64 = 100.0;

/// Returns the finding if the latency changes over the run at [`FALSE_ALARM`], by a visible amount.
///
/// `clocks_explain` is true if the change is already explained by a finding about clocks (a drift ramp, or a
/// phase that was not sampled). In this case, no trend is reported. A latency that follows the sweeping phase
/// of a clock is never reported as a trend. Such a latency is recognised because it rises and then wraps, or
/// rises without scatter.
#[must_use]
pub fn trend(transfers: &Transfers, clocks_explain: bool) -> Option<Finding> {
    let delivered = Delivered::of(transfers);
    if clocks_explain || delivered.latency_ns.len() < FEWEST {
        return None;
    }
    match step(&delivered) {
        Step::Found { index, change_ns, p, ln_odds } => {
            Some(step_finding(&delivered, index, change_ns, p, ln_odds))
        }
        Step::Wrapped => None,
        Step::None => creep(&delivered),
    }
}

enum Step {
    Found { index: usize, change_ns: f64, p: f64, ln_odds: f64 },
    Wrapped,
    None,
}

/// Searches for a step of the latency with the rank test of A. N. Pettitt ("A non-parametric approach to the
/// change-point problem", Applied Statistics 28 (1979) 126). The statistic of the test is corrected for the
/// dependence between transfers. If the test finds a step, three shapes are fitted to the latencies and
/// compared: a step, a ramp, and the sawtooth of a phase that wraps.
fn step(delivered: &Delivered) -> Step {
    let latencies = &delivered.latency_ns;
    let n = latencies.len();
    let ranks = midranks(latencies);
    let centre = (n as f64 + 1.0) / 2.0;
    let (mut sum, mut highest, mut at) = (0.0, 0.0f64, 0);
    for (index, rank) in ranks.iter().enumerate() {
        sum += 2.0 * (rank - centre);
        if f64::abs(sum) > highest {
            (highest, at) = (f64::abs(sum), index + 1);
        }
    }
    let edge = (n / BLOCKS).max(5);
    if at < edge || at + edge > n {
        return Step::None;
    }
    let change_ns = median(&latencies[at..]) - median(&latencies[..at]);
    let levelled: Vec<i64> = latencies
        .iter()
        .enumerate()
        .map(|(index, &v)| if index < at { v } else { v - change_ns as i64 })
        .collect();
    let size = n as f64;
    let inflation = dependence(&midranks(&levelled));
    let p = 2.0 * libm::exp(-6.0 * highest * highest / inflation / (size.powi(3) + size.powi(2)));
    if p >= FALSE_ALARM {
        return Step::None;
    }
    if change_ns.abs() < interquartile(&levelled) {
        return Step::None;
    }
    match shape(latencies, at) {
        (Shape::Step, ln_odds) => Step::Found { index: at, change_ns, p, ln_odds },
        (Shape::Sawtooth, _) => Step::Wrapped,
        (Shape::Ramp, _) => Step::None,
    }
}

/// Slope per transfer within the levels on both sides of `at`.
fn level_slope(levelled: &[i64], at: usize) -> f64 {
    let part = |values: &[i64]| {
        let blocks = BLOCKS.min(values.len() / 5).max(2);
        theil_sen(&block_medians(values, blocks)) / (values.len() as f64 / blocks as f64)
    };
    let (before, after) = (part(&levelled[..at]), part(&levelled[at..]));
    let weight = at as f64 / levelled.len() as f64;
    before * weight + after * (1.0 - weight)
}

fn step_finding(delivered: &Delivered, at: usize, change_ns: f64, p: f64, ln_odds: f64) -> Finding {
    let index = delivered.index[at];
    let (before, after) = delivered.latency_ns.split_at(at);
    Finding {
        name: Name::Trend,
        evidence: vec![
            ("kind", Value::Int(1)),
            ("change_ns", Value::Float(change_ns)),
            ("at_index", Value::Int(index as i64)),
            ("p", Value::Float(p)),
            ("ln_odds", Value::Float(ln_odds)),
        ],
        message: format!(
            "The median steps by {} at transfer {index}, from {} to {}, and stays there; the odds \
             against a ramp are {}.",
            nice(change_ns),
            nice(median(before)),
            nice(median(after)),
            odds(ln_odds)
        ),
        advice: format!(
            "Find out what changed at that time (a reconnection, a new connection interval, another \
             task, a tick crossed by a drifting phase). Report the transfers before and after {index} \
             as two runs."
        ),
    }
}

/// Searches for a drift of the latency with the test of H. B. Mann (Econometrica 13 (1945) 245). The test is
/// applied to the medians of blocks of successive transfers. The variance of the test statistic is increased
/// for the dependence between blocks, by the first-order form of the method of K. H. Hamed and A. R. Rao
/// (Journal of Hydrology 204 (1998) 182).
fn creep(delivered: &Delivered) -> Option<Finding> {
    let latencies = &delivered.latency_ns;
    let n = latencies.len();
    let blocks = BLOCKS.min(n / 5);
    let medians = block_medians(latencies, blocks);
    let slope = theil_sen(&medians);
    let count = blocks as f64;
    let change_ns = slope * count;
    let straight = |index: usize| slope * (index as f64 + 0.5) * count / n as f64;
    let level: Vec<i64> =
        latencies.iter().enumerate().map(|(i, &v)| v - straight(i) as i64).collect();
    let scatter_ns = interquartile(&level);
    if change_ns.abs() < VISIBLE * scatter_ns || scatter_ns < CLOCKWORK * change_ns.abs() {
        return None;
    }
    let mut score = 0.0;
    for (index, later) in medians.iter().enumerate() {
        score += medians[..index].iter().map(|earlier| sign(later - earlier)).sum::<f64>();
    }
    let left: Vec<f64> =
        medians.iter().enumerate().map(|(index, m)| m - slope * index as f64).collect();
    // A correlation of few values has a bias of about -1/blocks.
    let r = (autocorrelation(&left, 1) + 1.0 / count).clamp(0.0, 0.95);
    let variance = count * (count - 1.0) * (2.0 * count + 5.0) / 18.0 * (1.0 + r) / (1.0 - r);
    let p = two_sided((score.abs() - 1.0).max(0.0) / variance.sqrt());
    if p >= FALSE_ALARM {
        return None;
    }
    let seconds = (delivered.trigger_ns.last()? - delivered.trigger_ns.first()?) as f64 / 1e9;
    let us_per_s = change_ns / 1e3 / seconds;
    let direction = if change_ns > 0.0 { "rises" } else { "falls" };
    let advice = if us_per_s.abs() <= CRYSTALS_US_PER_S {
        "First rule out drift between the clocks of trigger and link, which causes such a slow change if the \
         phase between them is frozen: repeat with a trigger period that is not a multiple of any tick or \
         interval. If the change persists, look for temperature effects, and for queues, logs or heaps that \
         grow. Quantiles of this run depend on its duration."
    } else {
        "Quantiles of this run depend on its duration. Look for temperature effects, queues, logs or heaps \
         that grow, and fading. Lengthen the run until the median settles."
    };
    Some(Finding {
        name: Name::Trend,
        evidence: vec![
            ("kind", Value::Int(0)),
            ("change_ns", Value::Float(change_ns)),
            ("us_per_s", Value::Float(us_per_s)),
            ("p", Value::Float(p)),
        ],
        message: format!(
            "The median {direction} by {} over the run ({us_per_s:+.3} us per second), with an \
             interquartile range of {} around it.",
            nice(change_ns.abs()),
            nice(scatter_ns)
        ),
        advice: advice.to_owned(),
    })
}

/// Factor by which the dependence between neighbours inflates the square of a rank sum.
fn dependence(ranks: &[f64]) -> f64 {
    let r = autocorrelation(ranks, 1).clamp(0.0, 0.99);
    (1.0 + r) / (1.0 - r)
}

fn block_medians(values: &[i64], blocks: usize) -> Vec<f64> {
    let bound = |block: usize| values.len() * block / blocks;
    (0..blocks).map(|block| median(&values[bound(block)..bound(block + 1)])).collect()
}

/// Median of the slopes between all pairs (H. Theil, 1950; P. K. Sen, JASA 63 (1968) 1379).
fn theil_sen(values: &[f64]) -> f64 {
    let mut slopes = Vec::new();
    for (index, later) in values.iter().enumerate() {
        slopes.extend(
            values[..index]
                .iter()
                .enumerate()
                .map(|(earlier_index, earlier)| (later - earlier) / (index - earlier_index) as f64),
        );
    }
    slopes.sort_unstable_by(f64::total_cmp);
    slopes.get(slopes.len() / 2).copied().unwrap_or(0.0)
}

fn median(values: &[i64]) -> f64 {
    quantiles(values, &[0.5]).first().copied().unwrap_or(0.0)
}

fn interquartile(values: &[i64]) -> f64 {
    match quantiles(values, &[0.25, 0.75]).as_slice() {
        [low, high] => high - low,
        _ => 0.0,
    }
}

fn sign(x: f64) -> f64 {
    if x > 0.0 {
        1.0
    } else if x < 0.0 {
        -1.0
    } else {
        0.0
    }
}

#[cfg(test)]
mod tests;
