use super::trend;
use crate::findings::Value;
use crate::noise::{CLEAN, Noise, clean, run};

const MS: f64 = 1e6;

fn kind(latencies_ns: &[i64]) -> Option<Value> {
    let found = trend(&run(20_000_000, latencies_ns), false)?;
    found.evidence.into_iter().find(|(key, _)| *key == "kind").map(|(_, value)| value)
}

#[test]
fn a_step_is_found_where_it_is() {
    for at in [200usize, 500, 800] {
        for (seed, step) in [(1, 3.0), (2, -2.0)] {
            let latencies = Noise::seed(seed).series(1000, |noise, i| {
                (10.0 + if i >= at { step } else { 0.0 } + 0.4 * noise.normal()) * MS
            });
            let found = trend(&run(20_000_000, &latencies), false).expect("a step");
            assert_eq!(found.evidence[0], ("kind", Value::Int(1)));
            let ("change_ns", Value::Float(change)) = found.evidence[1] else { panic!() };
            let ("at_index", Value::Int(index)) = found.evidence[2] else { panic!() };
            assert!((change - step * MS).abs() < 0.2 * MS, "{change}");
            // The position is accurate within one in a hundred, because near an end only few
            // transfers determine the level.
            assert!((index - at as i64).abs() <= 10, "{index} for {at}");
        }
    }
}

#[test]
fn a_creep_is_found() {
    for seed in 0..5 {
        let latencies = Noise::seed(seed)
            .series(1000, |noise, i| (10.0 + 0.003 * i as f64 + noise.normal()) * MS);
        assert_eq!(kind(&latencies), Some(Value::Int(0)), "seed {seed}");
    }
}

#[test]
fn clocks_that_explain_the_change_leave_nothing_to_say() {
    let latencies =
        Noise::seed(1).series(1000, |noise, i| (10.0 + 0.003 * i as f64 + noise.normal()) * MS);
    assert!(trend(&run(20_000_000, &latencies), true).is_none());
}

#[test]
fn clean_runs_raise_no_more_than_the_threshold_promises() {
    let mut raised = Vec::new();
    for (kind, (name, _)) in CLEAN.iter().enumerate() {
        for n in [40, 60, 200, 1000] {
            for seed in 0..25 {
                let latencies = clean(kind, n, 9000 * n as u64 + seed);
                if trend(&run(20_000_000, &latencies), false).is_some() {
                    raised.push((name, n, seed));
                }
            }
        }
    }
    // 800 runs are tested at 1e-4: the probability of two false alarms is 0.3 %.
    assert!(raised.len() <= 1, "{raised:?}");
}

#[test]
fn a_ramp_with_slow_transfers_is_no_step() {
    // Latencies of 121 transfers that increase by 14 us per second; a few are 1.4 to 3 ms late.
    let mut steps = 0;
    for seed in 0..60 {
        let mut noise = Noise::seed(seed);
        let scatter = 10e3 + 1e3 * seed as f64;
        let latencies = noise.series(121, |noise, i| {
            let late = if noise.uniform() < 0.05 { 1.4e6 + 1.6e6 * noise.uniform() } else { 0.0 };
            5.6e6 + 1_400.0 * i as f64 + scatter * noise.normal() + late
        });
        let found = trend(&run(100_000_000, &latencies), false);
        let kind = found.map(|found| found.evidence[0].1.clone());
        steps += usize::from(kind == Some(Value::Int(1)));
    }
    assert_eq!(steps, 0);
}

#[test]
fn a_step_with_slow_transfers_is_no_ramp_and_says_by_what_odds() {
    for seed in 0..20 {
        let latencies = Noise::seed(seed).series(121, |noise, i| {
            let late = if noise.uniform() < 0.05 { 1.4e6 + 1.6e6 * noise.uniform() } else { 0.0 };
            let level = if i >= 60 { 150e3 } else { 0.0 };
            5.6e6 + level + 30e3 * noise.normal() + late
        });
        let found = trend(&run(100_000_000, &latencies), false).expect("a step");
        assert_eq!(found.evidence[0].1, Value::Int(1), "seed {seed}");
        let ("ln_odds", Value::Float(ln_odds)) = found.evidence[4] else { panic!() };
        assert!(ln_odds > 3.0, "seed {seed}: {ln_odds}");
        assert!(found.message.contains(" to 1."), "{}", found.message);
    }
}
