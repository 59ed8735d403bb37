//! The findings for virtual captures name the simulated clocks, and no clock where there is none.

use crate::bench::{self, profile};
use airlag_rig::Stimulus;
use airlag_rig::stimulus::Periodic;
use airlag_sim::Duration;
use airlag_stats::findings::run::{Context, of_run};
use airlag_stats::findings::{Name, Value};
use airlag_stats::fold::{Series, hidden_period};

fn constant(link: &str, name: &str) -> f64 {
    let profile = profile(link, &[]);
    let constant = profile.constants().find(|one| one.name == name).expect("a parameter");
    constant.value.to_string().parse().expect("a number")
}

/// The clock of a virtual capture is that of its connection.
#[test]
fn the_hidden_period_of_a_virtual_capture_is_the_connection_interval() {
    for (link, interval_ns) in [("ble-nus-notify", 30e6), ("ble-bluedroid-notify-woken", 15e6)] {
        let changes = [("receiver_ppb", "0")];
        let run = bench::bench(&profile(link, &changes), 12, &bench::every(251, 1_000), 3);
        let found = hidden_period(&Series::of(&bench::transfers(&run)), None).expect("a period");
        let interval_ns = interval_ns + constant(link, "interval_excess");
        let ppm = (found.period_ns / interval_ns - 1.0) * 1e6;
        assert!(ppm.abs() < 1.0, "{link}: {ppm} ppm");
    }
}

/// Drift that the findings report for a virtual capture, ppm.
fn drift_found(link: &str, changes: &[(&str, &str)], seed: u64) -> Option<f64> {
    let stimulus = Stimulus::Periodic(Periodic::new(Duration::from_ms(200), 1_000));
    let run = bench::bench(&profile(link, changes), 12, &stimulus, seed);
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
