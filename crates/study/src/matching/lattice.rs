//! Clocks and lattices: the shares of completions and of latencies that are multiples of one period.

use std::ops::RangeInclusive;

use airlag_stats::fold::comb;

/// Share of a spectral line that may be due to chance, for any number of latencies.
const FAINT: f64 = 0.2;

/// Lattice lines that are searched, in quarter turns over the middle nine tenths of the latencies. Fewer turns
/// describe the shape of the distribution.
const TURNS: RangeInclusive<u32> = 8..=240;

/// Share of completions, at times in ns, that follow a clock of this period: excess of `captured` over `made`,
/// beyond chance.
pub(super) fn clock(captured: &[f64], made: &[f64], period_ns: f64) -> f64 {
    let on = |completions: &[f64]| comb::sharpen(completions, period_ns).1;
    (on(captured) - on(made) - FAINT).max(0.0)
}

/// Share of latencies on a lattice line: largest excess of one side over the other, beyond chance. Both slices
/// are in ascending order, in ns. `spread_ns` is the range of the middle nine tenths of the capture.
pub(super) fn lattice(captured: &[i64], made: &[i64], spread_ns: f64) -> f64 {
    let (theirs, ours) = (lines(captured, spread_ns), lines(made, spread_ns));
    // A model reproduces the period of its lattice to within one turn. Neighbouring lines are
    // therefore compared too.
    let only = |one: &[f64], other: &[f64]| {
        let near = other.windows(3).map(|near| near.iter().copied().fold(0.0, f64::max));
        one[1..].iter().zip(near).map(|(line, near)| line - near).fold(0.0, f64::max)
    };
    let fewer = captured.len().min(made.len()) as f64;
    let chance = (libm::log(theirs.len() as f64) / fewer).sqrt().max(FAINT);
    (only(&theirs, &ours).max(only(&ours, &theirs)) - chance).max(0.0)
}

/// Concentration of latencies on each line of [`TURNS`], and on one more line at each end.
fn lines(sorted: &[i64], spread_ns: f64) -> Vec<f64> {
    let latencies: Vec<f64> = sorted.iter().map(|&ns| ns as f64).collect();
    let turns = TURNS.start() - 1..=TURNS.end() + 1;
    turns.map(|turns| comb::concentration(&latencies, 4.0 * spread_ns / f64::from(turns))).collect()
}
