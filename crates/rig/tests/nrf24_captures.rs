//! The virtual bench against real captures, each under the capture's own trigger times.
//!
//! Constants are fitted on one capture each, as `links/*.toml` says; what they were not fitted on
//! is a prediction. Acceptance: p1, p25, p50, p75, p99 within 5 % or 0.3 ms, and a
//! Kolmogorov-Smirnov distance of at most 0.1 on the retry lattice.

mod bench;

use airlag_rig::Stimulus;
use airlag_stats::pair::{PairOptions, pair};
use airlag_trace::{ReadOptions, read};

const LEVELS: [f64; 5] = [0.01, 0.25, 0.5, 0.75, 0.99];

/// Latencies captured and virtual, sorted, ns.
fn both(link: &str, size: usize, capture: &str) -> Option<(Vec<i64>, Vec<i64>)> {
    let path = bench::captures()?.join("nrf24").join(format!("{capture}.csv"));
    if !path.is_file() {
        return None;
    }
    let trace = read(&path, &ReadOptions::default()).expect("a capture");
    let captured = pair(&trace, PairOptions::default());
    let first = captured.trigger_ns[0] - 10_000_000;
    let times = captured.trigger_ns.iter().map(|at| (at - first) as u64).collect();
    let run = bench::bench(&bench::profile(link, &[]), size, &Stimulus::At(times), 1);
    let (mut real, mut virtual_) = (captured.latencies_ns(), bench::transfers(&run).latencies_ns());
    assert_eq!(real.len(), virtual_.len(), "as many arrive");
    real.sort_unstable();
    virtual_.sort_unstable();
    Some((real, virtual_))
}

fn assert_quantiles(link: &str, size: usize, capture: &str) {
    let Some((real, virtual_)) = both(link, size, capture) else { return };
    for level in LEVELS {
        let (real, ours) = (bench::quantile(&real, level), bench::quantile(&virtual_, level));
        let off = (ours - real).abs();
        assert!(
            off <= 0.05 * real || off <= 300_000.0,
            "{capture} p{}: {ours} ns, captured {real} ns",
            level * 100.0
        );
    }
}

/// Steps of the retry lattice: how many acknowledgements had to be repeated.
fn lattice(sorted: &[i64], quantum_ns: i64) -> Vec<i64> {
    // The floor is the lattice's origin; in a long message nobody may reach it, so it is found
    // modulo the quantum from the median.
    let origin = sorted[sorted.len() / 2] % quantum_ns;
    sorted.iter().map(|at| (at - origin + quantum_ns / 2).div_euclid(quantum_ns)).collect()
}

fn assert_lattice(link: &str, size: usize, capture: &str, real_ns: i64, ours_ns: i64) {
    let Some((real, ours)) = both(link, size, capture) else { return };
    let distance = bench::ks_distance(&lattice(&real, real_ns), &lattice(&ours, ours_ns));
    assert!(distance <= 0.1, "{capture}: distance {distance}");
}

#[test]
fn twelve_bytes_at_two_megabit() {
    assert_quantiles("nrf24-2m", 12, "2Mbps-12B-padded");
    assert_quantiles("nrf24-2m-raw", 12, "2Mbps-12B");
}

#[test]
fn twelve_bytes_at_250_kilobit() {
    assert_quantiles("nrf24-250k", 12, "256kbps-12B-padded");
}

#[test]
fn a_kilobyte_at_two_megabit() {
    assert_quantiles("nrf24-2m", 1024, "2Mbps-1024B");
    assert_lattice("nrf24-2m", 1024, "2Mbps-1024B", 1_159_700, 1_158_500);
}

#[test]
fn messages_that_were_fitted_on_nothing() {
    for (link, size, capture, quanta) in [
        ("nrf24-2m", 128, "2Mbps-128B", (1_159_700, 1_158_500)),
        ("nrf24-250k", 128, "256kbps-128b", (1_372_000, 1_358_000)),
        ("nrf24-250k", 1024, "256kbps-1024B", (1_372_000, 1_358_000)),
    ] {
        assert_quantiles(link, size, capture);
        assert_lattice(link, size, capture, quanta.0, quanta.1);
    }
}
