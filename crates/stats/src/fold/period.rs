//! Detection of a period that completions have and triggers do not.
//!
//! R is the mean resultant length of instants that are folded on a period. If the latency does not depend on
//! a clock, each completion is a trigger plus an independent delay. R of the completions is then at most R
//! of the triggers, plus Rayleigh noise. The evidence of a clock is therefore that R of the completions is
//! far above R of the triggers *at the same period*. With a deterministic link and a regular trigger, R of
//! the completions equals R of the triggers, and is no evidence of a clock.

use crate::fold::comb;
use crate::fold::coverage::Coverage;
use crate::fold::drift::Ramp;
use crate::fold::series::Series;

/// Shortest reported period, ns. The fastest schedule of the supported links is a BLE connection
/// interval of 7.5 ms. Shorter periods are slots, frames and bits.
const SHORTEST_NS: f64 = 4e6;

/// Shortest searched period, ns. It is shorter than any schedule, so that a slot of 2 to 4 ms is found at
/// its own period, and not at a mirror that would be reported.
const SCANNED_NS: f64 = 2e6;

/// Probability that noise raises any line in the scan.
const ALPHA: f64 = 1e-5;

/// Smallest R: a weaker line explains less than half.
const LEAST_R: f64 = 0.5;

/// A clock of the link.
#[derive(Clone, Debug, PartialEq)]
pub struct Period {
    /// The period, ns.
    pub period_ns: f64,
    /// Its standard error, ns.
    pub period_stderr_ns: f64,
    /// R of the completions. 1 is a perfect lattice.
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

    /// Circular variance: the share that the fold does not explain.
    fn rest(&self) -> f64 {
        1.0 - self.r
    }
}

/// Finds the link's own period, unless the triggers hide it. `ramp` is the drift of the latency, if any.
#[must_use]
pub fn hidden_period(series: &Series, ramp: Option<&Ramp>) -> Option<Period> {
    let n = series.len() as f64;
    if n < 20.0 {
        return None;
    }
    // The scan may report up to 40 % less than the true R of a line (see `comb::Lines`).
    let lines = comb::scan(&series.completion, SCANNED_NS, 0.55 * LEAST_R);
    // R of n random phases exceeds r with probability exp(-n r^2) (Rayleigh). Over all frequencies, the
    // probability is at most ALPHA at this r.
    let noise = (libm::log(lines.trials / ALPHA) / n).sqrt();
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

    // With a regular trigger, a line also has mirrors, at distances of multiples of the trigger frequency.
    // The mirrors are weaker, because the latency spreads, but noise may make one of them the strongest: R
    // of n normal phases has a standard error of (1 - R^2) / sqrt(2 n). Of the lines within three standard
    // errors of the strongest, the one with the longest period is selected. If more than two of these lines
    // are unrelated to it, none is reported.
    let margin = 3.0 * (1.0 - top * top) / (2.0 * n).sqrt() + 1e-4;
    found.retain(|line| line.r >= top - margin);
    let longest = found.iter().max_by(|a, b| a.period.total_cmp(&b.period))?;
    let strangers = found.iter().filter(|line| !kin(line.period, longest.period)).count();
    if strangers > 2 {
        return None;
    }

    // Whole fractions of the true period are lines too, and may be stronger. The longest multiple with
    // nearly the same R is therefore the period.
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

/// Whether both periods are whole fractions of one period that is at most four times the longer one. They
/// are then lines of one lattice, not mirrors of each other.
fn kin(short: f64, long: f64) -> bool {
    (1..=4).any(|m| {
        let ratio = f64::from(m) * long / short;
        (ratio - ratio.round()).abs() < 1e-3 * ratio
    })
}

/// Whether a line in the spectrum of the completions may come from the triggers alone, with or without a
/// drift of the latency. This is the case if the trigger phase, folded on `period`, moves by less than two
/// and a half turns over the run. Regular triggers cause such lines at their period and at all whole
/// fractions of it, whether or not the link has a clock. Such a line is therefore no evidence of a clock.
/// The module `slip` finds a clock in this case, from transfers that are late by whole clock periods.
fn follows_the_trigger(series: &Series, ramp: Option<&Ramp>, period: f64) -> bool {
    let Some(trigger) = series.trigger_period_ns else { return false };
    let triggers = series.span_ns() / trigger;
    let drifted = trigger * (1.0 + ramp.map_or(0.0, |r| r.slope));
    [trigger, drifted].iter().any(|t| {
        let turns = t / period;
        (turns - turns.round()).abs() * triggers < 2.5
    })
}

/// Whether the few phases that a regular trigger samples would fit some period by chance.
///
/// A run of n transfers with q frozen phases has only q independent completion phases, not n. The
/// probability that q random unit vectors have a circular variance of at most v is about
/// (4 v)^((q - 1) / 2). With a trigger period T, about q T / P candidate periods are not shorter than the
/// period P.
fn happens_by_chance(series: &Series, line: &Line) -> bool {
    let Some(trigger) = series.trigger_period_ns else { return false };
    let coverage = Coverage::of(&series.trigger, line.period);
    if coverage.covered > 0.5 || coverage.phases > 8 {
        return false;
    }
    let q = coverage.phases.max(1) as f64;
    let tried = (q * trigger / line.period).max(1.0);
    tried * libm::pow(4.0 * line.rest().max(1e-12), (q - 1.0) / 2.0) > 0.01
}
