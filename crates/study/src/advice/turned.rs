//! Candidate settings of a profile, with the settings that they require and their costs.

use airlag_rig::parameter::Name;
use airlag_rig::profile::Profile;

use crate::error::Error;

/// A parameter and its new value, in the syntax of `--set`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Setting {
    /// Name of the parameter.
    pub name: &'static str,
    /// New value.
    pub value: &'static str,
}

/// A candidate value of a tunable parameter.
#[derive(Clone, Copy, Debug)]
pub struct Candidate {
    /// Name of the parameter.
    pub knob: Name,
    /// Value in the syntax of `--set`.
    pub value: &'static str,
    /// Cost that the latency does not show. Empty if there is none.
    pub gives_up: &'static str,
}

/// A profile with some of its parameters changed.
#[derive(Clone, Debug, PartialEq)]
pub struct Turned {
    /// The changed profile.
    pub profile: Profile,
    /// Changed parameters. Each one precedes those that it requires.
    pub settings: Vec<Setting>,
    /// Costs that the latency does not show.
    pub gives_up: Vec<&'static str>,
}

/// Returns all candidate values of `profile` that differ from its own.
///
/// # Errors
///
/// [`UnknownParameter`](airlag_rig::error::Error::UnknownParameter) if its kind lacks a tunable parameter.
pub fn candidates(profile: &Profile) -> Result<Vec<Candidate>, Error> {
    let mut found = Vec::new();
    for knob in profile.kind.knobs() {
        for value in knob.candidates(profile)? {
            found.push(Candidate { knob: knob.name, value, gives_up: knob.gives_up });
        }
    }
    Ok(found)
}

impl Turned {
    /// `profile` without changes.
    pub(crate) fn none(profile: &Profile) -> Self {
        Self { profile: profile.clone(), settings: Vec::new(), gives_up: Vec::new() }
    }

    /// Adds each of `candidates` in turn if its parameter is not changed yet. Skips candidates that
    /// hardware or a standard rejects for messages of `size` bytes.
    pub(crate) fn further(&self, candidates: &[Candidate], size: usize) -> Vec<Self> {
        let unused =
            |one: &&Candidate| self.settings.iter().all(|set| set.name != one.knob.as_str());
        candidates.iter().filter(unused).filter_map(|one| self.with(one, size)).collect()
    }

    /// Adds `candidate` and the settings that it requires. Returns `None` if the result is rejected.
    fn with(&self, candidate: &Candidate, size: usize) -> Option<Self> {
        let mut turned = self.clone();
        let along = turned.profile.turn(candidate.knob, candidate.value, size).ok()?;
        turned.put(candidate.knob, candidate.value, candidate.gives_up);
        for one in along {
            let gives_up = self.profile.given_up(one.name, one.value).ok()?;
            turned.put(one.name, one.value, gives_up);
        }
        Some(turned)
    }

    /// Records a setting, replacing one of the same parameter.
    fn put(&mut self, name: Name, value: &'static str, gives_up: &'static str) {
        self.settings.retain(|one| one.name != name.as_str());
        self.settings.push(Setting { name: name.as_str(), value });
        if !gives_up.is_empty() && !self.gives_up.contains(&gives_up) {
            self.gives_up.push(gives_up);
        }
    }
}

#[cfg(test)]
mod tests {
    use airlag_kinds::registry::find;

    use super::*;

    fn turned(name: &str, settings: &[(&str, &str)], knob: &str, value: &str) -> Option<Turned> {
        let mut profile = find(name).expect("it is listed");
        for (key, text) in settings {
            profile.set(key, text).expect("it is a setting");
        }
        let all = candidates(&profile).expect("it has knobs");
        let wanted = |one: &&Candidate| (one.knob.as_str(), one.value) == (knob, value);
        let one = all.iter().find(wanted).expect("it is one of them");
        Turned::none(&profile).with(one, 32)
    }

    fn set(turned: &Turned) -> Vec<(&str, &str)> {
        turned.settings.iter().map(|one| (one.name, one.value)).collect()
    }

    #[test]
    fn a_spreading_factor_without_headers_takes_implicit_ones_along() {
        let changed = turned("lora-sf7-250k", &[], "spreading_factor", "6").expect("it is allowed");
        assert_eq!(set(&changed), [("spreading_factor", "6"), ("header", "implicit")]);
        // The cost of the required header setting is included.
        assert!(changed.gives_up.iter().any(|what| what.starts_with("messages of other lengths")));
        let known = [("header", "implicit")];
        let changed =
            turned("lora-sf7-250k", &known, "spreading_factor", "6").expect("it is allowed");
        assert_eq!(set(&changed), [("spreading_factor", "6")]);
    }

    #[test]
    fn a_retry_delay_the_rate_forbids_is_none() {
        assert!(turned("nrf24-250k", &[], "retransmit_delay", "250us").is_none());
        assert!(turned("nrf24-250k", &[], "retransmit_delay", "500us").is_some());
        assert!(turned("nrf24-2m", &[], "retransmit_delay", "250us").is_some());
    }
}
