//! Why messages of a train do not arrive, and what makes them: a pace, repeats, or both, and what
//! each costs in goodput.

use airlag_rig::carry::{Arrived, Train};
use airlag_rig::profile::Profile;
use airlag_sim::{Duration, Instant};
use schemars::JsonSchema;
use serde::Serialize;

use crate::error::Error;
use crate::trials::{Trials, observed, trials};

/// Where most of the lost messages were lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Cause {
    /// Nothing was lost.
    None,
    /// In front of the link: its queue was full, and the sending program was told.
    Refused,
    /// On the way: the sending program was not told.
    OnTheWay,
}

/// A train sent in another way.
#[derive(Clone, Debug, PartialEq)]
pub struct Remedy {
    /// What became of it.
    pub trials: Trials,
    /// Its goodput as a part of that of the train as it was asked for.
    pub goodput_share: f64,
}

/// What became of trains, and why.
#[derive(Clone, Debug, PartialEq)]
pub struct Explained {
    /// The trains as they were asked for.
    pub trials: Trials,
    /// Where most of what was lost was lost.
    pub cause: Cause,
    /// Messages that the sending program knew to be lost, and the others.
    pub refused: u64,
    /// Messages lost without the sending program knowing.
    pub on_the_way: u64,
    /// From one message being handed over to the next on average, ns; none of a single one.
    pub handed_every_ns: Option<f64>,
    /// From one arrival to the next on average, ns.
    pub arrived_every_ns: Option<f64>,
    /// By position: messages of that one and those before it that arrived after it had been handed over,
    /// on average over the trains. What was in queues and on the air, of what got through.
    pub under_way: Vec<f64>,
    /// The quickest pace tried at which everything arrives, selective repeat, and both; those that were
    /// asked for already, and those that lose as much but for chance, are left out.
    pub remedies: Vec<Remedy>,
}

/// Paces that are tried, as parts of the time from one arrival to the next. What is quicker than the link
/// carries only fills its queue later, and a longer train loses again.
const PACES: [f64; 7] = [1.0, 1.02, 1.05, 1.1, 1.25, 1.5, 2.0];

/// Sends a train `count` times, with root seeds from `seed` on, and again in other ways if messages
/// were lost; `done` is called after each train.
///
/// # Errors
///
/// Those of a run.
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
        // Without a way back nothing can be asked for.
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

/// Whether more arrives than before, and not by chance: everything does, or the intervals of how much
/// trains differ are apart.
fn better(trials: &Trials, before: &Trials) -> bool {
    let apart = match (trials.delivery_interval(), before.delivery_interval()) {
        (Some((low, _)), Some((_, high))) => low > high,
        _ => trials.delivery() > before.delivery(),
    };
    trials.delivery() > before.delivery() && (apart || trials.delivery() >= 1.0)
}

/// The quickest of the paces at which everything arrives, or else the one with the best delivery; none
/// if all are quicker than what was asked for.
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

/// A pace as a program would set it: whole hundreds of microseconds, whole microseconds below a
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
    /// From the first to the last of some instants, in so many steps.
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

/// What was seen of all trains.
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
        // Both rise but for overtaking and repeats: what came later is found by looking back.
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
