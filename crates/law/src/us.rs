//! The United States: 47 CFR 15.247 and 15.249, in 902 to 928 and 2400 to 2483.5 MHz.

mod low_power;
mod spread;

use crate::check::{Check, Limit};
use crate::clause::PART_15;
use crate::record::Record;
use crate::verdict::{Band, Ruling};
use airlag_air::transmitter::{Hopping, Transmitter};

pub(crate) const BANDS: &[Band] = &[
    Band { khz: (902_000, 928_000), rulings: at_902 },
    Band { khz: (2_400_000, 2_483_500), rulings: at_2400 },
];

/// Ruling for transmissions outside both bands.
pub(crate) fn outside_bands(centre_khz: u32) -> Ruling {
    let mhz = f64::from(centre_khz) / 1e3;
    let clause = PART_15.at("15.247 and 15.249, with no band there");
    let check = Check::built("centre frequency", mhz, Limit::Never, "MHz", clause);
    Ruling { rule: "no band", checks: vec![check] }
}

fn at_902(one: &Transmitter, record: &Record) -> Vec<Ruling> {
    let hopping = hopping(one);
    vec![
        spread::digital(one),
        spread::hopping_at_902(one, record, hopping),
        spread::hybrid(one, record, hopping),
        low_power::quasi_peak(one),
    ]
}

fn at_2400(one: &Transmitter, record: &Record) -> Vec<Ruling> {
    let hopping = hopping(one);
    vec![
        spread::digital(one),
        spread::hopping_at_2400(one, record, hopping),
        spread::hybrid(one, record, hopping),
        low_power::average(one, record),
    ]
}

/// Hopping properties; a fixed channel counts as one channel, so that the check shows the
/// requirements for hopping.
fn hopping(one: &Transmitter) -> Hopping {
    let spacing_khz = one.spectrum.twenty_db_khz.ceil().max(25.0) as u32;
    one.hopping.unwrap_or(Hopping { channels: 1, spacing_khz, adaptive: false })
}
