//! 47 CFR 15.247: digital modulation, frequency hopping, and both at once.

use crate::check::{Check, Limit};
use crate::clause::{Clause, PART_15};
use crate::record::Record;
use crate::verdict::Ruling;
use airlag_air::transmitter::{Hopping, Transmitter};

const MS: f64 = 1e6;
/// Longest dwell time on one channel, ms.
const DWELL_MS: f64 = 400.0;

/// At least 500 kHz wide, up to 1 W, and 8 dBm in any 3 kHz.
pub(super) fn digital(one: &Transmitter) -> Ruling {
    let (width, least) = (one.spectrum.six_db_khz, Limit::AtLeast(500.0));
    Ruling {
        rule: "15.247, digital modulation",
        checks: vec![
            Check::built("6 dB bandwidth", width, least, "kHz", PART_15.at("15.247(a)(2)")),
            conducted(one, 30.0, PART_15.at("15.247(b)(3)")),
            density(one, PART_15.at("15.247(e)")),
        ],
    }
}

/// With channels narrower than 250 kHz, the transmitter hops over at least 50 channels, and uses
/// each channel for at most 0.4 s within 20 s. With channels of 250 kHz to 500 kHz, the transmitter
/// hops over at least 25 channels, and uses each channel for at most 0.4 s within 10 s. The power
/// limit is 1 W with at least 50 channels, and 250 mW with fewer channels.
pub(super) fn hopping_at_902(one: &Transmitter, record: &Record, hopping: Hopping) -> Ruling {
    let clause = PART_15.at("15.247(a)(1)(i)");
    let width = one.spectrum.twenty_db_khz;
    let (needed, period_s) = if width < 250.0 { (50, 20) } else { (25, 10) };
    let most_dbm = if hopping.channels >= 50 { 30.0 } else { 10.0 * libm::log10(250_f64) };
    let mut checks = vec![
        Check::built("20 dB bandwidth", width, Limit::AtMost(500.0), "kHz", clause),
        channels(hopping, needed, clause),
        separation(hopping, width),
        conducted(one, most_dbm, PART_15.at("15.247(b)(2)")),
    ];
    checks.push(dwell(record, period_s * 1_000_000_000, clause));
    Ruling { rule: "15.247, frequency hopping", checks }
}

/// The transmitter hops over at least 15 channels. The power limit is 1 W with at least 75 channels
/// that do not overlap, and 125 mW otherwise. Each channel is used for at most 0.4 s within a
/// period of 0.4 s times the number of channels. At a power of at most 125 mW, two thirds of the
/// channel width suffice as channel separation.
pub(super) fn hopping_at_2400(one: &Transmitter, record: &Record, hopping: Hopping) -> Ruling {
    let clause = PART_15.at("15.247(a)(1)(iii)");
    let width = one.spectrum.twenty_db_khz;
    let quiet_dbm = 10.0 * libm::log10(125_f64);
    let apart = f64::from(hopping.spacing_khz) >= width;
    let most_dbm = if hopping.channels >= 75 && apart { 30.0 } else { quiet_dbm };
    let needed_khz = if one.power_dbm <= quiet_dbm { width * 2.0 / 3.0 } else { width };
    let period_ns = u64::from(hopping.channels) * 400_000_000;
    Ruling {
        rule: "15.247, frequency hopping",
        checks: vec![
            channels(hopping, 15, clause),
            separation(hopping, needed_khz),
            conducted(one, most_dbm, PART_15.at("15.247(b)(1)")),
            dwell(record, period_ns, clause),
        ],
    }
}

/// Any number of channels, 0.4 s on each within 0.4 s times their number, and the density limit of
/// digital modulation on each channel.
pub(super) fn hybrid(one: &Transmitter, record: &Record, hopping: Hopping) -> Ruling {
    let clause = PART_15.at("15.247(f)");
    let period_ns = u64::from(hopping.channels) * 400_000_000;
    Ruling {
        rule: "15.247, hybrid",
        checks: vec![
            channels(hopping, 2, clause),
            conducted(one, 30.0, PART_15.at("15.247(b)(3)")),
            density(one, clause),
            dwell(record, period_ns, clause),
        ],
    }
}

/// Power at the antenna, reduced by the gain above 6 dBi.
fn conducted(one: &Transmitter, most_dbm: f64, clause: Clause) -> Check {
    let most_dbm = most_dbm - (one.gain_dbi - 6.0).max(0.0);
    Check::power("conducted power", one.power_dbm, most_dbm, "dBm", clause)
}

fn density(one: &Transmitter, clause: Clause) -> Check {
    Check::power("density", one.within(one.power_dbm, 3.0), 8.0, "dBm/3 kHz", clause)
}

fn channels(hopping: Hopping, needed: u32, clause: Clause) -> Check {
    let least = Limit::AtLeast(f64::from(needed));
    Check::built("channels", f64::from(hopping.channels), least, "", clause)
}

fn separation(hopping: Hopping, needed_khz: f64) -> Check {
    let (spacing, least) = (f64::from(hopping.spacing_khz), Limit::AtLeast(needed_khz.max(25.0)));
    Check::built("channel separation", spacing, least, "kHz", PART_15.at("15.247(a)(1)"))
}

fn dwell(record: &Record, period_ns: u64, clause: Clause) -> Check {
    let share = record.channels().iter().map(|one| one.share_within(period_ns)).fold(0.0, f64::max);
    let on_one = share * period_ns as f64 / MS;
    let scales = record.longest_ns() as f64 / MS <= DWELL_MS;
    let quantity = format!("dwell time on one channel in {} s", period_ns as f64 / 1e9);
    Check::time(quantity, on_one, DWELL_MS, "ms", scales, clause)
}
