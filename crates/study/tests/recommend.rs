//! Which link to choose.

mod links;
mod search;

use std::collections::BTreeMap;

use airlag_kinds::registry;
use airlag_rig::Profile;
use airlag_rig::batteries::Battery;
use airlag_stats::deadline::Requirement;
use airlag_study::recommend;
use airlag_study::recommend::configuration::Configuration;
use airlag_study::recommend::criterion::{Criterion, Name};
use airlag_study::recommend::{Candidate, Limits, Recommended, Supplied, Task, Verdict};

const MS: i64 = 1_000_000;

fn task(size: usize, deadline_ns: i64) -> Task {
    Task {
        size: Some(size),
        asked: Requirement { deadline_ns, share: 0.99, max_loss: 0.01 },
        range: None,
        environment: None,
        places_share: 0.9,
        neighbours: None,
        processor: None,
        settings: BTreeMap::new(),
        period: None,
        seed: 1,
        links: Vec::new(),
        wired: false,
        trade: false,
        region: None,
        limits: Limits::default(),
        budget_s: 30.0,
    }
}

fn at(range: &str, environment: &str, task: Task) -> Task {
    Task { range: Some(range.to_owned()), environment: Some(environment.to_owned()), ..task }
}

fn among(links: &[&str], task: Task) -> Task {
    Task { links: links.iter().map(|&name| name.to_owned()).collect(), ..task }
}

fn supplied(battery: &str, years: f64, per_second: f64) -> Limits {
    let battery = Battery::find(battery).expect("listed");
    Limits { charge_nc: None, supply: Some(Supplied { battery, years: Some(years), per_second }) }
}

fn contenders(task: &Task) -> Result<Vec<Configuration>, airlag_study::Error> {
    recommend::contenders(registry::all().expect("right files"), task)
}

fn recommended(task: &Task) -> Recommended {
    recommend(&contenders(task).expect("a right task"), task, &|_, _| ())
}

fn of<'a>(found: &'a Recommended, link: &str) -> &'a Candidate {
    let found = found.candidates.iter().find(|one| one.link == link);
    found.unwrap_or_else(|| panic!("no {link}"))
}

fn criterion(candidate: &Candidate, name: Name) -> &Criterion {
    let found = candidate.criteria.iter().find(|one| one.name == name);
    found.unwrap_or_else(|| panic!("{}: no {name:?}", candidate.link))
}

fn setting<'a>(candidate: &'a Candidate, name: &str) -> Option<&'a str> {
    candidate.settings.iter().find(|one| one.0 == name).map(|one| one.1.as_str())
}

fn passing(found: &Recommended) -> Vec<&Candidate> {
    found.candidates.iter().filter(|one| one.verdict == Verdict::Passes).collect()
}

/// The profile with the settings of a candidate.
fn profile(candidate: &Candidate) -> Profile {
    let mut profile = registry::find(&candidate.link).expect("a link");
    for (name, value) in &candidate.settings {
        profile.set(name, value).expect("a right setting");
    }
    profile
}
