//! One run of a campaign, and its result as a point.

use std::collections::BTreeMap;

use airlag_stats::Outcome;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::answers::latency::Latency;
use crate::answers::traffic::{Phase, Traffic};
use crate::error::Error;
use crate::question::{Answered, SILENT};
use crate::questions::bench::Settings;
use crate::questions::{goodput, load, run, trains};

/// Traffic of a campaign run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Program {
    /// A one-way message at each trigger.
    #[default]
    Trigger,
    /// A message and its echo at each trigger.
    Echo,
    /// Trains of back-to-back messages.
    BackToBack,
    /// Saturated traffic.
    Goodput,
    /// Messages at an offered load.
    Load,
}

impl Program {
    pub(super) const ALL: [Self; 5] =
        [Self::Trigger, Self::Echo, Self::BackToBack, Self::Goodput, Self::Load];

    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Trigger => "trigger",
            Self::Echo => "echo",
            Self::BackToBack => "back-to-back",
            Self::Goodput => "goodput",
            Self::Load => "load",
        }
    }

    /// Keys of a file that apply only to this traffic.
    pub(super) const fn options(self) -> &'static [&'static str] {
        match self {
            Self::BackToBack => &["trials", "pace", "repeat"],
            Self::Load => &["utilisation"],
            Self::Trigger | Self::Echo | Self::Goodput => &[],
        }
    }
}

/// Position of a point on the horizontal axis.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
#[schemars(inline)]
pub enum At {
    /// A number.
    Number(f64),
    /// A category.
    Text(String),
}

/// One run of a campaign.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "CampaignWork")]
pub struct Work {
    /// Link profile.
    pub link: String,
    /// Payload, bytes. Null if the link has no messages.
    pub size: Option<u64>,
    /// Number of triggers or messages.
    pub count: u64,
    /// Time between triggers, ns. Null means 200 ms, or longer if the link needs it.
    pub period_ns: Option<u64>,
    /// Phase of the triggers.
    pub phase: Phase,
    /// Random seed.
    pub seed: u64,
    /// Changed profile parameters, by name. Values are text in the syntax of `--set`.
    pub settings: Settings,
    /// Traffic.
    pub traffic: Program,
    /// Number of trains.
    pub trials: u64,
    /// Pace: shortest time between two messages of a train, ns. Null means that messages are sent back to
    /// back.
    pub pace_ns: Option<u64>,
    /// Whether missing messages of a train are retransmitted.
    pub repeat: bool,
    /// Offered load as a share of the saturated goodput.
    pub utilisation: Option<f64>,
    /// Name of the line in the chart. Null without a question.
    pub series: Option<String>,
    /// Quantity of the horizontal axis. Null without a question.
    pub x: Option<String>,
    /// Position on the axis, in the unit of the axis. Times are in ns. Null without a question.
    pub at: Option<At>,
}

/// One measured run of a campaign with a question: one point of a line in the chart.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "CampaignPoint")]
pub struct Point {
    /// Link profile.
    pub link: String,
    /// Payload, bytes. Null if the link has no messages.
    pub size: Option<u64>,
    /// Random seed.
    pub seed: u64,
    /// Changed profile parameters, by name. Values are text in the syntax of `--set`.
    pub settings: BTreeMap<String, String>,
    /// Traffic.
    pub traffic: Program,
    /// Name of the line in the chart.
    pub series: String,
    /// Quantity of the horizontal axis.
    pub x: String,
    /// Position of the point on the axis, in the unit of the axis. Times are in ns.
    pub at: At,
    /// Messages with a known outcome.
    pub sent: u64,
    /// Messages that did not arrive.
    pub lost: u64,
    /// Latency. Null if nothing arrived, and for traffic without a latency.
    pub latency_ns: Option<Latency>,
    /// Time between consecutive arrivals of saturated traffic. Null for other traffic.
    pub gap_ns: Option<Latency>,
    /// Time from the first message of a train to its last arrival. Null for other traffic.
    pub completion_ns: Option<Latency>,
    /// Mean position of the lost messages in their train, from 0 to 1. Null without losses.
    pub lost_position: Option<f64>,
    /// Delivered user data, kbit/s. Null if the triggers determine the rate.
    pub goodput_kbps: Option<f64>,
    /// Events that the link model counts, such as `retry`: number of occurrences by name.
    pub incidents: BTreeMap<String, u64>,
}

/// Runs one point of a campaign.
///
/// # Errors
///
/// [`Error`] for a run without a question or without a payload. The errors of the question for its
/// traffic are returned too.
pub fn point(work: &Work) -> Result<Answered<Point>, Error> {
    let (Some(series), Some(x), Some(at)) = (&work.series, &work.x, &work.at) else {
        let cause = "a point needs `series`, `x` and `at`".to_owned();
        return Err(Error::Question { cause });
    };
    let point = Point {
        link: work.link.clone(),
        size: work.size,
        seed: work.seed,
        settings: work.settings.clone(),
        traffic: work.traffic,
        series: series.clone(),
        x: x.clone(),
        at: at.clone(),
        sent: 0,
        lost: 0,
        latency_ns: None,
        gap_ns: None,
        completion_ns: None,
        lost_position: None,
        goodput_kbps: None,
        incidents: BTreeMap::new(),
    };
    let bytes = || {
        let (link, program) = (&work.link, work.traffic.name());
        let line =
            format!("{link}: carries no payload, so {program} does not apply; choose a link");
        work.size.map(|size| size as usize).ok_or(Error::Plan { line })
    };
    Ok(Answered::plain(match work.traffic {
        Program::Trigger => triggered(work, Traffic::Trigger, point)?,
        Program::Echo => triggered(work, Traffic::Echo, point)?,
        Program::BackToBack => trains(work, bytes()?, point)?,
        Program::Goodput => saturated(work, bytes()?, point)?,
        Program::Load => loaded(work, bytes()?, point)?,
    }))
}

fn counts<S: AsRef<str>>(incidents: &BTreeMap<S, u32>) -> BTreeMap<String, u64> {
    incidents.iter().map(|(name, &times)| (name.as_ref().to_owned(), times.into())).collect()
}

fn triggered(work: &Work, traffic: Traffic, point: Point) -> Result<Point, Error> {
    let answered = run::answer(&run::Question {
        count: work.count as usize,
        period_ns: work.period_ns,
        phase: work.phase,
        seed: work.seed,
        settings: work.settings.clone(),
        traffic,
        findings: false,
        ..run::Question::of(&work.link, work.size.map(|size| size as usize))
    })?;
    let outcomes = answered.evidence.iter().filter_map(|one| one.transfers.as_ref());
    let outcomes: Vec<Outcome> = outcomes.flat_map(|one| one.outcome.iter().copied()).collect();
    let of = |outcome| outcomes.iter().filter(|&&one| one == outcome).count() as u64;
    let known = outcomes.len() as u64 - of(Outcome::Censored);
    let run = answered.answer.into_iter().next();
    Ok(Point {
        sent: known,
        lost: of(Outcome::Lost),
        latency_ns: run.as_ref().and_then(|one| one.run.transfers.latency_ns.clone()),
        incidents: run.map(|one| counts(&one.facts.incidents)).unwrap_or_default(),
        ..point
    })
}

fn trains(work: &Work, size: usize, point: Point) -> Result<Point, Error> {
    let question = trains::Question {
        link: work.link.clone(),
        size,
        count: work.count as u32,
        trials: work.trials as u32,
        pace_ns: work.pace_ns,
        repeat: work.repeat,
        seed: work.seed,
        settings: work.settings.clone(),
    };
    let trains::Answer { sent, incidents, .. } = trains::answer(&question, SILENT)?.answer;
    let arrived = sent.trials.iter().filter(|one| one.delivered > 0);
    let elapsed: Vec<i64> = arrived.map(|one| one.elapsed_ns as i64).collect();
    Ok(Point {
        sent: work.count * work.trials,
        lost: sent.lost_at.iter().map(|&lost| u64::from(lost)).sum(),
        completion_ns: Latency::of(&elapsed),
        lost_position: sent.position.map(|position| position.mean),
        goodput_kbps: Some(sent.goodput_kbps),
        incidents: counts(&incidents),
        ..point
    })
}

fn saturated(work: &Work, size: usize, point: Point) -> Result<Point, Error> {
    let found = goodput::answer(&goodput::Question {
        link: work.link.clone(),
        size,
        count: work.count,
        seed: work.seed,
        settings: work.settings.clone(),
        traffic: goodput::Carried::Trigger,
    })?;
    let goodput::Answer { saturated, gap_ns, incidents, .. } = found.answer;
    Ok(Point {
        sent: saturated.delivered + saturated.lost,
        lost: saturated.lost,
        gap_ns,
        goodput_kbps: Some(saturated.goodput_kbps),
        incidents: counts(&incidents),
        ..point
    })
}

fn loaded(work: &Work, size: usize, point: Point) -> Result<Point, Error> {
    let asked = load::Question {
        count: work.count as usize,
        seed: work.seed,
        settings: work.settings.clone(),
        utilisations: work.utilisation.into_iter().collect(),
        ..load::Question::of(&work.link, size)
    };
    let found = load::answer(&asked, SILENT)?.answer.points.into_iter().next();
    let Some(found) = found else { return Ok(point) };
    Ok(Point {
        sent: found.offered as u64,
        lost: found.lost as u64,
        latency_ns: found.latency_ns,
        goodput_kbps: Some(found.goodput_kbps),
        ..point
    })
}
