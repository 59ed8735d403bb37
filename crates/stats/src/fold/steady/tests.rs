use super::*;
use crate::findings::{Name, Value, run::of_run};
use crate::fold::Clocks;
use crate::fold::simulate::{MS, Random, US, regular, run};
use crate::noise::{CLEAN, clean};
use crate::pair::Transfers;

/// Number of transfers, at ten per second, that increase by 13.5 us per second.
const COUNT: usize = 121;
const SLOPE: f64 = 13.5e-6;
const PERIOD: f64 = 100.0 * MS;

/// An increase with normal noise of `noise` ns, with this share of the transfers up to 3 ms late.
fn climb(noise: f64, late: f64, seed: u64) -> Transfers {
    let mut random = Random(seed);
    run(&regular(COUNT, PERIOD), |_, t| {
        let tail = if random.uniform() < late { random.between(0.2, 3.0) * MS } else { 0.0 };
        Some(5.6 * MS + SLOPE * t + noise * random.normal() + tail)
    })
}

#[test]
fn the_slope_of_a_climb_is_found_through_noise_and_outliers() {
    let (mut tried, mut missed) = (0, Vec::new());
    for noise in [3.0, 10.0, 20.0, 30.0, 40.0] {
        for late in [0.05, 0.1, 0.15] {
            for seed in 0..20 {
                let found = Clocks::of(&climb(noise * US, late, 100 + seed)).ramp;
                // Standard error of a slope over this number of transfers: sqrt(12 / n) noise /
                // span.
                let error = (12.0 / COUNT as f64).sqrt() * noise * US / (PERIOD * COUNT as f64);
                tried += 1;
                let off = |ramp: &Ramp| (ramp.slope - SLOPE).abs() / error;
                if found.as_ref().is_none_or(|ramp| off(ramp) > 5.0) {
                    missed.push((noise, late, seed, found.map(|ramp| ramp.slope * 1e6)));
                }
            }
        }
    }
    assert!(missed.len() * 50 <= tried, "{} of {tried}: {missed:?}", missed.len());
}

#[test]
fn a_climb_with_outliers_is_said_to_be_a_ramp_with_its_slope_and_no_trend() {
    for (noise, late) in [(10.0, 0.15), (20.0, 0.1), (30.0, 0.15), (40.0, 0.05)] {
        for seed in 0..10 {
            let found = of_run(&climb(noise * US, late, 7 * seed + 1), &Default::default());
            let names: Vec<Name> = found.iter().map(|one| one.name).collect();
            let what = format!("{noise} us, {late}, {seed}: {names:?}");
            assert!(names.contains(&Name::DriftRamp) && !names.contains(&Name::Trend), "{what}");
            let ramp = found.iter().find(|one| one.name == Name::DriftRamp).expect("a ramp");
            let Some((_, Value::Float(ppm))) = ramp.evidence.first() else { panic!("{what}") };
            assert!((ppm - 13.5).abs() < 4.0, "{what}: {ppm}");
        }
    }
}

#[test]
fn clean_runs_are_no_line() {
    let mut raised = Vec::new();
    for (kind, (name, _)) in CLEAN.iter().enumerate() {
        for n in [50, 121, 400, 1000] {
            for seed in 0..25 {
                let latency: Vec<f64> =
                    clean(kind, n, 31 * n as u64 + seed).into_iter().map(|ns| ns as f64).collect();
                if line(&regular(n, 20.0 * MS), &latency, 10.0).is_some() {
                    raised.push((name, n, seed));
                }
            }
        }
    }
    // 800 runs at 1e-6 each.
    assert_eq!(raised, []);
}

#[test]
fn a_walk_a_bend_and_a_step_are_no_line() {
    let (mut walks, mut bends, mut steps) = (0, 0, 0);
    for seed in 0..200 {
        let mut random = Random(seed);
        let mut at = 0.0;
        let time = regular(COUNT, PERIOD);
        let walk: Vec<f64> = time
            .iter()
            .map(|_| {
                at += 20.0 * US * random.normal();
                5.0 * MS + at
            })
            .collect();
        walks += usize::from(line(&time, &walk, 10.0).is_some());
        let mut shaped = |shape: &dyn Fn(f64) -> f64| -> Vec<f64> {
            let share = |nth: usize| nth as f64 / COUNT as f64;
            let noise = |nth: usize| shape(share(nth)) + 20.0 * US * random.normal();
            (0..COUNT).map(noise).collect()
        };
        let bend = shaped(&|share| 5.0 * MS + 300.0 * US * (3.0 * share).exp() / 20.0);
        bends += usize::from(line(&time, &bend, 10.0).is_some());
        let step = shaped(&|share| 5.0 * MS + if share < 0.5 { 0.0 } else { 150.0 * US });
        steps += usize::from(line(&time, &step, 10.0).is_some());
    }
    // With so few transfers, one of forty random walks resembles a line.
    assert!(walks <= 5 && bends <= 10 && steps == 0, "{walks} {bends} {steps}");
}

#[test]
fn a_slope_by_hand() {
    // Two outliers of nine do not affect the repeated median, and least squares excludes them.
    let time: Vec<f64> = (0..9).map(f64::from).collect();
    let latency = [10.0, 12.0, 14.0, 900.0, 18.0, 20.0, 22.0, 700.0, 26.0];
    assert_eq!(repeated_median(&time, &latency), Some(2.0));
    assert_eq!(members(&time, &latency, 2.0, 0.0), Some(vec![0, 1, 2, 4, 5, 6, 8]));
    let on = [0, 1, 2, 4, 5, 6, 8];
    let (slope, offset, _, _) = fitted(&on, &time, &latency, 0.0).expect("a line");
    assert!((slope - 2.0).abs() < 1e-9 && (offset - 10.0).abs() < 1e-9);
    // All six pairs of four ascending values are concordant: z = 5 / sqrt(26 / 3).
    let by_chance = trend_by_chance(&[1.0, 2.0, 3.0, 4.0]).expect("enough values");
    assert!((by_chance - two_sided(5.0 / (26.0f64 / 3.0).sqrt())).abs() < 1e-12);
    assert_eq!(trend_by_chance(&[1.0, 2.0]), None);
}
