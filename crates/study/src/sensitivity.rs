//! Sensitivity: the change of the latency quantiles of a link when an assumed or calibrated constant is halved
//! and doubled. A constant with a large effect needs a better source. All constants are halved and doubled, so
//! the effects of all constants can be compared with each other. A constant with bounds, which limit its true
//! value, is also set to each of its bounds.
//!
//! Each value of a constant is simulated in a separate run with the same seed, so the results equal
//! the results of an ordinary run with this value as a setting. Runs of the unchanged profile with
//! other seeds show how large a change may be by chance.

use airlag_rig::origin::Source;
use airlag_rig::parameter::{Domain, Known, Value};
use airlag_rig::profile::{Constant, Profile};
use airlag_stats::dist::{Delivery, quantiles};
use airlag_stats::pair::Transfers;
use schemars::JsonSchema;
use serde::Serialize;

use crate::error::Error;
use crate::pace;
use crate::side_by_side::side_by_side;

/// Results of a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Seen {
    /// Median and 99 % quantile, ns. `None` if nothing arrived.
    pub quantiles_ns: Option<[f64; 2]>,
    /// Delivery ratio.
    pub delivery: Option<f64>,
}

impl Seen {
    fn of(transfers: &Transfers) -> Self {
        let quantiles_ns = quantiles(&transfers.latencies_ns(), &[0.5, 0.99]).try_into().ok();
        Self { quantiles_ns, delivery: Delivery::of(transfers).map(|delivery| delivery.ratio) }
    }
}

/// Results with another value of a constant.
#[derive(Clone, Debug, PartialEq)]
pub struct Changed {
    /// The value.
    pub value: Value,
    /// Results of the run, or the reason why the bench rejects the value.
    pub seen: Result<Seen, Error>,
}

/// Results at the bounds of a constant.
#[derive(Clone, Debug, PartialEq)]
pub struct Within {
    /// Results at the lower bound. `None` if the profile has this value.
    pub lowest: Option<Changed>,
    /// Results at the upper bound. `None` if the profile has this value.
    pub highest: Option<Changed>,
    /// Largest change, as [`Effect::share`].
    pub share: f64,
}

/// Effect of a constant.
#[derive(Clone, Debug, PartialEq)]
pub struct Effect<'a> {
    /// The constant.
    pub constant: Constant<'a>,
    /// Results at half the value, limited to the valid range. `None` if that is the value itself.
    pub halved: Option<Changed>,
    /// Results at twice the value, limited to the valid range. `None` if that is the value itself.
    pub doubled: Option<Changed>,
    /// Largest change of the median or the 99 % quantile, relative to the unchanged value. Infinite if nothing
    /// arrives.
    pub share: f64,
    /// Results within the bounds. `None` without bounds.
    pub within: Option<Within>,
}

/// Largest negligible change of a quantile. A constant with a larger effect needs a source.
pub const MATTERS: f64 = 0.1;

impl Effect<'_> {
    /// Returns the largest change within the uncertainty of the constant: within its bounds, or at half and
    /// double the value if it has no bounds.
    #[must_use]
    pub fn worth(&self) -> f64 {
        self.within.as_ref().map_or(self.share, |within| within.share)
    }

    /// Results at the values that [`worth`](Self::worth) covers.
    fn sides(&self) -> [Option<&Changed>; 2] {
        match &self.within {
            Some(within) => [within.lowest.as_ref(), within.highest.as_ref()],
            None => [self.halved.as_ref(), self.doubled.as_ref()],
        }
    }
}

/// Reason why a constant is left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "LeftOutReason")]
pub enum LeftOut {
    /// The value is zero.
    #[serde(rename = "zero")]
    Zero,
    /// The constant is a flag.
    #[serde(rename = "a flag")]
    Flag,
    /// The constant is one of several choices.
    #[serde(rename = "a choice")]
    Choice,
    /// The constant is a phase at the start of the bench.
    #[serde(rename = "a phase")]
    Phase,
}

/// Sensitivity of a profile.
#[derive(Clone, Debug, PartialEq)]
pub struct Sensitivity<'a> {
    /// Results of the unchanged profile.
    pub own: Seen,
    /// Largest changes of the median and of the 99 % quantile over [`SEEDS`] other seeds.
    pub chance: [f64; 2],
    /// Effects by constant, largest first.
    pub effects: Vec<Effect<'a>>,
    /// Constants that have no half and no double.
    pub left_out: Vec<(Constant<'a>, LeftOut)>,
}

impl Sensitivity<'_> {
    /// Whether a constant changes a quantile by more than [`MATTERS`], and by more than another seed.
    #[must_use]
    pub fn is_open(&self, effect: &Effect<'_>) -> bool {
        let seen = effect.sides().into_iter().flatten().filter_map(|side| side.seen.as_ref().ok());
        let mut far = seen.flat_map(|seen| moved(&self.own, seen).into_iter().zip(self.chance));
        far.any(|(share, chance)| share > MATTERS.max(chance))
    }
}

/// Number of other seeds that are used to measure chance.
pub const SEEDS: u64 = 4;

/// Halves and doubles each assumed and calibrated constant of `profile`, for messages of `size` bytes with
/// `count` triggers each.
///
/// # Errors
///
/// Returns the errors of [`run`](airlag_rig::run()) for the unchanged profile. Rejected values are recorded in
/// [`Changed::seen`].
pub fn sensitivity(
    profile: &Profile,
    size: usize,
    count: usize,
    seed: u64,
) -> Result<Sensitivity<'_>, Error> {
    let seeds: Vec<u64> = (0..=SEEDS).map(|further| seed.wrapping_add(further)).collect();
    let seen =
        side_by_side(&seeds, |&seed| Ok(Seen::of(&pace::transfers(profile, size, count, seed)?)));
    let seen = seen.into_iter().collect::<Result<Vec<Seen>, Error>>()?;
    let (own, others) = (seen[0], &seen[1..]);
    let chance = others
        .iter()
        .map(|other| moved(&own, other))
        .fold([0.0; 2], |most, one| [0, 1].map(|at| f64::max(most[at], one[at])));

    let mut turned = Vec::new();
    let mut left_out = Vec::new();
    for constant in profile.constants() {
        if !matches!(constant.origin.source, Source::Assumed | Source::Calibrated) {
            continue;
        }
        let known = profile.known(constant.name)?;
        match reason(known, &constant) {
            Some(reason) => left_out.push((constant, reason)),
            None => turned.push((constant, values(known, &constant))),
        }
    }
    let asked: Vec<(&str, &Value)> = turned
        .iter()
        .flat_map(|(constant, values)| values.iter().flatten().map(|one| (constant.name, one)))
        .collect();
    let mut runs = side_by_side(&asked, |&(name, value)| {
        let mut changed = profile.clone();
        changed.set(name, &value.to_string())?;
        Ok(Seen::of(&pace::transfers(&changed, size, count, seed)?))
    })
    .into_iter();
    // One run per value, in the same order.
    let mut seen = |value: Option<Value>| {
        let value = value?;
        runs.next().map(|seen| Changed { value, seen })
    };
    let larger = |one: &Option<Changed>, other: &Option<Changed>| {
        change(&own, one.as_ref()).max(change(&own, other.as_ref()))
    };
    let mut effects: Vec<Effect<'_>> = Vec::new();
    for (constant, values) in turned {
        let [halved, doubled, lowest, highest] = values.map(&mut seen);
        let share = larger(&halved, &doubled);
        let within = constant.origin.bound().map(|_| {
            let share = larger(&lowest, &highest);
            Within { lowest, highest, share }
        });
        effects.push(Effect { constant, halved, doubled, share, within });
    }
    effects.sort_by(|one, other| other.share.total_cmp(&one.share));
    Ok(Sensitivity { own, chance, effects, left_out })
}

/// Half and double of a constant, and its bounds, unless equal to its value.
fn values(known: &Known, constant: &Constant<'_>) -> [Option<Value>; 4] {
    let [halved, doubled] = [0.5, 2.0].map(|by| scaled(known, constant.value, by));
    let bound = constant.origin.bound();
    let other = |end: &Value| (end.number() != constant.value.number()).then(|| end.clone());
    let [low, high] = [bound.map(|one| &one.low), bound.map(|one| &one.high)];
    [halved, doubled, low.and_then(other), high.and_then(other)]
}

/// Reason why a constant has neither half, double nor bounds.
fn reason(known: &Known, constant: &Constant<'_>) -> Option<LeftOut> {
    match (known.domain, constant.value.number()) {
        (Domain::Phase, _) => Some(LeftOut::Phase),
        (Domain::Flag, _) => Some(LeftOut::Flag),
        (Domain::Choice(_), _) | (_, None) => Some(LeftOut::Choice),
        (_, Some(number)) if number == 0.0 && constant.origin.bound().is_none() => {
            Some(LeftOut::Zero)
        }
        _ => None,
    }
}

/// `value` times `by`, limited to its valid range. Returns `None` if the result is the value itself.
fn scaled(known: &Known, value: &Value, by: f64) -> Option<Value> {
    let number = value.number()?;
    let scaled = match known.domain {
        Domain::Whole(low, high) => Value::Whole(((number * by).round() as i64).clamp(low, high)),
        Domain::Real(low, high) | Domain::RealOrEnvironment(low, high) => {
            Value::Real((number * by).clamp(low, high))
        }
        Domain::Phase | Domain::Flag | Domain::Choice(_) | Domain::Neighbours(_) => return None,
    };
    (scaled.number() != Some(number)).then_some(scaled)
}

/// The larger change of the two quantiles.
fn change(own: &Seen, changed: Option<&Changed>) -> f64 {
    let Some(Changed { seen: Ok(seen), .. }) = changed else { return 0.0 };
    moved(own, seen).into_iter().fold(0.0, f64::max)
}

/// Relative change of each quantile from the unchanged profile to `seen`.
fn moved(own: &Seen, seen: &Seen) -> [f64; 2] {
    match (own.quantiles_ns, seen.quantiles_ns) {
        (Some(own), Some(seen)) => [0, 1].map(|at| (seen[at] / own[at] - 1.0).abs()),
        (None, None) => [0.0; 2],
        (Some(_), None) | (None, Some(_)) => [f64::INFINITY; 2],
    }
}
