//! Receiver sensitivity at each rate, and the resulting losses of demodulators relative to their
//! formulas.
//!
//! The sensitivity table is that of the ESP32 (ESP32-WROOM-32E datasheet v2.0, table 21). In other
//! radios of the same generation, the sensitivity differs from rate to rate by nearly the same
//! amounts. For example, the differences between rates agree within 2 dB between the ESP32-C6 and
//! the ESP32.

use std::sync::LazyLock;

use airlag_air::error_rate::{Dbpsk, ErrorRate};
use airlag_air::quantity::{Db, DbHz, Dbm, Hertz};
use airlag_air::signal;
use airlag_link::airtime::wifi::Rate;
use airlag_sim::Duration;

use super::demodulator::ofdm;

/// Rates with their sensitivities, dBm; HT with either guard interval.
const ESP32: [(u32, f64); 12] = [
    (1_000, -97.0),
    (2_000, -94.0),
    (5_500, -92.0),
    (11_000, -88.0),
    (6_000, -93.0),
    (9_000, -91.0),
    (12_000, -89.0),
    (18_000, -87.0),
    (24_000, -84.0),
    (36_000, -80.0),
    (48_000, -77.0),
    (54_000, -75.0),
];
/// Sensitivities of MCS 0 to 7 in 20 MHz, dBm.
const ESP32_HT: [f64; 8] = [-92.0, -88.0, -86.0, -83.0, -80.0, -76.0, -74.0, -72.0];

/// Sensitivity at a rate. `None` for long range, which the table omits.
#[must_use]
pub fn sensitivity(rate: Rate) -> Option<Dbm> {
    let listed = |kbps: u32| ESP32.iter().find(|(listed, _)| *listed == kbps).map(|&(_, dbm)| dbm);
    match rate {
        Rate::Ht(mcs, _) => ESP32_HT.get(usize::from(mcs.index())).copied(),
        Rate::LongRange256 | Rate::LongRange512 => None,
        _ => listed(rate.kbps()),
    }
    .map(Dbm)
}

/// Noise figure with which the error-rate formula of a rate yields the sensitivity listed for this
/// rate. The standard (IEEE Std 802.11-2012) defines sensitivity as the power at which a given
/// share of frames is lost. This share is 8 % of frames of 1024 octets with DSSS and CCK (16.4.8.2,
/// 17.4.8.2), 10 % of frames of 1000 octets with OFDM (18.3.10.2), and 10 % of frames of
/// 4096 octets with HT (20.3.22.2).
fn noise_figure(rate: Rate) -> Option<Db> {
    let (octets, lost) = match rate {
        Rate::Ht(..) => (4_096, 0.1),
        _ if ofdm(rate).is_some() => (1_000, 0.1),
        _ => (1_024, 0.08),
    };
    let airtime = Duration::from_ns(rate.duration_ns(octets));
    let fails = |signal| formula(rate, signal, airtime) > lost;
    sensitivity(rate).map(|dbm| signal::noise_figure(dbm, fails))
}

/// Loss probability of a frame by the formula of its modulation alone. CCK is modelled as faster
/// phase modulation; its code would gain 2 dB.
pub(super) fn formula(rate: Rate, signal: DbHz, airtime: Duration) -> f64 {
    match ofdm(rate) {
        Some(ofdm) => ofdm.frame(signal, airtime),
        None => Dbpsk { rate: Hertz(f64::from(rate.kbps()) * 1e3) }.frame(signal, airtime),
    }
}

/// Additional signal that each rate needs relative to its formula with the noise figure of
/// 1 Mbit/s.
static LOSSES: LazyLock<Vec<(Rate, f64)>> = LazyLock::new(|| {
    let usual = noise_figure(Rate::Dsss1).map_or(0.0, |figure| figure.0);
    let beyond = |rate| noise_figure(rate).map(|figure| (rate, figure.0 - usual));
    Rate::ALL.into_iter().filter_map(beyond).collect()
});

/// Returns the additional signal that a rate needs, relative to its formula with the noise figure
/// of 1 Mbit/s. Zero for rates without measurements.
#[must_use]
pub fn loss(rate: Rate) -> Db {
    let known = LOSSES.iter().find(|(known, _)| *known == rate);
    Db(known.map_or(0.0, |&(_, loss)| loss))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_differ_by_less_than_three_decibels_from_their_formulas() {
        for rate in Rate::ALL {
            let Db(loss) = loss(rate);
            assert!((-3.0..0.1).contains(&loss), "{rate:?}: {loss}");
        }
        assert_eq!(loss(Rate::Dsss1), Db(0.0));
        assert_eq!(loss(Rate::LongRange256), Db(0.0));
    }

    #[test]
    fn the_distances_between_rates_are_those_of_a_younger_chip_too() {
        // ESP32-C6 v1.3, table 6-4, 802.11g and 802.11n in 20 MHz.
        let g = [-94.0, -93.2, -92.6, -90.0, -86.8, -83.2, -79.0, -77.6];
        let n = [-93.6, -92.4, -89.6, -86.2, -82.8, -78.8, -77.2, -75.6];
        let rates = Rate::ALL.into_iter().filter(|rate| ofdm(*rate).is_some());
        let better = g
            .into_iter()
            .chain(n)
            .zip(rates)
            .map(|(dbm, rate)| sensitivity(rate).map_or(0.0, |Dbm(listed)| listed - dbm));
        let better: Vec<f64> = better.collect();
        let middle = better.iter().sum::<f64>() / better.len() as f64;
        assert!(better.iter().all(|one| (one - middle).abs() < 2.0), "{middle} {better:?}");
    }
}
