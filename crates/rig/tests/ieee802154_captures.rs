//! Raw 802.15.4 against real captures, each under the capture's own trigger times.
//!
//! The frames' spacing is fitted on the sniffer's captures; where the tick stood and how fast its
//! crystal ran is nobody's constant and fitted to each capture. What is left to be predicted is the
//! width and the shape of each distribution, and that nothing is lost. Acceptance: a
//! Kolmogorov-Smirnov distance below 0.1.

mod bench;

use airlag_rig::Stimulus;
use airlag_rig::matching::{Options, hold};
use airlag_rig::stimulus::Periodic;
use airlag_sim::Duration;
use airlag_stats::findings::run::{Context, of_run};
use airlag_stats::findings::{Name, Value};

/// Link, size, capture.
const ROWS: [(&str, usize, &str); 7] = [
    ("ieee802154-blind", 12, "12B-FaF"),
    ("ieee802154-blind", 128, "128B-FaF"),
    ("ieee802154-blind", 1024, "1024B-FaF"),
    ("ieee802154-ack", 12, "12B-ACK"),
    ("ieee802154-ack", 128, "128B-ACK"),
    ("ieee802154-ack", 1024, "1024B-ACK"),
    ("ieee802154-ack", 1024, "1024B-throughput-opt"),
];

#[test]
fn every_capture_is_the_model_with_its_tick_where_it_stood() {
    for (link, size, name) in ROWS {
        let Some(captured) = bench::real(&format!("ieee802154-esp32c6/{name}")) else { continue };
        let profile = bench::profile(link, &[]);
        let found = hold(&profile, size, &captured, &Options::default()).expect("a match");
        println!("{name}: distance {:.4}, {:?}", found.ks, found.fitted);
        assert!(found.ks < 0.1, "{name}: distance {}", found.ks);
        for error in &found.quantile_error {
            assert!(error.error_ns().abs() < 20_000.0, "{name}: {error:?}");
        }
    }
}

/// What the pipeline says of the drift in a virtual capture, ppm.
fn drift_found(link: &str, changes: &[(&str, &str)], seed: u64) -> Option<f64> {
    let stimulus = Stimulus::Periodic(Periodic::new(Duration::from_ms(200), 1_000));
    let run = bench::bench(&bench::profile(link, changes), 12, &stimulus, seed);
    let findings = of_run(&bench::transfers(&run), &Context::default());
    let found = findings.into_iter().find(|finding| finding.name == Name::DriftRamp)?;
    match found.evidence.iter().find(|(name, _)| *name == "ppm") {
        Some((_, Value::Float(ppm))) => Some(*ppm),
        other => panic!("a ramp without a slope: {other:?}"),
    }
}

#[test]
fn the_drift_put_in_is_the_drift_found_and_none_where_there_is_none() {
    for (ppb, seed) in [(2_700, 1), (-2_000, 2), (12_300, 3)] {
        let text = ppb.to_string();
        let found = drift_found("ieee802154-ack", &[("sender_ppb", &text)], seed).expect("a ramp");
        // A fast clock ticks early: latency falls.
        assert!((found + ppb as f64 / 1e3).abs() < 0.05, "{ppb} ppb: {found}");
    }
    for seed in 1..4 {
        assert_eq!(drift_found("ieee802154-blind", &[], seed), None);
        let woken = drift_found("ieee802154-blind-woken", &[("sender_ppb", "20000")], seed);
        assert_eq!(woken, None);
    }
}
