//! Bluetooth Classic over a distance: lost packets are retransmitted until they arrive, and a link
//! without reception is lost.

use airlag_air::PathLoss;
use airlag_air::quantity::{Db, DbHz, Dbm, Hertz, Metres};
use airlag_air::signal::{THERMAL_NOISE, noise_figure};
use airlag_models::stack::bt_classic::PacketSet;
use airlag_models::stack::bt_classic::demodulator::{ESP32, bit, lost};
use airlag_models::stack::bt_classic::rfcomm::Frame;
use airlag_rig::Run;

use crate::bench::{bench, every, profile, transfers};

/// No loss at close range, no scans, and slots that begin with one of the sending side.
const QUIET: [(&str, &str); 4] = [
    ("environment", "free-space"),
    ("frame_loss", "0"),
    ("scan_windows", "0"),
    ("sender_role", "master"),
];

/// 12-byte messages every half second.
fn over(link: &str, range: &str, count: usize, settings: &[(&str, &str)]) -> Run {
    let changes = [&QUIET[..], &[("range", range)], settings].concat();
    bench(&profile(link, &changes), 12, &every(500, count), 1)
}

fn arrived(run: &Run) -> usize {
    transfers(run).latencies_ns().len()
}

fn mean_ms(run: &Run) -> f64 {
    let latencies = transfers(run).latencies_ns();
    latencies.iter().sum::<i64>() as f64 / 1e6 / latencies.len() as f64
}

/// C/N0 over `metres` of free space on one of the 79 channels.
fn signal(power: f64, figure: f64, metres: f64, channel: u32) -> DbHz {
    let frequency = Hertz(f64::from(2_402 + channel) * 1e6);
    let Db(loss) = PathLoss::FreeSpace.loss(Metres(metres), frequency);
    DbHz(power - loss - THERMAL_NOISE.0 - figure)
}

#[test]
fn a_first_attempt_is_lost_as_often_as_the_formula_says() {
    // With 3 dBm, -83 dBm with eight phases and -89 dBm with four or at the basic rate are reached
    // at 195 and 390 m.
    for (set, name, metres) in [
        (PacketSet::Edr3, "edr3", 230.0),
        (PacketSet::Edr2, "edr2", 450.0),
        (PacketSet::Basic, "basic", 400.0),
        (PacketSet::Coded, "coded", 490.0),
    ] {
        let bytes = Frame { credits: 0, data: vec![0; 12] }.encode(4).len();
        let of_channel =
            |channel| lost(set.choose(bytes, 5), bytes, signal(3.0, 14.0, metres, channel));
        let p = (0..79).map(of_channel).sum::<f64>() / 79.0;
        assert!((0.03..0.7).contains(&p), "{name}: {p}");
        let count = 2_000;
        let [near, far] = [10.0, metres].map(|metres| {
            let run = over("spp-esp32-woken", &format!("{metres}m"), count, &[("packets", name)]);
            assert!(run.incidents.is_empty(), "{name}: {:?}", run.incidents);
            transfers(&run).latencies_ns()
        });
        assert_eq!((near.len(), far.len()), (count, count), "{name}");
        // A message that is delayed by more than half a pair of slots relative to close range was
        // retransmitted once.
        let again = near.iter().zip(&far).filter(|(near, far)| *far - *near > 625_000).count();
        let within = 5.0 * (count as f64 * p * (1.0 - p)).sqrt();
        assert!((again as f64 - count as f64 * p).abs() < within, "{name}: {again}, {p}");
    }
}

#[test]
fn far_away_it_is_slower_and_beyond_its_sensitivity_it_breaks() {
    // 4 dBm and -80 dBm: 155 m; 3 dBm and -83 dBm: 195 m.
    for (link, ranges, beyond) in [
        ("hc05-460800", ["10m", "150m", "220m"], "500m"),
        ("spp-esp32-woken", ["10m", "200m", "280m"], "1500m"),
    ] {
        let runs = ranges.map(|range| over(link, range, 100, &[]));
        assert!(runs.iter().all(|run| arrived(run) == 100), "{link}: nothing is lost");
        assert!(runs.iter().all(|run| run.incidents.is_empty()), "{link}");
        let means = runs.each_ref().map(mean_ms);
        assert!(means.is_sorted() && means[2] > means[0] + 1.0, "{link}: {means:?} ms");
        let gone = over(link, beyond, 100, &[]);
        assert_eq!(arrived(&gone), 0, "{link}");
        assert_eq!(gone.incidents["supervision timeout"], 1, "{link}");
    }
}

#[test]
fn fewer_bits_a_symbol_and_a_code_reach_farther() {
    let margin = |packets| {
        let run = over("spp-esp32-woken", "10m", 3, &[("packets", packets)]);
        run.fade_margin.expect("a frame was sent").0
    };
    let margins = ["edr3", "edr2", "basic", "coded"].map(margin);
    // The margins correspond to -83 and -89 dBm, and to a code that corrects one error in 15 bits.
    assert!((margins[1] - margins[0] - 6.0).abs() < 0.5, "{margins:?}");
    assert!((margins[2] - margins[1]).abs() < 1.5, "{margins:?}");
    assert!((0.5..2.5).contains(&(margins[3] - margins[2])), "{margins:?}");
}

#[test]
fn noise_figures_of_the_profiles_are_the_datasheets_sensitivities() {
    let of = |link: &str| {
        let text = profile(link, &[]).parameters["noise_figure"].value.to_string();
        text.parse::<f64>().expect("a number")
    };
    for (link, basic) in
        [("spp-esp32", Dbm(-89.0)), ("spp-esp32-woken", Dbm(-89.0)), ("hc05-9600", Dbm(-80.0))]
    {
        let Db(figure) = noise_figure(basic, |signal| bit(1, signal) > 1e-3);
        assert!((figure - of(link)).abs() < 0.051, "{link}: {figure}");
    }
    // The noise figure of the basic rate and the tabulated losses of the other rates give the
    // sensitivities of the ESP32's datasheet.
    for (bits, Dbm(sheet), wrong) in ESP32 {
        let Db(figure) = noise_figure(Dbm(sheet), |signal| bit(bits, signal) > wrong);
        assert!((figure - of("spp-esp32")).abs() < 0.051, "{bits}: {figure}");
    }
}

#[test]
fn more_distance_never_delivers_more() {
    for link in ["hc05-460800", "spp-esp32-woken"] {
        let delivered = |range: &str| {
            let changes =
                [("range", range), ("environment", "outdoor"), ("supervision_timeout", "2000ms")];
            let at = profile(link, &changes);
            let places =
                (1..=25).map(|seed| bench(&at, 12, &every(100, 20), seed).received.messages);
            places.sum::<u32>()
        };
        let shares = ["5m", "40m", "100m", "200m", "800m"].map(delivered);
        assert!(shares.is_sorted_by(|near, far| near >= far), "{link}: {shares:?} of 500");
        assert!(shares[0] == 500 && shares[4] < 50, "{link}: {shares:?} of 500");
    }
}
