//! Settings of a profile that a user may have changed, and whether they explain a capture better.

use crate::error::Error;
use crate::matching::fit::Effort;
use crate::matching::progress::{NO_PROGRESS, OnProgress, Stage};
use crate::matching::{Options, Sight, held};
use crate::side_by_side::side_by_side;
use airlag_rig::origin::Source;
use airlag_rig::parameter::{Domain, Parameter, Value};
use airlag_rig::profile::Profile;

/// Ratios to the profile's value that are tried for a number, besides the values of other profiles of its kind.
const RATIOS: [f64; 6] = [0.25, 0.5, 0.75, 1.5, 2.0, 4.0];

/// Values that are tried for a length, bytes: powers of two, as for buffers.
const BYTES: [i64; 7] = [16, 32, 64, 128, 256, 512, 1024];

/// Values that are tried for a serial rate, baud: those of common ports and modules.
const BAUD: [i64; 8] = [9_600, 19_200, 38_400, 57_600, 115_200, 230_400, 460_800, 921_600];

/// Smallest improvement of the distance that counts.
const BETTER: f64 = 0.01;

/// Result of varying one parameter.
#[derive(Clone, Debug, PartialEq)]
pub struct Tried {
    /// Name of the parameter.
    pub name: &'static str,
    /// Unit. Empty for a plain number.
    pub unit: &'static str,
    /// Value of the profile.
    pub own: Value,
    /// Best-fit value. It is the profile's own value unless another one is clearly better.
    pub best: Value,
    /// Distance between bench and capture at the best value.
    pub distance: f64,
    /// Distance at the value of the profile.
    pub own_distance: f64,
    /// Distance at the second-best value. A parameter without effect has an equal distance there.
    pub next_distance: f64,
}

/// Varies, one at a time, every parameter of `profile` that a user can choose. Skips parameters
/// without an effect on this capture.
pub(super) fn scan(
    profile: &Profile,
    size: usize,
    sight: &Sight,
    all: &[Profile],
    options: &Options,
    (on_progress, from): (OnProgress<'_>, f64),
) -> Result<Vec<Tried>, Error> {
    let own_distance = held(profile, size, sight, Effort::GLANCE, options, NO_PROGRESS)?.distance;
    let variants = variants(profile, all, &options.fixed);
    let stage = Stage::new(on_progress, (from, 1.0), variants.len());
    let distances = side_by_side(&variants, |(_, varied)| {
        let found = stage.step(|| held(varied, size, sight, Effort::GLANCE, options, NO_PROGRESS));
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

/// Variants of `profile`: each plausible value of each parameter, one at a time, except the
/// parameters in `fixed`.
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
            // Values that the parameter does not accept are skipped.
            if value != own.value && varied.set(known.name, &plain(&value)).is_ok() {
                variants.push((Known { name: known.name, unit: known.unit }, varied));
            }
        }
    }
    variants
}

/// A parameter under variation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Known {
    pub(super) name: &'static str,
    pub(super) unit: &'static str,
}

/// `profile` with the one changed setting that is nearest to the capture. Returns `None` if its own
/// values are best.
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

/// Plausible values of a parameter. A choice is a value of the measured program, or one that a standard leaves
/// open. Datasheet values and calibrated values are not choices.
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
        // A processing cost of the program is not a setting.
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

/// Formats a value in the syntax of `--set`.
pub(super) fn plain(value: &Value) -> String {
    match value {
        Value::Choice(text) => text.clone(),
        other => other.to_string(),
    }
}
