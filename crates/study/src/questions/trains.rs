//! Trains of back-to-back messages: the questions, and their answers as printed by `--json`.

mod in_words;

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

/// Trains of back-to-back messages.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "TrainQuestion")]
pub struct Question {
    /// Link profile.
    pub link: String,
    /// Payload, bytes.
    #[serde(default = "size")]
    pub size: usize,
    /// Number of messages per train.
    #[serde(default = "count")]
    pub count: u32,
    /// Number of trains, with consecutive random seeds.
    #[serde(default = "trains")]
    pub trials: u32,
    /// Shortest time between messages, ns. Null means as fast as the program and its link can send.
    #[serde(default)]
    pub pace_ns: Option<u64>,
    /// Whether to use selective repeat: missing messages are sent again until all have arrived.
    #[serde(default)]
    pub repeat: bool,
    /// Random seed of the first train.
    #[serde(default = "seed")]
    pub seed: u64,
    /// Profile parameters to change, by name. Values are text in the syntax of `--set`.
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

/// Program that sends the trains.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(rename = "TrainTraffic")]
pub enum Traffic {
    /// Messages one after the other, regardless of their outcome.
    BackToBack,
}

/// Trains of back-to-back messages, and their outcome.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(rename = "Burst")]
pub struct Answer {
    /// Link profile.
    pub link: String,
    /// Payload, bytes.
    pub size: usize,
    /// Random seed of the first train. Later trains use consecutive seeds.
    pub seed: u64,
    /// Changed profile parameters, by name. Values are text in the syntax of `--set`.
    pub settings: Settings,
    /// The sending program.
    pub traffic: Traffic,
    /// Number of messages per train.
    pub count: u32,
    /// The outcome.
    #[serde(flatten)]
    pub sent: Sent,
    /// Events that the link model counts, such as `retry`: number of occurrences by name.
    pub incidents: BTreeMap<&'static str, u32>,
}

/// Outcome of trains.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Sent {
    /// Pace: shortest time between two messages, ns. Null means that messages are sent back to back.
    pub pace_ns: Option<u64>,
    /// Whether missing messages were sent again until all had arrived.
    pub repeat: bool,
    /// Delivery ratio.
    pub delivery: f64,
    /// The 95 % confidence interval of the delivery ratio, from the variation between trains. Null for a
    /// single train.
    pub delivery_interval: Option<(f64, f64)>,
    /// Goodput, kbit/s: delivered user data divided by the time from the start of a train to its last
    /// arrival.
    pub goodput_kbps: f64,
    /// Number of frames per message, all of which must arrive. Null if the link does not fragment.
    pub fragments: Option<u64>,
    /// For each position in a train: number of trains in which the message at this position was lost.
    pub lost_at: Vec<u32>,
    /// Position of the lost messages in their train. Null if nothing or everything was lost.
    pub position: Option<Position>,
    /// Outcome of each train.
    pub trials: Vec<Trial>,
}

/// Position of the lost messages: 0 is the first message of a train, 1 the last.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Position {
    /// Mean position of the lost messages.
    pub mean: f64,
    /// Interval that contains this mean with a probability of 95 % if losses are independent.
    pub independent: (f64, f64),
    /// Probability of a mean at least this far from the middle if losses are independent.
    pub p: f64,
    /// Part of the train that loses messages, at 95 % confidence.
    pub which: Which,
    /// Whether losses depend on the position, in words.
    pub text: String,
}

/// Part of a train that loses messages.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Which {
    /// The beginning.
    Earlier,
    /// The end.
    Later,
    /// No particular part: losses do not depend on the position.
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
        let Shift { mean, independent, p, .. } = *shift;
        let found = Self { mean, independent, p, which, text: String::new() };
        Self { text: in_words::position(&found), ..found }
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
/// [`Error`] for an unknown profile or setting. The errors of [`trials`](crate::trials()) are
/// returned too.
pub fn answer(question: &Question, progress: Progress<'_>) -> Result<Answered<Answer>, Error> {
    let Bound { profile, .. } = Bound::of(&question.link, &question.settings)?;
    let &Question { trials: many, seed, .. } = question;
    let steps = Steps::new(progress, many as usize);
    let found = trials(&profile, question.train(), many, seed, || steps.step())?;
    Ok(Answered::plain(Answer::of(question, &found)))
}

/// Results of trains of back-to-back messages, with causes of losses and remedies.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(rename = "ExplainedBurst")]
pub struct Explanation {
    /// The trains.
    #[serde(flatten)]
    pub burst: Answer,
    /// Where most messages were lost.
    pub cause: Cause,
    /// The cause in words.
    pub cause_text: String,
    /// Send interval and arrival interval in words. Null if one of them is unknown.
    pub rate_text: Option<String>,
    /// Messages in flight along the train, in words. Null for a train of fewer than five messages.
    pub queue_text: Option<String>,
    /// Lost messages that were reported to the sending program.
    pub refused: u64,
    /// Lost messages that were not reported to the sending program.
    pub on_the_way: u64,
    /// Mean time between sent messages, ns. Null for trains of a single message.
    pub handed_every_ns: Option<f64>,
    /// Mean time between arrivals, ns. Null if no train has two arrivals.
    pub arrived_every_ns: Option<f64>,
    /// For each position in a train: mean number of messages in flight when the message at this position was
    /// sent, including this message. Lost messages are not counted.
    pub under_way: Vec<f64>,
    /// Results of the same trains with a remedy: with a pace, with selective repeat, or with both.
    pub remedies: Vec<Remedy>,
}

/// Results of the same trains with a remedy, and the cost of the remedy in goodput.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Remedy {
    /// The outcome.
    #[serde(flatten)]
    pub sent: Sent,
    /// Goodput as a share of the goodput of the original trains.
    pub goodput_share: f64,
    /// Command-line options of the remedy.
    pub options: String,
    /// Effect of the remedy in words.
    pub text: String,
}

impl Explanation {
    fn of(question: &Question, found: Explained) -> Self {
        let burst = Answer::of(question, &found.trials);
        let remedy = |one: &train::Remedy| {
            let (sent, goodput_share) = (Sent::from(&one.trials), one.goodput_share);
            let (options, text) = in_words::remedy(&burst, &sent, goodput_share);
            Remedy { sent, goodput_share, options, text }
        };
        Self {
            remedies: found.remedies.iter().map(remedy).collect(),
            cause_text: in_words::cause(&found, &burst.sent.lost_at),
            rate_text: in_words::rate(&found),
            queue_text: in_words::queue(&found),
            burst,
            cause: found.cause,
            refused: found.refused,
            on_the_way: found.on_the_way,
            handed_every_ns: found.handed_every_ns,
            arrived_every_ns: found.arrived_every_ns,
            under_way: found.under_way,
        }
    }
}

/// Sends the trains. If messages are lost, repeats them with each remedy. Progress is one step per
/// train.
///
/// # Errors
///
/// [`Error`] for an unknown profile or setting. The errors of [`explain_train`] are returned too.
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
