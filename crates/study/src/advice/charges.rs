//! What a change does to what each end draws.

use airlag_rig::draws::Draws;
use airlag_rig::profile::Profile;
use airlag_rig::run::{Options, Traffic};

use crate::charge::{Charge, charge};

/// What one end draws, as the profile is and changed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Charges {
    /// Which end.
    pub end: &'static str,
    /// What a message adds to what is drawn anyway, nC: before and after.
    pub marginal_nc: [f64; 2],
    /// What is drawn while nobody sends, nA: before and after.
    pub idle_na: [f64; 2],
}

/// What `count` messages of `size` bytes cost; nothing where that is not known.
pub(super) fn cost(
    profile: &Profile,
    size: usize,
    count: usize,
    seed: u64,
    traffic: Traffic,
    draws: &Draws,
) -> Charge {
    let options = Options { seed, spans: false, traffic };
    charge(profile, size, count as u64, draws, options).unwrap_or_default()
}

/// One beside the other, end by end.
pub(super) fn beside(before: &Charge, after: &Charge) -> Vec<Charges> {
    let ends = before.ends.iter().zip(&after.ends);
    let told = ends.filter_map(|(before, after)| {
        Some(Charges {
            end: before.end,
            marginal_nc: [before.marginal_nc()?, after.marginal_nc()?],
            idle_na: [before.idle_na, after.idle_na],
        })
    });
    told.collect()
}
