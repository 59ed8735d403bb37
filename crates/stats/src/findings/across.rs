//! Findings from several runs of one configuration.

use crate::findings::clock::ms;
use crate::findings::{Finding, Name, Value};
use crate::fold::Clocks;
use crate::fold::coverage::better_trigger_period;
use crate::fold::series::{median, quantile};

/// Largest interquartile range of a narrow run, as a share of the period.
const NARROW: f64 = 0.125;

/// Returns the finding `timer-across-runs` if the latencies of each run are narrow, but the medians of the
/// runs spread over a whole clock period. The clock phase was then frozen within each run, and its value
/// depended on the start of the run.
///
/// The period of the clock cannot be derived from the spread of the medians. The period is therefore taken
/// from one of the runs: from transfers whose latency differs by a whole clock period, or from the regular
/// grid of instants on which the completions lie. If all runs had the same latency distribution, the medians
/// of runs with n latencies each would agree within a few interquartile ranges divided by the square root of
/// n. The finding requires a much larger spread of the medians: at least four times the largest interquartile
/// range of a run.
#[must_use]
pub fn timer_across_runs(runs: &[&Clocks]) -> Option<Finding> {
    let period = runs
        .iter()
        .filter_map(|c| {
            let slips = c.slips.as_ref().map(|s| (s.slipped, s.period_ns));
            slips.or(c.period.as_ref().map(|p| (c.series.len(), p.period_ns)))
        })
        .max_by_key(|found| found.0)?
        .1;
    let mut medians = Vec::new();
    let mut widest = 0.0f64;
    let mut trigger = 0.0;
    for clocks in runs {
        let Some(every) = clocks.series.trigger_period_ns else { continue };
        let turns = every / period;
        let latency = &clocks.series.latency;
        let (Some(q1), Some(q3)) = (quantile(latency, 0.25), quantile(latency, 0.75)) else {
            continue;
        };
        // Frozen means a whole number of periods between triggers, within the accuracy of crystals.
        let frozen = turns > 0.9 && (turns - turns.round()).abs() < 1e-3 * turns;
        if latency.len() >= 20 && frozen && q3 - q1 < NARROW * period {
            medians.push(median(latency)?);
            widest = widest.max(q3 - q1);
            trigger = every;
        }
    }
    if medians.len() < 3 || medians.len() * 2 < runs.len() {
        return None;
    }
    medians.sort_by(f64::total_cmp);
    let (lowest, highest) = (medians[0], medians[medians.len() - 1]);
    let spread = highest - lowest;
    if spread < 4.0 * widest || spread < period / 5.0 || spread > period + 2.0 * widest {
        return None;
    }
    let list = medians.iter().map(|m| m.round() as i64).collect();
    let better = better_trigger_period(trigger, period);
    Some(Finding {
        name: Name::TimerAcrossRuns,
        evidence: vec![
            ("period_ns", Value::Float(period)),
            ("runs", Value::Int(medians.len() as i64)),
            ("spread_ns", Value::Float(spread)),
            ("widest_run_ns", Value::Float(widest)),
            ("medians_ns", Value::List(list)),
            ("better_period_ns", Value::Float(better)),
        ],
        message: format!(
            "{} runs of one configuration have narrow distributions (interquartile range at most {}), but their \
             medians range from {} to {}. In each run, the phase of a {} timer is frozen at a different value.",
            medians.len(),
            ms(widest, 1),
            ms(lowest, 1),
            ms(highest, 1),
            ms(period, 1)
        ),
        advice: format!(
            "A single run does not characterise this link. Trigger every {} instead of {}, so that each run \
             covers all phases.",
            ms(better, 2),
            ms(trigger, 1)
        ),
    })
}

#[cfg(test)]
mod tests;
