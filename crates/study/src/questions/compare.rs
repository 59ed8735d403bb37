//! `airlag compare`: whether two runs are comparable, and their differences.

use std::collections::BTreeMap;

use airlag_sim::Duration;
use airlag_stats::Transfers;
use airlag_stats::compare::{self, RunFinding};
use airlag_stats::dist::quantile_name;
use airlag_stats::findings::Name;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::answers::charge::Ends;
use crate::answers::difference::Difference;
use crate::answers::words::words;
use crate::comparison::{self, Conditions, Differing as Found, What as Which};
use crate::error::Error;
use crate::question::Answered;

/// Two runs to compare. Their transfers are passed separately.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "CompareQuestion")]
pub struct Question {
    /// The first run.
    pub a: Side,
    /// The second run.
    pub b: Side,
}

/// Conditions of one of the two runs. For a capture, only a few conditions are known.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Side {
    /// Name of the run.
    pub source: String,
    /// Findings of the run.
    #[serde(default)]
    pub findings: Vec<Seen>,
    /// Link profile.
    #[serde(default)]
    pub link: Option<String>,
    /// Payload, bytes.
    #[serde(default)]
    pub size: Option<u64>,
    /// Traffic at each trigger.
    #[serde(default)]
    pub traffic: Option<String>,
    /// Direction.
    #[serde(default)]
    pub way: Option<String>,
    /// Phase of the triggers.
    #[serde(default)]
    pub phase: Option<String>,
    /// Time between triggers, ns.
    #[serde(default)]
    pub period_ns: Option<u64>,
    /// Longest latency of a few messages sent one at a time, ns.
    #[serde(default)]
    pub service_ns: Option<u64>,
    /// Constants that differ from the profile.
    #[serde(default)]
    pub settings: Option<BTreeMap<String, String>>,
    /// Version of airlag that made the run.
    #[serde(default)]
    pub version: Option<String>,
    /// Charge and current, by end.
    #[serde(default)]
    pub charge: BTreeMap<String, Drawn>,
}

/// A finding of a run.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
pub struct Seen {
    /// Name of the finding.
    pub name: String,
    /// Description of the problem.
    pub message: String,
}

/// Charge and current of an end.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, JsonSchema)]
pub struct Drawn {
    /// Charge that a message adds to the idle charge, nC.
    pub marginal_nc: Option<f64>,
    /// Idle current, nA: first run, second run.
    pub idle_na: f64,
}

words! {
    /// Condition in which two runs differ.
    What: ["link", "size", "traffic", "way", "phase", "period_ns", "setting", "version"].to_vec();
}

/// Value of a condition.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(untagged)]
#[schemars(inline)]
pub enum Value {
    /// A name, or the value of a constant.
    Text(String),
    /// Bytes or nanoseconds.
    Number(u64),
}

/// One condition in which two runs differ.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Differing {
    /// Name of the condition. Values of `size` are in bytes. `version` is the version of airlag.
    pub what: What,
    /// Name of the parameter. Null if the condition is not a setting.
    pub setting: Option<String>,
    /// Value in the first run. Null means the value in the profile.
    pub a: Option<Value>,
    /// Value in the second run. Null means the value in the profile.
    pub b: Option<Value>,
}

/// Charge and current of one end in both runs.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct ComparedCharge {
    /// Charge that one message adds to the idle charge, nC: first run, second run. Null without messages.
    pub marginal_nc: [Option<f64>; 2],
    /// Idle current, nA: first run, second run.
    pub idle_na: [f64; 2],
}

/// Comparison of the second run with the first.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(rename = "Comparison")]
pub struct Answer {
    /// Source of the first run.
    pub a: String,
    /// Source of the second run.
    pub b: String,
    /// Conditions that are known for both runs and differ.
    pub differs: Vec<Differing>,
    /// Whether the measured differences can be attributed to the links.
    pub comparable: bool,
    /// Reasons why the runs are not comparable, one sentence each.
    pub obstacles: Vec<String>,
    /// Other possible causes of a difference, one sentence each.
    pub notes: Vec<String>,
    /// Latency at the quantiles p50, p95 and p99, ns. Empty if one run delivered nothing.
    pub latency_ns: BTreeMap<String, Difference>,
    /// Delivery ratio. Null if no outcome is known.
    pub delivery: Option<Difference>,
    /// Probability that a transfer of the second run is faster than one of the first.
    #[schemars(range(min = 0, max = 1))]
    pub b_quicker: Option<f64>,
    /// p-value of `b_quicker` if both runs have the same distribution (Mann–Whitney).
    #[schemars(range(min = 0, max = 1))]
    pub p: Option<f64>,
    /// Largest distance between the distribution functions of the latencies (Kolmogorov–Smirnov).
    #[schemars(range(min = 0, max = 1))]
    pub ks: Option<f64>,
    /// Charge by end. Contains only ends with current data in both runs.
    pub charge: Ends<ComparedCharge>,
}

/// Compares two runs.
///
/// # Errors
///
/// [`Error::Question`] for an unknown finding.
pub fn answer(
    question: &Question,
    first: &Transfers,
    second: &Transfers,
) -> Result<Answered<Answer>, Error> {
    let Question { a, b } = question;
    let found = compare::compare(first, second).knowing(&shown(&a.findings)?, &shown(&b.findings)?);
    let conditions = comparison::compare(&a.conditions(), &b.conditions());
    let obstacles =
        conditions.obstacles.iter().chain(&found.obstacles).cloned().collect::<Vec<_>>();
    let charge = ["sender", "receiver"].into_iter().filter_map(|end| {
        let (a, b) = a.charge.get(end).zip(b.charge.get(end))?;
        let marginal_nc = [a.marginal_nc, b.marginal_nc];
        Some((end, ComparedCharge { marginal_nc, idle_na: [a.idle_na, b.idle_na] }))
    });
    let quantiles = found.quantiles.iter();
    Ok(Answered::plain(Answer {
        a: a.source.clone(),
        b: b.source.clone(),
        differs: conditions.differs.iter().map(Differing::from).collect(),
        comparable: obstacles.is_empty(),
        obstacles,
        notes: conditions.notes,
        latency_ns: quantiles.map(|(p, one)| (quantile_name(*p), one.into())).collect(),
        delivery: found.delivery.as_ref().map(Difference::from),
        b_quicker: found.superiority.map(|one| one.second_smaller),
        p: found.superiority.map(|one| one.p),
        ks: found.ks,
        charge: Ends::of(charge),
    }))
}

fn shown(findings: &[Seen]) -> Result<Vec<RunFinding>, Error> {
    let known = |one: &Seen| {
        let name = Name::find(&one.name);
        let name =
            name.ok_or_else(|| Error::Question { cause: format!("no finding {:?}", one.name) })?;
        Ok((name, one.message.clone()))
    };
    findings.iter().map(known).collect()
}

impl Side {
    fn conditions(&self) -> Conditions {
        Conditions {
            link: self.link.clone(),
            size: self.size,
            traffic: self.traffic.clone(),
            way: self.way.clone(),
            phase: self.phase.clone(),
            period: self.period_ns.map(Duration::from_ns),
            service: self.service_ns.map(Duration::from_ns),
            settings: self.settings.clone(),
            version: self.version.clone(),
        }
    }
}

impl From<&Found> for Differing {
    fn from(found: &Found) -> Self {
        let value = |known: &Option<comparison::Value>| {
            known.as_ref().map(|known| match known {
                comparison::Value::Text(text) => Value::Text(text.clone()),
                comparison::Value::Number(number) => Value::Number(*number),
            })
        };
        let setting = match &found.what {
            Which::Setting(name) => Some(name.clone()),
            _ => None,
        };
        Self { what: What(found.what.name()), setting, a: value(&found.a), b: value(&found.b) }
    }
}
