//! ESP-NOW against real captures, each under the capture's own trigger times.
//!
//! Fitted to each capture: where the tick and the two boards' beacons stood, and how fast the
//! sender's crystal ran. Acceptance: the median within 15 %, and a Kolmogorov-Smirnov distance that
//! two samples of one distribution, each as short as these captures, stay below 19 times in 20.

mod bench;
mod tick;

use airlag_rig::Profile;
use airlag_stats::pair::Transfers;

/// Places a beacon is tried at.
const GRID: usize = 10;

/// Link, size, capture.
const ROWS: [(&str, usize, &str); 6] = [
    ("espnow", 12, "12B"),
    ("espnow", 128, "128B"),
    ("espnow", 1_024, "1024B"),
    ("espnow-lr", 12, "LR-12B"),
    ("espnow-lr", 128, "LR-128B"),
    ("espnow-lr", 1_024, "LR-1024B"),
];

/// The match with the boards' beacons where they explain a capture best, on a grid.
fn with_beacons(captured: &Transfers, profile: &Profile, size: usize) -> (tick::Match, [f64; 2]) {
    let grid = || (0..GRID).map(|nth| nth as f64 / GRID as f64);
    let mut best: Option<(f64, tick::Match, [f64; 2])> = None;
    for sender in grid() {
        for receiver in grid() {
            let mut profile = profile.clone();
            profile.set("sender_beacon_phase", &sender.to_string()).expect("a share");
            profile.set("receiver_beacon_phase", &receiver.to_string()).expect("a share");
            let row = tick::fit(captured, &profile, size);
            let distance = row.ks_distance();
            if best.as_ref().is_none_or(|(least, ..)| distance < *least) {
                best = Some((distance, row, [sender, receiver]));
            }
        }
    }
    let (_, row, phases) = best.expect("the grid has points");
    (row, phases)
}

#[test]
fn the_median_of_every_capture_is_met() {
    for (link, size, name) in ROWS {
        let Some(captured) = tick::captured("espnow-esp32", name) else { continue };
        let (row, beacons) = with_beacons(&captured, &bench::profile(link, &[]), size);
        let (real, ours) = row.quantile(0.5);
        println!(
            "{name}: p50 {:.3} ms, captured {:.3}; distance {:.3}, phase {:.4}, {} ppb, beacons {:?}",
            ours / 1e6,
            real / 1e6,
            row.ks_distance(),
            row.tick_phase,
            row.sender_ppb,
            beacons,
        );
        for level in [0.05, 0.25, 0.75, 0.95] {
            let (real, ours) = row.quantile(level);
            println!("  p{}: {:.3} ms, captured {:.3}", level * 100.0, ours / 1e6, real / 1e6);
        }
        assert!((ours - real).abs() <= 0.15 * real, "{name}: {ours} ns, captured {real} ns");
        let critical = 1.358 * (2.0 / row.captured.len() as f64).sqrt();
        assert!(row.ks_distance() < critical, "{name}: distance {}", row.ks_distance());
    }
}
