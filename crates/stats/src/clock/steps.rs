//! Clock steps that are smaller than the smallest round trip.
//!
//! The smallest measured delays of the two directions give an upper and a lower bound of the offset
//! of the far clock. A step of the far clock increases the smallest measured delay of one
//! direction, and decreases the smallest measured delay of the other direction by the same amount.
//! A step therefore shifts the midpoint of the two bounds and leaves the smallest round trip
//! unchanged. Queues, slots and retries, in contrast, lengthen the round trip. A step is detected
//! by comparing the midpoint between windows of exchanges before and after the candidate step.

use super::Exchange;

/// Number of exchanges per window, enough to contain nearly the smallest delays.
const WINDOW: usize = 24;
/// Windows on each side of a step.
const SIDE: usize = 4;
/// Ratio of a step to the median difference of neighbouring windows. Normal differences exceed it once in 10^9
/// (6 standard deviations, of which the median of absolute values is 0.67).
const TIMES: f64 = 9.0;
/// Smallest detectable step, ns: the resolution of timestamps in user space.
const LEAST_NS: f64 = 2_000.0;

/// Index of a step within exchanges that one line fits. Returns `None` if there is none.
#[must_use]
pub fn within(exchanges: &[&Exchange]) -> Option<usize> {
    let windows: Vec<[f64; 2]> = {
        let base = exchanges.first().map_or(0, |one| one.received_ns - one.sent_ns);
        exchanges.as_chunks::<WINDOW>().0.iter().map(|window| smallest(window, base)).collect()
    };
    if windows.len() < 2 * SIDE + 2 {
        return None;
    }
    let middles: Vec<f64> = windows.iter().map(|[u, l]| f64::midpoint(*u, *l)).collect();
    let widths: Vec<f64> = windows.iter().map(|[u, l]| u - l).collect();
    let slope = median(middles.windows(2).map(|pair| pair[1] - pair[0]).collect());
    let noise = median(middles.windows(2).map(|pair| (pair[1] - pair[0] - slope).abs()).collect());
    let jump = |values: &[f64], at: usize| {
        median(values[at..at + SIDE].to_vec()) - median(values[at - SIDE..at].to_vec())
    };
    let size = |at: usize| (jump(&middles, at) - slope * SIDE as f64).abs();
    let at = (SIDE..=windows.len() - SIDE).max_by(|&a, &b| size(a).total_cmp(&size(b)))?;
    let is_step =
        size(at) > (TIMES * noise).max(LEAST_NS) && jump(&widths, at).abs() < size(at) / 2.0;
    is_step.then_some(at * WINDOW)
}

/// Smallest upper and largest lower bound of a window, relative to `base`, ns.
fn smallest(window: &[&Exchange], base: i64) -> [f64; 2] {
    let upper = window.iter().map(|one| one.received_ns - one.sent_ns - base).min();
    let lower = window.iter().map(|one| one.answered_ns - one.arrived_ns - base).max();
    [upper.unwrap_or(0) as f64, lower.unwrap_or(0) as f64]
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_unstable_by(f64::total_cmp);
    values[values.len() / 2]
}
