//! The European Union: short-range devices below 1 GHz, wide band data at 2.4 GHz.

mod short_range;
mod wide_band;

use crate::check::{Check, Limit};
use crate::clause::SHORT_RANGE;
use crate::verdict::{Band, Ruling};

pub(crate) const BANDS: &[Band] = &[
    Band { khz: (433_050, 434_790), rulings: short_range::at_433 },
    Band { khz: (863_000, 865_000), rulings: short_range::at_863 },
    Band { khz: (865_000, 868_000), rulings: short_range::at_865 },
    Band { khz: (868_000, 868_600), rulings: short_range::at_868_0 },
    Band { khz: (868_700, 869_200), rulings: short_range::at_868_7 },
    Band { khz: (869_400, 869_650), rulings: short_range::at_869_4 },
    Band { khz: (869_700, 870_000), rulings: short_range::at_869_7 },
    Band { khz: (917_400, 919_400), rulings: short_range::at_917 },
    Band { khz: (2_400_000, 2_483_500), rulings: wide_band::rulings },
];

/// Ruling for transmissions outside all bands.
pub(crate) fn outside_bands(centre_khz: u32) -> Ruling {
    let mhz = f64::from(centre_khz) / 1e3;
    let clause = SHORT_RANGE.at("annex, with no band there");
    let check = Check::built("centre frequency", mhz, Limit::Never, "MHz", clause);
    Ruling { rule: "no band", checks: vec![check] }
}
