use super::*;
use crate::fold::simulate::{MS, Random, regular, run, slotted};

/// A run that froze `phase` of a timer.
fn frozen(seed: u64, phase: f64, own: f64, slip: f64) -> Clocks {
    let mut random = Random(seed);
    let transfers = run(&regular(400, 2.0 * own), |_, t| {
        let jitter = random.exponential(2.5 * MS);
        Some(slotted(&mut random, t, own, phase, 4.0 * MS, slip, 0.0) + jitter)
    });
    Clocks::of(&transfers)
}

fn across(runs: &[Clocks]) -> Option<Finding> {
    timer_across_runs(&runs.iter().collect::<Vec<_>>())
}

#[test]
fn runs_that_froze_different_phases_of_one_timer_tell_its_period() {
    for own in [250.0 * MS, 100.0 * MS] {
        let phases = [0.12, 0.5, 0.73, 0.3, 0.9];
        let runs: Vec<Clocks> =
            (0..5).map(|i| frozen(i, phases[i as usize] * own, own, 0.02)).collect();
        let found = across(&runs).expect("five phases of one timer");
        let period = found.evidence.iter().find_map(|e| match e {
            ("period_ns", Value::Float(p)) => Some(*p),
            _ => None,
        });
        assert!(period.is_some_and(|p| (p / own - 1.0).abs() < 1e-4), "{period:?}");
    }
}

#[test]
fn runs_that_agree_tell_nothing() {
    let own = 250.0 * MS;
    let runs: Vec<Clocks> = (0..5).map(|i| frozen(i, 0.4 * own, own, 0.02)).collect();
    assert_eq!(across(&runs), None);
}

#[test]
fn a_spread_of_medians_without_a_slip_names_no_period() {
    let own = 250.0 * MS;
    let runs: Vec<Clocks> = (0..5).map(|i| frozen(i, 0.2 * i as f64 * own, own, 0.0)).collect();
    assert_eq!(across(&runs), None);
    assert_eq!(across(&runs[..1]), None);
    assert_eq!(across(&[]), None);
}

#[test]
fn wide_runs_do_not_count() {
    let runs: Vec<Clocks> = (0..5)
        .map(|seed| {
            let mut random = Random(seed);
            let transfers = run(&regular(400, 211.3 * MS), |_, t| {
                Some(slotted(&mut random, t, 30.0 * MS, 0.0, MS, 0.1, MS))
            });
            Clocks::of(&transfers)
        })
        .collect();
    assert_eq!(across(&runs), None);
}
