//! ESP-NOW against real captures, each under the capture's own trigger times.
//!
//! Fitted to each capture: where the tick and the two boards' beacons stood, and how fast the
//! sender's crystal ran. Acceptance: the median within 15 %; what a beacon does to a transfer is
//! held against the captures besides.

mod bench;
mod tick;

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
        let Some(captured) = tick::captured("espnow-esp32", name) else { continue };
        let row = tick::fit(&captured, &bench::profile(link, &[]), size);
        let (real, ours) = row.quantile(0.5);
        println!(
            "{name}: p50 {:.3} ms, captured {:.3}; distance {:.3}, phase {:.4}, {} ppb",
            ours / 1e6,
            real / 1e6,
            row.ks_distance(),
            row.tick_phase,
            row.sender_ppb
        );
        for level in [0.05, 0.25, 0.75, 0.95] {
            let (real, ours) = row.quantile(level);
            println!("  p{}: {:.3} ms, captured {:.3}", level * 100.0, ours / 1e6, real / 1e6);
        }
        assert!((ours - real).abs() <= 0.15 * real, "{name}: {ours} ns, captured {real} ns");
    }
}
