//! Conditions that every rule of a region shares, transcribed independently of `airlag-law`.

use airlag_law::{Access, Record, Region, Transmitter};

/// 25 mW, dBm ERP.
const DBM_25_MW: f64 = 13.98;
/// 50 mV/m at 3 m, dBm EIRP.
const DBM_50_MV_M: f64 = -1.25;

/// Clauses that the transmissions of `one` break under every rule.
pub fn broken(region: Region, one: &Transmitter, record: &Record) -> Vec<&'static str> {
    let mut broken = Vec::new();
    for part in record.channels() {
        let centre = part.sent()[0].centre_khz();
        let clauses = match (region, centre) {
            (Region::Eu, 2_400_000..=2_483_500) => eu_2400(one, record),
            (Region::Eu, _) => eu_below_1_ghz(one, record, centre),
            (Region::Us, 2_400_000..=2_483_500) => us(one, average(one, record)),
            (Region::Us, 902_000..=928_000) => us(one, eirp(one)),
            (Region::Us, _) => vec!["47 CFR 15.247, 15.249: no band"],
        };
        broken.extend(
            clauses.into_iter().filter(|clause| !broken.contains(clause)).collect::<Vec<_>>(),
        );
    }
    broken
}

fn eirp(one: &Transmitter) -> f64 {
    one.power_dbm + one.gain_dbi
}

/// Average over the busiest 100 ms (15.35(c)).
fn average(one: &Transmitter, record: &Record) -> f64 {
    eirp(one) + 10.0 * record.share_within(100_000_000).max(1e-9).log10()
}

fn eu_2400(one: &Transmitter, record: &Record) -> Vec<&'static str> {
    let mut broken = Vec::new();
    if eirp(one) > 20.0 {
        broken.push("EN 300 328: 100 mW");
    }
    if let Some(hopping) = one.hopping {
        if hopping.channels < 15 {
            broken.push("EN 300 328: 15 channels");
        }
        return broken;
    }
    let mhz = one.spectrum.twenty_db_khz / 1e3;
    if eirp(one) - 10.0 * mhz.max(1.0).log10() > 10.0 {
        broken.push("EN 300 328: 10 mW/MHz");
    }
    if one.access == Access::Blind && eirp(one) >= 10.0 {
        // 10 % at 100 mW.
        let used = record.share_within(1_000_000_000) * 10_f64.powf((eirp(one) - 20.0) / 10.0);
        if used > 0.1 {
            broken.push("EN 300 328: medium utilisation");
        }
        if longest_us(record) > 10_000 {
            broken.push("EN 300 328: sequences of 10 ms");
        }
    }
    broken
}

/// Longest sequence of transmissions without a gap of 3.5 ms, from its first bit to its last, us.
fn longest_us(record: &Record) -> u64 {
    let (mut begin, mut end, mut longest) = (0, 0, 0);
    for one in record.sent() {
        if one.begin_ns >= end + 3_500_000 {
            begin = one.begin_ns;
        }
        end = one.end_ns;
        longest = longest.max(end - begin);
    }
    longest / 1_000
}

fn eu_below_1_ghz(one: &Transmitter, record: &Record, centre_khz: u32) -> Vec<&'static str> {
    let (most_dbm, most_share) = match centre_khz {
        868_000..=868_600 => (DBM_25_MW, 0.01),
        868_700..=869_200 => (DBM_25_MW, 0.001),
        869_400..=869_650 => (26.99, 0.1),
        433_050..=434_790 => (10.0, 1.0),
        863_000..868_000 | 869_700..=870_000 => (DBM_25_MW, 1.0),
        917_400..=919_400 => (DBM_25_MW, 0.01),
        _ => return vec!["2006/771/EC: no band"],
    };
    let mut broken = Vec::new();
    // 2.15 dBi of a dipole.
    if eirp(one) - 2.15 > most_dbm + 0.01 {
        broken.push("2006/771/EC: radiated power");
    }
    let share = record.share_within(3_600_000_000_000);
    if one.access == Access::Blind && share > most_share {
        broken.push("2006/771/EC: duty cycle");
    }
    broken
}

fn us(one: &Transmitter, low_power_dbm: f64) -> Vec<&'static str> {
    let mut broken = Vec::new();
    if eirp(one) > 36.0 {
        broken.push("15.247: 1 W and 6 dBi");
    }
    if one.hopping.is_none() && one.spectrum.six_db_khz < 500.0 && low_power_dbm > DBM_50_MV_M {
        broken.push("15.247: 500 kHz or hopping, 15.249: 50 mV/m");
    }
    broken
}
