//! Offered loads on a link: the question, and its answer as printed by `--json`.

use std::collections::BTreeMap;

use airlag_kinds::calls::request::Call;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::bench::{Bound, Settings};
use super::goodput::{Carried, Saturated, seed, size};
use super::steps::Steps;
use crate::answers::latency::Latency;
use crate::error::Error;
use crate::load::{self, Arrivals, LADDER, Rate, Task, load};
use crate::question::Answered;
use crate::question::Progress;

/// Link and offered loads for which to measure latency, queueing and loss.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "LoadQuestion")]
pub struct Question {
    /// Link profile.
    pub link: String,
    /// Payload, bytes. For `rpc-stream` and `rpc-upload`: number of items per call.
    #[serde(default = "size")]
    pub size: usize,
    /// Offered loads, kbit/s of user data. If no load is given, thirteen loads from 0.1 to 3 times the
    /// saturated goodput are used.
    #[serde(default)]
    pub rates_kbps: Vec<f64>,
    /// Offered loads as shares of the saturated goodput.
    #[serde(default)]
    pub utilisations: Vec<f64>,
    /// Capacity of the queue in front of the link, messages.
    #[serde(default = "queue")]
    pub queue: usize,
    /// Arrival process of the messages at the queue.
    #[serde(default)]
    pub arrivals: Arrivals,
    /// Measured messages per load.
    #[serde(default = "count")]
    pub count: usize,
    /// Random seed.
    #[serde(default = "seed")]
    pub seed: u64,
    /// Profile parameters to change, by name. Values are text in the syntax of `--set`.
    #[serde(default)]
    pub settings: Settings,
    /// Traffic of the link: one-way messages, or remote procedure calls of one method.
    #[serde(default)]
    pub traffic: Carried,
}

const fn queue() -> usize {
    64
}

const fn count() -> usize {
    1_000
}

impl Question {
    /// Creates a question about messages of `size` bytes over `link` at the default loads.
    #[must_use]
    pub fn of(link: &str, size: usize) -> Self {
        Self {
            link: link.to_owned(),
            size,
            rates_kbps: Vec::new(),
            utilisations: Vec::new(),
            queue: queue(),
            arrivals: Arrivals::default(),
            count: count(),
            seed: seed(),
            settings: Settings::new(),
            traffic: Carried::default(),
        }
    }

    fn task(&self) -> Task {
        let kbps = self.rates_kbps.iter().copied().map(Rate::Kbps);
        let shares = self.utilisations.iter().copied().map(Rate::Utilisation);
        let mut rates: Vec<Rate> = kbps.chain(shares).collect();
        if rates.is_empty() {
            rates = LADDER.map(Rate::Utilisation).to_vec();
        }
        let &Self { size, queue, arrivals, count, seed, .. } = self;
        let exchange = self.traffic.call().map(Call::traffic);
        Task { exchange, size, rates, room: queue, arrivals, count, seed }
    }
}

/// Latency, queueing and loss of a link as functions of the offered load.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(rename = "Load")]
pub struct Answer {
    /// Saturated goodput of the link.
    #[serde(flatten)]
    pub saturated: Saturated,
    /// Capacity of the queue in front of the link, messages.
    pub queue: usize,
    /// Arrival process of the messages at the queue.
    pub arrivals: Arrivals,
    /// Results at each offered load, lightest load first.
    pub points: Vec<Point>,
    /// Knee: goodput at the largest load that the link carries, kbit/s. The link carries a load if the
    /// delivery ratio is at least 98 % of the best delivery ratio of all loads. Null if it carries all loads,
    /// or not even the lightest.
    pub knee_kbps: Option<f64>,
}

/// Steady-state results at one offered load.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(rename = "LoadPoint")]
pub struct Point {
    /// Offered user data, kbit/s.
    pub offered_kbps: f64,
    /// Delivered user data, kbit/s.
    pub goodput_kbps: f64,
    /// Offered load as a share of the saturated goodput.
    pub utilisation: f64,
    /// Mean queue length over time, messages.
    pub queue_mean: f64,
    /// Number of messages offered.
    pub offered: usize,
    /// Offered messages that did not arrive.
    pub lost: usize,
    /// Lost messages that were dropped because the queue was full.
    pub refused: usize,
    /// Latency from entry into the queue to the other board. Null if nothing arrived.
    pub latency_ns: Option<Latency>,
    /// Total charge drawn by each end per delivered message, nC. An end without current data is absent.
    pub delivered_nc: BTreeMap<&'static str, f64>,
}

impl From<&load::Point> for Point {
    fn from(found: &load::Point) -> Self {
        Self {
            offered_kbps: found.offered_kbps,
            goodput_kbps: found.goodput_kbps,
            utilisation: found.utilisation,
            queue_mean: found.queue_mean,
            offered: found.offered,
            lost: found.refused + found.lost_on_link,
            refused: found.refused,
            latency_ns: Latency::of(&found.latencies_ns),
            delivered_nc: found.delivered_nc.iter().copied().collect(),
        }
    }
}

/// Offers each load to a link. Progress is one step per load.
///
/// # Errors
///
/// [`Error`] for an unknown profile or setting. The errors of [`load`](crate::load()) are returned
/// too.
pub fn answer(question: &Question, progress: Progress<'_>) -> Result<Answered<Answer>, Error> {
    let Bound { profile, .. } = Bound::of(&question.link, &question.settings)?;
    let task = question.task();
    let steps = Steps::new(progress, task.rates.len());
    let found = load(&profile, &task, || steps.step())?;
    let Question { link, size, seed, settings, traffic, .. } = question;
    Ok(Answered::plain(Answer {
        saturated: Saturated::new(link, *size, *seed, settings, *traffic, &found.saturated),
        queue: question.queue,
        arrivals: question.arrivals,
        points: found.points.iter().map(Point::from).collect(),
        knee_kbps: found.knee_kbps,
    }))
}
