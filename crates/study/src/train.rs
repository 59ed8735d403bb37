//! Causes of losses in trains of messages, and remedies with their cost in goodput. A remedy is a pace,
//! selective repeat, or both.

use airlag_rig::carry::{Arrived, Train};
use airlag_rig::profile::Profile;
use airlag_sim::{Duration, Instant};
use schemars::JsonSchema;
use serde::Serialize;

use crate::error::Error;
use crate::trials::{Trials, observed, trials};

/// Where most messages of a train were lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Cause {
    /// Nothing was lost.
    None,
    /// Before the link: its queue was full, and the sending program received an error.
    Refused,
    /// On the link: the sending program received no error.
    OnTheWay,
}

/// Outcome of a train with a remedy: a pace, selective repeat, or both.
#[derive(Clone, Debug, PartialEq)]
pub struct Remedy {
    /// Outcome.
    pub trials: Trials,
    /// Goodput as a share of the goodput of the original train.
    pub goodput_share: f64,
}

/// Outcome of trains, with the cause of losses.
#[derive(Clone, Debug, PartialEq)]
pub struct Explained {
    /// The original trains.
    pub trials: Trials,
    /// Where most messages were lost.
    pub cause: Cause,
    /// Lost messages that were reported to the sending program.
    pub refused: u64,
    /// Lost messages that were not reported to the sending program.
    pub on_the_way: u64,
    /// Mean time between transmissions, ns. `None` for a single message.
    pub handed_every_ns: Option<f64>,
    /// Mean time between arrivals, ns.
    pub arrived_every_ns: Option<f64>,
    /// For each position in the train: mean number of delivered messages that were still in queues or on the
    /// air when the message at this position was sent, including this message.
    pub under_way: Vec<f64>,
    /// The fastest tried pace without losses, selective repeat, and both. Excludes remedies that were already
    /// requested, and those without a significant gain.
    pub remedies: Vec<Remedy>,
}

/// Paces to try, in multiples of the mean time between arrivals. A faster pace only fills the queue
/// later, so that a longer train would lose messages again.
const PACES: [f64; 7] = [1.0, 1.02, 1.05, 1.1, 1.25, 1.5, 2.0];

/// Sends a train `count` times with consecutive seeds from `seed`, and again with remedies if messages were
/// lost. `done` is called after each train.
///
/// # Errors
///
/// Returns the errors of a run.
pub fn explain_train(
    profile: &Profile,
    train: Train,
    count: u32,
    seed: u64,
    mut done: impl FnMut(),
) -> Result<Explained, Error> {
    let mut seen = Seen::new(train.count as usize);
    let asked = observed(profile, train, count, seed, |arrived| {
        seen.add(arrived);
        done();
    })?;
    let lost: u64 = asked.positions.lost.iter().map(|&many| u64::from(many)).sum();
    let refused = asked.each.iter().map(|one| u64::from(one.refused)).sum();
    let on_the_way = lost.saturating_sub(refused);
    let cause = match lost {
        0 => Cause::None,
        _ if refused >= on_the_way => Cause::Refused,
        _ => Cause::OnTheWay,
    };
    let arrived_every_ns = seen.arrived.mean();
    let mut remedies = Vec::new();
    if lost > 0 {
        let mut again = |train: Train| trials(profile, train, count, seed, &mut done);
        let paced = match arrived_every_ns {
            Some(every_ns) => quickest(train, every_ns, &asked, &mut again)?,
            None => None,
        };
        let paced = paced.filter(|trials| better(trials, &asked));
        let pace = paced.as_ref().and_then(|trials| trials.train.pace).or(train.pace);
        remedies.extend(paced);
        // Selective repeat needs a return path.
        if !train.repeat && profile.bind()?.ways() == airlag_rig::kind::Ways::Both {
            remedies.push(again(Train { repeat: true, ..train })?);
            if pace != train.pace {
                remedies.push(again(Train { repeat: true, pace, ..train })?);
            }
        }
    }
    let before = asked.kbps();
    let share = |trials: Trials| {
        let goodput_share = if before > 0.0 { trials.kbps() / before } else { 0.0 };
        Remedy { trials, goodput_share }
    };
    let remedies =
        remedies.into_iter().filter(|trials| better(trials, &asked)).map(share).collect();
    Ok(Explained {
        cause,
        refused,
        on_the_way,
        handed_every_ns: seen.handed.mean(),
        arrived_every_ns,
        under_way: seen.under_way(asked.each.len()),
        remedies,
        trials: asked,
    })
}

/// Whether the delivery ratio improved significantly: either everything arrives, or the confidence
/// intervals are disjoint.
fn better(trials: &Trials, before: &Trials) -> bool {
    let apart = match (trials.delivery_interval(), before.delivery_interval()) {
        (Some((low, _)), Some((_, high))) => low > high,
        _ => trials.delivery() > before.delivery(),
    };
    trials.delivery() > before.delivery() && (apart || trials.delivery() >= 1.0)
}

/// The fastest pace without losses or, if there is none, the pace with the best delivery ratio.
/// Returns `None` if all tried paces are faster than the requested pace.
fn quickest(
    train: Train,
    every_ns: f64,
    asked: &Trials,
    again: &mut impl FnMut(Train) -> Result<Trials, Error>,
) -> Result<Option<Trials>, Error> {
    let mut best: Option<Trials> = None;
    for part in PACES {
        let pace = rounded(every_ns * part);
        if train.pace.is_some_and(|own| pace <= own) {
            continue;
        }
        let found = again(Train { pace: Some(pace), ..train })?;
        let all = found.delivery() >= 1.0;
        let so_far = best.as_ref().unwrap_or(asked);
        if found.delivery() > so_far.delivery() {
            best = Some(found);
        }
        if all {
            break;
        }
    }
    Ok(best)
}

/// Rounds a pace to a value that a program would use: to 100 us, or to 1 us for paces below a
/// millisecond.
fn rounded(ns: f64) -> Duration {
    let step = if ns < 1e6 { 1e3 } else { 1e5 };
    Duration::from_ns(((ns / step).ceil() * step) as u64)
}

/// A mean over trains.
#[derive(Default)]
struct Mean {
    sum: f64,
    of: u64,
}

impl Mean {
    /// Adds the time from the first to the last instant, divided into `steps`.
    fn add(&mut self, instants: impl Iterator<Item = Instant> + Clone) {
        let (first, last) = (instants.clone().min(), instants.clone().max());
        if let (Some(first), Some(last)) = (first, last) {
            self.sum += last.since(first).as_ns() as f64;
            self.of += instants.count() as u64 - 1;
        }
    }

    fn mean(&self) -> Option<f64> {
        (self.of > 0).then(|| self.sum / self.of as f64)
    }
}

/// Observations over all trains.
struct Seen {
    handed: Mean,
    arrived: Mean,
    under_way: Vec<u64>,
}

impl Seen {
    fn new(count: usize) -> Self {
        Self { handed: Mean::default(), arrived: Mean::default(), under_way: vec![0; count] }
    }

    fn add(&mut self, arrived: &Arrived) {
        let messages = &arrived.messages;
        self.handed.add(messages.iter().map(|one| one.handed));
        self.arrived.add(messages.iter().filter_map(|one| one.came));
        // Both lists are ascending except for reordering and repeats, so later arrivals are
        // searched backwards.
        let mut came: Vec<Instant> = messages.iter().filter_map(|one| one.came).collect();
        came.sort_unstable();
        let mut begun = 0;
        for (nth, message) in messages.iter().enumerate() {
            begun += u64::from(message.came.is_some());
            let there = came.partition_point(|&at| at <= message.handed) as u64;
            self.under_way[nth] += begun.saturating_sub(there);
        }
    }

    fn under_way(&self, trains: usize) -> Vec<f64> {
        self.under_way.iter().map(|&sum| sum as f64 / trains.max(1) as f64).collect()
    }
}
