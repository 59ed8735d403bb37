//! Which knob to turn: every setting worth a try is run on the bench and held against the profile as
//! it is, under the same seed and triggers that come at any moment. Nothing is asserted. Knobs are
//! turned together with what they need ([`turned`]); what hardware refuses is not tried.
//!
//! A change is advice when it makes the quantile that was asked for smaller by at least
//! [`LEAST_GAIN`] and by more than chance, and costs nothing else: no delivery, no other quantile,
//! nothing its knob is known to give up. What gains at such a cost is told apart, as a trade.

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
    /// What it makes of what each end draws; empty where nobody lists that.
    pub charges: Vec<Charges>,
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
    /// Benches that were run in all.
    pub tried: usize,
    /// Those of them on which what had been chosen was measured.
    pub measured: usize,
    /// Root of every random number of the benches on which it was chosen.
    pub choice_seed: u64,
}

/// A profile with some knobs turned, and what it did.
struct Trial {
    turned: Turned,
    transfers: Transfers,
    draws: Draws,
    floor_ns: u64,
}

/// One bench after the other, as many at once as there are processors.
#[derive(Clone, Copy)]
struct Bench<'a> {
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
/// What is told was measured under `seed`, and was chosen under another: what gains by chance gains
/// nothing a second time, and is no advice.
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
    advise_where(Bench { size, count, seed, aim, traffic, may: &|_| true }, profile)
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
    advise_where(Bench { size, count, seed: law.seed, aim, traffic, may: &may }, profile)
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
    // What cost something the first time does not become free the second.
    for change in &mut changes {
        let chosen = gains.iter().find(|(one, _)| one.settings == change.settings);
        let costs = chosen.map_or(&[][..], |(one, _)| &one.costs);
        change.costs.extend(
            costs.iter().filter(|cost| !change.costs.contains(cost)).copied().collect::<Vec<_>>(),
        );
    }
    (advice.single, advice.trades) = changes.into_iter().partition(|one| one.costs.is_empty());

    // The way is chosen to its end before any of it is measured.
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
        // A step counts by what it adds; told it is against the profile as it is.
        let added = fresh.change(last, step).filter(|one| is_gain(fresh.aimed(one)));
        let told = fresh.change(&known, step).filter(|one| one.costs.is_empty());
        let (Some(_), Some(told)) = (added, told) else { break };
        let charges = charges::beside(&before, &fresh.cost(step));
        advice.combined.push(Change { charges, ..told });
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

    /// Those that can be run, in the order given.
    fn trials(&self, asked: Vec<Turned>) -> Vec<Trial> {
        side_by_side(&asked, |turned| self.trial(turned.clone()).ok())
            .into_iter()
            .flatten()
            .collect()
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
        (self.may)(&trial.turned.profile)
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
