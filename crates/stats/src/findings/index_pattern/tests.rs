use super::index_pattern;
use crate::findings::Value;
use crate::noise::{CLEAN, Noise, clean, run, run_with_losses};

const MS: f64 = 1e6;

fn every(latencies_ns: &[i64], own_periods_ns: &[f64]) -> Option<i64> {
    let found = index_pattern(&run(20_000_000, latencies_ns), own_periods_ns)?;
    match found.evidence.iter().find(|(key, _)| *key == "every") {
        Some((_, Value::Int(every))) => Some(*every),
        other => panic!("every is a count: {other:?}"),
    }
}

#[test]
fn one_transfer_in_k_that_is_early_or_late_is_found_for_every_k() {
    for k in 2..=12usize {
        for (seed, shift) in [(1, -0.08), (2, 0.08)] {
            let latencies = Noise::seed(seed).series(1200, |noise, i| {
                (1.1 + if i % k == k - 1 { shift } else { 0.0 } + 0.004 * noise.uniform()) * MS
            });
            assert_eq!(every(&latencies, &[]), Some(k as i64), "one in {k}, shift {shift} ms");
        }
    }
}

#[test]
fn a_ring_that_catches_the_last_byte_at_its_boundary_shows_its_turn() {
    // Messages of 12 bytes in a ring of 32 bytes: the boundary at 16 is at the end of every fourth message.
    // Within the turn each message also starts at another position.
    let latencies = Noise::seed(3).series(1000, |noise, i| {
        let early = if i % 4 == 0 { 0.0 } else { 0.0868 };
        (1.05 + early + 0.0087 * noise.uniform()) * MS
    });
    assert_eq!(every(&latencies, &[]), Some(4));
}

#[test]
fn losses_do_not_shift_the_index() {
    let mut noise = Noise::seed(4);
    let latencies: Vec<Option<i64>> = (0..1000)
        .map(|i| {
            let late = if i % 5 == 2 { 0.5 } else { 0.0 };
            let latency = ((1.0 + late + 0.01 * noise.normal()) * MS) as i64;
            (noise.uniform() > 0.1).then_some(latency)
        })
        .collect();
    let found = index_pattern(&run_with_losses(20_000_000, &latencies), &[]).expect("a pattern");
    assert_eq!(found.evidence[0], ("every", Value::Int(5)));
    assert_eq!(found.evidence[1], ("offset", Value::Int(2)));
}

#[test]
fn phases_of_a_clock_are_not_a_pattern_in_the_index() {
    // Trigger every 20 ms over a 30 ms interval: three phases, 10 ms apart, in turn.
    for seed in 0..20 {
        let mut noise = Noise::seed(seed);
        let start = 10.0 * noise.uniform();
        let latencies = noise.series(900, |noise, i| {
            let trigger_ms = 20.0 * i as f64;
            let wait = 30.0 - (trigger_ms + start).rem_euclid(30.0);
            (1.3 + wait + 0.02 * noise.normal()) * MS
        });
        assert_eq!(every(&latencies, &[30.0 * MS]), None, "seed {seed}, period known");
        assert_eq!(every(&latencies, &[]), None, "seed {seed}, period not known");
    }
}

#[test]
fn clean_runs_raise_no_more_than_the_threshold_promises() {
    let mut raised = Vec::new();
    for (kind, (name, _)) in CLEAN.iter().enumerate() {
        for n in [20, 60, 200, 1000] {
            for seed in 0..12 {
                let latencies = clean(kind, n, 1000 * n as u64 + seed);
                if let Some(k) = every(&latencies, &[]) {
                    raised.push((name, n, seed, k));
                }
            }
        }
    }
    // 384 runs are tested at 1e-4: the probability of a single false alarm is 4 %.
    assert!(raised.len() <= 1, "{raised:?}");
}
