//! What an assumption is worth: how far the quantiles of a link move when a constant that is assumed
//! or calibrated is halved, and when it is doubled. One that moves them far is worth a source. One
//! that has a bound is also set to either end of it: half and double are the same for all, but the
//! ends are where it may lie.
//!
//! Each value is a run of its own under the same seed, so its numbers are those of a plain run with
//! the constant set to it. What other seeds do to the profile as it is tells how much of a change
//! may be chance.

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

/// What a run did.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Seen {
    /// Median and 99 % quantile, ns; none if nothing arrived.
    pub quantiles_ns: Option<[f64; 2]>,
    /// Share of the transfers that arrived.
    pub delivery: Option<f64>,
}

impl Seen {
    fn of(transfers: &Transfers) -> Self {
        let quantiles_ns = quantiles(&transfers.latencies_ns(), &[0.5, 0.99]).try_into().ok();
        Self { quantiles_ns, delivery: Delivery::of(transfers).map(|told| told.ratio) }
    }
}

/// A constant at another value.
#[derive(Clone, Debug, PartialEq)]
pub struct Changed {
    /// The value.
    pub value: Value,
    /// What the run did, or why the bench refuses the value.
    pub seen: Result<Seen, Error>,
}

/// A constant at the ends of its bound.
#[derive(Clone, Debug, PartialEq)]
pub struct Within {
    /// At the lower end; none if it is there already.
    pub lowest: Option<Changed>,
    /// At the upper end; none if it is there already.
    pub highest: Option<Changed>,
    /// The largest change, as [`Effect::share`].
    pub share: f64,
}

/// What a constant is worth.
#[derive(Clone, Debug, PartialEq)]
pub struct Effect<'a> {
    /// The constant.
    pub constant: Constant<'a>,
    /// At half its value; none if its range leaves nothing but the value itself.
    pub halved: Option<Changed>,
    /// At twice its value, or the end of its range; none if it is there already.
    pub doubled: Option<Changed>,
    /// The largest change of the median or the 99 % quantile, as a share of what it is; infinite if
    /// nothing arrives.
    pub share: f64,
    /// What it does within its bound; none if it has none.
    pub within: Option<Within>,
}

/// What moves a quantile by more than this share matters: a source for it is worth finding.
pub const MATTERS: f64 = 0.1;

impl Effect<'_> {
    /// The largest change as far as the constant may be wrong: within its bound, or by half and
    /// double where it has none.
    #[must_use]
    pub fn worth(&self) -> f64 {
        self.within.as_ref().map_or(self.share, |within| within.share)
    }

    /// What the bench did at the values that [`worth`](Self::worth) speaks of.
    fn sides(&self) -> [Option<&Changed>; 2] {
        match &self.within {
            Some(within) => [within.lowest.as_ref(), within.highest.as_ref()],
            None => [self.halved.as_ref(), self.doubled.as_ref()],
        }
    }
}

/// Why a constant is left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "LeftOutReason")]
pub enum LeftOut {
    /// Half of zero is zero.
    #[serde(rename = "zero")]
    Zero,
    /// Yes or no.
    #[serde(rename = "a flag")]
    Flag,
    /// One of several choices.
    #[serde(rename = "a choice")]
    Choice,
    /// The position of something periodic when the bench begins.
    #[serde(rename = "a phase")]
    Phase,
}

/// What the assumptions of a profile are worth.
#[derive(Clone, Debug, PartialEq)]
pub struct Sensitivity<'a> {
    /// The profile as it is.
    pub own: Seen,
    /// The largest changes of the median and of the 99 % quantile that [`SEEDS`] other seeds make.
    pub chance: [f64; 2],
    /// One a constant, the largest effect first.
    pub effects: Vec<Effect<'a>>,
    /// Constants without a half and a double.
    pub left_out: Vec<(Constant<'a>, LeftOut)>,
}

impl Sensitivity<'_> {
    /// Whether a constant moves a quantile by more than [`MATTERS`], and farther than another seed
    /// does.
    #[must_use]
    pub fn is_open(&self, effect: &Effect<'_>) -> bool {
        let seen = effect.sides().into_iter().flatten().filter_map(|side| side.seen.as_ref().ok());
        let mut far = seen.flat_map(|seen| moved(&self.own, seen).into_iter().zip(self.chance));
        far.any(|(share, chance)| share > MATTERS.max(chance))
    }
}

/// How many other seeds tell what is chance.
pub const SEEDS: u64 = 4;

/// Halves and doubles each assumed and calibrated constant of `profile` for messages of `size`
/// bytes, with `count` triggers each.
///
/// # Errors
///
/// Those of [`run`](airlag_rig::run()) for the profile as it is. A value it cannot have is told in
/// [`Changed::seen`].
pub fn sensitivity(
    profile: &Profile,
    size: usize,
    count: usize,
    seed: u64,
) -> Result<Sensitivity<'_>, Error> {
    let seeds: Vec<u64> = (0..=SEEDS).map(|further| seed.wrapping_add(further)).collect();
    let told =
        side_by_side(&seeds, |&seed| Ok(Seen::of(&pace::transfers(profile, size, count, seed)?)));
    let told = told.into_iter().collect::<Result<Vec<Seen>, Error>>()?;
    let (own, others) = (told[0], &told[1..]);
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
    // As many runs as there are values, in their order.
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

/// Half and double of a constant, and the ends of its bound, but for those that it is.
fn values(known: &Known, constant: &Constant<'_>) -> [Option<Value>; 4] {
    let [halved, doubled] = [0.5, 2.0].map(|by| scaled(known, constant.value, by));
    let bound = constant.origin.bound();
    let other = |end: &Value| (end.number() != constant.value.number()).then(|| end.clone());
    let [low, high] = [bound.map(|one| &one.low), bound.map(|one| &one.high)];
    [halved, doubled, low.and_then(other), high.and_then(other)]
}

/// Why a constant has no half and no double, and no ends in their place.
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

/// `value` times `by` within its range; none if that is the value itself.
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

/// How far each quantile that was `seen` is from the profile's own, as a share of that.
fn moved(own: &Seen, seen: &Seen) -> [f64; 2] {
    match (own.quantiles_ns, seen.quantiles_ns) {
        (Some(own), Some(seen)) => [0, 1].map(|at| (seen[at] / own[at] - 1.0).abs()),
        (None, None) => [0.0; 2],
        (Some(_), None) | (None, Some(_)) => [f64::INFINITY; 2],
    }
}
