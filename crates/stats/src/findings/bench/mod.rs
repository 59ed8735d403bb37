//! Findings of a simulated run. Causes come from the records of the bench. Findings that apply only to
//! captures (wires, files, channels) are skipped.

mod lost;
mod overload;
mod repeated;
mod unfinished;

use self::lost::lost;
use self::overload::overload;
use self::repeated::repeated;
use self::unfinished::unfinished;
use super::run::Context;
use super::{Finding, Name, ack, clock, lattice, ramp};
use super::{
    few_samples::few_samples, index_pattern::index_pattern, period_too_short::period_too_short,
    trend::trend, warm_up::warm_up,
};
use crate::fold::Clocks;
use crate::pair::Transfers;

/// Records of a bench. Transfers are matched by identity.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Bench {
    /// Triggers at which the sending board was busy with an earlier message.
    pub not_taken: usize,
    /// Messages that the link gave up after its last retry.
    pub given_up: usize,
    /// Retransmitted frames, where the model counts them.
    pub retries: u64,
    /// Offered and carried rate of an overloaded link.
    pub overload: Option<Overload>,
    /// Distance between the radios. `None` if they are next to each other.
    pub range: Option<Range>,
    /// Named events that explain lost messages, with counts.
    pub events: Vec<(String, u64)>,
    /// Whether a peer delays its acknowledgements.
    pub delays_acks: bool,
    /// Whether a radio sleeps between beacons.
    pub sleeps_between_beacons: bool,
}

/// Offered and carried rate of an overloaded link, messages per second.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Overload {
    /// Rate of the triggers.
    pub offered_per_s: f64,
    /// Rate of the completions.
    pub carried_per_s: f64,
}

/// Distance between two radios.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Range {
    /// Distance, m.
    pub metres: f64,
    /// Fade margin: mean signal level minus the level at which 1 % of the frames are lost, dB.
    /// `None` if no frame was sent.
    pub fade_margin_db: Option<f64>,
}

/// Findings of a simulated run, in the order of [`Name::ALL`].
pub(super) fn of_bench(
    transfers: &Transfers,
    context: &Context<'_>,
    bench: &Bench,
) -> Vec<Finding> {
    let delivered = transfers.latencies_ns().len();
    let mut findings: Vec<Finding> = [
        overload(transfers, bench, context.service_ns),
        lost(transfers, bench, context.service_ns),
        unfinished(transfers),
        period_too_short(transfers, context.service_ns, true),
        repeated(transfers),
        few_samples(delivered, context.percentile).map(to_run_longer),
    ]
    .into_iter()
    .flatten()
    .collect();
    // A growing queue and a busy link have rhythms that do not come from clocks.
    if bench.overload.is_none() {
        findings.extend(of_latencies(transfers, bench));
    }
    findings.sort_by_key(|finding| finding.name);
    findings
}

/// Replaces the advice by one for a bench, which has no limit on the number of transfers.
fn to_run_longer(found: Finding) -> Finding {
    let advice = "Run more triggers, or report a quantile nearer to the median.".to_owned();
    Finding { advice, ..found }
}

/// Findings from the latencies, unless the records of the bench contradict them.
fn of_latencies(transfers: &Transfers, bench: &Bench) -> Vec<Finding> {
    let clocks = Clocks::of(transfers);
    let (drift_ramp, not_explored) =
        (ramp::drift_ramp(&clocks), clock::phase_not_explored(&clocks));
    let own_periods: Vec<f64> = clocks.own_period_ns().into_iter().collect();
    let explained =
        drift_ramp.is_some() || not_explored.is_some() || !transfers.places_ns.is_empty();
    [
        clock::own_period(&clocks),
        not_explored,
        drift_ramp,
        lattice::known_retries(&clocks, bench.retries),
        clock::power_save(&clocks).filter(|_| bench.sleeps_between_beacons),
        index_pattern(transfers, &own_periods),
        ack::delayed_ack(&clocks).filter(|_| bench.delays_acks),
        warm_up(transfers),
        trend(transfers, explained),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// Findings that a bench never has, because they concern wires, files and samples.
pub const OF_CAPTURES: [Name; 8] = [
    Name::SwappedChannels,
    Name::LooksLikeAClock,
    Name::NoRelation,
    Name::SnifferLoss,
    Name::TriggerGlitch,
    Name::CoarseSampling,
    Name::MispairedTable,
    Name::NameDisagrees,
];

#[cfg(test)]
mod tests;
