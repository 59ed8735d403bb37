//! ESP-NOW against real captures, each under the capture's own trigger times.
//!
//! Fitted to each capture: where the tick and the two boards' beacons stood, and how fast the
//! crystals ran. Acceptance: the median within 15 %, and a Kolmogorov-Smirnov distance that
//! two samples of one distribution, each as short as these captures, stay below 19 times in 20.

#![allow(clippy::print_stdout, reason = "the distances are what a reader wants")]

mod bench;

use airlag_rig::matching::{Options, hold};

/// Link, size, capture.
const ROWS: [(&str, usize, &str); 6] = [
    ("espnow", 12, "12B"),
    ("espnow", 128, "128B"),
    ("espnow", 1_024, "1024B"),
    ("espnow-lr", 12, "LR-12B"),
    ("espnow-lr", 128, "LR-128B"),
    ("espnow-lr", 1_024, "LR-1024B"),
];

#[test]
fn the_median_of_every_capture_is_met() {
    for (link, size, name) in ROWS {
        let Some(captured) = bench::real(&format!("espnow-esp32/{name}")) else { continue };
        let profile = bench::profile(link, &[]);
        let found = hold(&profile, size, &captured, &Options::default()).expect("a match");
        println!("{name}: distance {:.3}, {:?}", found.ks, found.fitted);
        for error in &found.quantile_error {
            println!("  {error:?}");
        }
        let median = found.quantile_error.iter().find(|error| error.p == 0.5).expect("a median");
        assert!(median.relative().abs() <= 0.15, "{name}: {median:?}");
        assert!(found.ks < found.ks_chance, "{name}: distance {}", found.ks);
    }
}
