use super::*;
use crate::fold::simulate::{MS, Random, poisson, regular, run, slotted};

fn timer(transfers: &crate::pair::Transfers) -> Option<f64> {
    let found = delayed_ack(&Clocks::of(transfers))?;
    found.evidence.iter().find_map(|e| match e {
        ("period_ns", Value::Float(t)) => Some(*t),
        _ => None,
    })
}

#[test]
fn a_timer_frozen_by_the_trigger_shows_in_the_transfers_that_slip() {
    for (own, every) in [(250.0, 500.0), (200.0, 400.0), (250.0, 750.0), (500.0, 1000.0)] {
        for slip in [0.03, 0.06] {
            let mut random = Random(own as u64);
            let transfers = run(&regular(400, every * MS), |_, t| {
                let jitter = random.exponential(2.5 * MS);
                Some(slotted(&mut random, t, own * MS, 31.0 * MS, 4.0 * MS, slip, 0.0) + jitter)
            });
            assert_eq!(timer(&transfers), Some(own * MS), "{own} at {every}, {slip}");
        }
    }
}

#[test]
fn a_swept_timer_is_found() {
    let mut random = Random(4);
    let triggers = poisson(600, 510.0 * MS, &mut random);
    let transfers = run(&triggers, |_, t| {
        let jitter = random.exponential(2.5 * MS);
        Some(slotted(&mut random, t, 250.0 * MS, 0.0, 4.0 * MS, 0.0, 0.0) + jitter)
    });
    assert_eq!(timer(&transfers), Some(250.0 * MS));
}

#[test]
fn a_one_shot_timer_is_found() {
    for delay in [40.0, 200.0] {
        let mut random = Random(6);
        let transfers = run(&regular(500, 333.3 * MS), |_, _| {
            let late = if random.uniform() < 0.1 { delay * MS } else { 0.0 };
            Some(3.0 * MS + late + random.exponential(0.8 * MS))
        });
        assert_eq!(timer(&transfers), Some(delay * MS));
    }
}

#[test]
fn a_long_tail_is_no_timer() {
    for seed in 0..20 {
        let mut random = Random(seed);
        let transfers = run(&regular(1000, 500.0 * MS), |_, _| {
            let tail = if random.uniform() < 0.05 { random.exponential(60.0 * MS) } else { 0.0 };
            Some(3.0 * MS + tail + random.exponential(0.8 * MS))
        });
        assert_eq!(timer(&transfers), None, "seed {seed}");
    }
}

#[test]
fn a_connection_interval_of_the_same_length_is_no_timer() {
    let mut random = Random(8);
    let transfers = run(&regular(600, 211.3 * MS), |_, t| {
        Some(slotted(&mut random, t, 40.0 * MS, 0.0, 1.5 * MS, 0.05, 5_000.0))
    });
    assert_eq!(timer(&transfers), None);
}
