//! Which knob to turn: every setting worth a try is run on the bench and held against the profile as
//! it is, under the same seed and triggers that come at any moment. Nothing is asserted.
//!
//! A change is advice when it makes the quantile that was asked for smaller by at least
//! [`LEAST_GAIN`] and by more than chance, and costs nothing else: no delivery, no other quantile,
//! nothing its knob is known to give up. What gains at such a cost is told apart, as a trade.

use std::cmp::Ordering;
use std::fmt;

use airlag_stats::compare::{Difference, compare};
use airlag_stats::pair::Transfers;

use crate::error::Error;
use crate::explain::floor_of;
use crate::law::Condition;
use crate::pace;
use crate::side_by_side::side_by_side;
use airlag_rig::profile::Profile;
use airlag_rig::run::Traffic;

/// A change that gains less, as a share, is not worth a visit to the bench.
pub const LEAST_GAIN: f64 = 0.01;

/// Which quantile is to become smaller.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Aim {
    /// The median.
    Median,
    /// The 99 % quantile.
    Tail,
}

/// A parameter and its new value, as `--set` takes them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Setting {
    /// The parameter.
    pub name: &'static str,
    /// The value.
    pub value: &'static str,
}

/// What a gain costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cost {
    /// Something no latency shows.
    GivesUp(&'static str),
    /// More transfers are lost, by more than chance.
    Loses,
    /// The median grows, by more than chance.
    SlowerMedian,
    /// The 99 % quantile grows, by more than chance.
    SlowerTail,
}

impl fmt::Display for Cost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::GivesUp(what) => write!(f, "gives up {what}"),
            Self::Loses => f.write_str("loses more"),
            Self::SlowerMedian => f.write_str("makes the median longer"),
            Self::SlowerTail => f.write_str("makes the tail longer"),
        }
    }
}

/// Settings, and what the bench says of them; `a` of each difference is the profile as it is.
#[derive(Clone, Debug, PartialEq)]
pub struct Change {
    /// What is set.
    pub settings: Vec<Setting>,
    /// Median, ns.
    pub p50: Difference,
    /// 99 % quantile, ns.
    pub p99: Difference,
    /// Share of the transfers that arrive.
    pub delivery: Option<Difference>,
    /// The floor with these settings, ns.
    pub floor_ns: u64,
    /// What the gain costs.
    pub costs: Vec<Cost>,
}

/// What to change, and what it is worth.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Advice {
    /// Single changes that gain and cost nothing, the largest gain first.
    pub single: Vec<Change>,
    /// Single changes that gain at a cost, the largest gain first.
    pub trades: Vec<Change>,
    /// The best change, then with the best one added to it, and so on while that gains anything:
    /// the last one is the profile tuned as a whole.
    pub combined: Vec<Change>,
    /// Benches that were run.
    pub tried: usize,
}

/// A profile with some settings, and what it did.
struct Trial {
    settings: Vec<Setting>,
    costs: Vec<Cost>,
    transfers: Transfers,
    floor_ns: u64,
}

/// One bench after the other, as many at once as there are processors.
struct Bench<'a> {
    profile: &'a Profile,
    size: usize,
    count: usize,
    seed: u64,
    aim: Aim,
    traffic: Traffic,
    /// True of what a region lets one do.
    may: &'a May<'a>,
}

/// Whether a profile with some settings may be told of.
type May<'a> = dyn Fn(&Profile) -> bool + Sync + 'a;

/// Tries what can be turned on the link of `profile` for messages of `size` bytes, with `count`
/// triggers each.
///
/// # Errors
///
/// Those of [`run`](airlag_rig::run()) for the profile as it is. A setting it cannot have is left out.
pub fn advise(
    profile: &Profile,
    size: usize,
    count: usize,
    seed: u64,
    aim: Aim,
    traffic: Traffic,
) -> Result<Advice, Error> {
    advise_where(Bench { profile, size, count, seed, aim, traffic, may: &|_| true })
}

/// The same without what a region does not allow: changes that break a rule which the profile keeps
/// as it is.
///
/// # Errors
///
/// As [`advise`].
pub fn advise_within(
    profile: &Profile,
    size: usize,
    count: usize,
    aim: Aim,
    traffic: Traffic,
    law: Condition,
) -> Result<Advice, Error> {
    let base = law.judge(profile, size)?;
    let may = |changed: &Profile| law.breaks_no_more(base.as_ref(), changed, size);
    advise_where(Bench { profile, size, count, seed: law.seed, aim, traffic, may: &may })
}

fn advise_where(bench: Bench<'_>) -> Result<Advice, Error> {
    let profile = bench.profile;
    let base = bench.trial(Vec::new(), Vec::new())?;
    let candidates = candidates(profile)?;
    let trials = bench.trials(&further(&[], &[], &candidates));
    let tried = 1 + trials.len();
    let gains = bench.gains(&base, trials);
    let mut advice = Advice { tried, ..Advice::default() };
    let mut current = None;
    for (change, trial) in gains {
        if !change.costs.is_empty() {
            advice.trades.push(change);
            continue;
        }
        if current.is_none() {
            advice.combined.push(change.clone());
            current = Some(trial);
        }
        advice.single.push(change);
    }

    let free: Vec<Candidate> = candidates.into_iter().filter(|one| one.cost.is_none()).collect();
    while let Some(trial) = current {
        let trials = bench.trials(&further(&trial.settings, &trial.costs, &free));
        advice.tried += trials.len();
        let gains = bench.gains(&trial, trials);
        current =
            gains.into_iter().find(|(change, _)| change.costs.is_empty()).map(|(_, next)| next);
        // Told against the profile as it is, not against the step before.
        let step = current.as_ref().and_then(|next| bench.change(&base, next));
        advice.combined.extend(step);
    }
    Ok(advice)
}

/// The profile tuned as a whole: the best change, with the best one added to it, and so on while
/// that gains anything. With `trade`, changes that give up something no latency shows count too; with
/// `law`, none that it does not allow.
/// What it is tuned to; empty where nothing gains.
///
/// # Errors
///
/// Those of [`run`](airlag_rig::run()) for the profile as it is.
pub fn tune(
    profile: &Profile,
    size: usize,
    count: usize,
    seed: u64,
    aim: Aim,
    trade: bool,
    law: Option<Condition>,
) -> Result<Vec<Candidate>, Error> {
    let may = |changed: &Profile| law.is_none_or(|law| law.allows(changed, size));
    let traffic = Traffic::Trigger;
    let bench = Bench { profile, size, count, seed, aim, traffic, may: &may };
    let candidates: Vec<Candidate> =
        candidates(profile)?.into_iter().filter(|one| trade || one.cost.is_none()).collect();
    let mut trial = bench.trial(Vec::new(), Vec::new())?;
    let mut tuned = Vec::new();
    loop {
        let trials = bench.trials(&further(&trial.settings, &trial.costs, &candidates));
        let gains = bench.gains(&trial, trials);
        let given_up = |cost: &Cost| matches!(cost, Cost::GivesUp(_));
        let best = gains.into_iter().find(|(change, _)| change.costs.iter().all(given_up));
        let Some((_, next)) = best else { return Ok(tuned) };
        let added = next.settings.last();
        tuned.extend(candidates.iter().find(|one| Some(&one.setting) == added));
        trial = next;
    }
}

/// A setting worth a try.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// What is set.
    pub setting: Setting,
    /// What it gives up that no latency shows.
    pub cost: Option<Cost>,
}

/// Every setting of `profile` that is worth a try.
pub(crate) fn candidates(profile: &Profile) -> Result<Vec<Candidate>, Error> {
    let mut found = Vec::new();
    for knob in profile.kind.knobs() {
        let cost = (!knob.gives_up.is_empty()).then_some(Cost::GivesUp(knob.gives_up));
        for value in knob.candidates(profile)? {
            found.push(Candidate { setting: Setting { name: knob.name.as_str(), value }, cost });
        }
    }
    Ok(found)
}

/// `settings` with one of `candidates` more, of a parameter that is not set yet, and the costs.
fn further(
    settings: &[Setting],
    costs: &[Cost],
    candidates: &[Candidate],
) -> Vec<(Vec<Setting>, Vec<Cost>)> {
    let unused = |one: &&Candidate| settings.iter().all(|set| set.name != one.setting.name);
    let with = |one: &Candidate| {
        let costs = costs.iter().copied().chain(one.cost).collect();
        ([settings, &[one.setting]].concat(), costs)
    };
    candidates.iter().filter(unused).map(with).collect()
}

impl Bench<'_> {
    fn trial(&self, settings: Vec<Setting>, costs: Vec<Cost>) -> Result<Trial, Error> {
        let mut profile = self.profile.clone();
        for setting in &settings {
            profile.set(setting.name, setting.value)?;
        }
        let transfers =
            pace::transfers_of(&profile, self.size, self.count, self.seed, self.traffic)?;
        let floor_ns = floor_of(&profile, self.size, self.traffic)?.ns();
        Ok(Trial { settings, costs, transfers, floor_ns })
    }

    /// Those that can be run, in the order given.
    fn trials(&self, asked: &[(Vec<Setting>, Vec<Cost>)]) -> Vec<Trial> {
        let trial = |(settings, costs): &(Vec<Setting>, Vec<Cost>)| {
            self.trial(settings.clone(), costs.clone()).ok()
        };
        side_by_side(asked, trial).into_iter().flatten().collect()
    }

    /// The trials that gain against `base`, the largest gain first.
    fn gains(&self, base: &Trial, trials: Vec<Trial>) -> Vec<(Change, Trial)> {
        let told = |trial: Trial| Some((self.change(base, &trial)?, trial));
        let mut gains: Vec<(Change, Trial)> = trials
            .into_iter()
            .filter_map(told)
            .filter(|(change, trial)| is_gain(self.aimed(change)) && self.may(trial))
            .collect();
        let order = |one: &Change, other: &Change| -> Ordering {
            self.aimed(one).b.total_cmp(&self.aimed(other).b)
        };
        gains.sort_by(|one, other| order(&one.0, &other.0));
        gains
    }

    fn may(&self, trial: &Trial) -> bool {
        let mut profile = self.profile.clone();
        let set = trial.settings.iter().try_for_each(|one| profile.set(one.name, one.value));
        set.is_ok() && (self.may)(&profile)
    }

    const fn aimed<'a>(&self, change: &'a Change) -> &'a Difference {
        match self.aim {
            Aim::Median => &change.p50,
            Aim::Tail => &change.p99,
        }
    }

    /// What `trial` does otherwise than `base`; none if either of them delivers nothing.
    fn change(&self, base: &Trial, trial: &Trial) -> Option<Change> {
        let told = compare(&base.transfers, &trial.transfers);
        let at = |p: f64| told.quantiles.iter().find(|(level, _)| *level == p).map(|found| found.1);
        let (p50, p99, delivery) = (at(0.5)?, at(0.99)?, told.delivery);
        let loses = delivery.is_some_and(|d| d.change.high.is_some_and(|high| high < 0.0));
        let mut costs = trial.costs.clone();
        costs.extend(loses.then_some(Cost::Loses));
        costs.extend(is_loss(&p50).then_some(Cost::SlowerMedian));
        costs.extend(is_loss(&p99).then_some(Cost::SlowerTail));
        let settings = trial.settings.clone();
        Some(Change { settings, p50, p99, delivery, floor_ns: trial.floor_ns, costs })
    }
}

fn is_gain(quantile: &Difference) -> bool {
    quantile.change.value <= -LEAST_GAIN * quantile.a
        && quantile.change.high.is_some_and(|high| high < 0.0)
}

fn is_loss(quantile: &Difference) -> bool {
    quantile.change.value >= LEAST_GAIN * quantile.a
        && quantile.change.low.is_some_and(|low| low > 0.0)
}
