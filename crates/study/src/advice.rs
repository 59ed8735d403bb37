//! Advice: parameter changes that reduce a latency quantile, measured on the bench.
//!
//! Every candidate setting is run with triggers at random times, with the same seed as the unchanged profile.
//! If a candidate setting requires changes of other settings, these other settings are changed as well
//! ([`turned`]). Candidate settings that the hardware rejects are skipped.
//!
//! A change of a setting is advice if it has no cost and reduces the requested quantile by a statistically
//! significant amount of at least [`LEAST_GAIN`]. A cost is a lower delivery ratio, an increase of another
//! quantile, or a known disadvantage of the new value of the setting. A change with a cost is reported
//! separately, as a trade of this cost for a lower latency.

pub mod charges;
mod turned;

use std::cmp::Ordering;
use std::fmt;

use airlag_stats::compare::{Difference, compare};
use airlag_stats::pair::Transfers;

use crate::charge::Charge;
use crate::error::Error;
use crate::explain::floor_of;
use crate::law::Condition;
use crate::pace;
use crate::side_by_side::side_by_side;
use airlag_rig::draws::Draws;
use airlag_rig::profile::Profile;
use airlag_rig::run::Traffic;

pub use charges::Charges;
pub use turned::{Candidate, Setting, Turned, candidates};

/// Smallest gain that is reported, as a share of the quantile.
pub const LEAST_GAIN: f64 = 0.01;

/// Quantile to reduce.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Aim {
    /// The median.
    Median,
    /// The 99 % quantile.
    Tail,
}

/// Disadvantage of a change that reduces a latency quantile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cost {
    /// A cost that the latency does not show.
    GivesUp(&'static str),
    /// Significantly more transfers are lost.
    Loses,
    /// The median grows significantly.
    SlowerMedian,
    /// The 99 % quantile grows significantly.
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

/// A set of parameter changes and its measured effect. In each difference, `a` is the value of the unchanged
/// profile.
#[derive(Clone, Debug, PartialEq)]
pub struct Change {
    /// Changed parameters.
    pub settings: Vec<Setting>,
    /// Median latency, ns.
    pub p50: Difference,
    /// 99 % quantile of the latency, ns.
    pub p99: Difference,
    /// Delivery ratio.
    pub delivery: Option<Difference>,
    /// Lower bound of the latency with these settings, ns.
    pub floor_ns: u64,
    /// Disadvantages of the change.
    pub costs: Vec<Cost>,
    /// Charge and current of each end, before and after. Empty without current data.
    pub charges: Vec<Charges>,
}

/// Changes worth making, with their measured effect.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Advice {
    /// Single changes without a cost, largest gain first.
    pub single: Vec<Change>,
    /// Single changes with a cost, largest gain first.
    pub trades: Vec<Change>,
    /// Cumulative changes. The first entry is the best change. Each further entry adds the best further
    /// change, as long as there is a gain. The last entry is the fully tuned profile.
    pub combined: Vec<Change>,
    /// Total number of runs.
    pub tried: usize,
    /// Number of these runs that re-measured the selected changes.
    pub measured: usize,
    /// Random seed of the runs from which the changes were selected.
    pub choice_seed: u64,
}

/// A profile with some changed parameters, and its results.
struct Trial {
    turned: Turned,
    transfers: Transfers,
    draws: Draws,
    floor_ns: u64,
}

/// Runs candidates in parallel on all processors.
#[derive(Clone, Copy)]
struct Bench<'a> {
    size: usize,
    count: usize,
    seed: u64,
    aim: Aim,
    traffic: Traffic,
    /// Whether the region allows a profile.
    is_allowed: &'a IsAllowed<'a>,
}

/// Decides whether a profile with changed settings may be advised.
type IsAllowed<'a> = dyn Fn(&Profile) -> bool + Sync + 'a;

/// Tries the parameters of `profile` for messages of `size` bytes, with `count` triggers each.
///
/// Changes are selected with another seed and then re-measured with `seed`, so that a gain by chance is
/// not reported.
///
/// # Errors
///
/// Returns the errors of [`run`](airlag_rig::run()) for the unchanged profile. Settings that the link rejects are
/// skipped.
pub fn advise(
    profile: &Profile,
    size: usize,
    count: usize,
    seed: u64,
    aim: Aim,
    traffic: Traffic,
) -> Result<Advice, Error> {
    advise_where(Bench { size, count, seed, aim, traffic, is_allowed: &|_| true }, profile)
}

/// Like [`advise`], but excludes changes that violate a regional rule which the unchanged profile
/// meets.
///
/// # Errors
///
/// Returns the errors of [`advise`].
pub fn advise_within(
    profile: &Profile,
    size: usize,
    count: usize,
    aim: Aim,
    traffic: Traffic,
    law: Condition,
) -> Result<Advice, Error> {
    let base = law.judge(profile, size)?;
    let is_allowed = |changed: &Profile| law.breaks_no_more(base.as_ref(), changed, size);
    advise_where(
        Bench { size, count, seed: law.seed, aim, traffic, is_allowed: &is_allowed },
        profile,
    )
}

fn advise_where(fresh: Bench<'_>, profile: &Profile) -> Result<Advice, Error> {
    let size = fresh.size;
    let choice_seed = fresh.seed.wrapping_add(1);
    let choosing = Bench { seed: choice_seed, ..fresh };
    let (base, known) =
        (choosing.trial(Turned::none(profile))?, fresh.trial(Turned::none(profile))?);
    let candidates = candidates(profile)?;
    let trials = choosing.trials(base.turned.further(&candidates, size));
    let mut advice =
        Advice { tried: 2 + trials.len(), measured: 1, choice_seed, ..Advice::default() };
    let mut gains = choosing.gains(&base, trials);
    let again = fresh.trials(gains.iter().map(|(_, trial)| trial.turned.clone()).collect());
    (advice.tried, advice.measured) = (advice.tried + again.len(), advice.measured + again.len());
    let before = fresh.cost(&known);
    let costing = |(change, trial): (Change, Trial)| Change {
        charges: charges::beside(&before, &fresh.cost(&trial)),
        ..change
    };
    let mut changes: Vec<Change> = fresh.gains(&known, again).into_iter().map(costing).collect();
    // A change that had a cost under the first seed is still reported with this cost.
    for change in &mut changes {
        let chosen = gains.iter().find(|(one, _)| one.settings == change.settings);
        let costs = chosen.map_or(&[][..], |(one, _)| &one.costs);
        change.costs.extend(
            costs.iter().filter(|cost| !change.costs.contains(cost)).copied().collect::<Vec<_>>(),
        );
    }
    (advice.single, advice.trades) = changes.into_iter().partition(|one| one.costs.is_empty());

    // All steps are selected before any of them is re-measured.
    let confirmed =
        |one: &(Change, Trial)| advice.single.iter().any(|of| of.settings == one.0.settings);
    let mut current = gains.iter().position(confirmed).map(|at| gains.swap_remove(at).1);
    let free: Vec<Candidate> =
        candidates.into_iter().filter(|one| one.gives_up.is_empty()).collect();
    let mut way = Vec::new();
    while let Some(trial) = current {
        let trials = choosing.trials(trial.turned.further(&free, size));
        advice.tried += trials.len();
        let gains = choosing.gains(&trial, trials);
        way.push(trial.turned);
        current = gains.into_iter().find(|(one, _)| one.costs.is_empty()).map(|(_, next)| next);
    }
    let steps = fresh.trials(way);
    (advice.tried, advice.measured) = (advice.tried + steps.len(), advice.measured + steps.len());
    let mut last = &known;
    for step in &steps {
        // A step is kept if it adds a gain, but it is reported against the unchanged profile.
        let added = fresh.change(last, step).filter(|one| is_gain(fresh.aimed(one)));
        let change = fresh.change(&known, step).filter(|one| one.costs.is_empty());
        let (Some(_), Some(change)) = (added, change) else { break };
        let charges = charges::beside(&before, &fresh.cost(step));
        advice.combined.push(Change { charges, ..change });
        last = step;
    }
    Ok(advice)
}

impl Bench<'_> {
    fn trial(&self, turned: Turned) -> Result<Trial, Error> {
        let (transfers, draws) =
            pace::transfers_of(&turned.profile, self.size, self.count, self.seed, self.traffic)?;
        let floor_ns = floor_of(&turned.profile, self.size, self.traffic)?.ns();
        Ok(Trial { turned, transfers, draws, floor_ns })
    }

    fn cost(&self, trial: &Trial) -> Charge {
        let profile = &trial.turned.profile;
        charges::cost(profile, self.size, self.count, self.seed, self.traffic, &trial.draws)
    }

    /// Runs candidates and returns those that the bench accepts, in the order given.
    fn trials(&self, asked: Vec<Turned>) -> Vec<Trial> {
        side_by_side(&asked, |turned| self.trial(turned.clone()).ok())
            .into_iter()
            .flatten()
            .collect()
    }

    /// Trials that gain against `base`, largest gain first.
    fn gains(&self, base: &Trial, trials: Vec<Trial>) -> Vec<(Change, Trial)> {
        let compared = |trial: Trial| Some((self.change(base, &trial)?, trial));
        let mut gains: Vec<(Change, Trial)> = trials
            .into_iter()
            .filter_map(compared)
            .filter(|(change, trial)| is_gain(self.aimed(change)) && self.is_allowed(trial))
            .collect();
        let order = |one: &Change, other: &Change| -> Ordering {
            self.aimed(one).b.total_cmp(&self.aimed(other).b)
        };
        gains.sort_by(|one, other| order(&one.0, &other.0));
        gains
    }

    fn is_allowed(&self, trial: &Trial) -> bool {
        (self.is_allowed)(&trial.turned.profile)
    }

    const fn aimed<'a>(&self, change: &'a Change) -> &'a Difference {
        match self.aim {
            Aim::Median => &change.p50,
            Aim::Tail => &change.p99,
        }
    }

    /// The change from `base` to `trial`. Returns `None` if either delivers nothing.
    fn change(&self, base: &Trial, trial: &Trial) -> Option<Change> {
        let found = compare(&base.transfers, &trial.transfers);
        let at =
            |p: f64| found.quantiles.iter().find(|(level, _)| *level == p).map(|found| found.1);
        let (p50, p99, delivery) = (at(0.5)?, at(0.99)?, found.delivery);
        let loses = delivery.is_some_and(|d| d.change.high.is_some_and(|high| high < 0.0));
        let mut costs: Vec<Cost> =
            trial.turned.gives_up.iter().copied().map(Cost::GivesUp).collect();
        costs.extend(loses.then_some(Cost::Loses));
        costs.extend(is_loss(&p50).then_some(Cost::SlowerMedian));
        costs.extend(is_loss(&p99).then_some(Cost::SlowerTail));
        let settings = trial.turned.settings.clone();
        let (floor_ns, charges) = (trial.floor_ns, Vec::new());
        Some(Change { settings, p50, p99, delivery, floor_ns, costs, charges })
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
