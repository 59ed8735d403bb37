//! Variants of profiles: plausible settings, such as the length of a write or the rate of a port, for captures
//! that no unchanged profile explains.
//!
//! A setting chosen among many explains less than an unchanged profile, so the score of a candidate
//! includes a cost for the number of settings tried ([`super::rank::OCCAM`]).

use std::borrow::Cow;

use airlag_rig::profile::Profile;
use airlag_stats::dist::quantiles;

use crate::matching::knobs;
use crate::matching::progress::{OnProgress, Stage};
use crate::matching::rank::Ask;
use crate::matching::shortlist::{self, Draws, Entry, Glimpse, Quota, is_below_floor};
use crate::side_by_side::side_by_side;

/// Number of profiles that are varied, in total and per kind.
const BASES: (usize, usize) = (12, 2);
/// Number of triggers of a short run.
const GLIMPSE: usize = 12;
/// Number of draws of the free parameters, and of triggers per draw. Reduced for expensive triggers, because
/// there are hundreds of settings.
const DRAWN: Draws = Draws { times: 3, triggers: 60, least: 12 };
/// Number of variants that are kept, in total and per kind.
const ROOM: (usize, usize) = (4, 2);

/// Variants of `near`, each with one changed setting, that may explain the capture.
pub(super) fn likely(
    mut near: Vec<(Entry<'_>, Glimpse)>,
    profiles: &[Profile],
    ask: &Ask<'_>,
    (on_progress, from, to): (OnProgress<'_>, f64, f64),
) -> Vec<Entry<'static>> {
    let captured = quantiles(ask.arrived, &[0.5])[0].max(1.0);
    let off = |glimpse: &Glimpse| libm::log(glimpse.median.max(1.0) / captured).abs();
    near.sort_by(|a, b| off(&a.1).total_cmp(&off(&b.1)));
    let mut bases = Quota::new(BASES.0, BASES.1);
    let bases = near.into_iter().filter(|(entry, _)| bases.admits(entry.profile.kind));
    let varied: Vec<Entry<'static>> = bases
        .flat_map(|(base, _)| {
            let variants = knobs::variants(&base.profile, profiles, &ask.options.fixed);
            let chosen_of = variants.len();
            variants.into_iter().filter_map(move |(known, profile)| {
                let value = profile.parameters.get(known.name)?.value.clone();
                Some(Entry {
                    profile: Cow::Owned(profile),
                    settings: vec![(known.name, value)],
                    chosen_of,
                    size: base.size,
                    sized: base.sized,
                    reach: base.reach,
                })
            })
        })
        .collect();
    let half = f64::midpoint(from, to);
    let stage = Stage::new(on_progress, (from, half), varied.len());
    let possible = side_by_side(&varied, |entry| {
        stage.step(|| {
            let Entry { profile, size, .. } = entry;
            !is_below_floor(profile, *size, ask.arrived)
                && Glimpse::of(profile, *size, ask.period, GLIMPSE, ask.options.seed)
                    .is_some_and(|seen| seen.can_be(ask.arrived))
        })
    });
    let possible = varied.into_iter().zip(possible).filter_map(|(entry, is)| is.then_some(entry));
    let possible: Vec<Entry<'static>> = possible.collect();
    let stage = Stage::new(on_progress, (half, to), possible.len());
    let quota = Quota::new(ROOM.0, ROOM.1);
    shortlist::likely(possible, ask.sight, ask.options.seed, DRAWN, quota, &stage)
}
