//! Pulses among the rising edges of a channel.
//!
//! A rising edge is a candidate for a pulse if the channel was low for at least [`MIN_LOW_NS`]
//! before the edge, so that ringing does not count. The length of a second on the clock of the
//! capture is the median time between candidates that are about a second apart. Candidates form a
//! chain if the times between them are whole multiples of this second. The candidates of the
//! longest chain are the pulses. If several chains are equally long, the chain with the smallest
//! deviations from whole seconds is used.

use std::fmt;

use airlag_trace::Segment;

use super::SECOND_NS;
use crate::clock::MAX_SKEW;

/// Shortest low level before a pulse, ns. Equals the default for a trigger.
pub const MIN_LOW_NS: i64 = 1_000;
/// Largest deviation of a second from the median second, as a share. Assumed: crystals stay within
/// some 20 ppm over their temperature range, and the jitter of a receiver is below a microsecond.
pub const MAX_DEVIATION: f64 = 50e-6;
/// Candidates before a pulse among which its predecessor is searched.
const SEARCHED: usize = 64;
/// Largest number of rising edges per pulse.
const MOST_PER_PULSE: usize = 2;

/// The pulses of a channel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pulses {
    /// Rising edges of the pulses, ns on the clock of the capture, ascending. At least two.
    pub at_ns: Vec<i64>,
    /// Second of each pulse, counted from the first one.
    pub second: Vec<i64>,
    /// Rising edges that are not pulses, ns, ascending.
    pub spurious_ns: Vec<i64>,
}

/// Reason why a channel has no pulse per second.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotPps {
    /// Number of its rising edges.
    pub rises: usize,
    /// Number of these edges that are whole seconds apart.
    pub pulses: usize,
}

impl fmt::Display for NotPps {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { rises, pulses } = self;
        write!(f, "{pulses} of {rises} rising edges are whole seconds apart")
    }
}

impl std::error::Error for NotPps {}

impl Pulses {
    /// Pulses that are missing between the first and the last one.
    #[must_use]
    pub fn missing(&self) -> u64 {
        let span = self.second.last().copied().unwrap_or(0) + 1;
        (span - self.second.len() as i64).max(0) as u64
    }

    /// First missing pulse, seconds after the first pulse.
    #[must_use]
    pub fn first_missing_s(&self) -> Option<i64> {
        let gap = self.second.windows(2).find(|pair| pair[1] - pair[0] > 1);
        gap.map(|pair| pair[0] + 1)
    }

    /// Longest time between two consecutive pulses, s. 1 if none is missing.
    #[must_use]
    pub fn longest_gap_s(&self) -> i64 {
        self.second.windows(2).map(|pair| pair[1] - pair[0]).max().unwrap_or(1)
    }
}

/// Finds the pulses of a channel.
///
/// # Errors
///
/// [`NotPps`] if fewer than two edges, or fewer than half of them, are pulses.
pub fn find(channel: &[Segment]) -> Result<Pulses, NotPps> {
    let rises = channel.iter().flat_map(rises);
    let (mut candidates, mut spurious_ns) = (Vec::new(), Vec::new());
    for (at_ns, low_ns) in rises {
        if low_ns >= MIN_LOW_NS { &mut candidates } else { &mut spurious_ns }.push(at_ns);
    }
    let rises = candidates.len() + spurious_ns.len();
    let span_s = candidates.last().map_or(0, |last| (last - candidates[0]) / SECOND_NS + 2);
    // A channel with far more edges would take a long time.
    let is_dense = candidates.len() > MOST_PER_PULSE * span_s as usize;
    let second_ns = if is_dense { None } else { second_of(&candidates) };
    let chain = second_ns.map_or_else(Vec::new, |second_ns| longest(&candidates, second_ns));
    if chain.len() < 2 || rises > MOST_PER_PULSE * chain.len() {
        return Err(NotPps { rises, pulses: chain.len() });
    }
    let at_ns: Vec<i64> = chain.iter().map(|&(nth, _)| candidates[nth]).collect();
    let second = chain.iter().map(|&(_, second)| second).collect();
    let is_pulse = |at: &i64| at_ns.binary_search(at).is_ok();
    spurious_ns.extend(candidates.into_iter().filter(|at| !is_pulse(at)));
    spurious_ns.sort_unstable();
    Ok(Pulses { at_ns, second, spurious_ns })
}

/// Rising edges of a segment, each with the duration of the low level before it.
fn rises(segment: &Segment) -> impl Iterator<Item = (i64, i64)> {
    let edges = &segment.edges_ns;
    let rising = (0..edges.len()).filter(|&nth| segment.level_after(nth));
    rising.map(|nth| {
        // The level before the segment is unknown.
        let low_ns = if nth > 0 { edges[nth] - edges[nth - 1] } else { MIN_LOW_NS };
        (edges[nth], low_ns)
    })
}

/// Number of seconds between two edges, and the mean duration of a second, ns. `None` if no clock
/// would measure this distance.
fn seconds(distance_ns: i64) -> Option<(i64, f64)> {
    let many = (distance_ns + SECOND_NS / 2) / SECOND_NS;
    let mean = distance_ns as f64 / many.max(1) as f64;
    let deviation = (mean / SECOND_NS as f64 - 1.0).abs();
    (many > 0 && deviation <= MAX_SKEW).then_some((many, mean))
}

/// Median second of the clock, ns, from candidates that are one second apart or, without such
/// candidates, several seconds apart.
fn second_of(candidates: &[i64]) -> Option<f64> {
    let pairs = candidates.iter().enumerate().flat_map(|(nth, &from)| {
        candidates[nth + 1..].iter().take(SEARCHED).filter_map(move |to| seconds(to - from))
    });
    let (near, far): (Vec<_>, Vec<_>) = pairs.partition(|&(many, _)| many == 1);
    let of = if near.is_empty() { far } else { near };
    let mut means: Vec<f64> = of.into_iter().map(|(_, mean)| mean).collect();
    means.sort_unstable_by(f64::total_cmp);
    means.get(means.len() / 2).copied()
}

/// The longest chain of candidates: index and second of each.
fn longest(candidates: &[i64], second_ns: f64) -> Vec<(usize, i64)> {
    /// The best chain that ends at a candidate.
    #[derive(Clone, Copy)]
    struct Best {
        count: usize,
        deviation_ns: f64,
        /// Index of the predecessor, and seconds since it.
        before: Option<(usize, i64)>,
    }
    let mut all: Vec<Best> = Vec::with_capacity(candidates.len());
    for (nth, &at_ns) in candidates.iter().enumerate() {
        let mut best = Best { count: 1, deviation_ns: 0.0, before: None };
        for from in nth.saturating_sub(SEARCHED)..nth {
            let Some((many, mean)) = seconds(at_ns - candidates[from]) else { continue };
            let deviation_ns = (mean - second_ns).abs();
            if deviation_ns > MAX_DEVIATION * second_ns {
                continue;
            }
            let deviation_ns = all[from].deviation_ns + deviation_ns * many as f64;
            let count = all[from].count + 1;
            let is_better = (best.count, -best.deviation_ns) < (count, -deviation_ns);
            if is_better {
                best = Best { count, deviation_ns, before: Some((from, many)) };
            }
        }
        all.push(best);
    }
    let better = |one: &Best, other: &Best| {
        (other.count, -other.deviation_ns) < (one.count, -one.deviation_ns)
    };
    let mut end = 0;
    for nth in 1..all.len() {
        if better(&all[nth], &all[end]) {
            end = nth;
        }
    }
    let mut chain = Vec::new();
    let (mut at, mut second) = (end, 0);
    while let Some(best) = all.get(at) {
        chain.push((at, second));
        let Some((before, many)) = best.before else { break };
        (at, second) = (before, second - many);
    }
    chain.reverse();
    let first = chain.first().map_or(0, |&(_, second)| second);
    chain.iter().map(|&(nth, second)| (nth, second - first)).collect()
}
