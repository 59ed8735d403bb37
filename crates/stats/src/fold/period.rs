//! The period that completions keep and triggers do not.
//!
//! If latency knew nothing of a clock, completions would be triggers plus independent delays, and
//! R of the completions would be R of the triggers, times at most 1, plus noise of a Rayleigh
//! kind. So the evidence is R of the completions far above R of the triggers *at the same period*;
//! a deterministic link driven by a regular trigger has equal lines in both and says nothing.

use crate::fold::comb;
use crate::fold::coverage::Coverage;
use crate::fold::drift::Ramp;
use crate::fold::series::Series;

/// Shortest period reported, ns. The quickest schedule among the links airlag knows is a BLE
/// connection interval of 7.5 ms; below are slots, frames and bits.
const SHORTEST_NS: f64 = 4e6;

/// Shortest period looked at, ns: a slot shorter than any schedule must win against its mirrors.
const SCANNED_NS: f64 = 2e6;

/// Chance that noise raises one line somewhere in the scan.
const ALPHA: f64 = 1e-5;

/// Lines weaker than this explain less than the half of what they are called to explain.
const LEAST_R: f64 = 0.5;

/// A clock of the link.
#[derive(Clone, Debug, PartialEq)]
pub struct Period {
    /// The period, ns.
    pub period_ns: f64,
    /// Its standard error, ns.
    pub period_stderr_ns: f64,
    /// R of the completions: 1 is a perfect lattice.
    pub r: f64,
    /// R of the triggers at the same period.
    pub r_trigger: f64,
    /// Spread of the completions around the lattice, ns.
    pub residual_ns: f64,
}

struct Line {
    period: f64,
    r: f64,
    r_trigger: f64,
}

impl Line {
    fn at(series: &Series, period: f64) -> Self {
        let (period, r) = comb::sharpen(&series.completion, period);
        Self { period, r, r_trigger: comb::concentration(&series.trigger, period) }
    }

    /// Circular variance: what the fold leaves unexplained.
    fn rest(&self) -> f64 {
        1.0 - self.r
    }
}

/// Finds the link's own period, if the triggers do not hide it. `ramp` is the drift of latency,
/// if there is one.
#[must_use]
pub fn hidden_period(series: &Series, ramp: Option<&Ramp>) -> Option<Period> {
    let n = series.len() as f64;
    if n < 20.0 {
        return None;
    }
    // A line may lose 40 % of its R between bins and in their width (see `comb::Lines`).
    let lines = comb::scan(&series.completion, SCANNED_NS, 0.55 * LEAST_R);
    // Of n random phases, R exceeds r with probability exp(-n r^2) (Rayleigh); over all the
    // frequencies tried, with ALPHA at most at this r.
    let noise = ((lines.trials / ALPHA).ln() / n).sqrt();
    let mut found: Vec<Line> = lines
        .lines
        .iter()
        .filter(|&&(period, _)| !follows_the_trigger(series, ramp, period))
        .take(64)
        .map(|&(period, _)| Line::at(series, period))
        .filter(|line| significant(line, noise))
        .collect();
    found.sort_by(|a, b| b.r.total_cmp(&a.r));
    let top = found.first()?.r;

    // A regular trigger mirrors a line at every multiple of the trigger frequency. The mirrors are
    // weaker, by the spread of latency, but noise may swap neighbours: R of n normal phases has a
    // standard error of (1 - R^2) / sqrt(2 n). Among the lines within three of it take the longest
    // period, and give up when there are too many to tell apart.
    let margin = 3.0 * (1.0 - top * top) / (2.0 * n).sqrt() + 1e-4;
    found.retain(|line| line.r >= top - margin);
    let longest = found.iter().max_by(|a, b| a.period.total_cmp(&b.period))?;
    let strangers = found.iter().filter(|line| !kin(line.period, longest.period)).count();
    if strangers > 2 {
        return None;
    }

    // Divisors of the period are lines too, and the stronger ones when a round has two turns.
    let mut best = Line { ..*longest };
    for multiple in 2..=12 {
        let line = Line::at(series, f64::from(multiple) * longest.period);
        let as_good = line.r >= 0.8 * longest.r && line.rest() <= 2.0 * longest.rest() + 1e-4;
        let turns = series.span_ns() / line.period;
        if as_good && turns > 8.0 && significant(&line, noise) {
            best = line;
        }
    }
    if best.period < SHORTEST_NS || happens_by_chance(series, &best) {
        return None;
    }
    let (period_ns, period_stderr_ns, residual_ns) = comb::regress(&series.completion, best.period);
    Some(Period { period_ns, period_stderr_ns, r: best.r, r_trigger: best.r_trigger, residual_ns })
}

fn significant(line: &Line, noise: f64) -> bool {
    line.r >= LEAST_R && line.r - line.r_trigger > noise && line.r_trigger < 0.5 * line.r
}

/// Whether two periods are whole fractions of one that is at most four times the longer: lines of
/// one lattice, not mirrors of each other.
fn kin(short: f64, long: f64) -> bool {
    (1..=4).any(|m| {
        let ratio = f64::from(m) * long / short;
        (ratio - ratio.round()).abs() < 1e-3 * ratio
    })
}

/// Whether a line is one of the trigger's own, or of the trigger seen through a drift of latency:
/// the phase moves less than two and a half turns in the whole run. Such lines are everywhere in
/// a regular run and name no period; `slip` looks for what does.
fn follows_the_trigger(series: &Series, ramp: Option<&Ramp>, period: f64) -> bool {
    let Some(trigger) = series.trigger_period_ns else { return false };
    let triggers = series.span_ns() / trigger;
    let drifted = trigger * (1.0 + ramp.map_or(0.0, |r| r.slope));
    [trigger, drifted].iter().any(|t| {
        let turns = t / period;
        (turns - turns.round()).abs() * triggers < 2.5
    })
}

/// Whether the few phases a regular trigger samples would fit some period anyhow.
///
/// With q frozen phases a run has q independent completion phases, not n. That q unit vectors
/// agree to a circular variance v has a chance of about (4 v)^((q - 1) / 2), and about q T / P
/// periods not shorter than P are there to be tried.
fn happens_by_chance(series: &Series, line: &Line) -> bool {
    let Some(trigger) = series.trigger_period_ns else { return false };
    let coverage = Coverage::of(&series.trigger, line.period);
    if coverage.covered > 0.5 || coverage.phases > 8 {
        return false;
    }
    let q = coverage.phases.max(1) as f64;
    let tried = (q * trigger / line.period).max(1.0);
    tried * (4.0 * line.rest().max(1e-12)).powf((q - 1.0) / 2.0) > 0.01
}
