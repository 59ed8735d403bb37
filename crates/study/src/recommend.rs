//! Which link to choose: every profile, with settings that an engineer would ship, held against
//! requirements.
//!
//! - [`criterion`]: what is required, and how far a candidate is from it.
//! - [`configuration`]: a link with settings, and what can be set further.
//! - [`trial`]: a configuration on the bench. [`location`]: where, over a distance.
//! - [`search`](mod@search): which configuration of which link is tried next, within a budget of work.
//!
//! A message that is lost and one that comes late both miss the deadline. Verdicts hold together with 95 %
//! confidence: the more links there are near a limit, the more messages it takes to decide.

pub mod configuration;
pub mod criterion;
mod largest;
pub mod limits;
pub mod location;
mod reason;
pub mod search;
mod stretched;
pub mod trial;

use std::collections::BTreeMap;

use airlag_law::Region;
use airlag_rig::kind::Medium;
use airlag_rig::neighbours;
use airlag_rig::processor;
use airlag_rig::profile::{Profile, named};
use airlag_rig::propagation::Propagation;
use airlag_rig::run::MAX_SIZE;
use airlag_sim::Duration;
use airlag_stats::deadline::Requirement;
use schemars::JsonSchema;
use serde::Serialize;

use crate::error::Error;

pub use criterion::Criterion;
pub use largest::Largest;
pub use limits::{Limits, Supplied, delivered_nc};
pub use search::Work;
use search::{Row, State, search};
pub use trial::Trial;

/// The parameter that tells how far apart radios stand.
const RANGE: &str = Propagation::range.as_str();
/// The one that tells what is between them.
const ENVIRONMENT: &str = Propagation::environment.as_str();

/// A share by which a crystal may run fast: a floor is one on exact crystals.
const CRYSTAL: f64 = 2e-4;

/// What a link is wanted for.
#[derive(Clone, Debug, PartialEq)]
pub struct Task {
    /// Payload of what has a message, bytes; none where no profile to choose from has one.
    pub size: Option<usize>,
    /// What it has to keep.
    pub asked: Requirement,
    /// Distance between the radios, as `--set range=` takes it; none: beside each other.
    pub range: Option<String>,
    /// Environment between them, as `--set environment=` takes it; counts with a range only.
    pub environment: Option<String>,
    /// Share of locations that must meet the requirements; counts with a range only.
    pub places_share: f64,
    /// Other networks on the air, as `--set neighbours=` takes it; none: nobody.
    pub neighbours: Option<String>,
    /// Processor of both boards, as `--set processor=` takes it; none: as measured.
    pub processor: Option<String>,
    /// Settings of all links that have them, as `--set` takes them.
    pub settings: BTreeMap<String, String>,
    /// Time between messages; none: as long as the link needs.
    pub period: Option<Duration>,
    /// Random seed.
    pub seed: u64,
    /// The profiles to choose from, by name; empty: every one with a radio.
    pub links: Vec<String>,
    /// Of every one, those with a wire too.
    pub wired: bool,
    /// Whether settings count that cost something no figure shows.
    pub trade: bool,
    /// Region whose rules it has to keep; none: no region.
    pub region: Option<Region>,
    /// What its sender may draw.
    pub limits: Limits,
    /// Work for the search, in seconds of one core.
    pub budget_s: f64,
}

impl Task {
    /// Payload over the link of `profile`, bytes; none where there is no message.
    fn payload(&self, profile: &Profile) -> Option<usize> {
        self.size.filter(|_| profile.has_message())
    }

    fn bytes(&self, profile: &Profile) -> usize {
        self.payload(profile).unwrap_or(0)
    }

    /// Whether currents are limited.
    fn draws_count(&self) -> bool {
        self.limits != Limits::default()
    }

    /// Whether the user sets a parameter, which then stays.
    fn is_set(&self, name: &str) -> bool {
        self.settings.contains_key(name)
    }
}

/// The verdict on a candidate or a requirement, the best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(rename = "RecommendVerdict")]
pub enum Verdict {
    /// It meets the requirements.
    Passes,
    /// It is too near to a limit for any number of messages that can be simulated.
    Close,
    /// Not decided: the search ended before, or something is not known of the link.
    Undecided,
    /// It does not meet them.
    Fails,
}

/// The nearest configuration of a link that was found, and how it does.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// Name of the profile.
    pub link: String,
    /// Whether it is one of good practice.
    pub good_practice: bool,
    /// Payload, bytes; none where there is no message.
    pub size: Option<usize>,
    /// What is set, as `--set` takes it: what is required of all links, then what this one needs.
    pub settings: Vec<(String, String)>,
    /// How many of the settings are its own.
    pub tuned: usize,
    /// What these cost besides latency.
    pub gives_up: Vec<&'static str>,
    /// Its requirements.
    pub criteria: Vec<Criterion>,
    /// What the bench showed; none where it was not run.
    pub trial: Option<Trial>,
    /// The verdict.
    pub verdict: Verdict,
    /// The verdict in words.
    pub reason: String,
}

/// Candidates, the best first, and what the search took.
#[derive(Clone, Debug)]
pub struct Recommended {
    /// One for each link.
    pub candidates: Vec<Candidate>,
    /// Work of the search.
    pub work: Work,
    /// Whether the search came to its end, rather than to that of its budget.
    pub complete: bool,
}

/// The ones among `profiles` that are candidates for `task`, radios at their range.
///
/// # Errors
///
/// [`Error::Rig`]: a payload that is no message's or that is missing, and those of an unknown link, range,
/// environment or setting.
pub fn contenders(profiles: &[Profile], task: &Task) -> Result<Vec<Profile>, Error> {
    let low = airlag_link::message::MIN_LEN;
    if let Some(size) = task.size.filter(|size| !(low..=MAX_SIZE).contains(size)) {
        let link = "every link".to_owned();
        return Err(airlag_rig::Error::Size { link, size, low, high: MAX_SIZE }.into());
    }
    task.processor.as_deref().map_or(Ok(()), processor::find)?;
    let fits = |profile: &&Profile| match profile.kind.medium() {
        Medium::None => false,
        Medium::Wire => task.wired,
        Medium::Air => true,
    };
    let mut found: Vec<Profile> = if task.links.is_empty() {
        profiles.iter().filter(fits).cloned().collect()
    } else {
        let by_name = |name: &String| named(profiles, name).cloned();
        task.links.iter().map(by_name).collect::<Result<_, _>>()?
    };
    for profile in &mut found {
        profile.bytes(task.payload(profile))?;
        let required: Vec<(String, String)> = required(profile, task).collect();
        for (name, value) in required {
            profile.set(&name, &value)?;
        }
    }
    let unknown = |name: &&String| !found.iter().any(|one| one.known(name).is_ok());
    if let (Some(name), Some(first)) = (task.settings.keys().find(unknown), found.first()) {
        first.known(name)?;
    }
    Ok(found)
}

/// Judges each of the [`contenders`], and what it can be set to: passing ones first, of these the profiles of
/// good practice first and the quickest of each, then
/// those near a limit, those that are not decided, and those that fail, the nearest first. `progress` is
/// called with the work spent and the work foreseen, in seconds of one core. Interrupted, links that are not
/// decided are so marked.
pub fn recommend(contenders: &[Profile], task: &Task, progress: &dyn Fn(f64, f64)) -> Recommended {
    let (rows, work) = search(contenders, task, progress);
    let complete = !rows.iter().any(|row| matches!(row.state, State::Ended));
    let mut candidates: Vec<((bool, f64), Candidate)> =
        rows.iter().map(|row| (order(row), candidate(row, task))).collect();
    candidates.sort_by(|((as_measured, near), one), ((also, far), other)| {
        let verdict = one.verdict.cmp(&other.verdict);
        let nearer = as_measured.cmp(also).then(near.total_cmp(far));
        verdict.then(nearer).then(one.tuned.cmp(&other.tuned))
    });
    let candidates = candidates.into_iter().map(|(_, candidate)| candidate).collect();
    Recommended { candidates, work, complete }
}

/// By what candidates of the same verdict are ordered: profiles of good practice before those of a published
/// measurement, each by the quantile; those that fail by how far they are from what is required.
fn order(row: &Row) -> (bool, f64) {
    if row.verdict() == Verdict::Fails {
        let beyond = row.criteria.iter().filter(|one| one.is_failing());
        let excess: f64 = row.criteria.iter().map(|one| one.excess).sum();
        // Of what was not simulated nobody knows how many requirements it fails.
        let simulated = row.best.as_ref().is_some_and(|trial| trial.sent > 0);
        let unknown = if simulated { 0.0 } else { 1e6 };
        return (false, 100.0 * beyond.count() as f64 + excess + unknown);
    }
    let quantile = row.best.as_ref().and_then(Trial::quantile_ns).unwrap_or(f64::INFINITY);
    (!row.profile.good_practice, quantile)
}

fn candidate(row: &Row, task: &Task) -> Candidate {
    let profile = &row.profile;
    let own = row.best.as_ref().map(|trial| trial.configuration.clone());
    let (own, gives_up) = own.map_or_else(Default::default, |own| (own.settings, own.gives_up));
    let tuned = own.len();
    let replaced = |one: &(String, String)| own.iter().all(|(name, _)| *name != one.0);
    let settings = required(profile, task).filter(replaced).chain(own.iter().cloned()).collect();
    Candidate {
        link: profile.name.clone(),
        good_practice: profile.good_practice,
        size: task.payload(profile),
        settings,
        tuned,
        gives_up,
        criteria: row.criteria.clone(),
        trial: row.best.clone().filter(|trial| trial.sent > 0),
        verdict: row.verdict(),
        reason: reason::reason(row, task),
    }
}

/// What is set on a profile because it is required of all: where its radios stand, among whom, on which
/// boards, and what the user sets.
fn required<'a>(
    profile: &'a Profile,
    task: &'a Task,
) -> impl Iterator<Item = (String, String)> + use<'a> {
    let knows = profile.parameters.contains_key(RANGE) && task.range.is_some();
    let on_air = profile.kind.medium() == Medium::Air;
    let known = [
        (RANGE, &task.range, knows),
        (ENVIRONMENT, &task.environment, knows),
        (neighbours::NAME, &task.neighbours, on_air),
        (processor::NAME, &task.processor, processor::can_be_another(profile)),
    ];
    let known = known.into_iter().filter(|&(.., counts)| counts);
    let known = known.filter_map(|(name, value, _)| Some((name.to_owned(), value.clone()?)));
    let set = task.settings.iter().filter(|(name, _)| profile.known(name).is_ok());
    known.chain(set.map(|(name, value)| (name.clone(), value.clone())))
}

/// Whether a floor leaves room for the deadline.
fn is_possible(floor_ns: u64, task: &Task) -> bool {
    floor_ns as f64 * (1.0 - CRYSTAL) <= task.asked.deadline_ns as f64
}
