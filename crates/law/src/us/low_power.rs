//! 47 CFR 15.249: field strength of 50 mV/m at 3 m, for any modulation.

use crate::check::Check;
use crate::clause::PART_15;
use crate::record::Record;
use crate::verdict::Ruling;
use airlag_air::transmitter::Transmitter;

/// Field strength limit, V/m, at a distance, m.
const FIELD: f64 = 0.05;
const DISTANCE: f64 = 3.0;
/// Excess of a peak over the average limit, dB: 15.35(b).
const PEAK_DB: f64 = 20.0;
/// Averaging time of a pulse train: 15.35(c).
const TRAIN_NS: u64 = 100_000_000;

/// Power for that field strength in free space: P = E^2 d^2 / 30 W, -1.25 dBm.
fn most_dbm() -> f64 {
    10.0 * libm::log10(1_000.0 * (FIELD * DISTANCE).powi(2) / 30.0)
}

/// Up to 1 GHz the detector is quasi-peak (15.35(a)). The frames are so long that this detector
/// reads them as continuous.
pub(super) fn quasi_peak(one: &Transmitter) -> Ruling {
    let clause = PART_15.at("15.249(a)");
    let power = Check::power("radiated power", one.eirp_dbm(), most_dbm(), "dBm", clause);
    Ruling { rule: "15.249, low power", checks: vec![power] }
}

/// Above 1 GHz the limit applies to the average field over the worst 100 ms; a peak may be 20 dB
/// higher.
pub(super) fn average(one: &Transmitter, record: &Record) -> Ruling {
    let train = PART_15.unconfirmed("15.249(a) and (e), 15.35(c)");
    let share = record.share_within(TRAIN_NS).clamp(1e-9, 1.0);
    // Average of the field: twenty times the logarithm.
    let averaged = one.eirp_dbm() + 20.0 * libm::log10(share);
    let peak = PART_15.unconfirmed("15.249(e), 15.35(b)");
    Ruling {
        rule: "15.249, low power",
        checks: vec![
            Check::power("average radiated power", averaged, most_dbm(), "dBm", train),
            Check::power("peak radiated power", one.eirp_dbm(), most_dbm() + PEAK_DB, "dBm", peak),
        ],
    }
}
