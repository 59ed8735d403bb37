//! Bluetooth LE over a distance: near, far, and out of range.

use airlag_air::PathLoss;
use airlag_air::error_rate::{BitErrors, ErrorRate, LeCoded, NoncoherentFsk};
use airlag_air::quantity::{Db, Dbm, Hertz, Metres};
use airlag_air::signal::{THERMAL_NOISE, noise_figure};
use airlag_link::airtime::ble::Phy;
use airlag_sim::Duration;

use crate::bench::{bench, every, profile, transfers};

/// Number of 12-byte messages, of 200, that arrive over `range` of free space.
fn arrived(phy: &str, range: &str, power: &str) -> usize {
    let changes = [
        ("range", range),
        ("environment", "free-space"),
        ("phy", phy),
        ("tx_power", power),
        ("connection_interval", "50ms"),
    ];
    let run = bench(&profile("ble-nus-notify", &changes), 12, &every(300, 200), 1);
    transfers(&run).latencies_ns().len()
}

#[test]
fn no_distance_ends_a_connection_whose_signal_is_strong() {
    for phy in ["1M", "2M", "coded-s2", "coded-s8"] {
        for range in ["10m", "100m", "300m", "1000m", "5km"] {
            assert_eq!(arrived(phy, range, "40"), 200, "{phy} over {range}");
        }
    }
}

#[test]
fn at_its_own_power_it_reaches_as_far_as_its_sensitivity() {
    // Sensitivities of an nRF52840 at 0 dBm: -92 dBm at 2M, -95 at 1M, -99 and -103 coded. In free
    // space at 2.44 GHz these are reached at 390, 550, 870 and 1380 m. A packet with 12 bytes of
    // attribute arrives reliably with 3 dB more.
    for (phy, within, beyond) in [
        ("2M", "270m", "500m"),
        ("1M", "380m", "700m"),
        ("coded-s2", "620m", "1200m"),
        ("coded-s8", "1000m", "2km"),
    ] {
        assert_eq!(arrived(phy, within, "0"), 200, "{phy} over {within}");
        assert!(arrived(phy, beyond, "0") < 20, "{phy} over {beyond}");
    }
    for range in ["10m", "100m", "300m"] {
        assert_eq!(arrived("1M", range, "0"), 200, "{range}");
    }
}

#[test]
fn sensitivities_of_every_phy_are_the_data_sheets_within_a_decibel() {
    let text = profile("ble-nus-notify", &[]).parameters["noise_figure"].value.to_string();
    let figure: f64 = text.parse().expect("a number");
    let uncoded = |rate: f64| NoncoherentFsk { rate: Hertz(rate) };
    // Limits of the nRF52840 Product Specification (RADIO), at a bit error rate of 0.1 %.
    let needed = [
        (-95.0, uncoded(1e6).noise_figure(Dbm(-95.0), 1e-3)),
        (-92.0, uncoded(2e6).noise_figure(Dbm(-92.0), 1e-3)),
        (-99.0, noise_figure(Dbm(-99.0), |signal| LeCoded::S2.bit(signal) > 1e-3)),
        (-103.0, noise_figure(Dbm(-103.0), |signal| LeCoded::S8.bit(signal) > 1e-3)),
    ];
    for (sheet, Db(needed)) in needed {
        assert!((needed - figure).abs() < 1.0, "{sheet} dBm: {needed} dB, {figure} in the profile");
    }
}

#[test]
fn the_distance_of_one_percent_loss_is_that_of_the_sensitivity() {
    // The datasheet's reference packet has 37 bytes; at a bit error rate of 0.1 %, 30.8 % of these
    // packets are lost.
    let fails: [(Phy, f64, &dyn ErrorRate); 4] = [
        (Phy::Le1M, -95.0, &NoncoherentFsk { rate: Hertz(1e6) }),
        (Phy::Le2M, -92.0, &NoncoherentFsk { rate: Hertz(2e6) }),
        (Phy::CodedS2, -99.0, &LeCoded::S2),
        (Phy::CodedS8, -103.0, &LeCoded::S8),
    ];
    for (phy, sheet, modem) in fails {
        let airtime = Duration::from_ns(phy.duration_ns(37));
        let lost = |Metres(metres): Metres| {
            let Db(loss) = PathLoss::FreeSpace.loss(Metres(metres), Hertz(2.44e9));
            let noise = THERMAL_NOISE.0 + 8.0;
            modem.frame(airlag_air::quantity::DbHz(-loss - noise), airtime)
        };
        let metres = (1..100_000).find(|&m| lost(Metres(f64::from(m))) > 0.01).expect("far enough");
        let Db(loss) = PathLoss::FreeSpace.loss(Metres(f64::from(metres)), Hertz(2.44e9));
        // A packet loss of 1 % needs slightly more signal than a bit error rate of 0.1 %.
        assert!((sheet..sheet + 2.0).contains(&-loss), "{phy:?}: {metres} m, {loss} dB");
    }
}
