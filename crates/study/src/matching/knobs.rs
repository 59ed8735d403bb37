//! What a user of a profile could have set differently, and whether that explains a capture better.

use crate::error::Error;
use crate::matching::fit::Effort;
use crate::matching::progress::{Stage, Told, UNTOLD};
use crate::matching::{Options, Sight, held};
use crate::side_by_side::side_by_side;
use airlag_rig::origin::Source;
use airlag_rig::parameter::{Domain, Parameter, Value};
use airlag_rig::profile::Profile;

/// What else is tried of a number, besides what other profiles of its kind have.
const RATIOS: [f64; 6] = [0.25, 0.5, 0.75, 1.5, 2.0, 4.0];

/// The same of lengths, bytes: powers of two, as buffers have them.
const BYTES: [i64; 7] = [16, 32, 64, 128, 256, 512, 1024];

/// The same of serial rates, baud: those every port and module has.
const BAUD: [i64; 8] = [9_600, 19_200, 38_400, 57_600, 115_200, 230_400, 460_800, 921_600];

/// A nearer value that is nearer by less is no better.
const BETTER: f64 = 0.01;

/// A parameter over the values a user could have chosen.
#[derive(Clone, Debug, PartialEq)]
pub struct Tried {
    /// Its name.
    pub name: &'static str,
    /// In which unit, empty for a plain number.
    pub unit: &'static str,
    /// What the profile has.
    pub own: Value,
    /// What fits best; the profile's own value unless another is clearly better.
    pub best: Value,
    /// How far the bench is from the capture with the best value.
    pub distance: f64,
    /// The same with the profile's own.
    pub own_distance: f64,
    /// How far with the nearest value besides the best: what does not matter is as near.
    pub next_distance: f64,
}

/// Tries every parameter of `profile` that somebody chose, one at a time. Left out are those that
/// make no difference to this capture.
pub(super) fn scan(
    profile: &Profile,
    size: usize,
    sight: &Sight,
    all: &[Profile],
    options: &Options,
    (told, from): (Told<'_>, f64),
) -> Result<Vec<Tried>, Error> {
    let own_distance = held(profile, size, sight, Effort::GLANCE, options, UNTOLD)?.distance;
    let variants = variants(profile, all, &options.fixed);
    let stage = Stage::new(told, (from, 1.0), variants.len());
    let distances = side_by_side(&variants, |(_, varied)| {
        let found = stage.step(|| held(varied, size, sight, Effort::GLANCE, options, UNTOLD));
        found.map_or(1.0, |found| found.distance)
    });
    let mut tried: Vec<Tried> = Vec::new();
    for ((known, varied), distance) in variants.into_iter().zip(distances) {
        let (name, unit) = (known.name, known.unit);
        let value = |profile: &Profile| profile.parameters[name].value.clone();
        if tried.last().is_none_or(|last| last.name != name) {
            let own = value(profile);
            let best = own.clone();
            tried.push(Tried {
                name,
                unit,
                own,
                best,
                distance: own_distance,
                own_distance,
                next_distance: 1.0,
            });
        }
        let Some(last) = tried.last_mut() else { continue };
        if distance < last.distance - BETTER {
            (last.best, last.next_distance, last.distance) =
                (value(&varied), last.distance, distance);
        } else {
            last.next_distance = last.next_distance.min(distance);
        }
    }
    tried.retain(|one| one.next_distance > one.distance + BETTER);
    Ok(tried)
}

/// `profile` with each value of each parameter that somebody could have chosen, one at a time; none of
/// those that are `fixed`.
pub(super) fn variants(
    profile: &Profile,
    all: &[Profile],
    fixed: &[String],
) -> Vec<(Known, Profile)> {
    let mut variants = Vec::new();
    for known in profile.kind.parameters() {
        let Some(own) = profile.parameters.get(known.name) else { continue };
        if fixed.iter().any(|name| name == known.name) {
            continue;
        }
        for value in choices(known.domain, known.unit, known.name, own, profile, all) {
            let mut varied = profile.clone();
            // What the parameter may not be is not tried.
            if value != own.value && varied.set(known.name, &plain(&value)).is_ok() {
                variants.push((Known { name: known.name, unit: known.unit }, varied));
            }
        }
    }
    variants
}

/// Which parameter it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Known {
    pub(super) name: &'static str,
    pub(super) unit: &'static str,
}

/// `profile` with the one setting that brings it nearest to the capture; `None` if its own are best.
pub(super) fn better(
    profile: &Profile,
    tried: &[Tried],
) -> Option<(Profile, (&'static str, Value))> {
    let better = tried.iter().filter(|one| one.best != one.own);
    let nearest = better.min_by(|a, b| a.distance.total_cmp(&b.distance))?;
    let mut varied = profile.clone();
    varied.set(nearest.name, &plain(&nearest.best)).ok()?;
    Some((varied, (nearest.name, nearest.best.clone())))
}

/// What a parameter could have been set to. Only what the program that was measured chose, or a
/// standard leaves open, is a choice; what a datasheet says or a capture was fitted to is not.
fn choices(
    domain: Domain,
    unit: &str,
    name: &str,
    own: &Parameter,
    profile: &Profile,
    all: &[Profile],
) -> Vec<Value> {
    if !matches!(own.origin.source, Source::Source | Source::Standard) {
        return Vec::new();
    }
    match (domain, &own.value) {
        (Domain::Choice(choices), _) => {
            choices.iter().map(|&choice| Value::Choice(choice.to_owned())).collect()
        }
        (Domain::Flag, &Value::Flag(is)) => vec![Value::Flag(!is)],
        // A cost is what the program takes, not what somebody sets.
        (Domain::Whole(..), &Value::Whole(own)) if !matches!(unit, "cycles" | "Hz" | "ppb") => {
            let kin = all.iter().filter(|other| other.kind == profile.kind);
            let theirs = kin.filter_map(|other| match other.parameters.get(name)?.value {
                Value::Whole(value) => Some(value),
                _ => None,
            });
            let usual = match unit {
                "B" => BYTES.to_vec(),
                "baud" => BAUD.to_vec(),
                _ => RATIOS.iter().map(|ratio| (own as f64 * ratio).round() as i64).collect(),
            };
            let mut values: Vec<i64> = theirs.chain(usual).collect();
            values.sort_unstable();
            values.dedup();
            values.into_iter().map(Value::Whole).collect()
        }
        _ => Vec::new(),
    }
}

/// A value as `--set` takes it.
pub(super) fn plain(value: &Value) -> String {
    match value {
        Value::Choice(text) => text.clone(),
        other => other.to_string(),
    }
}
