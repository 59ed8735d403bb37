//! Links with their radios apart: losses according to the formulas, and the propagation delay of
//! light.

use airlag_air::error_rate::{BitErrors, Dbpsk, ErrorRate, Lora, NoncoherentFsk, OqpskDsss};
use airlag_air::quantity::{Db, Dbm, Hertz, Metres};
use airlag_air::{Budget, Fading, PathLoss};
use airlag_link::airtime::lora::{Bandwidth, CodingRate, Frame, SpreadingFactor};
use airlag_link::airtime::wifi::{GuardInterval, Mcs, Rate};
use airlag_models::stack::wifi::demodulator::ofdm;
use airlag_models::stack::wifi::sensitivity::loss;
use airlag_sim::Duration;

use crate::bench::{bench, every, profile, transfers};

const COUNT: usize = 2_000;

/// Losses among [`COUNT`] messages, each with enough time to end.
fn lost(link: &str, size: usize, changes: &[(&str, &str)]) -> usize {
    let run = bench(&profile(link, changes), size, &every(500, COUNT), 1);
    COUNT - transfers(&run).latencies_ns().len()
}

/// Five standard deviations of a binomial, plus one.
fn within(p: f64) -> usize {
    (5.0 * (COUNT as f64 * p * (1.0 - p)).sqrt()) as usize + 1
}

fn budget(power: f64, noise_figure: f64, range: f64, path: PathLoss) -> Budget {
    Budget {
        power: Dbm(power),
        antenna_gain: Db(0.0),
        path,
        range: Metres(range),
        shadowing: Db(0.0),
        fading: Fading::Steady,
        noise_figure: Db(noise_figure),
    }
}

#[test]
fn without_a_range_nothing_is_lost_and_nothing_is_drawn() {
    for link in [
        "nrf24-250k",
        "lora-sf7-250k",
        "ieee802154-ack",
        "espnow",
        "wifi-udp-tuned",
        "hc05-460800",
        "spp-esp32",
    ] {
        let plain = bench(&profile(link, &[]), 128, &every(500, 50), 1);
        let changes = [
            ("environment", "office"),
            ("path_loss_exponent", "5"),
            ("shadowing", "10"),
            ("tx_power", "-40"),
            ("noise_figure", "40"),
        ];
        assert_eq!(plain, bench(&profile(link, &changes), 128, &every(500, 50), 1), "{link}");
    }
}

#[test]
fn lora_messages_are_lost_as_often_as_the_formula_says() {
    let frame = Frame::new(SpreadingFactor::Sf7, Bandwidth::Khz250, CodingRate::Cr4_5);
    let airtime = Duration::from_ns(frame.duration_ns(12));
    let modem = Lora {
        spreading_factor: 7,
        bandwidth: Hertz(250e3),
        coded_bits: 5,
        low_data_rate_optimize: false,
        overhead_symbols: 8.0 + 4.25 + 8.0,
    };
    let mut shares = Vec::new();
    for (range, metres) in [("2000", 2_000.0), ("2.3km", 2_300.0), ("2600m", 2_600.0)] {
        let path = PathLoss::LogDistance { exponent: 3.1 };
        let signal = budget(14.0, 7.4, metres, path).signal(Hertz(915e6));
        let p = modem.frame(signal, airtime);
        let changes = [
            ("disturbances", "0"),
            ("environment", "log-distance"),
            ("path_loss_exponent", "3.1"),
            ("range", range),
        ];
        let lost = lost("lora-sf7-250k", 12, &changes);
        let expected = COUNT as f64 * p;
        assert!(lost.abs_diff(expected as usize) <= within(p), "{range}: {lost}, {expected}");
        shares.push(lost);
    }
    assert!(shares.is_sorted() && shares[0] > 0 && shares[2] < COUNT, "{shares:?}");
}

#[test]
fn nrf24_messages_are_lost_as_often_as_the_formula_says() {
    // A frame of 32 bytes: preamble 1, address 3, control 9 bits, CRC 2.
    let airtime = Duration::from_us(((1 + 3 + 32 + 2) * 8 + 9) * 4);
    let modem = NoncoherentFsk { rate: Hertz(250e3) };
    for (range, metres) in [("500m", 500.0), ("550m", 550.0)] {
        let path = PathLoss::FreeSpace;
        let p = modem.frame(budget(0.0, 15.1, metres, path).signal(Hertz(2.5e9)), airtime);
        assert!((0.05..0.95).contains(&p), "{range}: {p}");
        let changes = [("range", range), ("environment", "free-space"), ("acknowledge", "false")];
        let lost = lost("nrf24-250k", 12, &changes);
        let expected = COUNT as f64 * p;
        assert!(lost.abs_diff(expected as usize) <= within(p), "{range}: {lost}, {expected}");
        // Each of six attempts may succeed.
        let acknowledged = [("range", range), ("environment", "free-space")];
        assert!(self::lost("nrf24-250k", 12, &acknowledged) < lost / 3, "{range}");
    }
}

#[test]
fn frames_of_802_15_4_are_lost_as_often_as_the_formula_says() {
    // 12 bytes of payload and an overhead of 11, after 6 bytes of preamble and length; 32 us per
    // byte.
    let airtime = Duration::from_us((6 + 11 + 12) * 32);
    for metres in [18_000.0, 19_000.0] {
        let path = PathLoss::FreeSpace;
        let p = OqpskDsss.frame(budget(20.0, 6.5, metres, path).signal(Hertz(2.405e9)), airtime);
        assert!((0.02..0.98).contains(&p), "{metres}: {p}");
        let range = format!("{metres}m");
        let lost =
            lost("ieee802154-blind-woken", 12, &[("range", &range), ("environment", "free-space")]);
        let expected = COUNT as f64 * p;
        assert!(lost.abs_diff(expected as usize) <= within(p), "{range}: {lost}, {expected}");
    }
}

#[test]
fn retries_of_esp_now_and_802_15_4_arrive_late() {
    let esp_now = [("beacons", "false"), ("range", "8km"), ("environment", "free-space")];
    let acknowledged = [("retries", "3"), ("range", "19km"), ("environment", "free-space")];
    for (link, changes, least_ns) in [
        // A retransmission takes another 632 us, after a timeout of 222 us and DIFS.
        ("espnow-woken", &esp_now, 904_000),
        // A retransmission takes another 928 us, after a timeout of 864 us and a turnaround.
        ("ieee802154-ack-woken", &acknowledged, 1_984_000),
    ] {
        let run = bench(&profile(link, changes), 12, &every(500, COUNT), 1);
        let incidents = run.incidents.get("retry").copied().unwrap_or_default();
        let mut latencies = transfers(&run).latencies_ns().to_vec();
        latencies.sort_unstable();
        assert!(incidents > 100, "{link}: {incidents}");
        let (quickest, slowest) = (latencies[0], latencies[latencies.len() - 1]);
        let late = latencies.iter().filter(|&&one| one >= quickest + least_ns).count();
        assert!(late > 50 && slowest >= quickest + least_ns, "{link}: {late} {quickest} {slowest}");
        assert!(latencies.len() > COUNT / 2, "{link}: {}", latencies.len());
    }
}

#[test]
fn packets_of_wifi_are_lost_on_either_hop_as_often_as_the_formula_says() {
    let lost = |mcs: &str, range: &str| {
        let changes =
            [("mcs", mcs), ("range", range), ("environment", "free-space"), ("retries", "0")];
        lost("wifi-udp-tuned-woken", 128, &changes)
    };
    let mcs7 = Rate::Ht(Mcs::new(7).expect("there is one"), GuardInterval::Long);
    // Overhead: 28 octets for UDP and IP, and 38 for the header with QoS, LLC, SNAP and FCS.
    let airtime = Duration::from_ns(mcs7.duration_ns(128 + 28 + 38));
    let mut partly = 0;
    for range in [185.0, 200.0, 215.0, 230.0] {
        let at = budget(13.0, 6.6 + loss(mcs7).0, range, PathLoss::FreeSpace);
        let hop = ofdm(mcs7).expect("OFDM").frame(at.signal(Hertz(2.437e9)), airtime);
        let expected = 1.0 - (1.0 - hop).powi(2);
        let found = lost("7", &format!("{range}m"));
        let difference = found.abs_diff((expected * COUNT as f64) as usize);
        assert!(difference <= within(expected), "{range} m: {found} lost, {expected}");
        partly += usize::from((0.02..0.98).contains(&expected));
    }
    assert!(partly >= 2, "{partly} of the ranges lose some and not all");
    // The two are 19.9 dB apart.
    assert_eq!((lost("7", "900m"), lost("0", "900m")), (COUNT, 0));
}

#[test]
fn light_takes_its_time() {
    let median = |range: &str| {
        let changes = [
            ("disturbances", "0"),
            ("range", range),
            ("environment", "free-space"),
            ("tx_power", "60"),
        ];
        let run = bench(&profile("lora-sf7-250k", &changes), 12, &every(500, 200), 1);
        let mut latencies = transfers(&run).latencies_ns().to_vec();
        latencies.sort_unstable();
        latencies[latencies.len() / 2]
    };
    let late = median("2km") - median("0");
    // 2 km at 299 792 458 m/s, on the receiver's clock.
    assert!((6_600..6_750).contains(&late), "{late}");
}

#[test]
fn shadowing_belongs_to_the_place_that_the_seed_picks() {
    let changes = [
        ("range", "420m"),
        ("environment", "free-space"),
        ("shadowing", "8"),
        ("acknowledge", "false"),
    ];
    let profile = profile("nrf24-250k", &changes);
    let lost = |seed| {
        let run = bench(&profile, 12, &every(500, 100), seed);
        100 - transfers(&run).latencies_ns().len()
    };
    let places: Vec<_> = (1..=40).map(lost).collect();
    assert_eq!(places[..3], [lost(1), lost(2), lost(3)]);
    // Most places lose nearly all or nearly no messages, because 8 dB is more than the width of the
    // threshold.
    let clear = places.iter().filter(|&&lost| lost < 10).count();
    let dead = places.iter().filter(|&&lost| lost > 90).count();
    assert!(clear >= 10 && dead >= 5 && clear + dead >= 30, "{places:?}");
}

#[test]
fn noise_figures_of_the_profiles_are_the_datasheets_sensitivities() {
    let of = |link: &str| {
        let text = profile(link, &[]).parameters["noise_figure"].value.to_string();
        text.parse::<f64>().expect("a number")
    };
    // nRF24L01+ v1.0, 5.4: at 0.1 % wrong bits.
    for link in ["nrf24-250k", "nrf24-250k-raw", "nrf24-2m", "nrf24-2m-raw", "tunnel"] {
        let modem = NoncoherentFsk { rate: Hertz(250e3) };
        let Db(figure) = modem.noise_figure(Dbm(-94.0), 1e-3);
        assert!((figure - of(link)).abs() < 0.051, "{link}: {figure}");
    }
    // ESP32-WROOM-32E v2.0, table 21, with the frames of IEEE 802.11-2012, 16.4.8.2.
    let wrong = |lost: f64, bits: f64| -((-lost).ln_1p() / bits).exp_m1();
    let esp32 = ["espnow", "espnow-lr", "wifi-udp-tuned", "wifi-tcp-default", "websocket-esp32"];
    for link in esp32 {
        let modem = Dbpsk { rate: Hertz(1e6) };
        let Db(figure) = modem.noise_figure(Dbm(-97.0), wrong(0.08, 1_024.0 * 8.0));
        assert!((figure - of(link)).abs() < 0.051, "{link}: {figure}");
    }
    // IEEE 802.15.4-2006, 6.5.3.3: 20 octets, and 6 before them.
    for link in ["ieee802154-ack", "ieee802154-blind"] {
        let Db(figure) = OqpskDsss.noise_figure(Dbm(-104.0), wrong(0.01, 26.0 * 8.0));
        assert!((figure - of(link)).abs() < 0.051, "{link}: {figure}");
    }
    // SX1276/77/78/79 rev. 7, table 10: 1 % of packets of 10 bytes lost at -120 dBm.
    let frame = Frame::new(SpreadingFactor::Sf7, Bandwidth::Khz250, CodingRate::Cr4_6);
    let airtime = Duration::from_ns(frame.duration_ns(10));
    let modem = Lora {
        spreading_factor: 7,
        bandwidth: Hertz(250e3),
        coded_bits: 6,
        low_data_rate_optimize: false,
        overhead_symbols: 8.0 + 4.25 + 8.0,
    };
    for link in ["lora-sf7-250k", "lora-sf11-62k5"] {
        let at = budget(-120.0, of(link), 1.0, PathLoss::LogDistance { exponent: 2.0 });
        let loss = at.path.loss(Metres(1.0), Hertz(915e6));
        let signal = Budget { antenna_gain: loss, ..at }.signal(Hertz(915e6));
        let p = modem.frame(signal, airtime);
        assert!((0.007..0.013).contains(&p), "{link}: {p}");
    }
}
