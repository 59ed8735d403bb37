//! Link recommendation: the question, and its answer as printed by `--json`.

mod requirements;

pub use requirements::LIMITS;

use std::collections::BTreeMap;

use airlag_kinds::registry;
use airlag_rig::batteries::Battery;
use airlag_rig::propagation;
use airlag_sim::Duration;
use airlag_stats::deadline::Requirement;
use airlag_stats::dist::Among;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize, Serializer};

use super::command;
use super::goodput::seed;
use crate::answers::charge::Charge;
use crate::answers::floor::Part;
use crate::answers::latency::IntervalNs;
use crate::answers::law::{Law, Region};
use crate::answers::number::ShareInterval;
use crate::answers::words::words;
use crate::error::Error;
use crate::quantity;
use crate::question::{Answered, Progress};
use crate::recommend::{self, Limits, Supplied, Task, Trial, Verdict, contenders, recommend};

/// Requirements on a link.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Task")]
pub struct Question {
    /// Payload, bytes. Null if no link has messages.
    #[serde(default)]
    pub size: Option<usize>,
    /// Deadline, ns.
    pub deadline_ns: i64,
    /// Percent of all messages that must meet the deadline, 50 to 99.99.
    #[serde(default = "percentile")]
    pub percentile: f64,
    /// Largest loss ratio over all messages, 0.0001 to 0.5.
    #[serde(default = "max_loss")]
    pub max_loss: f64,
    /// Distance between the radios, with its unit. Null means that the radios are side by side.
    #[serde(default)]
    pub range: Option<String>,
    /// Propagation environment, such as `office`. Null without a range.
    #[serde(default)]
    pub environment: Option<String>,
    /// Share of the simulated locations that must meet the requirements. Only with a range.
    #[serde(default = "places_share")]
    pub places_share: f64,
    /// Other networks on the air, such as `wifi:30%@ch6`. Empty without other networks.
    #[serde(default)]
    pub neighbours: Vec<String>,
    /// Processor of both boards, for the computation of currents. Null means the processor of the measured
    /// boards.
    #[serde(default)]
    pub processor: Option<String>,
    /// Settings for all links that have these parameters, in the syntax of `--set`.
    #[serde(default)]
    pub settings: BTreeMap<String, String>,
    /// Time between messages, ns. Null means a time derived from the latency of each link.
    #[serde(default)]
    pub period_ns: Option<u64>,
    /// Random seed.
    #[serde(default = "seed")]
    pub seed: u64,
    /// Names of the profiles to choose from. Empty means all profiles.
    #[serde(default)]
    pub links: Vec<String>,
    /// Whether an empty `links` includes wired links.
    #[serde(default)]
    pub wired: bool,
    /// Whether to tune settings that have a cost besides latency.
    #[serde(default)]
    pub trade: bool,
    /// Region whose regulatory limits the link must meet. Null means no such requirement.
    #[serde(default)]
    pub region: Option<Region>,
    /// Largest charge per message at the sender, nC. Null means no limit.
    #[serde(default)]
    pub max_charge_nc: Option<f64>,
    /// Battery of the sender. Null means CR2032 if a battery life is required, and otherwise no battery.
    #[serde(default)]
    pub battery: Option<String>,
    /// Required battery life, years. Null means no requirement.
    #[serde(default)]
    pub battery_years: Option<f64>,
    /// Message rate for the battery life, 1/s. Null means one message per `period_ns`, or one per minute
    /// without a period.
    #[serde(default)]
    pub per_second: Option<f64>,
    /// Work budget of the search, seconds of one core, 0.1 to 1,000,000. Work is counted in simulated events,
    /// so the same budget and seed give the same answer on every machine.
    #[serde(default = "budget_s")]
    pub budget_s: f64,
}

const fn percentile() -> f64 {
    99.0
}

const fn max_loss() -> f64 {
    0.01
}

const fn places_share() -> f64 {
    0.9
}

const fn budget_s() -> f64 {
    30.0
}

/// Message rate if neither a rate nor a period is given, 1/s: one per minute.
const USUAL_RATE: f64 = 1.0 / 60.0;
/// Nanoseconds per second.
const NS_PER_S: f64 = 1e9;

/// Battery if a battery life is required and no battery is named.
const USUAL_BATTERY: &str = "CR2032";

impl Question {
    /// Message rate at which the current of the sender is reported, 1/s.
    fn rate(&self) -> f64 {
        let of_period = self.period_ns.map(|ns| NS_PER_S / ns.max(1) as f64);
        self.per_second.or(of_period).unwrap_or(USUAL_RATE)
    }

    fn limits(&self) -> Result<Limits, Error> {
        let usual = self.battery_years.map(|_| USUAL_BATTERY);
        let supplied = |name| {
            let battery = Battery::find(name)?;
            Ok::<_, Error>(Supplied { battery, years: self.battery_years, per_second: self.rate() })
        };
        let supply = self.battery.as_deref().or(usual).map(supplied).transpose()?;
        Ok(Limits { charge_nc: self.max_charge_nc, supply })
    }

    fn task(&self) -> Result<Task, Error> {
        let &Self { size, deadline_ns, percentile, max_loss, places_share, seed, .. } = self;
        Ok(Task {
            size,
            asked: Requirement { deadline_ns, share: percentile / 100.0, max_loss },
            range: self.range.clone(),
            environment: self.environment.clone(),
            places_share,
            neighbours: (!self.neighbours.is_empty()).then(|| self.neighbours.join(";")),
            processor: self.processor.clone(),
            settings: self.settings.clone(),
            period: self.period_ns.map(Duration::from_ns),
            seed,
            links: self.links.clone(),
            wired: self.wired,
            trade: self.trade,
            region: self.region.map(Into::into),
            limits: self.limits()?,
            budget_s: self.budget_s,
        })
    }

    /// The question with defaults for environment, battery and rate filled in.
    fn complete(&self) -> Self {
        let usual = || propagation::USUAL.to_owned();
        let between = self.environment.clone().unwrap_or_else(usual);
        let needed = self.battery_years.map(|_| USUAL_BATTERY.to_owned());
        let battery = self.battery.clone().or(needed);
        Self {
            environment: self.range.is_some().then_some(between),
            per_second: battery.is_some().then(|| self.rate()),
            battery,
            ..self.clone()
        }
    }
}

/// Requirements, and the verdict on each candidate.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(rename = "Recommendation")]
pub struct Answer {
    /// The requirements.
    pub task: Question,
    /// The requirements in words, one phrase each.
    pub requirements: Vec<String>,
    /// The best configuration of each link, best link first.
    pub candidates: Vec<Candidate>,
    /// Number of profiles considered.
    pub contenders: usize,
    /// Whether the search finished within its budget.
    pub complete: bool,
    /// Work spent on the search, in seconds of one core.
    pub work_s: f64,
}

words! {
    /// Name of a requirement.
    CriterionName: recommend::criterion::Name::ALL.map(recommend::criterion::Name::as_str).to_vec();
}

/// A requirement, and the verdict of a candidate on it.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Criterion {
    /// Name of the requirement.
    pub name: CriterionName,
    /// Whether the requirement is met.
    pub verdict: Verdict,
    /// Value that the candidate achieves. Null if unknown. If a range is required, latency and delivery are
    /// the values at the deciding location. The deciding location is the simulated location at the quantile
    /// that corresponds to the required share of locations.
    pub value: Option<f64>,
    /// Required limit of the value. Null if the requirement has no limit.
    pub limit: Option<f64>,
    /// Unit of value, limit and distance.
    pub unit: String,
    /// Absolute difference between value and limit. Null if one of them is null.
    pub distance: Option<f64>,
    /// The verdict in words.
    pub reason: String,
}

impl From<&recommend::Criterion> for Criterion {
    fn from(found: &recommend::Criterion) -> Self {
        Self {
            name: CriterionName(found.name.as_str()),
            verdict: found.verdict,
            value: found.value,
            limit: found.limit,
            unit: found.unit.clone(),
            distance: found.distance(),
            reason: found.reason.clone(),
        }
    }
}

/// A profile with settings, and its verdict.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(rename = "Recommended")]
pub struct Candidate {
    /// Link profile.
    pub link: String,
    /// Payload, bytes. Null if the link has no messages.
    pub size: Option<usize>,
    /// Settings in the syntax of `--set`: first the settings required of all links, then the
    /// settings of this candidate.
    #[serde(serialize_with = "in_order")]
    #[schemars(with = "std::collections::BTreeMap<String, String>")]
    pub settings: Vec<(String, String)>,
    /// Whether the profile is current good practice. False for a profile of a published measurement.
    pub good_practice: bool,
    /// Whether `settings` contains more than the settings required of all links.
    pub tuned: bool,
    /// Names of the settings beyond those required of all links.
    pub tuned_settings: Vec<String>,
    /// Disadvantages of these settings other than latency, in words.
    pub gives_up: Vec<&'static str>,
    /// Whether the candidate meets all requirements.
    pub verdict: Verdict,
    /// Reason for the verdict, in words.
    pub reason: String,
    /// Verdict on each requirement.
    pub criteria: Vec<Criterion>,
    /// Lower bound of the latency, ns. Null if not known.
    pub floor_ns: Option<u64>,
    /// Results on the virtual bench. Null if the candidate was not simulated.
    pub seen: Option<Seen>,
    /// Regulatory verdict of the required region. Null without a required region, and for a link without a
    /// radio.
    pub law: Option<Law>,
    /// Command line that reproduces the result.
    pub command: Vec<String>,
}

fn in_order<S: Serializer>(pairs: &[(String, String)], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(pairs.iter().map(|(name, value)| (name, value)))
}

/// Results of a candidate on the bench.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(rename = "RecommendedRun")]
pub struct Seen {
    /// Messages sent.
    pub triggers: usize,
    /// Messages with a known outcome.
    pub n: usize,
    /// Messages that met the deadline.
    pub in_time: Proportion,
    /// Lost messages.
    pub lost: Proportion,
    /// Median latency.
    pub p50_ns: Quantile,
    /// Latency at the required percentile.
    pub quantile_ns: Quantile,
    /// Longest latency of a few messages sent one at a time, ns.
    pub service_ns: Option<u64>,
    /// Largest slice of the message whose latency is the required percentile: the activity that takes the
    /// most time.
    pub largest: Option<Part>,
    /// Fade margin at the deciding location, dB: signal level minus the level at which 1 % of frames are
    /// lost. The deciding location is the simulated location at the quantile that corresponds to the required
    /// share of locations.
    pub fade_margin_db: Option<f64>,
    /// Time between the messages, ns.
    pub period_ns: u64,
    /// Charge and current of both ends. Null without current data, and if charge and current are not limited.
    pub charge: Option<Charge>,
}

/// Part of the messages with a known outcome.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub struct Proportion {
    /// Number of messages.
    pub count: usize,
    /// Share of these messages.
    pub ratio: f64,
    /// The 95 % confidence interval of the share (Wilson).
    pub interval95: ShareInterval,
}

impl Proportion {
    fn of(count: usize, n: usize, interval: (f64, f64)) -> Self {
        Self { count, ratio: count as f64 / n as f64, interval95: interval.into() }
    }
}

/// A quantile over all messages. A lost message counts as slower than any delivered one.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[schemars(rename = "QuantileOfAll")]
pub struct Quantile {
    /// Value, ns. Null if it falls on a lost message.
    pub ns: Option<f64>,
    /// The 95 % confidence interval, ns.
    pub interval95: IntervalNs,
}

impl From<Among> for Quantile {
    fn from(found: Among) -> Self {
        Self { ns: found.value_ns, interval95: IntervalNs([found.low_ns, found.high_ns]) }
    }
}

impl Seen {
    /// Results of a trial. Returns `None` if no outcome is known.
    fn of(found: &Trial) -> Option<Self> {
        let judgement = found.judgement.as_ref()?;
        let n = judgement.n;
        Some(Self {
            triggers: found.sent,
            n,
            in_time: Proportion::of(judgement.in_time, n, judgement.in_time_interval),
            lost: Proportion::of(judgement.lost, n, judgement.loss_interval),
            p50_ns: judgement.p50.into(),
            quantile_ns: judgement.quantile.into(),
            service_ns: found.service.map(Duration::as_ns),
            largest: found.largest.map(|one| Part::of(one.label, one.ns)),
            fade_margin_db: found.fade_margin_db,
            period_ns: found.period.as_ns(),
            charge: Charge::drawn(&found.charge),
        })
    }
}

impl Candidate {
    fn of(found: &recommend::Candidate, question: &Question) -> Self {
        let names = found.settings.iter().map(|(name, _)| name.clone());
        Self {
            link: found.link.clone(),
            size: found.size,
            settings: found.settings.clone(),
            good_practice: found.good_practice,
            tuned: found.tuned > 0,
            tuned_settings: names.skip(found.settings.len() - found.tuned).collect(),
            gives_up: found.gives_up.clone(),
            verdict: found.verdict,
            reason: found.reason.clone(),
            criteria: found.criteria.iter().map(Criterion::from).collect(),
            floor_ns: found.trial.as_ref().map(|one| one.floor_ns).filter(|&ns| ns > 0),
            seen: found.trial.as_ref().and_then(Seen::of),
            law: found.trial.as_ref().and_then(|one| one.law.as_ref()).map(Law::from),
            command: command_of(found, question),
        }
    }
}

/// Default number of messages in a command without a distance.
const USUAL_COUNT: usize = 1_000;
/// Number of random locations in a command with a distance.
const PLACES: usize = 60;

/// Command line that reproduces the result of a candidate. Without a distance, the messages are
/// identical. With a distance, the command simulates random locations.
fn command_of(found: &recommend::Candidate, question: &Question) -> Vec<String> {
    let mut words = command::run(&found.link, found.size);
    let mut option = |name: &str, value: String| words.extend([name.to_owned(), value]);
    if let Some(trial) = &found.trial {
        if found.settings.iter().any(|(name, _)| name == "range") {
            option("--count", (PLACES * USUAL_COUNT / 20).to_string());
            option("--places", PLACES.to_string());
        } else if trial.sent != USUAL_COUNT {
            option("--count", trial.sent.to_string());
        }
        if question.period_ns.is_some() {
            option("--period", quantity::exact(trial.period.as_ns()));
        }
    }
    if question.seed != seed() {
        option("--seed", question.seed.to_string());
    }
    if let Some(region) = question.region {
        option("--region", airlag_law::Region::from(region).as_str().to_owned());
    }
    for (name, value) in &found.settings {
        option("--set", format!("{name}={value}"));
    }
    words
}

/// Progress steps per second of work.
const STEPS: f64 = 1e3;

/// Evaluates every link with its possible settings. `progress` is called with the work done so far and the
/// total work expected, both in milliseconds of one core. After an interruption, links without a verdict are
/// reported as undecided.
///
/// # Errors
///
/// [`Error`] for an unknown battery and a requirement out of range. The errors of [`contenders`] are
/// returned too.
pub fn answer(question: &Question, progress: Progress<'_>) -> Result<Answered<Answer>, Error> {
    question.check()?;
    let task = question.task()?;
    let contenders = contenders(registry::all()?, &task)?;
    let found = recommend(&contenders, &task, &|spent, foreseen| {
        progress((spent * STEPS) as u64, (foreseen * STEPS).ceil().max(1.0) as u64);
    });
    let complete = question.complete();
    Ok(Answered::plain(Answer {
        requirements: complete.in_words(),
        task: complete,
        candidates: found.candidates.iter().map(|one| Candidate::of(one, question)).collect(),
        contenders: contenders.len(),
        complete: found.complete,
        work_s: found.work.spent / recommend::search::EVENTS_PER_SECOND,
    }))
}
