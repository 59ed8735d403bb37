//! The questions of trains of messages, and their answers as `--json` prints them.

use std::collections::BTreeMap;

use airlag_rig::carry;
use airlag_sim::Duration;
use airlag_stats::position::Shift;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::bench::{Bound, Settings};
use super::goodput::{seed, size};
use super::steps::Steps;
use crate::error::Error;
use crate::question::Answered;
use crate::question::Progress;
use crate::train::{self, Cause, Explained, explain_train};
use crate::trials::{Trial, Trials, trials};

/// Trains of messages back to back.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "TrainQuestion")]
pub struct Question {
    /// Link profile.
    pub link: String,
    /// Payload, bytes.
    #[serde(default = "size")]
    pub size: usize,
    /// Messages of a train.
    #[serde(default = "count")]
    pub count: u32,
    /// Number of trains, each with the next random seed.
    #[serde(default = "trains")]
    pub trials: u32,
    /// Least time from one message to the next, ns; null: as fast as the program and its link can.
    #[serde(default)]
    pub pace_ns: Option<u64>,
    /// Selective repeat: missing messages are sent again until all have arrived.
    #[serde(default)]
    pub repeat: bool,
    /// Random seed of the first train.
    #[serde(default = "seed")]
    pub seed: u64,
    /// Constants that differ from the profile.
    #[serde(default)]
    pub settings: Settings,
}

const fn count() -> u32 {
    100
}

const fn trains() -> u32 {
    10
}

impl Question {
    fn train(&self) -> carry::Train {
        let pace = self.pace_ns.map(Duration::from_ns);
        carry::Train { size: self.size, count: self.count, pace, repeat: self.repeat }
    }
}

/// What was sent: the program of a run of trains.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(rename = "TrainTraffic")]
pub enum Traffic {
    /// Messages one after the other, whatever their outcome.
    BackToBack,
}

/// Trains of messages back to back, and which of them arrived.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(rename = "Burst")]
pub struct Answer {
    /// Link profile.
    pub link: String,
    /// Payload, bytes.
    pub size: usize,
    /// Random seed of the first train; the others count on from it.
    pub seed: u64,
    /// Constants that differ from the profile, as given.
    pub settings: Settings,
    /// The program.
    pub traffic: Traffic,
    /// Messages of a train.
    pub count: u32,
    /// The outcome.
    #[serde(flatten)]
    pub sent: Sent,
    /// Named events, with counts.
    pub incidents: BTreeMap<&'static str, u32>,
}

/// The outcome of trains.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Sent {
    /// Least time from one message to the next, ns; null: none.
    pub pace_ns: Option<u64>,
    /// Whether missing messages were sent again until all had arrived.
    pub repeat: bool,
    /// Share of the messages that arrived.
    pub delivery: f64,
    /// 95 % confidence interval, from the spread over trains; null for a single train.
    pub delivery_interval: Option<(f64, f64)>,
    /// User data that arrived, kbit/s of the time until the last arrival of a train.
    pub goodput_kbps: f64,
    /// Frames of a message, any of which loses it; null where the link does not fragment.
    pub fragments: Option<u64>,
    /// By position: trains in which the message was lost.
    pub lost_at: Vec<u32>,
    /// Position of the losses; null if nothing was lost, or everything.
    pub position: Option<Position>,
    /// Each train.
    pub trials: Vec<Trial>,
}

/// Position of the lost messages: 0 is the first of a train, 1 the last.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Position {
    /// Mean position of the lost messages.
    pub mean: f64,
    /// Its 95 % interval if losses are independent.
    pub independent: (f64, f64),
    /// Probability that independent losses are as far from the middle.
    pub p: f64,
    /// Which messages are lost, with 95 % confidence.
    pub which: Which,
}

/// Which messages of a train are lost.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Which {
    /// Those at its beginning.
    Earlier,
    /// Those at its end.
    Later,
    /// Any: as independent losses would be.
    Any,
}

impl From<&Shift> for Position {
    fn from(shift: &Shift) -> Self {
        use airlag_stats::position::Which as Found;
        let which = match shift.which() {
            Found::Earlier => Which::Earlier,
            Found::Later => Which::Later,
            Found::Any => Which::Any,
        };
        Self { mean: shift.mean, independent: shift.independent, p: shift.p, which }
    }
}

impl From<&Trials> for Sent {
    fn from(found: &Trials) -> Self {
        Self {
            pace_ns: found.train.pace.map(Duration::as_ns),
            repeat: found.train.repeat,
            delivery: found.delivery(),
            delivery_interval: found.delivery_interval(),
            goodput_kbps: found.kbps(),
            fragments: found.fragments,
            lost_at: found.positions.lost.clone(),
            position: found.positions.shift.as_ref().map(Position::from),
            trials: found.each.clone(),
        }
    }
}

impl Answer {
    fn of(question: &Question, found: &Trials) -> Self {
        Self {
            link: question.link.clone(),
            size: question.size,
            seed: question.seed,
            settings: question.settings.clone(),
            traffic: Traffic::BackToBack,
            count: question.count,
            sent: Sent::from(found),
            incidents: found.incidents.clone(),
        }
    }
}

/// Sends the trains. Progress is one step per train.
///
/// # Errors
///
/// Those of [`trials`](crate::trials()), and a profile or a setting that does not exist.
pub fn answer(question: &Question, progress: Progress<'_>) -> Result<Answered<Answer>, Error> {
    let Bound { profile, .. } = Bound::of(&question.link, &question.settings)?;
    let &Question { trials: many, seed, .. } = question;
    let steps = Steps::new(progress, many as usize);
    let found = trials(&profile, question.train(), many, seed, || steps.step())?;
    Ok(Answered::plain(Answer::of(question, &found)))
}

/// Trains of messages back to back, why some did not arrive, and remedies.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(rename = "ExplainedBurst")]
pub struct Explanation {
    /// The trains.
    #[serde(flatten)]
    pub burst: Answer,
    /// Where most messages were lost.
    pub cause: Cause,
    /// Lost messages of which the sending program was told.
    pub refused: u64,
    /// Lost messages of which it was not.
    pub on_the_way: u64,
    /// Mean time from one transmission to the next, ns.
    pub handed_every_ns: Option<f64>,
    /// Mean time from one arrival to the next, ns.
    pub arrived_every_ns: Option<f64>,
    /// By position: messages sent by then that arrived later, averaged over the trains.
    pub under_way: Vec<f64>,
    /// The same trains with a pace, with selective repeat, and with both.
    pub remedies: Vec<Remedy>,
}

/// The same trains sent in another way, and the cost in goodput.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Remedy {
    /// The outcome.
    #[serde(flatten)]
    pub sent: Sent,
    /// Goodput as a share of that of the explained trains.
    pub goodput_share: f64,
}

impl Explanation {
    fn of(question: &Question, found: Explained) -> Self {
        let remedy = |one: &train::Remedy| Remedy {
            sent: Sent::from(&one.trials),
            goodput_share: one.goodput_share,
        };
        Self {
            burst: Answer::of(question, &found.trials),
            cause: found.cause,
            refused: found.refused,
            on_the_way: found.on_the_way,
            handed_every_ns: found.handed_every_ns,
            arrived_every_ns: found.arrived_every_ns,
            under_way: found.under_way,
            remedies: found.remedies.iter().map(remedy).collect(),
        }
    }
}

/// Sends the trains, and again with each remedy if messages were lost. Progress is one step per train.
///
/// # Errors
///
/// Those of [`explain_train`], and a profile or a setting that does not exist.
pub fn explain(
    question: &Question,
    progress: Progress<'_>,
) -> Result<Answered<Explanation>, Error> {
    let Bound { profile, .. } = Bound::of(&question.link, &question.settings)?;
    let &Question { trials: many, seed, .. } = question;
    let steps = Steps::new(progress, many as usize);
    let found = explain_train(&profile, question.train(), many, seed, || steps.step())?;
    Ok(Answered::plain(Explanation::of(question, found)))
}
