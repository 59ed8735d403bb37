//! The question of which link to choose, and its answer as `--json` prints it.

use airlag_kinds::registry;
use airlag_rig::batteries::Battery;
use airlag_rig::propagation;
use airlag_sim::Duration;
use airlag_stats::deadline::{self, Requirement};
use airlag_stats::dist::Among;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize, Serializer};

use super::command;
use super::goodput::seed;
use super::steps::Steps;
use crate::answers::charge::Charge;
use crate::answers::floor::Part;
use crate::answers::latency::IntervalNs;
use crate::answers::law::{Law, Region};
use crate::answers::number::ShareInterval;
use crate::answers::places::Places;
use crate::error::Error;
use crate::question::{Answered, Progress};
use crate::recommend::{self, Lasting, Limits, Task, Verdict, contenders, recommend};

/// Requirements on a link.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Task")]
pub struct Question {
    /// Payload, bytes; null where no link has a message.
    #[serde(default)]
    pub size: Option<usize>,
    /// Deadline, ns.
    pub deadline_ns: i64,
    /// Percent of all messages that must meet the deadline, 50 to 99.99.
    #[serde(default = "percentile")]
    pub percentile: f64,
    /// Largest share of all messages that may be lost, 0.0001 to 0.5.
    #[serde(default = "max_loss")]
    pub max_loss: f64,
    /// Distance between the radios, with its unit; null: beside each other.
    #[serde(default)]
    pub range: Option<String>,
    /// Environment between the radios; null without a range.
    #[serde(default)]
    pub environment: Option<String>,
    /// Share of simulated locations that must meet the deadline, with a range.
    #[serde(default = "places_share")]
    pub places_share: f64,
    /// Other networks on the air; empty: none.
    #[serde(default)]
    pub neighbours: Vec<String>,
    /// Processor on both boards, for their current; null: as measured.
    #[serde(default)]
    pub processor: Option<String>,
    /// Time between messages, ns; null: as the link needs.
    #[serde(default)]
    pub period_ns: Option<u64>,
    /// Random seed.
    #[serde(default = "seed")]
    pub seed: u64,
    /// Profiles to choose from; empty: all.
    #[serde(default)]
    pub links: Vec<String>,
    /// Whether links with a wire count too.
    #[serde(default)]
    pub wired: bool,
    /// Whether to tune settings with a cost besides latency.
    #[serde(default)]
    pub trade: bool,
    /// Region with whose rules the link must comply; null: none.
    #[serde(default)]
    pub region: Option<Region>,
    /// Largest charge per message at the sender, nC; null: any.
    #[serde(default)]
    pub max_charge_nc: Option<f64>,
    /// Battery of the sender; null: CR2032.
    #[serde(default)]
    pub battery: Option<String>,
    /// Required battery life, years; null: any.
    #[serde(default)]
    pub battery_years: Option<f64>,
    /// Message rate for the battery life, 1/s.
    #[serde(default = "per_second")]
    pub per_second: f64,
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

/// One message a minute.
const fn per_second() -> f64 {
    1.0 / 60.0
}

/// The battery where a life is required and no battery named.
const USUAL_BATTERY: &str = "CR2032";

impl Question {
    fn limits(&self) -> Result<Limits, Error> {
        let lasting = |years| {
            let name = self.battery.as_deref().unwrap_or(USUAL_BATTERY);
            let battery = Battery::find(name)?;
            Ok::<_, Error>(Lasting { battery, years, per_second: self.per_second })
        };
        let life = self.battery_years.map(lasting).transpose()?;
        Ok(Limits { charge_nc: self.max_charge_nc, life })
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
            period: self.period_ns.map(Duration::from_ns),
            seed,
            links: self.links.clone(),
            wired: self.wired,
            trade: self.trade,
            region: self.region.map(Into::into),
            limits: self.limits()?,
        })
    }

    /// The question with the environment that counts.
    fn told(&self) -> Self {
        let usual = || propagation::USUAL.to_owned();
        let between = self.environment.clone().unwrap_or_else(usual);
        Self { environment: self.range.is_some().then_some(between), ..self.clone() }
    }
}

/// Requirements, and every candidate for them.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(rename = "Recommendation")]
pub struct Answer {
    /// The requirements.
    pub task: Question,
    /// Candidates, the best first.
    pub candidates: Vec<Candidate>,
    /// Number of profiles to judge.
    pub contenders: usize,
}

/// A profile with some settings, and how it does.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(rename = "Recommended")]
pub struct Candidate {
    /// Link profile.
    pub link: String,
    /// Payload, bytes; null where there is no message.
    pub size: Option<usize>,
    /// Settings as `--set` takes them: where the radios stand, then those that tune the link.
    #[serde(serialize_with = "in_order")]
    #[schemars(with = "std::collections::BTreeMap<String, String>")]
    pub settings: Vec<(String, String)>,
    /// Whether any of the settings tunes the link.
    pub tuned: bool,
    /// Names of the settings that tune the link.
    pub tuned_settings: Vec<String>,
    /// Costs of these settings besides latency.
    pub gives_up: Vec<&'static str>,
    /// The verdict.
    pub verdict: Verdict,
    /// Its reason in words.
    pub reason: String,
    /// Lower bound of the latency, ns; null: not known.
    pub floor_ns: Option<u64>,
    /// Results on the bench; null where it was not run.
    pub seen: Option<Seen>,
    /// Verdict of the region; null without one.
    pub law: Option<Law>,
    /// Command line that runs it again.
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
    /// Messages of these with a known outcome.
    pub n: usize,
    /// Messages that met the deadline.
    pub in_time: Proportion,
    /// Messages that were lost.
    pub lost: Proportion,
    /// Median latency.
    pub p50_ns: Quantile,
    /// The required percentile of the latency.
    pub quantile_ns: Quantile,
    /// Whether the percentile meets the deadline.
    pub latency: Verdict,
    /// Whether few enough messages are lost.
    pub loss: Verdict,
    /// Longest latency of a few messages sent one at a time, ns.
    pub service_ns: Option<u64>,
    /// Largest slice of the message at the percentile.
    pub largest: Option<Part>,
    /// Variation over simulated locations of the share in time; null where locations are alike.
    pub places: Option<Places>,
    /// Margin of the mean signal over the level with a frame loss of 1 %, dB.
    pub fade_margin_db: Option<f64>,
    /// Charge of the messages; null without current data.
    pub charge: Option<Charge>,
}

/// Some of the messages with a known outcome.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub struct Proportion {
    /// Number of messages.
    pub count: usize,
    /// Their share.
    pub ratio: f64,
    /// The 95 % confidence interval of the share (Wilson). For several simulated locations it
    /// includes the variation between them.
    pub interval95: ShareInterval,
}

impl Proportion {
    fn of(count: usize, n: usize, interval: (f64, f64)) -> Self {
        Self { count, ratio: count as f64 / n as f64, interval95: interval.into() }
    }
}

/// A quantile of all messages; a lost one takes longer than any other.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[schemars(rename = "QuantileOfAll")]
pub struct Quantile {
    /// Its value, ns; null where it is a lost message.
    pub ns: Option<f64>,
    /// The 95 % confidence interval, ns.
    pub interval95: IntervalNs,
}

impl From<Among> for Quantile {
    fn from(found: Among) -> Self {
        Self { ns: found.value_ns, interval95: IntervalNs([found.low_ns, found.high_ns]) }
    }
}

impl From<&recommend::Seen> for Seen {
    fn from(found: &recommend::Seen) -> Self {
        let told = &found.judgement;
        Self {
            triggers: found.triggers,
            n: told.n,
            in_time: Proportion::of(told.in_time, told.n, told.in_time_interval),
            lost: Proportion::of(told.lost, told.n, told.loss_interval),
            p50_ns: told.p50.into(),
            quantile_ns: told.quantile.into(),
            latency: told.latency.into(),
            loss: told.loss.into(),
            service_ns: found.service.map(Duration::as_ns),
            largest: found.largest.map(|one| Part::of(one.label, one.ns)),
            places: found.places.as_ref().map(|at| Places::from(&at.places)),
            fade_margin_db: found.fade_margin_db,
            charge: Charge::drawn(&found.charge),
        }
    }
}

impl From<deadline::Verdict> for Verdict {
    fn from(found: deadline::Verdict) -> Self {
        match found {
            deadline::Verdict::Passes => Self::Passes,
            deadline::Verdict::Close => Self::Close,
            deadline::Verdict::Fails => Self::Fails,
        }
    }
}

impl Candidate {
    fn of(found: &recommend::Candidate, question: &Question) -> Self {
        let names = found.settings.iter().map(|(name, _)| name.clone());
        Self {
            link: found.link.clone(),
            size: found.size,
            settings: found.settings.clone(),
            tuned: found.tuned > 0,
            tuned_settings: names.skip(found.settings.len() - found.tuned).collect(),
            gives_up: found.gives_up.clone(),
            verdict: found.verdict,
            reason: found.reason.clone(),
            floor_ns: (found.floor_ns > 0).then_some(found.floor_ns),
            seen: found.seen.as_ref().map(Seen::from),
            law: found.law.as_ref().map(Law::from),
            command: command_of(found, question),
        }
    }
}

/// The command line that runs a candidate again, message by message the same.
fn command_of(found: &recommend::Candidate, question: &Question) -> Vec<String> {
    let mut words = command::run(&found.link, found.size);
    let mut option = |name: &str, value: String| words.extend([name.to_owned(), value]);
    if let Some(seen) = &found.seen {
        if seen.triggers != recommend::TRIGGERS {
            option("--count", seen.triggers.to_string());
        }
        if let Some(at) = &seen.places {
            option("--places", at.places.count.to_string());
        }
    }
    if let Some(period_ns) = question.period_ns {
        option("--period", command::exact(period_ns));
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

/// Judges every link, and what it can be tuned to. Progress is one step per profile. Interrupted, the
/// answer contains the candidates that are judged.
///
/// # Errors
///
/// Those of [`contenders`], and a battery that does not exist.
pub fn answer(question: &Question, progress: Progress<'_>) -> Result<Answered<Answer>, Error> {
    let task = question.task()?;
    let contenders = contenders(registry::all()?, &task)?;
    let steps = Steps::new(progress, contenders.len());
    let found = recommend(&contenders, &task, || steps.step());
    Ok(Answered::plain(Answer {
        task: question.told(),
        candidates: found.iter().map(|one| Candidate::of(one, question)).collect(),
        contenders: contenders.len(),
    }))
}
