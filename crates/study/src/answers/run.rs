//! A run: outcomes, latencies and findings.

use std::collections::BTreeMap;

use airlag_kinds::registry;
use airlag_stats::findings::run::{of_run, of_table};
use airlag_stats::{NONE, Outcome, Transfers as Paired};
use schemars::JsonSchema;
use serde::Serialize;

use super::causes::Causes;
use super::charge::{Charge, Fed};
use super::claim::Claim;
use super::delivery::{Deadline, Delivery};
use super::finding::{self, Finding};
use super::latency::{Latency, Overhead};
use super::law::Law;
use super::places::{Apart, Stand};
use super::sniff::Sniff;
use super::traffic::{Phase, Stimulus, Traffic, Way};

/// Outcomes of the triggers of a run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct Transfers {
    /// Random seed. Null if unknown.
    pub seed: Option<u64>,
    /// Names of the trigger and completion channels. Null for a run without edges.
    pub channels: Option<[String; 2]>,
    /// Number of triggers: delivered, lost and censored.
    pub triggers: usize,
    /// Completed transfers, including late ones.
    pub delivered: usize,
    /// Transfers that completed after the next trigger.
    pub late: usize,
    /// Transfers without a completion before the end of their window.
    pub lost: usize,
    /// Transfers whose window is cut off by the end of the capture or by a gap.
    pub censored: usize,
    /// Completions without a trigger.
    pub spurious: usize,
    /// Rising edges of the trigger channel that do not count as triggers, because the channel was low for too
    /// short a time before them.
    pub glitches: usize,
    /// Delivery ratio. Null if no outcome is known.
    pub delivery: Option<Delivery>,
    /// Latency statistics. Null if no transfer completed.
    pub latency_ns: Option<Latency>,
    /// Findings, in the order in which a report lists them.
    pub findings: Vec<Finding>,
    /// Distance between the radios. Absent if the radios are side by side.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub apart: Option<Apart>,
    /// Traffic that each trigger starts. Absent for one-way messages.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub traffic: Option<Traffic>,
    /// Direction of the messages. Absent unless the traffic has both directions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub way: Option<Way>,
    /// Trigger timing. Absent for captures, and if other programs generate the traffic.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stimulus: Option<Stimulus>,
}

/// One run: a capture, a saved run, or a run on the virtual bench.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct Run {
    /// File name of the capture, or link profile of a virtual run.
    pub source: String,
    /// Link profile. Null if unknown.
    pub link: Option<String>,
    /// Payload, bytes. Null if unknown, or if the link has no messages.
    pub size: Option<u64>,
    /// Outcomes of the triggers.
    #[serde(flatten)]
    pub transfers: Transfers,
    /// Profile parameters that were changed: value by name, in the unit of the parameter. Absent for
    /// captures.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub settings: Option<BTreeMap<String, String>>,
    /// Missed messages, if a deadline is given. Null if no outcome is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-nullable" = true))]
    pub deadline: Option<Option<Deadline>>,
    /// Charge and current. Null on the virtual bench if no end has current data. Absent for captures without
    /// a measured current.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-nullable" = true))]
    pub charge: Option<Option<Charge>>,
    /// Connections and streams of a sniffer recording. Absent for other captures and for virtual
    /// runs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sniff: Option<Sniff>,
}

/// Properties of a run other than its transfers.
#[derive(Clone, Debug, Default)]
pub struct Known {
    /// File name, or link profile.
    pub source: String,
    /// Link profile.
    pub link: Option<String>,
    /// Payload, bytes.
    pub size: Option<u64>,
    /// Random seed.
    pub seed: Option<u64>,
    /// Names of the two channels.
    pub channels: Option<[String; 2]>,
    /// Constants that differ from the profile.
    pub settings: Option<BTreeMap<String, String>>,
    /// Traffic at each trigger.
    pub traffic: Traffic,
    /// Direction.
    pub way: Option<Way>,
    /// Trigger timing.
    pub stimulus: Option<Stimulus>,
    /// Longest latency of a few messages sent one at a time, ns, if there is no stimulus.
    pub service_ns: Option<u64>,
    /// Distance and environment of the radios.
    pub stand: Option<Stand>,
    /// The deadline to check, ns.
    pub deadline_ns: Option<i64>,
    /// Whether to skip the search for findings.
    pub no_findings: bool,
    /// Causes of losses recorded by a bench. `None` for a capture.
    pub causes: Option<Causes>,
}

impl Known {
    /// Returns the payload. `None` if the link has no messages.
    fn payload(&self) -> Option<u64> {
        let (size, link) = (self.size?, self.link.as_deref());
        let profiles = registry::all().unwrap_or_default();
        let profile = profiles.iter().find(|one| Some(one.name.as_str()) == link);
        profile.is_none_or(|profile| profile.has_message()).then_some(size)
    }

    /// Builds the run from its paired transfers.
    #[must_use]
    pub fn run(self, paired: &Paired) -> Run {
        let size = self.payload();
        let claim = Claim::of(&self.source, self.link.as_deref(), size);
        // The longest latency at random times is no bound for the latency of aligned triggers.
        let is_aligned = self.stimulus.is_some_and(|one| one.phase == Phase::Aligned);
        let service_ns = self.stimulus.and_then(|one| one.service_ns).or(self.service_ns);
        let service_ns = service_ns.filter(|_| !is_aligned);
        let bench = self.causes.as_ref().map(|causes| causes.bench(self.stand.as_ref()));
        let look = || claim.context(service_ns, bench, |context| of_run(paired, context));
        let findings = if self.no_findings { Vec::new() } else { look() };
        let count = |outcome| paired.count(outcome);
        let late = count(Outcome::Late);
        let transfers = Transfers {
            triggers: paired.outcome.len(),
            delivered: count(Outcome::Delivered) + late,
            late,
            lost: count(Outcome::Lost),
            censored: count(Outcome::Censored),
            spurious: paired.spurious_ns.len(),
            glitches: paired.glitch_ns.len(),
            delivery: Delivery::of(paired),
            latency_ns: Latency::of(&paired.latencies_ns()),
            findings: finding::list(findings),
            apart: self.stand.as_ref().map(|stand| Apart::with(stand, Some(paired))),
            ..Transfers::default()
        };
        let charge = paired.charge.as_ref().map(|found| Some(Charge::measured(found)));
        Run { charge, ..self.complete(size, transfers, || fates(paired)) }
    }

    /// Builds the run from a table of latencies.
    #[must_use]
    pub fn table(self, latencies_ns: &[i64]) -> Run {
        let size = self.payload();
        let claim = Claim::of(&self.source, self.link.as_deref(), size);
        let look = || claim.context(None, None, |context| of_table(latencies_ns, context));
        let findings = if self.no_findings { Vec::new() } else { look() };
        let transfers = Transfers {
            triggers: latencies_ns.len(),
            delivered: latencies_ns.len(),
            latency_ns: Latency::of(latencies_ns),
            findings: finding::list(findings),
            apart: self.stand.as_ref().map(|stand| Apart::with(stand, None)),
            ..Transfers::default()
        };
        self.complete(size, transfers, || latencies_ns.iter().copied().map(Some).collect())
    }

    fn complete(
        self,
        size: Option<u64>,
        transfers: Transfers,
        fates: impl FnOnce() -> Vec<Option<i64>>,
    ) -> Run {
        let traffic = (!self.traffic.is_usual()).then_some(self.traffic);
        let (seed, channels, way, stimulus) = (self.seed, self.channels, self.way, self.stimulus);
        let transfers = Transfers { seed, channels, traffic, way, stimulus, ..transfers };
        let deadline = self.deadline_ns.map(|deadline_ns| Deadline::of(&fates(), deadline_ns));
        let (source, link, settings) = (self.source, self.link, self.settings);
        Run { source, link, size, transfers, settings, deadline, charge: None, sniff: None }
    }
}

/// Returns the latencies of transfers with a known outcome in trigger order, ns. `None` is a lost transfer.
#[must_use]
pub fn fates(paired: &Paired) -> Vec<Option<i64>> {
    let instants = paired.trigger_ns.iter().zip(&paired.completion_ns);
    let known = instants.zip(&paired.outcome).filter(|(_, outcome)| **outcome != Outcome::Censored);
    known.map(|((&trigger, &done), _)| (done != NONE).then(|| done - trigger)).collect()
}

/// Results of a run that only the virtual bench records.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct BenchFacts {
    /// Causes of losses and delays.
    pub causes: Causes,
    /// Events that the link model counts, such as `retry`: number of occurrences by name.
    pub incidents: BTreeMap<String, u32>,
    /// Wire time of the message bits, ns. Null for a radio.
    pub wire_ns: Option<u64>,
    /// Latency minus `wire_ns`. Null for a radio, and if no transfer completed.
    pub overhead_ns: Option<Overhead>,
    /// Regulatory verdict of the requested region. Null for a link without a radio.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-nullable" = true))]
    pub law: Option<Option<Law>>,
    /// Mean currents and battery life. Absent unless the request has a message rate or a battery.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fed: Option<Fed>,
}

/// One run on the virtual bench.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct VirtualRun {
    /// The run.
    #[serde(flatten)]
    pub run: Run,
    /// Results that only the bench records.
    #[serde(flatten)]
    pub facts: BenchFacts,
}
