//! Configurations of a link: settings that an engineer would ship, and further settings to try.

use airlag_rig::knob::{Knob, Price};
use airlag_rig::parts;
use airlag_rig::profile::Profile;
use airlag_sim::meter::State;

use super::criterion::Name;
use super::{Task, is_possible};
use crate::explain::floor;

/// Parameter of the transmit power.
pub const POWER: &str = "tx_power";

/// A link with some settings.
#[derive(Clone, Debug, PartialEq)]
pub struct Configuration {
    /// The link with these settings.
    pub profile: Profile,
    /// Settings beyond those required of all links, in the syntax of `--set`.
    pub settings: Vec<(String, String)>,
    /// Disadvantages of these settings other than latency.
    pub gives_up: Vec<&'static str>,
}

impl Configuration {
    /// A link without changed settings.
    #[must_use]
    pub fn of(profile: &Profile) -> Self {
        Self { profile: profile.clone(), settings: Vec::new(), gives_up: Vec::new() }
    }

    /// Returns the initial configurations: this one, or if a region is given, this one at each
    /// frequency of the region.
    #[must_use]
    pub fn starts(&self, task: &Task) -> Vec<Self> {
        let mut starts: Vec<Self> = vec![self.clone()];
        for planned in self.planned(task) {
            if !starts.contains(&planned) {
                starts.push(planned);
            }
        }
        starts
    }

    /// This configuration at each frequency that the link has for the region of `task`.
    fn planned(&self, task: &Task) -> Vec<Self> {
        let Some(region) = task.region else { return Vec::new() };
        let plans = self.profile.kind.band_plans().iter();
        let plans = plans.filter(|plan| plan.region == region.as_str());
        let with = |plan: &airlag_rig::knob::BandPlan| {
            let mut planned = self.clone();
            for &(name, value) in plan.settings {
                // Settings of the user are not changed.
                if !task.is_set(name.as_str()) && !planned.has(name.as_str(), value) {
                    planned.profile.set(name.as_str(), value).ok()?;
                    planned.note(name.as_str(), value, "");
                }
            }
            Some(planned)
        };
        plans.filter_map(with).collect()
    }

    /// Whether this link only repeats the link `other`. Three conditions must hold. First, `other` is already
    /// at a frequency of the region of `task`. Second, this link is not at such a frequency. Third, if this
    /// link is set to such a frequency, it differs from `other` at most in settings that the search varies in
    /// any case: the settings for range, and the transmit power.
    #[must_use]
    pub fn repeats(&self, other: &Profile, task: &Task) -> bool {
        let other = Self::of(other);
        let stays = |one: &Self| one.planned(task).iter().any(|planned| planned.starts_like(one));
        stays(&other)
            && !stays(self)
            && self.planned(task).iter().any(|planned| planned.starts_like(&other))
    }

    /// Whether two configurations of one kind differ at most in parameters for range and in power.
    fn starts_like(&self, other: &Self) -> bool {
        let searched = |name: &str| {
            name == POWER || self.profile.kind.reach().iter().any(|knob| knob.name.as_str() == name)
        };
        let [one, two] = [self, other].map(|one| &one.profile.parameters);
        one.len() == two.len()
            && one
                .iter()
                .zip(two)
                .all(|(one, two)| one.0 == two.0 && (searched(one.0) || one.1.value == two.1.value))
    }

    /// Transmit power, dBm. Returns `None` for a link without a modelled radio.
    #[must_use]
    pub fn power_dbm(&self) -> Option<f64> {
        self.profile.parameters.get(POWER).and_then(|power| power.value.number())
    }

    /// This configuration with another power.
    #[must_use]
    pub fn at_power(&self, dbm: i64) -> Option<Self> {
        let mut other = self.clone();
        let text = dbm.to_string();
        other.profile.set(POWER, &text).ok()?;
        other.note(POWER, &text, "");
        Some(other)
    }

    /// Single settings that may help to meet the requirement `name`.
    #[must_use]
    pub fn moves(&self, name: Name, task: &Task) -> Vec<Self> {
        let kind = self.profile.kind;
        let (knobs, powers): (&[Knob], _) = match name {
            Name::Deadline => (kind.knobs(), None),
            Name::Delivery => (kind.reach(), Some(true)),
            Name::BatteryLife | Name::Charge => (kind.saving(), Some(false)),
            Name::PeakCurrent => (&[], Some(false)),
            Name::Law => (&[], None),
        };
        let mut moves = Vec::new();
        let at_powers = |louder| {
            let powers = self.powers(louder, task);
            powers.into_iter().filter_map(|dbm| self.at_power(dbm)).collect::<Vec<Self>>()
        };
        let powers = powers.filter(|_| !task.is_set(POWER)).map(at_powers).unwrap_or_default();
        for knob in knobs.iter().filter(|knob| !knob.is_hardware && task.pays(knob.price)) {
            if task.is_set(knob.name.as_str()) {
                continue;
            }
            let values = knob.candidates(&self.profile).unwrap_or_default();
            moves.extend(values.into_iter().filter_map(|value| self.turned(knob, value, task)));
        }
        moves.extend(powers);
        // Another band of the region may permit a larger duty cycle.
        if name == Name::Law {
            moves.extend(self.planned(task).into_iter().filter(|planned| planned != self));
        }
        let own = self.floor_ns(task).unwrap_or(u64::MAX);
        let lower = |ns: u64| is_possible(ns, task) || ns < own;
        moves.retain(|one| one.floor_ns(task).is_some_and(lower));
        moves
    }

    /// Returns this link with one parameter changed to a better value, if the changed link equals the profile
    /// `other` of the same kind. The parameter must have only one better value, and the change must have no
    /// cost. Returns `None` if no parameter meets these conditions.
    #[must_use]
    pub fn improved(&self, other: &Profile, task: &Task) -> Option<Self> {
        let same = |one: &Self| {
            let mut both = one.profile.parameters.iter().zip(&other.parameters);
            one.profile.parameters.len() == other.parameters.len()
                && both.all(|(one, other)| (one.0, &one.1.value) == (other.0, &other.1.value))
        };
        let free = |knob: &&Knob| !knob.is_hardware && knob.price == Price::Nothing;
        self.profile.kind.knobs().iter().filter(free).find_map(|knob| {
            if task.is_set(knob.name.as_str()) {
                return None;
            }
            let values = knob.candidates(&self.profile).unwrap_or_default();
            let [value] = values[..] else { return None };
            self.turned(knob, value, task).filter(same)
        })
    }

    /// Pairs of settings that may help to meet the requirement `name`.
    #[must_use]
    pub fn pairs(&self, name: Name, task: &Task) -> Vec<Self> {
        let sorted = |one: &Self| {
            let mut settings = one.settings.clone();
            settings.sort();
            settings
        };
        let (mut pairs, mut known) = (Vec::new(), Vec::new());
        for first in self.moves(name, task) {
            for pair in first.moves(name, task) {
                // Two values of one parameter cannot be combined.
                let differing = pair.settings.iter().filter(|one| !self.settings.contains(one));
                let key = sorted(&pair);
                if differing.count() >= 2 && !known.contains(&key) {
                    known.push(key);
                    pairs.push(pair);
                }
            }
        }
        pairs
    }

    /// Changes a tunable parameter together with those that it requires. Returns `None` if hardware or a
    /// standard rejects the result.
    fn turned(&self, knob: &Knob, value: &'static str, task: &Task) -> Option<Self> {
        let mut other = self.clone();
        let size = task.bytes(&self.profile);
        let along = other.profile.turn(knob.name, value, size).ok()?;
        if along.iter().any(|one| task.is_set(one.name.as_str())) {
            return None;
        }
        other.note(knob.name.as_str(), value, knob.gives_up);
        for one in along {
            let gives_up = self.profile.given_up(one.name, one.value).ok()?;
            other.note(one.name.as_str(), one.value, gives_up);
        }
        Some(other)
    }

    /// Powers with a listed current that are above or below the present one, in whole dBm. Nearest first, or
    /// largest first if current does not matter.
    fn powers(&self, louder: bool, task: &Task) -> Vec<i64> {
        let Some(own) = self.power_dbm() else { return Vec::new() };
        let radio = self.profile.supply.sender.as_ref().and_then(|fed| fed.radio.as_deref());
        let Some(currents) = radio.and_then(|key| parts::find(key).ok()) else { return Vec::new() };
        let listed = currents.rows().filter(|(state, _)| *state == Some(State::Transmit));
        let mut powers: Vec<i64> =
            listed.filter_map(|(_, row)| Some(row.dbm()?.floor() as i64)).collect();
        powers.retain(|&dbm| if louder { dbm as f64 > own } else { (dbm as f64) < own });
        powers.sort_by_key(|&dbm| ((dbm as f64 - own).abs() * 10.0) as i64);
        powers.dedup();
        if louder && !task.draws_count() {
            powers.reverse();
        }
        powers
    }

    /// Lower bound of the latency, ns. Returns `None` if the settings are rejected.
    fn floor_ns(&self, task: &Task) -> Option<u64> {
        Some(floor(&self.profile, task.bytes(&self.profile)).ok()?.ns())
    }

    fn has(&self, name: &str, text: &str) -> bool {
        let known = self.profile.known(name);
        let value = self.profile.parameters.get(name).map(|parameter| &parameter.value);
        known.is_ok_and(|known| value == Some(&known.read(text)))
    }

    /// Records a setting, replacing one of the same parameter.
    fn note(&mut self, name: &str, value: &str, gives_up: &'static str) {
        self.settings.retain(|one| one.0 != name);
        self.settings.push((name.to_owned(), value.to_owned()));
        if !gives_up.is_empty() && !self.gives_up.contains(&gives_up) {
            self.gives_up.push(gives_up);
        }
    }
}

impl Task {
    /// Whether the cost of a parameter is measured here, or was accepted explicitly.
    fn pays(&self, price: Price) -> bool {
        match price {
            Price::Nothing => true,
            Price::Range => self.trade || self.range.is_some(),
            Price::Energy => self.trade || self.draws_count(),
            Price::Other => self.trade,
        }
    }
}
