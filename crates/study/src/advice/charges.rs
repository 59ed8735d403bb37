//! Effect of a change on charge and current of each end.

use airlag_rig::draws::Draws;
use airlag_rig::profile::Profile;
use airlag_rig::run::{Options, Traffic};

use crate::charge::{Charge, charge};

/// Charge and current of one end, before and after a change.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Charges {
    /// Name of the end.
    pub end: &'static str,
    /// Charge that a message adds to the idle charge, nC: before, after.
    pub marginal_nc: [f64; 2],
    /// Idle current, nA: before, after.
    pub idle_na: [f64; 2],
}

/// Charge of `count` messages of `size` bytes. Returns `None` without current data.
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

/// Pairs the charges of both profiles for each end.
pub(super) fn beside(before: &Charge, after: &Charge) -> Vec<Charges> {
    let ends = before.ends.iter().zip(&after.ends);
    let pairs = ends.filter_map(|(before, after)| {
        Some(Charges {
            end: before.end,
            marginal_nc: [before.marginal_nc()?, after.marginal_nc()?],
            idle_na: [before.idle_na, after.idle_na],
        })
    });
    pairs.collect()
}
