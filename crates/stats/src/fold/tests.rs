//! Synthetic runs: findings that must be reported over a range of parameters, and runs without a clock that
//! must have none.

use super::simulate::{MS, Random, US, poisson, regular, run, slotted};
use super::*;
use crate::findings::{Finding, Name, ack, clock, lattice, ramp};

/// Number of runs of each kind, small in a debug build.
const SEEDS: u64 = if cfg!(debug_assertions) { 1 } else { 6 };

fn findings(transfers: &Transfers) -> Vec<Finding> {
    let clocks = Clocks::of(transfers);
    [
        clock::own_period(&clocks),
        clock::phase_not_explored(&clocks),
        clock::power_save(&clocks),
        ramp::drift_ramp(&clocks),
        lattice::retry_quantum(&clocks),
        ack::delayed_ack(&clocks),
    ]
    .into_iter()
    .flatten()
    .collect()
}

fn names(transfers: &Transfers) -> Vec<Name> {
    findings(transfers).iter().map(|f| f.name).collect()
}

/// A latency without a clock, by kind.
fn clockless(kind: usize, i: usize, n: usize, state: &mut f64, random: &mut Random) -> Option<f64> {
    let lossy = |random: &mut Random, l: f64| (random.uniform() > 0.05).then_some(l);
    Some(match kind {
        // A wire.
        0 => 1.05 * MS + 2.0 * US * random.normal(),
        // A wire whose receiver polls.
        1 => 0.3 * MS + random.between(0.0, 40.0 * US),
        // Anything between 3 and 43 ms.
        2 => random.between(3.0 * MS, 43.0 * MS),
        // An operating system.
        3 => 2.0 * MS * (0.3 * random.normal()).exp(),
        // Like the previous case, with a heavy tail and losses.
        4 => {
            let tail = if random.uniform() < 0.05 { random.exponential(30.0 * MS) } else { 0.0 };
            let l = 6.0 * MS * (0.4 * random.normal()).exp() + tail;
            return lossy(random, l);
        }
        // A channel with contention.
        5 => 2.0 * MS + random.exponential(2.6 * MS),
        // A radio that loses a third.
        6 => {
            let l = 21.4 * MS + 3.0 * US * random.normal();
            return (random.uniform() > 0.33).then_some(l);
        }
        // A varying load: strongly correlated, but not a line.
        7 => {
            *state = 0.98 * *state + 0.2 * random.normal();
            2.3 * MS + 0.15 * MS * *state + 0.05 * MS * random.normal().abs()
        }
        // Every fourth early.
        8 => {
            1.136 * MS - if i.is_multiple_of(4) { 87.0 * US } else { 0.0 }
                + 2.0 * US * random.normal()
        }
        // Two paths.
        9 => {
            let slow = random.uniform() < 0.3;
            5.0 * MS + if slow { 7.3 * MS } else { 0.0 } + 0.2 * MS * random.normal()
        }
        // A warm-up that fades.
        10 => {
            5.0 * MS * (1.0 + (-(i as f64) / (0.1 * n as f64)).exp()) + 30.0 * US * random.normal()
        }
        // A random walk.
        _ => {
            *state += random.normal();
            3.0 * MS + 10.0 * US * *state + 5.0 * US * random.normal()
        }
    })
}

#[test]
fn runs_without_a_clock_raise_nothing() {
    let mut raised = Vec::new();
    let mut runs = 0;
    for seed in 0..SEEDS {
        for kind in 0..12 {
            for (n, period) in
                [(20, 200.0), (55, 1500.0), (120, 100.0), (400, 500.0), (1000, 250.0), (2000, 20.0)]
            {
                for irregular in [false, true] {
                    let mut random = Random(seed * 1000 + kind as u64 * 31 + n as u64);
                    let triggers = if irregular {
                        poisson(n, period * MS, &mut random)
                    } else {
                        regular(n, period * MS)
                    };
                    let mut state = 0.0;
                    let transfers =
                        run(&triggers, |i, _| clockless(kind, i, n, &mut state, &mut random));
                    runs += 1;
                    for finding in findings(&transfers) {
                        raised.push((
                            seed,
                            kind,
                            n,
                            period,
                            irregular,
                            finding.name,
                            finding.message,
                        ));
                    }
                }
            }
        }
    }
    assert!(raised.is_empty(), "{} of {runs}: {raised:#?}", raised.len());
}

/// Own periods of 5 to 500 ms with triggers that sweep them.
#[test]
fn a_swept_clock_is_found_within_20_ppm() {
    let mut missed = Vec::new();
    for seed in 0..SEEDS {
        for own in [5.0, 7.5, 15.0, 30.0, 50.0, 100.0, 115.648, 250.0, 500.0] {
            for (n, every, irregular) in [
                (50, 211.3, false),
                (50, 150.0, true),
                (120, 333.1, false),
                (400, 250.9, true),
                (1000, 97.77, false),
                (2000, 251.3, false),
            ] {
                let own = own * MS * (1.0 + 23e-6);
                let mut random = Random(seed * 7919 + n as u64 + own as u64);
                let triggers = if irregular {
                    poisson(n, every * MS, &mut random)
                } else {
                    regular(n, every * MS)
                };
                // The run covers at least eight turns of the clock, and the phase moves.
                let turns = triggers[n - 1] / own;
                if turns < 30.0 || Coverage::of(&triggers, own).is_poor() {
                    continue;
                }
                let transfers = run(&triggers, |_, t| {
                    let l = slotted(&mut random, t, own, 3.1 * MS, 1.3 * MS, 0.08, own * 0.004);
                    (random.uniform() > 0.03).then_some(l)
                });
                let found = Clocks::of(&transfers).own_period_ns();
                let tolerance = (20e-6f64).max(0.1 / turns * 0.2);
                if found.is_none_or(|p| (p / own - 1.0).abs() > tolerance) {
                    missed.push((seed, own, n, every, irregular, found));
                }
            }
        }
    }
    assert!(missed.is_empty(), "{missed:#?}");
}

#[test]
fn three_frozen_phases_are_counted_and_a_better_trigger_explores_them() {
    for (own, every, phases) in
        [(30.0004, 200.0, 3), (30.0004, 250.0, 3), (15.0001, 100.0, 3), (40.0003, 250.0, 4)]
    {
        let mut random = Random(5);
        let link = |random: &mut Random, t: f64| {
            Some(slotted(random, t, own * MS, 4.0 * MS, 1.5 * MS, 0.0, 3.0 * US))
        };
        let transfers = run(&regular(1000, every * MS), |_, t| link(&mut random, t));
        let clocks = Clocks::of(&transfers);
        let found = clocks.own_period_ns().unwrap_or(0.0);
        assert!((found / (own * MS) - 1.0).abs() < 2e-6, "{own} at {every}: {found}");
        let finding = clock::phase_not_explored(&clocks).expect("three phases are not all");
        assert!(finding.evidence.contains(&("phases", crate::findings::Value::Int(phases))));
        let better = coverage::better_trigger_period(every * MS, own * MS);
        let again = run(&regular(1000, better), |_, t| link(&mut random, t));
        let clocks = Clocks::of(&again);
        assert!(clocks.own_period_ns().is_some() && clock::phase_not_explored(&clocks).is_none());
    }
}

#[test]
fn a_frozen_clock_shows_in_its_slips() {
    for (own, every) in
        [(50.0013, 250.0), (50.0013, 200.0), (49.999, 150.0), (100.002, 300.0), (20.0004, 100.0)]
    {
        for (n, slip) in [(400, 0.02), (1000, 0.09), (1000, 0.25)] {
            let mut random = Random(n as u64 + own as u64);
            let transfers = run(&regular(n, every * MS), |_, t| {
                Some(slotted(&mut random, t, own * MS, 0.6 * own * MS, 2.0 * MS, slip, 4.0 * US))
            });
            let names = names(&transfers);
            let found = Clocks::of(&transfers).own_period_ns().unwrap_or(0.0);
            assert!(
                (found / (own * MS) - 1.0).abs() < 5e-6,
                "{own} {every} {n} {slip}: {found} {names:?}"
            );
            for name in [Name::OwnPeriod, Name::PhaseNotExplored, Name::DriftRamp] {
                assert!(names.contains(&name), "{own} {every} {n} {slip}: {names:?}");
            }
        }
    }
}

#[test]
fn drift_is_measured_with_its_sign_through_outliers_and_wraps() {
    let tick = 10.0 * MS;
    let (mut tried, mut missed) = (0, Vec::new());
    for ppm in [-40.0, -12.0, -2.3, 2.0, 10.5, 16.8, 60.0] {
        for (n, every, slow) in
            [(120, 100.0, 0.3), (400, 200.0, 0.1), (1000, 200.0, 0.02), (1000, 300.0, 0.2)]
        {
            for start in [0.5, 9.9, 5.0] {
                let mut random = Random((ppm * 10.0) as i64 as u64 ^ n as u64);
                let transfers = run(&regular(n, every * MS), |_, t| {
                    let wait = (start * MS + t * ppm * 1e-6).rem_euclid(tick);
                    let tail =
                        if random.uniform() < slow { random.exponential(2.0 * MS) } else { 0.0 };
                    Some(1.4 * MS + wait + 3.0 * US * random.normal() + tail)
                });
                let height = every * MS * n as f64 * ppm.abs() * 1e-6;
                if height < 30.0 * US || height > 2.0 * tick {
                    continue;
                }
                let clocks = Clocks::of(&transfers);
                let found = clocks.ramp.as_ref().map(|r| r.slope * 1e6);
                let tolerance = 0.1 * ppm.abs() + 0.1;
                tried += 1;
                if found.is_none_or(|f| (f - ppm).abs() > tolerance) {
                    missed.push((ppm, n, every, slow, start, found));
                }
            }
        }
    }
    // A wrap that is followed by only a dozen fast transfers may be missed.
    assert!(missed.len() * 50 <= tried, "{} of {tried}: {missed:#?}", missed.len());
}

#[test]
fn a_swept_clock_is_no_drift() {
    for seed in 0..SEEDS {
        for own in [7.5, 30.0, 102.4] {
            let mut random = Random(seed);
            let transfers = run(&regular(1000, 211.3 * MS), |_, t| {
                Some(slotted(&mut random, t, own * MS, 0.0, 1.5 * MS, 0.05, 20.0 * US))
            });
            assert!(!names(&transfers).contains(&Name::DriftRamp));
        }
    }
}

#[test]
fn a_beacon_interval_is_power_save_and_a_connection_interval_is_not() {
    for (own, expected) in [
        (102.4, true),
        (102.4 * (1.0 + 25e-6), true),
        (204.8, true),
        (307.2, true),
        (100.0, false),
        (115.648, false),
        (30.0, false),
        (50.0013, false),
        (102.5, false),
    ] {
        let mut random = Random(9);
        let transfers = run(&regular(1000, 300.0 * MS), |_, t| {
            Some(slotted(&mut random, t, own * MS, 0.0, 25.0 * MS, 0.02, 2.0 * MS))
        });
        assert_eq!(names(&transfers).contains(&Name::PowerSave), expected, "{own} ms");
    }
}

#[test]
fn a_period_needs_more_than_a_handful_of_transfers() {
    let mut random = Random(3);
    for n in 0..20 {
        let transfers = run(&regular(n, 211.3 * MS), |_, t| {
            Some(slotted(&mut random, t, 30.0 * MS, 0.0, MS, 0.0, US))
        });
        assert_eq!(names(&transfers), []);
    }
}

#[test]
fn regression_gives_the_period_of_an_exact_lattice() {
    let instants: Vec<f64> =
        (0..300).map(|k| 5.0 + f64::from(k * k % 997) * 30_000_410.0).collect();
    let mut sorted = instants.clone();
    sorted.sort_by(f64::total_cmp);
    let (period, _) = comb::sharpen(&sorted, 30_000_400.0);
    let (period, stderr, residual) = comb::regress(&sorted, period);
    assert!((period - 30_000_410.0).abs() < 1e-3, "{period}");
    assert!(stderr < 1e-3 && residual < 1.0);
}
