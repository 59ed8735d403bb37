use super::*;
use crate::fold::simulate::{MS, Random, US, regular, run};

fn quantum(transfers: &crate::pair::Transfers) -> Option<f64> {
    let found = retry_quantum(&Clocks::of(transfers))?;
    found.evidence.iter().find_map(|e| match e {
        ("quantum_ns", Value::Float(q)) => Some(*q),
        _ => None,
    })
}

/// Random retries with a probability each, for messages of several chunks.
fn retried(
    n: usize,
    chunks: u32,
    chance: f64,
    quantum: f64,
    jitter: f64,
) -> crate::pair::Transfers {
    let mut random = Random(n as u64 + u64::from(chunks));
    run(&regular(n, 50.0 * MS), |_, _| {
        let mut retries = 0.0;
        for _ in 0..chunks {
            while random.uniform() < chance {
                retries += 1.0;
            }
        }
        Some(1.9 * MS + retries * quantum + jitter * random.normal())
    })
}

#[test]
fn the_quantum_of_retries_is_found() {
    for q in [0.3, 1.1597, 1.372, 4.0, 15.0] {
        for (n, chunks, chance) in
            [(300, 4, 0.16), (1000, 4, 0.16), (1000, 32, 0.2), (1000, 1, 0.3)]
        {
            let transfers = retried(n, chunks, chance, q * MS, 3.0 * US);
            let found = quantum(&transfers);
            assert!(
                found.is_some_and(|f| (f / (q * MS) - 1.0).abs() < 2e-3),
                "{q} ms, {n} of {chunks} chunks: {found:?}"
            );
        }
    }
}

#[test]
fn two_levels_are_no_lattice() {
    let mut random = Random(1);
    let transfers = run(&regular(1000, 50.0 * MS), |_, _| {
        let slow = random.uniform() < 0.25;
        Some(MS + if slow { 1.2 * MS } else { 0.0 } + US * random.normal())
    });
    assert_eq!(quantum(&transfers), None);
}

#[test]
fn three_groups_at_unequal_distance_are_no_lattice() {
    let mut random = Random(2);
    let transfers = run(&regular(1000, 50.0 * MS), |_, _| {
        let group = [0.0, 1.16, 2.61][(random.uniform() * 3.0) as usize];
        Some(MS + group * MS + 2.0 * US * random.normal())
    });
    assert_eq!(quantum(&transfers), None);
}

#[test]
fn levels_in_a_fixed_order_are_no_retries() {
    let transfers = run(&regular(1000, 50.0 * MS), |i, _| Some(MS + (i % 3) as f64 * 1.2 * MS));
    assert_eq!(quantum(&transfers), None);
}

#[test]
fn a_smooth_tail_is_no_lattice() {
    for seed in 0..20 {
        let mut random = Random(seed);
        let transfers = run(&regular(600, 50.0 * MS), |_, _| {
            Some(2.0 * MS + 0.05 * MS * random.normal() + random.exponential(MS).powi(2) / MS)
        });
        assert_eq!(quantum(&transfers), None);
    }
}
