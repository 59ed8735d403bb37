//! The United States: 47 CFR 15.247 and 15.249, in 902 to 928 and 2400 to 2483.5 MHz.

mod low_power;
mod spread;

use crate::check::{Check, Limit};
use crate::clause::PART_15;
use crate::record::Record;
use crate::transmitter::Transmitter;
use crate::verdict::{Band, Ruling};

pub(crate) const BANDS: &[Band] = &[
    Band { khz: (902_000, 928_000), rulings: at_902 },
    Band { khz: (2_400_000, 2_483_500), rulings: at_2400 },
];

/// What lies in neither band.
pub(crate) fn nowhere(centre_khz: u32) -> Ruling {
    let mhz = f64::from(centre_khz) / 1e3;
    let clause = PART_15.at("15.247 and 15.249: no band for it");
    let check = Check::built("centre frequency", mhz, Limit::Never, "MHz", clause);
    Ruling { rule: "no band", checks: vec![check] }
}

fn at_902(one: &Transmitter, record: &Record) -> Vec<Ruling> {
    let mut rulings = vec![spread::digital(one)];
    if let Some(hopping) = one.hopping {
        rulings.push(spread::hopping_at_902(one, record, hopping));
        rulings.push(spread::hybrid(one, record, hopping));
    }
    rulings.push(low_power::quasi_peak(one));
    rulings
}

fn at_2400(one: &Transmitter, record: &Record) -> Vec<Ruling> {
    let mut rulings = vec![spread::digital(one)];
    if let Some(hopping) = one.hopping {
        rulings.push(spread::hopping_at_2400(one, record, hopping));
        rulings.push(spread::hybrid(one, record, hopping));
    }
    rulings.push(low_power::average(one, record));
    rulings
}
