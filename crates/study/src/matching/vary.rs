//! Profiles set otherwise: what somebody could have chosen differently where no profile as it is comes
//! near, such as the length of a write or the rate of a port.
//!
//! What was chosen of many explains less than what was not chosen at all: a candidate pays for of how
//! many settings it is ([`super::rank::OCCAM`]).

use std::borrow::Cow;

use airlag_rig::profile::Profile;
use airlag_stats::dist::quantiles;

use crate::matching::knobs;
use crate::matching::progress::{Stage, Told};
use crate::matching::rank::Ask;
use crate::matching::shortlist::{self, Draws, Entry, Glimpse, Quota, is_below_floor};
use crate::side_by_side::side_by_side;

/// How many profiles are varied, and how many of one kind.
const BASES: (usize, usize) = (12, 2);
/// Triggers of a short run.
const GLIMPSE: usize = 12;
/// How often free values are drawn, and for how many triggers: there are hundreds of settings, so where
/// a trigger is dear for few.
const DRAWN: Draws = Draws { times: 3, triggers: 60, least: 12 };
/// How many go on, and how many of one kind.
const ROOM: (usize, usize) = (4, 2);

/// Those of `near`, which took so long, with one setting changed that may explain the capture.
pub(super) fn likely(
    mut near: Vec<(Entry<'_>, Glimpse)>,
    profiles: &[Profile],
    ask: &Ask<'_>,
    (told, from, to): (Told<'_>, f64, f64),
) -> Vec<Entry<'static>> {
    let captured = quantiles(ask.arrived, &[0.5])[0].max(1.0);
    let off = |glimpse: &Glimpse| (glimpse.median.max(1.0) / captured).ln().abs();
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
    let stage = Stage::new(told, (from, half), varied.len());
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
    let stage = Stage::new(told, (half, to), possible.len());
    let quota = Quota::new(ROOM.0, ROOM.1);
    shortlist::likely(possible, ask.sight, ask.options.seed, DRAWN, quota, &stage)
}
