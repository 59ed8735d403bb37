//! One run of a campaign, and the point that it is.

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

/// Program of the boards in a campaign.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Program {
    /// A message at each trigger.
    #[default]
    Trigger,
    /// A message that comes back.
    Echo,
    /// Trains of messages.
    BackToBack,
    /// Messages without a pause.
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

    /// Keys of a file that only this program has.
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
    /// Payload, bytes; null where there is no message.
    pub size: Option<u64>,
    /// Triggers, or messages.
    pub count: u64,
    /// Time between triggers, ns; null: 200 ms, or as much longer as the link needs.
    pub period_ns: Option<u64>,
    /// Phase of the triggers.
    pub phase: Phase,
    /// Random seed.
    pub seed: u64,
    /// Constants that are set, as given.
    pub settings: Settings,
    /// Program of the boards.
    pub traffic: Program,
    /// Number of trains.
    pub trials: u64,
    /// Least time from one message of a train to the next, ns; null: none.
    pub pace_ns: Option<u64>,
    /// Whether missing messages of a train are sent again.
    pub repeat: bool,
    /// Offered load as a share of the saturated goodput.
    pub utilisation: Option<f64>,
    /// Line of the chart; null without a question.
    pub series: Option<String>,
    /// Quantity of the horizontal axis; null without a question.
    pub x: Option<String>,
    /// Position on it, in its unit, times in ns; null without a question.
    pub at: Option<At>,
}

/// One run of a campaign that answers a question: a point of a line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "CampaignPoint")]
pub struct Point {
    /// Link profile.
    pub link: String,
    /// Payload, bytes; null where there is no message.
    pub size: Option<u64>,
    /// Random seed.
    pub seed: u64,
    /// Constants that were set, as given.
    pub settings: BTreeMap<String, String>,
    /// Program of the boards.
    pub traffic: Program,
    /// Line of the chart.
    pub series: String,
    /// Quantity of the horizontal axis.
    pub x: String,
    /// Position of the point on it, in its unit; times in ns.
    pub at: At,
    /// Messages with a known outcome.
    pub sent: u64,
    /// Messages of these that did not arrive.
    pub lost: u64,
    /// Latency; null where nothing arrived, and for traffic without a latency.
    pub latency_ns: Option<Latency>,
    /// Time from one arrival to the next with saturated traffic; else null.
    pub gap_ns: Option<Latency>,
    /// Time from the first message of a train to the last arrival; else null.
    pub completion_ns: Option<Latency>,
    /// Mean position of the lost messages in their train, from 0 to 1; null where none was lost.
    pub lost_position: Option<f64>,
    /// User data that arrived, kbit/s; null where triggers space the messages.
    pub goodput_kbps: Option<f64>,
    /// Counts of named events.
    pub incidents: BTreeMap<String, u64>,
}

/// Runs one point of a campaign.
///
/// # Errors
///
/// Those of the question that its program is, and a run without a question or without bytes.
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
        let line = format!("{link}: carries no bytes, so no {program}; choose a link");
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
