//! Number of retries of the virtual nRF24, compared with real captures at their own trigger times.
//!
//! The table of `model_vs_capture` contains the quantiles. This test compares the lattice: a
//! Kolmogorov-Smirnov distance of at most 0.1 between the numbers of retries.

use crate::bench;
use airlag_study::matching::{Options, hold};

/// Latencies captured and virtual, sorted, ns.
fn both(link: &str, size: usize, capture: &str) -> Option<(Vec<i64>, Vec<i64>)> {
    let captured = bench::real(&format!("nrf24/{capture}"))?;
    let profile = bench::profile(link, &[]);
    let found = hold(&profile, size, &captured, &Options::default()).expect("a match");
    let mut ours = bench::transfers(&found.run).latencies_ns();
    let mut real = captured.latencies_ns();
    assert_eq!(real.len(), ours.len(), "as many arrive");
    real.sort_unstable();
    ours.sort_unstable();
    Some((real, ours))
}

/// Steps of the retry lattice: the number of acknowledgements that had to be repeated.
fn lattice(sorted: &[i64], quantum_ns: i64) -> Vec<i64> {
    // The origin of the lattice is the floor. For a long message, no transfer may reach it, so it
    // is derived from the median modulo the quantum.
    let origin = sorted[sorted.len() / 2] % quantum_ns;
    sorted.iter().map(|at| (at - origin + quantum_ns / 2).div_euclid(quantum_ns)).collect()
}

fn assert_lattice(link: &str, size: usize, capture: &str, real_ns: i64, ours_ns: i64) {
    let Some((real, ours)) = both(link, size, capture) else { return };
    let distance = bench::ks_distance(&lattice(&real, real_ns), &lattice(&ours, ours_ns));
    assert!(distance <= 0.1, "{capture}: distance {distance}");
}

#[test]
#[ignore = "needs captures"]
fn as_many_acknowledgements_are_repeated_as_in_the_captures() {
    // Only the first capture was available when the profile was fitted.
    for (link, size, capture, quanta) in [
        ("nrf24-2m", 1024, "2Mbps-1024B", (1_159_700, 1_158_500)),
        ("nrf24-2m", 128, "2Mbps-128B", (1_159_700, 1_158_500)),
        ("nrf24-250k", 128, "256kbps-128b", (1_372_000, 1_358_000)),
        ("nrf24-250k", 1024, "256kbps-1024B", (1_372_000, 1_358_000)),
    ] {
        assert_lattice(link, size, capture, quanta.0, quanta.1);
    }
}
