use super::mispaired_table;
use crate::findings::Value;
use crate::noise::{CLEAN, Noise, clean};

const MS: f64 = 1e6;

/// Naive pairing of lossy transfers: each trigger with the next completion.
fn naively_paired(period_ns: i64, proper_ns: &[i64], lost: &[usize]) -> Vec<i64> {
    let completions: Vec<(usize, i64)> = proper_ns
        .iter()
        .enumerate()
        .filter(|(index, _)| !lost.contains(index))
        .map(|(index, latency)| (index, index as i64 * period_ns + latency))
        .collect();
    let next = |index: usize| completions.iter().find(|(of, _)| *of >= index);
    let latency = |index: usize| next(index).map(|(_, at)| at - index as i64 * period_ns);
    (0..proper_ns.len()).filter_map(latency).collect()
}

#[test]
fn losses_paired_with_the_next_completion_are_found_and_counted() {
    for (period_ms, lost) in [(250.0, 12usize), (100.0, 5), (1500.0, 20), (50.0, 40)] {
        for seed in 0..5 {
            let mut noise = Noise::seed(seed);
            let proper = noise.series(600, |noise, _| (21.38 + 0.012 * noise.uniform()) * MS);
            // The losses are far enough apart that each is followed by a delivery.
            let gone: Vec<usize> = (0..lost).map(|i| 7 + i * (580 / lost)).collect();
            let table = naively_paired((period_ms * MS) as i64, &proper, &gone);
            let found = mispaired_table(&table)
                .unwrap_or_else(|| panic!("{lost} losses at {period_ms} ms, seed {seed}"));
            assert_eq!(found.evidence[0], ("count", Value::Int(lost as i64)));
            let (_, Value::Float(period)) = found.evidence[2] else { panic!() };
            assert!((period - period_ms * MS).abs() < 0.02 * MS, "{period}");
        }
    }
}

#[test]
fn a_tail_a_slip_or_a_retry_is_no_mispairing() {
    for seed in 0..30 {
        let mut noise = Noise::seed(seed);
        let tail = noise.series(1000, |noise, _| (2.0 + noise.exponential() * 3.0) * MS);
        let slips = noise.series(1000, |noise, _| {
            let slip = if noise.uniform() < 0.1 { 50.0 } else { 0.0 };
            (2.5 + 30.0 * noise.uniform() + slip) * MS
        });
        let retries = noise.series(1000, |noise, _| {
            (1.5 + 1.16 * (noise.exponential() / 1.2).floor() + 0.002 * noise.normal()) * MS
        });
        for (name, table) in [("tail", tail), ("slips", slips), ("retries", retries)] {
            assert!(mispaired_table(&table).is_none(), "{name}, seed {seed}");
        }
    }
}

#[test]
fn clean_tables_raise_nothing() {
    for (kind, (name, _)) in CLEAN.iter().enumerate() {
        for n in [20, 200, 2000] {
            for seed in 0..20 {
                let table = clean(kind, n, 500 * n as u64 + seed);
                assert!(mispaired_table(&table).is_none(), "{name}, n {n}, seed {seed}");
            }
        }
    }
}

#[test]
fn an_empty_or_tiny_table_says_nothing() {
    assert!(mispaired_table(&[]).is_none());
    assert!(mispaired_table(&[1_000_000, 251_000_000]).is_none());
}
