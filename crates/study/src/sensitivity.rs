//! What an assumption is worth: how far the quantiles of a link move when a constant that is assumed
//! or calibrated is halved, and when it is doubled. One that moves them far is worth a source.
//!
//! Each value is a run of its own under the same seed, so its numbers are those of a plain run with
//! the constant set to it.

use airlag_rig::origin::Source;
use airlag_rig::parameter::{Domain, Known, Value};
use airlag_rig::profile::{Constant, Profile};
use airlag_stats::dist::{Delivery, quantiles};
use airlag_stats::pair::Transfers;

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
}

/// What moves a quantile by more than this share matters: a source for it is worth finding.
pub const MATTERS: f64 = 0.1;

impl Effect<'_> {
    /// Whether the constant moves a quantile by more than [`MATTERS`].
    #[must_use]
    pub fn matters(&self) -> bool {
        self.share > MATTERS
    }
}

/// Why a constant is left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LeftOut {
    /// Half of zero is zero.
    Zero,
    /// Yes or no.
    Flag,
    /// One of several choices.
    Choice,
    /// Where something periodic stands when the bench begins.
    Phase,
}

impl LeftOut {
    /// As people read it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Zero => "zero",
            Self::Flag => "a flag",
            Self::Choice => "a choice",
            Self::Phase => "a phase",
        }
    }
}

/// What the assumptions of a profile are worth.
#[derive(Clone, Debug, PartialEq)]
pub struct Sensitivity<'a> {
    /// The profile as it is.
    pub own: Seen,
    /// One a constant, the largest effect first.
    pub effects: Vec<Effect<'a>>,
    /// Constants without a half and a double.
    pub left_out: Vec<(Constant<'a>, LeftOut)>,
}

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
    let own = Seen::of(&pace::transfers(profile, size, count, seed)?);
    let mut turned = Vec::new();
    let mut left_out = Vec::new();
    for constant in profile.constants() {
        if !matches!(constant.origin.source, Source::Assumed | Source::Calibrated) {
            continue;
        }
        let known = profile.known(constant.name)?;
        match reason(known, constant.value) {
            Some(reason) => left_out.push((constant, reason)),
            None => turned.push((constant, [0.5, 2.0].map(|by| scaled(known, constant.value, by)))),
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
    let mut effects: Vec<Effect<'_>> = Vec::new();
    for (constant, [half, double]) in turned {
        let (halved, doubled) = (seen(half), seen(double));
        let worth = [&halved, &doubled].map(|one| change(&own, one.as_ref()));
        effects.push(Effect { constant, halved, doubled, share: worth[0].max(worth[1]) });
    }
    effects.sort_by(|one, other| other.share.total_cmp(&one.share));
    Ok(Sensitivity { own, effects, left_out })
}

/// Why a constant has no half and no double.
fn reason(known: &Known, value: &Value) -> Option<LeftOut> {
    match (known.domain, value) {
        (Domain::Phase, _) => Some(LeftOut::Phase),
        (Domain::Flag, _) | (_, Value::Flag(_)) => Some(LeftOut::Flag),
        (Domain::Choice(_), _) | (_, Value::Choice(_)) => Some(LeftOut::Choice),
        (_, Value::Whole(0)) => Some(LeftOut::Zero),
        (_, Value::Real(real)) if *real == 0.0 => Some(LeftOut::Zero),
        _ => None,
    }
}

/// `value` times `by` within its range; none if that is the value itself.
fn scaled(known: &Known, value: &Value, by: f64) -> Option<Value> {
    let number = match *value {
        Value::Whole(whole) => whole as f64,
        Value::Real(real) => real,
        Value::Flag(_) | Value::Choice(_) => return None,
    };
    let scaled = match known.domain {
        Domain::Whole(low, high) => Value::Whole(((number * by).round() as i64).clamp(low, high)),
        Domain::Real(low, high) => Value::Real((number * by).clamp(low, high)),
        Domain::Phase | Domain::Flag | Domain::Choice(_) => return None,
    };
    let same = match scaled {
        Value::Whole(whole) => whole as f64 == number,
        Value::Real(real) => real == number,
        Value::Flag(_) | Value::Choice(_) => true,
    };
    (!same).then_some(scaled)
}

/// The larger change of the two quantiles.
fn change(own: &Seen, changed: Option<&Changed>) -> f64 {
    let Some(Changed { seen: Ok(seen), .. }) = changed else { return 0.0 };
    match (own.quantiles_ns, seen.quantiles_ns) {
        (Some(own), Some(seen)) => {
            let each = own.iter().zip(seen).map(|(own, seen)| (seen / own - 1.0).abs());
            each.fold(0.0, f64::max)
        }
        (None, None) => 0.0,
        (Some(_), None) | (None, Some(_)) => f64::INFINITY,
    }
}
