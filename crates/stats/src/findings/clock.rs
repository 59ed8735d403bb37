//! Findings on the clock of the link: its period, phases that the triggers did not sample, and Wi-Fi beacons.

use crate::findings::{Finding, Name, Value};
use crate::fold::comb::concentration;
use crate::fold::coverage::{beat_ns, better_trigger_period, walking_trigger_period};
use crate::fold::series::quantile;
use crate::fold::{Clocks, Coverage};

/// IEEE 802.11 time unit of beacon intervals, 1024 us.
const TIME_UNIT_NS: f64 = 1_024_000.0;

/// Largest relative difference between the clocks of an access point and an analyser. 802.11 radios keep
/// their symbol clock within 25 ppm, and crystals of low-cost analysers are similar.
const CLOCK_TOLERANCE: f64 = 60e-6;

pub(super) fn ms(ns: f64, decimals: usize) -> String {
    format!("{:.decimals$} ms", ns / 1e6)
}

/// Returns the finding `own-period` if completions lie on a lattice with a period that the triggers
/// do not have.
#[must_use]
pub fn own_period(clocks: &Clocks) -> Option<Finding> {
    let series = &clocks.series;
    let period = clocks.own_period_ns()?;
    let extra = extra_periods(clocks, period);
    let coverage = Coverage::of(&series.trigger, period);
    let (stderr, r, r_trigger, residual) = match (&clocks.period, &clocks.slips) {
        (Some(p), _) => (p.period_stderr_ns, p.r, p.r_trigger, p.residual_ns),
        (None, Some(s)) => (
            s.period_stderr_ns,
            concentration(&series.completion, period),
            concentration(&series.trigger, period),
            s.residual_ns,
        ),
        (None, None) => return None,
    };
    let mut evidence = vec![
        ("period_ns", Value::Float(period)),
        ("period_stderr_ns", Value::Float(stderr)),
        ("r", Value::Float(r)),
        ("r_trigger", Value::Float(r_trigger)),
        ("residual_ns", Value::Float(residual)),
        ("coverage", Value::Float(coverage.covered)),
        ("extra_periods", Value::Int(extra as i64)),
    ];
    if let Some(beat) = beat_ns(series.trigger_period_ns, period, coverage.phases) {
        evidence.push(("beat_ns", Value::Float(beat)));
    }
    let waited = match extra {
        0 => String::new(),
        1 => " One transfer waited at least one extra period.".to_owned(),
        k => format!(" {k} transfers waited at least one extra period."),
    };
    let message = if clocks.period.is_some() {
        format!(
            "The completions follow a clock of the link with a period of {} (phase coherence R = {r:.3}). The \
             triggers do not (R = {r_trigger:.3}).{waited}",
            ms(period, 4)
        )
    } else {
        format!(
            "The link has its own clock with a period of {}. The trigger period is a whole multiple of it, \
             and late transfers are late by whole periods.{waited}",
            ms(period, 4)
        )
    };
    let advice = format!(
        "Shorten this period, or align the trigger with it, before any other tuning. An asynchronous trigger \
             waits 0 to {} for the clock.",
        ms(period, 1)
    );
    Some(Finding { name: Name::OwnPeriod, evidence, message, advice })
}

/// Number of transfers that waited at least one period more than the fastest. Permits a jitter of a tenth of
/// a period at the end of the shortest wait.
fn extra_periods(clocks: &Clocks, period: f64) -> usize {
    if clocks.period.is_none() {
        return clocks.slips.as_ref().map_or(0, |s| s.slipped);
    }
    let latency = &clocks.series.latency;
    let Some(quickest) = quantile(latency, 0.005) else { return 0 };
    latency.iter().filter(|&&l| l - quickest > 1.1 * period).count()
}

/// Returns the finding `phase-not-explored` if the triggers sampled only a few phases of the link's clock,
/// so the quantiles apply only to these phases.
#[must_use]
pub fn phase_not_explored(clocks: &Clocks) -> Option<Finding> {
    let series = &clocks.series;
    let trigger = series.trigger_period_ns?;
    let Some(period) = clocks.own_period_ns() else { return frozen(clocks, trigger) };
    let coverage = Coverage::of(&series.trigger, period);
    if !coverage.is_poor() {
        return None;
    }
    let better = better_trigger_period(trigger, period);
    let evidence = vec![
        ("period_ns", Value::Float(period)),
        ("phases", Value::Int(coverage.phases as i64)),
        ("coverage", Value::Float(coverage.covered)),
        ("trigger_period_ns", Value::Float(trigger)),
        ("better_period_ns", Value::Float(better)),
    ];
    let phases = match coverage.phases {
        1 => "one phase".to_owned(),
        q => format!("{q} phases"),
    };
    Some(Finding {
        name: Name::PhaseNotExplored,
        evidence,
        message: format!(
            "Inconclusive: triggers every {} sample only {phases} of the link's {} ({:.0} % of it). \
             Another start would give other quantiles.",
            ms(trigger, 1),
            ms(period, 4),
            100.0 * coverage.covered
        ),
        advice: format!(
            "Trigger every {} instead of {} to sample the whole period.",
            ms(better, 2),
            ms(trigger, 1)
        ),
    })
}

/// A ramp alone shows that completions follow another crystal at one phase of its clock. The period of the
/// clock is that of the trigger or a whole fraction of it.
fn frozen(clocks: &Clocks, trigger: f64) -> Option<Finding> {
    // A ramp that wraps covers the whole tick.
    let ramp = clocks.ramp.as_ref().filter(|r| r.wraps == 0)?;
    let multiple = trigger * (1.0 + ramp.slope);
    let better = walking_trigger_period(multiple);
    let evidence = vec![
        ("period_ns", Value::Float(multiple)),
        ("phases", Value::Int(1)),
        ("seen_ns", Value::Float(ramp.height_ns)),
        ("trigger_period_ns", Value::Float(trigger)),
        ("better_period_ns", Value::Float(better)),
    ];
    Some(Finding {
        name: Name::PhaseNotExplored,
        evidence,
        message: format!(
            "The median is inconclusive: completions follow a clock with a period of {} or an integer \
             fraction of it, and every trigger sampled almost the same phase. Another start would give another median.",
            ms(multiple, 4)
        ),
        advice: format!(
            "Trigger every {} instead of {}, so that the triggers sample every phase of this clock.",
            ms(better, 2),
            ms(trigger, 1)
        ),
    })
}

/// Returns the finding `power-save` if the link's own period is a plausible beacon interval.
///
/// Beacon intervals of access points are multiples of ten time units (100 time units by default). If a
/// station wakes for every second or third beacon, its latencies show a period of two or three beacon
/// intervals. The period of the latencies is compared with the multiples of ten time units. The tolerance of
/// this comparison is so small that a random period near 100 ms matches a multiple with a probability of
/// about 0.1 %.
#[must_use]
pub fn power_save(clocks: &Clocks) -> Option<Finding> {
    let period = clocks.own_period_ns()?;
    let tens = period / (10.0 * TIME_UNIT_NS);
    let off = (tens - tens.round()).abs() / tens;
    if off > CLOCK_TOLERANCE || !(2.0..=100.0).contains(&tens.round()) {
        return None;
    }
    let units = 10.0 * tens.round();
    let extra = extra_periods(clocks, period);
    Some(Finding {
        name: Name::PowerSave,
        evidence: vec![
            ("period_ns", Value::Float(period)),
            ("time_units", Value::Int(units as i64)),
            ("extra_periods", Value::Int(extra as i64)),
        ],
        message: format!(
            "That period is a Wi-Fi beacon interval ({units:.0} x 1.024 ms): the station sleeps and \
             fetches its frames after a beacon. {extra} transfers missed at least one beacon."
        ),
        advice: "Turn modem sleep off (ESP-IDF: esp_wifi_set_ps(WIFI_PS_NONE)), or configure the access \
                 point with a shorter beacon interval."
            .to_owned(),
    })
}
