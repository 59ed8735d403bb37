//! Bluetooth Classic on the virtual bench compared with real captures, each at the capture's own
//! trigger times.
//!
//! Each constant is fitted on one capture, as stated in `links/hc05.toml` and
//! `links/spp-esp32.toml`; all other values are predictions. Phases that a capture does not record
//! are scanned: those of the piconet's slots and of the sending board's tick at the start of the
//! capture. Acceptance: the median within 15 %, as for all links that depend on closed firmware.

use crate::bench;
use airlag_rig::{Profile, Stimulus};

/// Latencies of a capture, sorted, ns, and its trigger times.
fn captured(folder: &str, capture: &str) -> Option<(Vec<i64>, Stimulus)> {
    let real = bench::real(&format!("{folder}/{capture}"))?;
    // There must be no message before the first trigger, because the capture has none.
    let first = real.trigger_ns[0] - 10_000_000;
    let times = real.trigger_ns.iter().map(|at| (at - first) as u64).collect();
    let mut latencies = real.latencies_ns();
    latencies.sort_unstable();
    Some((latencies, Stimulus::At(times)))
}

fn virtual_(profile: &Profile, size: usize, stimulus: &Stimulus) -> Vec<i64> {
    let run = bench::bench(profile, size, stimulus, 1);
    let mut latencies = bench::transfers(&run).latencies_ns();
    latencies.sort_unstable();
    latencies
}

/// Distance of the distributions, and relative difference of the medians.
fn compare(real: &[i64], ours: &[i64]) -> (f64, f64) {
    assert_eq!(real.len(), ours.len(), "as many arrive");
    let (theirs, mine) = (bench::quantile(real, 0.5), bench::quantile(ours, 0.5));
    (bench::ks_distance(real, ours), mine / theirs - 1.0)
}

/// The best of phases `0, 1/n, 2/n …` of a parameter.
fn scanned(
    link: &str,
    changes: &[(&str, &str)],
    phase: &str,
    steps: usize,
    size: usize,
    (real, stimulus): &(Vec<i64>, Stimulus),
) -> (f64, f64, String) {
    let one = |step: usize| {
        let at = format!("{:.3}", step as f64 / steps as f64);
        let mut all = changes.to_vec();
        all.push((phase, &at));
        let (distance, off) = compare(real, &virtual_(&bench::profile(link, &all), size, stimulus));
        (distance, off, at.clone())
    };
    let best = (0..steps).map(one).min_by(|a, b| a.0.total_cmp(&b.0));
    best.expect("at least one phase")
}

fn assert_median(what: &str, (distance, off, phase): (f64, f64, String)) {
    assert!(
        off.abs() <= 0.15,
        "{what}: median {:+.1} %, distance {distance:.3}, phase {phase}",
        100.0 * off
    );
}

#[test]
#[ignore = "needs captures"]
fn the_module_at_every_rate_and_size() {
    for (baud, size, capture) in [
        (9_600, 12, "9600-12B"),
        // The name of the file is wrong: its messages have 128 bytes.
        (9_600, 128, "9600-256B"),
        (9_600, 1_024, "9600-1024B"),
        (460_800, 12, "460800-12B"),
        (460_800, 128, "460800-128B"),
        (460_800, 1_024, "460800-1024B"),
    ] {
        let Some(real) = captured("bt-spp-hc05", capture) else { return };
        let best = scanned(&format!("hc05-{baud}"), &[], "slot_phase", 4, size, &real);
        assert_median(capture, best);
    }
}

#[test]
#[ignore = "needs captures"]
fn the_port_of_the_microcontroller_at_every_size_and_write_size() {
    for (size, write_size, capture) in [
        (12, "990", "12B"),
        (128, "990", "128B"),
        (1_024, "990", "1024B"),
        (1_024, "64", "1024B-64B-chunks"),
        (1_024, "32", "1024B-32B-chunks"),
    ] {
        let Some(real) = captured("bt-spp-esp32", capture) else { continue };
        let changes = [("write_size", write_size), ("slot_phase", "0.5")];
        let best = scanned("spp-esp32", &changes, "tick_phase", 20, size, &real);
        assert_median(capture, best);
    }
}
