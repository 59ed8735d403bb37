//! All findings of a run, of a table, and of several runs together.

use super::bench::{Bench, of_bench};
use super::name_disagrees::{Claim, name_disagrees};
use super::{Finding, ack, across, channels, clock, lattice, ramp};
use super::{
    censored_end::censored_end,
    coarse_sampling::coarse_sampling,
    few_samples::few_samples,
    index_pattern::index_pattern,
    lost_transfers::lost_transfers,
    mispaired_table::mispaired_table,
    period_too_short::{may_be_too_short, period_too_short},
    stray_completion::stray_completion,
    trend::trend,
    trigger_glitch::trigger_glitch,
    warm_up::warm_up,
};
use crate::fold::Clocks;
use crate::pair::Transfers;

/// Largest relative difference of two equal trigger periods, from the crystals of two generators.
const SAME_PERIOD: f64 = 200e-6;

/// Facts about a run besides its edges.
pub struct Context<'a> {
    /// Quantile that the run is to report. The finding `few-samples` checks the number of transfers
    /// for this quantile.
    pub percentile: f64,
    /// Sample interval of the analyser, ns, where recorded.
    pub sample_period_ns: Option<f64>,
    /// Latency of a single message, ns, where known.
    pub service_ns: Option<i64>,
    /// Payload that the name states, if its lower bound of the latency is known.
    pub claim: Option<Claim<'a>>,
    /// Records of a bench. `None` for a capture.
    pub bench: Option<Bench>,
}

impl Default for Context<'_> {
    fn default() -> Self {
        Self {
            percentile: 0.99,
            sample_period_ns: None,
            service_ns: None,
            claim: None,
            bench: None,
        }
    }
}

/// Findings of one run, in the order of [`super::Name::ALL`].
#[must_use]
pub fn of_run(transfers: &Transfers, context: &Context<'_>) -> Vec<Finding> {
    if let Some(bench) = &context.bench {
        return of_bench(transfers, context, bench);
    }
    let clocks = Clocks::of(transfers);
    let drift_ramp = ramp::drift_ramp(&clocks);
    let not_explored = clock::phase_not_explored(&clocks);
    let own_periods: Vec<f64> = clocks.own_period_ns().into_iter().collect();
    // A clock that drifts, or that is sampled at few phases, changes the latency over time. Another
    // location also changes it.
    let clocks_explain = drift_ramp.is_some() || not_explored.is_some();
    let latencies_ns = transfers.latencies_ns();
    let mut findings: Vec<Finding> = [
        channels::swapped_channels(transfers),
        channels::looks_like_a_clock(transfers),
        channels::no_relation(transfers),
        lost_transfers(transfers, context.service_ns),
        censored_end(transfers),
        trigger_glitch(transfers),
        period_too_short(transfers, context.service_ns, false)
            .or_else(|| may_be_too_short(transfers)),
        stray_completion(transfers),
        clock::own_period(&clocks),
        not_explored,
        drift_ramp,
        lattice::retry_quantum(&clocks),
        clock::power_save(&clocks),
        index_pattern(transfers, &own_periods),
        ack::delayed_ack(&clocks),
        warm_up(transfers),
        trend(transfers, clocks_explain || !transfers.places_ns.is_empty()),
        coarse_sampling(transfers, context.sample_period_ns),
        few_samples(latencies_ns.len(), context.percentile),
        context.claim.as_ref().and_then(|claim| name_disagrees(&latencies_ns, claim)),
    ]
    .into_iter()
    .flatten()
    .collect();
    findings.sort_by_key(|finding| finding.name);
    findings
}

/// Findings of a table of latencies, which has neither clock nor losses.
#[must_use]
pub fn of_table(latencies_ns: &[i64], context: &Context<'_>) -> Vec<Finding> {
    [
        few_samples(latencies_ns.len(), context.percentile),
        mispaired_table(latencies_ns),
        context.claim.as_ref().and_then(|claim| name_disagrees(latencies_ns, claim)),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// A finding of several runs together.
#[derive(Clone, Debug, PartialEq)]
pub struct Across {
    /// Indices of the runs.
    pub runs: Vec<usize>,
    /// The finding.
    pub finding: Finding,
}

/// Findings that need several runs. Only runs with equal trigger periods can share a configuration.
#[must_use]
pub fn across_runs(runs: &[&Transfers]) -> Vec<Across> {
    let mut groups: Vec<(f64, Vec<usize>)> = Vec::new();
    for (index, run) in runs.iter().enumerate() {
        let Some(period_ns) = run.trigger_period_ns().map(|ns| ns as f64) else { continue };
        let same = |of: &f64| (of - period_ns).abs() <= SAME_PERIOD * period_ns;
        match groups.iter_mut().find(|(of, _)| same(of)) {
            Some((_, members)) => members.push(index),
            None => groups.push((period_ns, vec![index])),
        }
    }
    let found =
        groups.into_iter().filter(|(_, members)| members.len() > 1).filter_map(|(_, members)| {
            let clocks: Vec<Clocks> = members.iter().map(|&i| Clocks::of(runs[i])).collect();
            let finding = across::timer_across_runs(&clocks.iter().collect::<Vec<_>>())?;
            Some(Across { runs: members, finding })
        });
    found.collect()
}
