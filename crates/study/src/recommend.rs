//! Which link to choose: every profile, and what it can be tuned to, held against a deadline.
//!
//! Nothing is looked up. A profile whose [`floor`] is beyond the deadline cannot keep it, whatever is
//! turned, and is not run. Every other one sends messages at any moment, as a user does, at least
//! [`TRIGGERS`] of them, and is judged by [`airlag_stats::deadline`]: a message that is lost and one
//! that comes late both miss the deadline. Then it is tuned ([`tune`]) and judged again.
//!
//! Settings are chosen under another seed than they are judged under: whoever is best by chance
//! gains nothing by it. Over a distance they are chosen at a place like the mean, and judged at
//! [`PLACES`] places: what counts then is the share of places that keep the deadline.

mod cost;
mod largest;
mod reason;
mod seen;

use airlag_law::Region;
use airlag_sim::Duration;
use airlag_stats::deadline::{self, Requirement};
use schemars::JsonSchema;
use serde::Serialize;

use crate::advice::{self, Aim, Turned, tune};
use crate::error::Error;
use crate::explain::floor;
use crate::law::{Condition, Judged};
use crate::side_by_side::side_by_side;
use airlag_rig::interrupt;
use airlag_rig::kind::Medium;
use airlag_rig::neighbours;
use airlag_rig::parameter::Value;
use airlag_rig::places::at_mean;
use airlag_rig::processor;
use airlag_rig::profile::{Profile, named};
use airlag_rig::propagation::Propagation;
use airlag_rig::run::MAX_SIZE;

pub use cost::{Lasting, Limits, delivered_nc};
pub use largest::Largest;
use seen::seen;
pub use seen::{AtPlaces, PLACES, Seen};

/// Messages sent at least, and with slices.
pub const TRIGGERS: usize = 1_000;
/// Messages sent at most: what can be shown ends here.
pub const MOST_TRIGGERS: usize = 100_000;

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
    /// How far apart the radios stand, as `--set range=` takes it; none: beside each other.
    pub range: Option<String>,
    /// What is between them, as `--set environment=` takes it; counts with a range only.
    pub environment: Option<String>,
    /// Share of places that must keep it; counts with a range only.
    pub places_share: f64,
    /// Who else is on the air, as `--set neighbours=` takes it; none: nobody.
    pub neighbours: Option<String>,
    /// What is on both boards where that can be another, as `--set processor=` takes it; none: as it was
    /// measured.
    pub processor: Option<String>,
    /// From message to message; none: as long as the link needs.
    pub period: Option<Duration>,
    /// Root of every random number.
    pub seed: u64,
    /// The profiles to choose from, by name; empty: every one with a radio.
    pub links: Vec<String>,
    /// Of every one, those with a wire too.
    pub wired: bool,
    /// Tune also what gives up something no latency shows.
    pub trade: bool,
    /// Whose rules it has to keep; none: nobody's.
    pub region: Option<Region>,
    /// What a message may cost.
    pub limits: Limits,
}

impl Task {
    /// Payload over the link of `profile`, bytes; none where there is no message.
    fn payload(&self, profile: &Profile) -> Option<usize> {
        self.size.filter(|_| profile.has_message())
    }

    /// The rules it has to keep, as a condition of settings that are chosen under `seed`.
    fn law(&self, seed: u64) -> Option<Condition> {
        self.region.map(|region| Condition { region, period: self.period, seed })
    }

    fn bytes(&self, profile: &Profile) -> usize {
        self.payload(profile).unwrap_or(0)
    }
}

/// The verdict on a candidate, the best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(rename = "RecommendVerdict")]
pub enum Verdict {
    /// It meets the requirements.
    Passes,
    /// Too few messages to decide.
    Close,
    /// It may meet them, but its behaviour over a distance is not known.
    RangeUnknown,
    /// It does not meet them.
    Fails,
}

/// A profile with some settings, and how it does.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    /// Name of the profile.
    pub link: String,
    /// Payload it was judged with, bytes; none where there is no message.
    pub size: Option<usize>,
    /// What is set, as `--set` takes it: where the radios stand, then what it is tuned to.
    pub settings: Vec<(String, String)>,
    /// How many of the settings tune it.
    pub tuned: usize,
    /// What these give up that no latency shows.
    pub gives_up: Vec<&'static str>,
    /// What a message takes at least, ns; 0 where nobody worked it out.
    pub floor_ns: u64,
    /// What the bench saw; none if the floor or the law says enough, or it cannot be run.
    pub seen: Option<Seen>,
    /// What the region says that is asked for; none without one, and of a link without a radio.
    pub law: Option<Judged>,
    /// What becomes of it.
    pub verdict: Verdict,
    /// Why, in words.
    pub reason: String,
}

/// The ones among `profiles` that are candidates for `task`, radios at their places.
///
/// # Errors
///
/// [`Error::Rig`]: a payload no message has or that is missing, and those of a link, a range or an environment there is not.
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
        for (name, value) in places(profile, task) {
            profile.set(name, value)?;
        }
    }
    Ok(found)
}

/// Judges each of the [`contenders`], and what it can be tuned to; passing ones first and quickest first, then
/// those that are close, then those of unknown range, then those that fail, by how far. `done` is
/// told of each contender, from several threads. Interrupted, it knows of those judged until then.
/// One that cannot be run is a candidate that fails.
pub fn recommend(contenders: &[Profile], task: &Task, done: impl Fn() + Sync) -> Vec<Candidate> {
    let judged = side_by_side(contenders, |profile| {
        let judged = judge(profile, task);
        // Who interrupts learns of those that are judged.
        interrupt::check().ok()?;
        done();
        Some(judged)
    });
    let mut judged: Vec<(Profile, Candidate)> = judged.into_iter().flatten().flatten().collect();
    judged.sort_by(|(_, one), (_, other)| {
        let verdicts = one.verdict.cmp(&other.verdict);
        let reach = one.reach_ns().total_cmp(&other.reach_ns());
        verdicts.then(reach).then(one.tuned.cmp(&other.tuned))
    });
    // Two that are tuned to the same are one, and one that is tuned to another profile is that one:
    // what does the same stands side by side, the least tuned first.
    let mut told: Vec<(Profile, Candidate)> = Vec::new();
    for (profile, candidate) in judged {
        if candidate.tuned == 0 || !told.iter().any(|(before, _)| is_same(before, &profile)) {
            told.push((profile, candidate));
        }
    }
    told.into_iter().map(|(_, candidate)| candidate).collect()
}

impl Candidate {
    /// The quantile that is asked for, or what is known to be less than it, ns.
    fn reach_ns(&self) -> f64 {
        match &self.seen {
            Some(seen) => seen.judgement.quantile.value_ns.unwrap_or(f64::INFINITY),
            None => self.floor_ns as f64,
        }
    }
}

/// A profile as it is, and tuned where that gains anything; each with what it is set to.
fn judge(profile: &Profile, task: &Task) -> Vec<(Profile, Candidate)> {
    let least = least_floor(profile, task);
    let mut judged = vec![(profile.clone(), candidate(&Turned::none(profile), least, task))];
    if is_possible(least, task) {
        let aim = if task.asked.share <= 0.75 { Aim::Median } else { Aim::Tail };
        let seed = task.seed.wrapping_add(1);
        let tune = |mean: Profile| {
            let law = task.law(seed);
            tune(&mean, task.bytes(profile), TRIGGERS, seed, aim, task.trade, law).ok()
        };
        let turned = at_mean(profile).ok().and_then(tune);
        if let Some(turned) = turned.filter(|turned| !turned.settings.is_empty()) {
            // It was tuned at a place as good as the mean, and is judged at all of them.
            let mut tuned = profile.clone();
            let mut set = turned.settings.iter();
            if set.try_for_each(|one| tuned.set(one.name, one.value)).is_ok() {
                let turned = Turned { profile: tuned, ..turned };
                let told = candidate(&turned, least, task);
                judged.push((turned.profile, told));
            }
        }
    }
    judged
}

/// True of two profiles that make the same bench.
fn is_same(one: &Profile, other: &Profile) -> bool {
    let values = |of: &Profile| -> Vec<Value> {
        of.constants().map(|constant| constant.value.clone()).collect()
    };
    one.kind == other.kind && values(one) == values(other)
}

fn is_possible(floor_ns: u64, task: &Task) -> bool {
    floor_ns as f64 * (1.0 - CRYSTAL) <= task.asked.deadline_ns as f64
}

/// The least floor that knobs reach: each turned to what lowers it, as long as one does.
fn least_floor(profile: &Profile, task: &Task) -> u64 {
    let size = task.bytes(profile);
    let of = |profile: &Profile| floor(profile, size).ok().map(|floor| floor.ns());
    let free = |turned: &Turned| task.trade || turned.gives_up.is_empty();
    let mut best = (Turned::none(profile), of(profile).unwrap_or(0));
    let candidates = advice::candidates(profile).unwrap_or_default();
    loop {
        let floors = best.0.further(&candidates, size).into_iter().filter(free).filter_map(|one| {
            let ns = of(&one.profile).filter(|&ns| ns < best.1)?;
            Some((one, ns))
        });
        // A knob is turned once: to its lowest at once.
        match floors.min_by_key(|one| one.1) {
            Some(lower) => best = lower,
            None => return best.1,
        }
    }
}

/// A profile with its knobs turned, and how it does. `least_ns` is the floor it has with all of
/// them turned.
fn candidate(turned: &Turned, least_ns: u64, task: &Task) -> Candidate {
    let profile = &turned.profile;
    let tuned = turned.settings.iter().map(|one| (one.name, one.value));
    let settings = places(profile, task).chain(tuned);
    let floor_ns = floor(profile, task.bytes(profile)).map_or(0, |floor| floor.ns());
    let mut candidate = Candidate {
        link: profile.name.clone(),
        size: task.payload(profile),
        settings: settings.map(|(name, value)| (name.to_owned(), value.to_owned())).collect(),
        tuned: turned.settings.len(),
        gives_up: turned.gives_up.clone(),
        floor_ns,
        seen: None,
        law: None,
        verdict: Verdict::Fails,
        reason: String::new(),
    };
    if !is_possible(floor_ns, task) {
        candidate.reason = reason::floor(floor_ns, least_ns, is_possible(least_ns, task));
        return candidate;
    }
    match task.law(task.seed).map(|law| law.judge(profile, task.bytes(profile))) {
        Some(Err(why)) => {
            candidate.reason = reason::stopped(&why);
            return candidate;
        }
        Some(Ok(law)) => candidate.law = law,
        None => {}
    }
    if let Some(law) = candidate.law.as_ref().filter(|law| !law.is_allowed()) {
        candidate.reason = reason::not_allowed(law);
        return candidate;
    }
    match seen(profile, task) {
        Err(why) => candidate.reason = reason::stopped(&why),
        Ok(None) => candidate.reason = reason::unseen(),
        Ok(Some(seen)) => {
            let verdict = verdict(profile, task, &seen);
            candidate.reason = reason::seen(&seen, task, verdict);
            candidate.verdict = verdict;
            let lost = seen.judgement.lost as f64 / seen.judgement.n.max(1) as f64;
            if verdict != Verdict::Fails
                && let Some(why) = cost::too_much(&task.limits, &seen.charge, 1.0 - lost)
            {
                candidate.reason = format!("costs too much: {why}");
                candidate.verdict = Verdict::Fails;
            }
            candidate.seen = Some(seen);
        }
    }
    candidate
}

/// What tells a profile where its radios stand, among whom, and on which boards.
fn places<'a>(
    profile: &Profile,
    task: &'a Task,
) -> impl Iterator<Item = (&'static str, &'a str)> + use<'a> {
    let knows = knows_range(profile) && task.range.is_some();
    let on_air = profile.kind.medium() == Medium::Air;
    let known = [
        (RANGE, &task.range, knows),
        (ENVIRONMENT, &task.environment, knows),
        (neighbours::NAME, &task.neighbours, on_air),
        (processor::NAME, &task.processor, processor::can_be_another(profile)),
    ];
    let told = known.into_iter().filter(|&(.., counts)| counts);
    told.filter_map(|(name, value, _)| Some((name, value.as_deref()?)))
}

fn knows_range(profile: &Profile) -> bool {
    profile.parameters.contains_key(RANGE)
}

fn verdict(profile: &Profile, task: &Task, seen: &Seen) -> Verdict {
    let told = seen.places.as_ref().map_or(seen.judgement.verdict(), |places| places.verdict);
    match told {
        // No distance makes a link quicker.
        deadline::Verdict::Fails => Verdict::Fails,
        _ if task.range.is_some() && !knows_range(profile) => Verdict::RangeUnknown,
        deadline::Verdict::Close => Verdict::Close,
        deadline::Verdict::Passes => Verdict::Passes,
    }
}
