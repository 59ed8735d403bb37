//! Known clocks observed through known delays.

use proptest::prelude::*;

use super::*;

/// Random numbers from 0 to 1 (Steele, Lea and Flood, SplitMix64, 2014).
struct Draws(u64);

impl Draws {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn exponential(&mut self, mean: f64) -> f64 {
        -mean * (1.0 - self.next()).ln()
    }
}

/// Exchanges over a link with these delays, ns, in true time, with timestamps of a far clock.
fn exchanges(
    count: usize,
    period_ns: f64,
    far: impl Fn(f64) -> f64,
    mut delay: impl FnMut(f64) -> f64,
) -> Vec<Exchange> {
    let one = |nth: usize| {
        let sent = nth as f64 * period_ns;
        let received = sent + delay(sent);
        let answered = received + 50_000.0;
        let arrived = answered + delay(answered);
        Exchange {
            scheduled_ns: sent as i64,
            sent_ns: sent as i64,
            received_ns: (received + far(received)) as i64,
            answered_ns: (answered + far(answered)) as i64,
            arrived_ns: arrived as i64,
        }
    };
    (0..count).map(one).collect()
}

/// Largest excess of the error over the stated one, ns, over all exchanges. Negative if all are within.
fn excess(clock: &Clock, exchanges: &[Exchange], far: impl Fn(f64) -> f64) -> f64 {
    let over = |one: &Exchange| {
        let piece = clock.at(one.sent_ns).expect("a piece");
        // Timestamps are truncated to whole nanoseconds.
        let error = (piece.offset_ns(one.sent_ns) - far(one.sent_ns as f64)).abs();
        error - clock.uncertainty_ns(one).expect("it is complete") - 2.0
    };
    exchanges.iter().map(over).fold(f64::NEG_INFINITY, f64::max)
}

#[test]
fn a_skew_is_known_to_a_tenth_of_a_ppm_after_ten_minutes_of_a_millisecond_of_jitter() {
    for seed in 0..40 {
        let mut draws = Draws(seed);
        let skew = (draws.next() - 0.5) * 400e-6;
        let far = |at: f64| 3e8 + skew * at;
        let seen = exchanges(6_000, 1e8, far, |_| 2e6 + draws.exponential(1e6));
        let clock = Clock::of(&seen);
        assert_eq!(clock.pieces.len(), 1, "seed {seed}");
        let off = clock.pieces[0].skew() - skew;
        assert!(off.abs() < 0.1e-6, "seed {seed}: {off:e}");
        assert!(excess(&clock, &seen, far) <= 0.0, "seed {seed}");
    }
}

#[test]
fn a_step_larger_than_a_round_trip_begins_a_piece() {
    for (seed, step) in [(1, 5e7), (2, -2e7), (3, 1e9)] {
        let mut draws = Draws(seed);
        let far = |at: f64| 1e6 + 20e-6 * at + if at < 3e10 { 0.0 } else { step };
        let seen = exchanges(600, 1e8, far, |_| 2e6 + draws.exponential(1e6));
        let clock = Clock::of(&seen);
        assert_eq!(clock.pieces.len(), 2, "step {step}");
        assert_eq!(clock.pieces[1].from_ns, 30_000_000_000);
        assert!(excess(&clock, &seen, far) <= 0.0, "step {step}");
    }
}

#[test]
fn a_step_smaller_than_a_round_trip_is_found_too() {
    let mut found = 0;
    for seed in 0..50 {
        let mut draws = Draws(seed);
        let far = |at: f64| if at < 3e10 { 0.0 } else { 2e6 };
        let seen = exchanges(600, 1e8, far, |_| 2e6 + draws.exponential(5e5));
        let clock = Clock::of(&seen);
        found += usize::from(clock.pieces.len() > 1);
    }
    assert!(found >= 47, "{found} of 50");
}

#[test]
fn a_clock_without_steps_is_one_piece_whatever_the_slots() {
    for seed in 0..50 {
        let mut draws = Draws(seed);
        let far = |at: f64| -4e8 + 35e-6 * at;
        // The radio sends every 30 ms; the triggers drift relative to this schedule.
        let slot = |at: f64| 3.0004e7 - (at % 3.0004e7) + 1.5e6;
        let seen = exchanges(3_000, 1e8, far, |at| slot(at) + draws.exponential(2e5));
        let clock = Clock::of(&seen);
        assert_eq!(clock.pieces.len(), 1, "seed {seed}");
        assert!(excess(&clock, &seen, far) <= 0.0, "seed {seed}");
    }
}

#[test]
fn one_exchange_bounds_the_offset_by_half_its_round_trip() {
    let seen = exchanges(1, 1e8, |_| 7e6, |_| 1e6);
    let clock = Clock::of(&seen);
    let piece = clock.at(0).expect("a piece");
    assert!((piece.offset_ns(0) - 7e6).abs() < 1.0, "{}", piece.offset_ns(0));
    let uncertainty = clock.uncertainty_ns(&seen[0]).expect("it is complete");
    // The response arrived 2 ms later, during which the clocks diverge by at most one part in
    // 10^12.
    assert!((1e6..1e6 + 3e3).contains(&uncertainty), "{uncertainty}");
    assert!(Clock::of(&[]).at(0).is_none());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    /// The stated interval contains the true offset as long as the clock is linear.
    #[test]
    fn the_interval_holds_the_truth_whatever_the_delays(
        seed: u64, count in 1_usize..400, offset in -1e9_f64..1e9, skew in -200e-6_f64..200e-6,
        forward in 0_f64..2e7, back in 0_f64..2e7, jitter in 1_f64..3e7, slot in 1e5_f64..1e8,
    ) {
        let mut draws = Draws(seed);
        let far = |at: f64| skew.mul_add(at, offset);
        let mut turn = 0;
        let seen = exchanges(count, 1e8, far, |at| {
            turn += 1;
            let floor = if turn % 2 == 1 { forward } else { back };
            floor + slot - at % slot + draws.exponential(jitter)
        });
        let clock = Clock::of(&seen);
        // Without steps, a split is a false alarm of the test for small ones. Such alarms are rare
        // and do not affect the interval.
        prop_assert!(excess(&clock, &seen, far) <= 0.0);
        let one_way: Vec<[f64; 2]> =
            seen.iter().map(|one| clock.at(one.sent_ns).expect("a piece").one_way_ns(one)).collect();
        for (one, [forward, back]) in seen.iter().zip(one_way) {
            let skewed = 1e-3 * (one.round_trip_ns() as f64 + 1e5);
            prop_assert!((forward + back - one.round_trip_ns() as f64).abs() <= skewed + 2.0);
            prop_assert!(forward >= -1.0 && back >= -1.0, "{forward} {back}");
        }
    }
}
