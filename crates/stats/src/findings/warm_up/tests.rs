use super::warm_up;
use crate::findings::Value;
use crate::noise::{CLEAN, Noise, clean, run};

const MS: f64 = 1e6;

#[test]
fn slow_first_transfers_are_counted_and_measured() {
    for count in [1usize, 2, 3, 5, 10] {
        for seed in 0..5 {
            let latencies = Noise::seed(seed).series(500, |noise, i| {
                (1137.26 + if i < count { 13.7 } else { 0.0 } + 0.3 * noise.normal()) * MS
            });
            let found = warm_up(&run(1_500_000_000, &latencies))
                .unwrap_or_else(|| panic!("{count} slow transfers, seed {seed}"));
            assert_eq!(found.evidence[0], ("count", Value::Int(count as i64)));
            let ("excess_ns", Value::Float(excess_ns)) = found.evidence[1] else { panic!() };
            assert!((excess_ns - 13.7 * MS).abs() < MS);
        }
    }
}

#[test]
fn a_single_outlier_elsewhere_is_no_warm_up() {
    for at in [5, 50, 499] {
        let latencies = Noise::seed(at as u64).series(500, |noise, i| {
            (5.0 + if i == at { 40.0 } else { 0.0 } + 0.1 * noise.normal()) * MS
        });
        assert!(warm_up(&run(20_000_000, &latencies)).is_none(), "outlier at {at}");
    }
}

#[test]
fn too_few_transfers_say_nothing() {
    let latencies = Noise::seed(1).series(15, |_, i| if i == 0 { 9.0 * MS } else { MS });
    assert!(warm_up(&run(20_000_000, &latencies)).is_none());
}

#[test]
fn clean_runs_raise_no_more_than_the_threshold_promises() {
    let mut raised = Vec::new();
    for (kind, (name, _)) in CLEAN.iter().enumerate() {
        for n in [20, 60, 200, 1000] {
            for seed in 0..25 {
                if warm_up(&run(20_000_000, &clean(kind, n, 7000 * n as u64 + seed))).is_some() {
                    raised.push((name, n, seed));
                }
            }
        }
    }
    // 800 runs are tested at 1e-4: the probability of two false alarms is 0.3 %.
    assert!(raised.len() <= 1, "{raised:?}");
}
