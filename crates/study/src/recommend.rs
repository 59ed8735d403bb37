//! Choice of a link: every profile, with the settings that an engineer would ship, checked against
//! requirements.
//!
//! - [`criterion`]: requirements, and how far a candidate is from meeting each requirement.
//! - [`configuration`]: a link with settings, and further settings to try.
//! - [`trial`]: measurement of a configuration on the virtual bench.
//! - [`location`]: which of the simulated locations at a distance is compared with a requirement.
//! - [`search`](mod@search): which configuration to try next, within a work budget.
//!
//! A lost message misses the deadline like a late one. All verdicts hold jointly with 95 % confidence. The
//! more links are near a limit, the more messages a decision takes.

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

use configuration::Configuration;
pub use criterion::Criterion;
pub use largest::Largest;
pub use limits::{Limits, Supplied, delivered_nc};
pub use search::Work;
use search::{Row, State, search};
pub use trial::Trial;

/// Parameter of the distance between radios.
const RANGE: &str = Propagation::range.as_str();
/// Parameter of the environment between radios.
const ENVIRONMENT: &str = Propagation::environment.as_str();

/// Largest relative error of a fast crystal. A floor assumes exact crystals.
const CRYSTAL: f64 = 2e-4;

/// Requirements, and the options of the search.
#[derive(Clone, Debug, PartialEq)]
pub struct Task {
    /// Payload, bytes. `None` if no candidate profile has a message.
    pub size: Option<usize>,
    /// Deadline and percentile.
    pub asked: Requirement,
    /// Distance between the radios, in the syntax of `--set range=`. `None` means side by side.
    pub range: Option<String>,
    /// Environment between the radios, in the syntax of `--set environment=`. Needs a range.
    pub environment: Option<String>,
    /// Share of locations that must meet the requirements. Needs a range.
    pub places_share: f64,
    /// Other networks on the air, in the syntax of `--set neighbours=`. `None` means no other
    /// networks.
    pub neighbours: Option<String>,
    /// Processor of both boards, in the syntax of `--set processor=`. `None` means the processor of
    /// the measurement.
    pub processor: Option<String>,
    /// Settings for all links that have these parameters, in the syntax of `--set`.
    pub settings: BTreeMap<String, String>,
    /// Time between messages. If `None`, a time is chosen for each link.
    pub period: Option<Duration>,
    /// Random seed.
    pub seed: u64,
    /// Names of the candidate profiles. Empty means all with a radio.
    pub links: Vec<String>,
    /// Whether an empty list includes wired links.
    pub wired: bool,
    /// Whether to try settings with a cost that no result measures.
    pub trade: bool,
    /// Region whose rules the link must comply with. `None` if there is none.
    pub region: Option<Region>,
    /// Limits on charge and current of the sender.
    pub limits: Limits,
    /// Work budget of the search, seconds of one core.
    pub budget_s: f64,
}

impl Task {
    /// Payload for the link of `profile`, bytes. Returns `None` without a message.
    fn payload(&self, profile: &Profile) -> Option<usize> {
        self.size.filter(|_| profile.has_message())
    }

    fn bytes(&self, profile: &Profile) -> usize {
        self.payload(profile).unwrap_or(0)
    }

    /// Whether charge or current are limited.
    fn draws_count(&self) -> bool {
        self.limits != Limits::default()
    }

    /// Whether the user set a parameter, which is then not changed.
    fn is_set(&self, name: &str) -> bool {
        self.settings.contains_key(name)
    }
}

/// Verdict on a candidate or a requirement, best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(rename = "RecommendVerdict")]
pub enum Verdict {
    /// The requirements are met.
    Passes,
    /// Too close to a limit to decide with any feasible number of messages.
    Close,
    /// Undecided: the search ended too early, or a property of the link is not known.
    Undecided,
    /// The requirements are not met.
    Fails,
}

/// The best configuration found for a link, and its verdict.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// Name of the profile.
    pub link: String,
    /// Whether the profile is current good practice.
    pub good_practice: bool,
    /// Payload, bytes. `None` without a message.
    pub size: Option<usize>,
    /// Settings in the syntax of `--set`: first the settings required of all links, then the
    /// settings of this candidate.
    pub settings: Vec<(String, String)>,
    /// Number of settings of this candidate.
    pub tuned: usize,
    /// Disadvantages of these settings other than latency.
    pub gives_up: Vec<&'static str>,
    /// Verdict on each requirement.
    pub criteria: Vec<Criterion>,
    /// Results on the bench. `None` if it was not run.
    pub trial: Option<Trial>,
    /// The verdict.
    pub verdict: Verdict,
    /// Reason for the verdict, in words.
    pub reason: String,
}

/// Candidates, best first, with the work of the search.
#[derive(Clone, Debug)]
pub struct Recommended {
    /// One candidate per link.
    pub candidates: Vec<Candidate>,
    /// Work of the search.
    pub work: Work,
    /// Whether the search finished within its budget.
    pub complete: bool,
}

/// Selects the links that are candidates for `task`, with radios at the required range. Some profiles
/// describe the configuration of a published measurement. If such a profile becomes equal to another
/// profile when a single setting is improved at no cost, the search starts with the improved setting,
/// because no product would ship without this improvement. If a kind of link has a profile for the region
/// of the task, the profiles of this kind for other regions are left out. If the task names links, no
/// profile is left out.
///
/// # Errors
///
/// [`Error::Rig`] for a missing or invalid payload, and for an unknown link, range, environment or setting.
pub fn contenders(profiles: &[Profile], task: &Task) -> Result<Vec<Configuration>, Error> {
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
        require(profile, task)?;
    }
    let unknown = |name: &&String| !found.iter().any(|one| one.known(name).is_ok());
    if let (Some(name), Some(first)) = (task.settings.keys().find(unknown), found.first()) {
        first.known(name)?;
    }
    if task.links.is_empty() {
        let needed = |&nth: &usize| !(0..found.len()).any(|by| replaces(&found, by, nth, task));
        let needed: Vec<usize> = (0..found.len()).filter(needed).collect();
        found = needed.into_iter().map(|nth| found[nth].clone()).collect();
    }
    let start = |profile: &Profile| {
        let kin = profiles.iter().filter(|other| {
            // A request that names both profiles compares them, so neither replaces the other.
            other.kind.name() == profile.kind.name() && !task.links.contains(&other.name)
        });
        let own = Configuration::of(profile);
        let mut better = kin.filter_map(|other| {
            let mut other = other.clone();
            require(&mut other, task).ok()?;
            own.improved(&other, task)
        });
        better.next_back().unwrap_or(own)
    };
    Ok(found.iter().map(start).collect())
}

/// Sets the parameters that the requirements determine.
fn require(profile: &mut Profile, task: &Task) -> Result<(), Error> {
    let required: Vec<(String, String)> = required(profile, task).collect();
    for (name, value) in required {
        profile.set(&name, &value)?;
    }
    Ok(())
}

/// Whether profile `one` replaces profile `other` among the candidates. There are two cases. In the
/// first case, the two profiles differ only in a setting without a cost, and `one` is preferred:
/// profiles of good practice are preferred to others, and then shorter names to longer ones. In the
/// second case, `other` would have to be adapted to a region for which `one` is made.
fn replaces(profiles: &[Profile], one: usize, other: usize, task: &Task) -> bool {
    let rank = |nth: usize| (!profiles[nth].good_practice, profiles[nth].name.len(), nth);
    let becomes = |from: usize, to: usize| {
        Configuration::of(&profiles[from]).improved(&profiles[to], task).is_some()
    };
    let moved = || Configuration::of(&profiles[other]).repeats(&profiles[one], task);
    profiles[one].kind.name() == profiles[other].kind.name()
        && (rank(one) < rank(other) && (becomes(one, other) || becomes(other, one)) || moved())
}

/// Returns a verdict on each of the [`contenders`] with its possible settings. Candidates that pass
/// come first, followed by candidates near a limit, undecided candidates, and failing candidates.
/// In each of the first three groups, candidates with a margin to every limit precede the others.
/// Candidates that are equal in this respect are ordered by practice (current good practice before
/// published measurements), and then by headroom. Failing candidates are ordered by their distance
/// from the requirements. `progress` receives the work spent and the work expected, in seconds of
/// one core. After an interruption, links without a verdict are marked as undecided.
pub fn recommend(
    contenders: &[Configuration],
    task: &Task,
    progress: &dyn Fn(f64, f64),
) -> Recommended {
    let (rows, work) = search(contenders, task, progress);
    let complete = !rows.iter().any(|row| matches!(row.state, State::Ended));
    let mut candidates: Vec<_> =
        rows.iter().map(|row| (order(row), candidate(row, task))).collect();
    candidates.sort_by_key(|(order, one)| (one.verdict, *order, one.tuned));
    let candidates = candidates.into_iter().map(|(_, candidate)| candidate).collect();
    Recommended { candidates, work, complete }
}

/// Factor by which a configuration should be better than every limit, so that it still passes if a
/// requirement changes slightly.
const COMFORTABLE: f64 = 1.5;

/// Sort key of candidates with the same verdict. Candidates that are better than every limit by the
/// factor [`COMFORTABLE`] come first. Among candidates that are equal in this respect, profiles of
/// good practice precede profiles of published measurements. Candidates that are still equal are
/// ordered by their headroom in the tightest requirement. Failing candidates are ordered only by
/// their distance from the requirements.
fn order(row: &Row) -> (bool, bool, i64) {
    // An integer, because floating-point numbers have no total order.
    let key = |factor: f64| (1e6 * factor) as i64;
    if row.verdict() == Verdict::Fails {
        // A property that is not known, such as the current, does not make a link nearer.
        let beyond = row.criteria.iter().filter(|one| one.is_failing() || one.is_unknown());
        let excess: f64 = row.criteria.iter().map(|one| one.excess).sum();
        // Without a simulation, the number of failed requirements is unknown.
        let simulated = row.best.as_ref().is_some_and(|trial| trial.sent > 0);
        let unknown = if simulated { 0.0 } else { 1e6 };
        return (false, false, key(100.0 * beyond.count() as f64 + excess + unknown));
    }
    let least = row.criteria.iter().filter_map(Criterion::headroom).reduce(f64::min);
    let least = least.unwrap_or(0.0);
    (least < COMFORTABLE, !row.start.profile.good_practice, key(-least))
}

fn candidate(row: &Row, task: &Task) -> Candidate {
    let profile = &row.start.profile;
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

/// Settings that the requirements determine for a profile: distance, environment, other networks,
/// processor, and the settings of the user.
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

/// Whether a floor is below the deadline.
fn is_possible(floor_ns: u64, task: &Task) -> bool {
    floor_ns as f64 * (1.0 - CRYSTAL) <= task.asked.deadline_ns as f64
}
