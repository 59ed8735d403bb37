//! Fits of simple model links with known parameters.

use airlag_sim::Stream;
use airlag_stats::NONE;
use airlag_stats::pair::{Outcome, PairOptions, Transfers};
use proptest::prelude::*;

use super::*;
use crate::matching::ks_chance;

const PHASE: Free = Free { name: "phase", unit: "", shape: Shape::Phase };
const OTHER: Free = Free { name: "other", unit: "", shape: Shape::Phase };
const RATE: Free =
    Free { name: "sender_ppb", unit: "ppb", shape: Shape::Rate { own: 0.0, reach: 50_000.0 } };

/// Triggers every `period_ns`, with these latencies.
fn replay(period_ns: i64, latency: &[i64]) -> Replay {
    let trigger_ns: Vec<i64> = (1..=latency.len() as i64).map(|nth| nth * period_ns).collect();
    let done = |(&at, &ns): (&i64, &i64)| if ns == NONE { NONE } else { at + ns };
    let captured = Transfers {
        completion_ns: trigger_ns.iter().zip(latency).map(done).collect(),
        outcome: vec![Outcome::Delivered; latency.len()],
        end_ns: trigger_ns.last().map_or(0, |last| last + period_ns),
        trigger_ns,
        ..Transfers::default()
    };
    Replay::new(&captured, usize::MAX, PairOptions::default()).expect("a capture")
}

/// A task that wakes at the ticks of a clock with period `tick_ns`, and then takes `1 ms` plus up to
/// `noise_ns`.
fn ticked(at: u64, tick_ns: f64, phase: f64, ppb: f64, noise_ns: i64) -> i64 {
    let local = at as f64 * (1.0 + ppb * 1e-9) - phase * tick_ns;
    let wait = tick_ns - local.rem_euclid(tick_ns);
    (wait / (1.0 + ppb * 1e-9)) as i64 + 1_000_000 + noise_ns
}

struct Link {
    period_ns: i64,
    tick_ns: f64,
    noise_ns: u64,
}

impl Link {
    fn bench(&self) -> impl Fn(&Replay, &[Option<f64>], u64) -> Result<Vec<i64>, Error> {
        move |replay: &Replay, values: &[Option<f64>], seed: u64| {
            let mut drawn = Stream::new(seed, "link");
            let phase = values[0].unwrap_or_else(|| drawn.below(1_000) as f64 / 1e3);
            let ppb = values[1].unwrap_or(0.0);
            let noise = |at| {
                let noise = drawn.below(self.noise_ns.max(1)) as i64;
                ticked(at, self.tick_ns, phase, ppb, noise)
            };
            Ok(replay.times().map(noise).collect())
        }
    }

    fn captured(&self, phase: f64, ppb: f64, count: usize) -> Replay {
        let empty = replay(self.period_ns, &vec![1; count]);
        let latency = self.bench()(&empty, &[Some(phase), Some(ppb)], 99).expect("it runs");
        replay(self.period_ns, &latency)
    }
}

/// Number of cases: `usual`, or the value of `PROPTEST_CASES`.
fn cases(usual: u32) -> ProptestConfig {
    let named = std::env::var_os("PROPTEST_CASES").is_some();
    if named { ProptestConfig::default() } else { ProptestConfig::with_cases(usual) }
}

proptest! {
    #![proptest_config(cases(24))]

    #[test]
    fn a_frozen_tick_and_its_drift_are_found_again(
        phase in 0.0f64..1.0, ppb in -30_000.0f64..30_000.0, noise in 0u64..40_000,
        period_ms in prop::sample::select(vec![50i64, 100, 200, 400]),
    ) {
        let link = Link { period_ns: period_ms * 1_000_000, tick_ns: 10e6, noise_ns: noise };
        let replay = link.captured(phase, ppb, 600);
        let free = [PHASE, RATE];
        let found = fit(&free, &replay, Effort::FULL, &link.bench(), 1).expect("a fit");
        let made = link.bench()(&replay, &found, 1).expect("it runs");
        // The remaining misfit is the noise of the link, and a step where its tick wraps.
        let misfit = Target::new(replay.latency()).misfit(&made);
        prop_assert!(misfit < 20_000.0 + 0.5 * noise as f64, "{found:?} for {phase}, {ppb}: {misfit}");
        let off = (found[0].expect("a phase") - phase + 0.5).rem_euclid(1.0) - 0.5;
        prop_assert!(off.abs() < 0.02, "{found:?} for {phase}, {ppb}");
    }

    #[test]
    fn a_swept_slot_is_found_again(phase in 0.0f64..1.0, ppb in -20_000.0f64..20_000.0) {
        // 200 ms modulo 30 ms: three phases, 10 ms apart.
        let link = Link { period_ns: 200_000_000, tick_ns: 30e6, noise_ns: 300_000 };
        let replay = link.captured(phase, ppb, 500);
        let found = fit(&[PHASE, RATE], &replay, Effort::FULL, &link.bench(), 1).expect("a fit");
        let made = link.bench()(&replay, &found, 1).expect("it runs");
        let misfit = Target::new(replay.latency()).misfit(&made);
        prop_assert!(misfit < 500_000.0, "{found:?} for {phase}, {ppb}: {misfit}");
    }
}

/// The latency grows by a third of a tick over the run, and wraps after a tenth of the run. Its
/// period is not visible in the capture, but it is visible on the bench with triggers at random
/// phases.
#[test]
fn a_tick_that_wraps_early_is_found_again() {
    let (phase, ppb) = (0.032_403_898_558_335_21, 14_394.296_153_791_884);
    let link = Link { period_ns: 400_000_000, tick_ns: 10e6, noise_ns: 0 };
    let replay = link.captured(phase, ppb, 600);
    let found = fit(&[PHASE, RATE], &replay, Effort::FULL, &link.bench(), 1).expect("a fit");
    let made = link.bench()(&replay, &found, 1).expect("it runs");
    assert!(Target::new(replay.latency()).misfit(&made) < 20_000.0, "{found:?}");
}

/// Transfers wait for a tick, then for a slot. Triggers at few phases of the slot determine the
/// tick only to within a range. Inside the range no transfer changes. Outside the range, some
/// transfers wait for another slot. The fit stays within the range.
#[test]
fn a_phase_that_is_known_to_a_part_of_its_cycle_is_kept() {
    let (tick_ns, slot_ns) = (10_000_000.0, 30_000_000.0);
    let bench = |replay: &Replay, values: &[Option<f64>], seed: u64| -> Result<Vec<i64>, Error> {
        let mut drawn = Stream::new(seed, "link");
        let phase = values[0].unwrap_or_else(|| drawn.below(1_000) as f64 / 1e3);
        let taken = replay.times().map(|at| {
            let noticed = at as f64 + phase * tick_ns;
            let slot = slot_ns - noticed.rem_euclid(slot_ns);
            (phase * tick_ns + slot) as i64 + drawn.below(200_000) as i64
        });
        Ok(taken.collect())
    };
    // Period of 200.01 ms: three phases of the slot, which drift by 6 ms over the run. A tick later
    // than 4 ms delays some transfers by a slot.
    let empty = replay(200_010_000, &vec![1; 600]);
    for (truth, seed) in [(0.1, 3), (0.2, 4), (0.35, 5)] {
        let latency = bench(&empty, &[Some(truth)], 99).expect("it runs");
        let captured = replay(200_010_000, &latency);
        let found = fit(&[PHASE], &captured, Effort::FULL, &bench, seed).expect("a fit");
        let made = bench(&captured, &found, seed).expect("it runs");
        let distance = Target::new(captured.latency()).distance(&made);
        assert!(found[0].is_some(), "{truth}");
        assert!(distance < ks_chance(600, 600), "{truth}: {found:?}, {distance}");
    }
}

/// Latencies that do not depend on either value.
fn indifferent(replay: &Replay, _: &[Option<f64>], seed: u64) -> Result<Vec<i64>, Error> {
    let mut drawn = Stream::new(seed, "link");
    Ok((0..replay.len()).map(|_| 1_000_000 + drawn.below(10_000_000) as i64).collect())
}

#[test]
fn values_that_explain_nothing_are_not_kept() {
    let mut kept = 0;
    for seed in 0..40 {
        let empty = replay(100_000_000, &[1; 200]);
        let latency = indifferent(&empty, &[], 1_000 + seed).expect("it runs");
        let replay = replay(100_000_000, &latency);
        let free = [PHASE, OTHER, RATE];
        let found = fit(&free, &replay, Effort::QUICK, &indifferent, seed).expect("a fit");
        kept += found.iter().flatten().count();
    }
    // 120 values, each kept by chance with a probability of 1/70. More than 6 are kept with a
    // probability of 1/200.
    assert!(kept <= 6, "{kept}");
}

#[test]
fn nothing_free_is_no_run_at_all() {
    let never = |_: &Replay, _: &[Option<f64>], _: u64| -> Result<Vec<i64>, Error> {
        Err(Error::NothingArrived { side: "a bench that must not run" })
    };
    let replay = replay(1_000_000, &[5_000; 20]);
    assert_eq!(fit(&[], &replay, Effort::FULL, &never, 1), Ok(Vec::new()));
}

#[test]
fn an_error_of_the_bench_ends_the_fit() {
    let broken = |_: &Replay, _: &[Option<f64>], _: u64| -> Result<Vec<i64>, Error> {
        Err(airlag_rig::Error::Stopped { board: "sender", cause: "on fire".to_owned() }.into())
    };
    let replay = replay(1_000_000, &[5_000; 20]);
    assert!(fit(&[PHASE], &replay, Effort::FULL, &broken, 1).is_err());
}

/// A link that polls its trigger at the ticks of one clock and sends at the anchors of another. Completions
/// follow only the second clock.
fn two_clocks(
    (tick_ns, anchor_ns): (f64, f64),
) -> impl Fn(&Replay, &[Option<f64>], u64) -> Result<Vec<i64>, Error> {
    move |replay: &Replay, values: &[Option<f64>], seed: u64| {
        let mut drawn = Stream::new(seed, "link");
        let mut phase = |nth: usize| values[nth].unwrap_or_else(|| drawn.below(1_000) as f64 / 1e3);
        let (tick, anchor) = (phase(0), phase(1));
        let (tick_ppb, anchor_ppb) = (values[2].unwrap_or(0.0), values[3].unwrap_or(0.0));
        let each = replay.times().map(|at| {
            let seen = ticked(at, tick_ns, tick, tick_ppb, 0);
            let sent = ticked(at + seen as u64, anchor_ns, anchor, anchor_ppb, 0);
            seen + sent + drawn.below(40_000) as i64
        });
        Ok(each.collect())
    }
}

const TWO_CLOCKS: [Free; 4] = [
    PHASE,
    OTHER,
    RATE,
    Free { name: "receiver_ppb", unit: "ppb", shape: Shape::Rate { own: 0.0, reach: 50_000.0 } },
];

proptest! {
    #![proptest_config(cases(100))]

    #[test]
    fn the_clock_that_completions_keep_is_read_off(
        tick in 0.0f64..1.0, anchor in 0.0f64..1.0, ppb in -40_000.0f64..40_000.0,
        // Neither period is a multiple of the anchor period of 30 ms, but one of them samples only
        // few phases of it.
        period_ms in prop::sample::select(vec![200i64, 251]),
    ) {
        let bench = two_clocks((10e6, 30e6));
        let empty = replay(period_ms * 1_000_000, &[1; 600]);
        let truth = [Some(tick), Some(anchor), Some(0.0), Some(ppb)];
        let latency = bench(&empty, &truth, 99).expect("it runs");
        let replay = replay(period_ms * 1_000_000, &latency);
        let starts = starts(&TWO_CLOCKS, &replay, &bench, 1, &[0.0; 4]).expect("it runs");
        let right = starts.iter().find(|start| start.locked == [3, 1]).expect("a lock");
        prop_assert!((right.at[3] - ppb).abs() < 300.0, "{right:?} for {ppb}");
        let off = (right.at[1] - anchor + 0.5).rem_euclid(1.0) - 0.5;
        // 300 ppb over 75 s are 23 us of 30 ms.
        prop_assert!(off.abs() < 0.002, "{right:?} for {anchor}");
    }

    #[test]
    fn two_clocks_are_told_apart(
        tick in 0.0f64..1.0, anchor in 0.0f64..1.0, ppb in -20_000.0f64..20_000.0,
    ) {
        let (distance, found) = refit(tick, anchor, ppb);
        // Below the 95 % point for 500 independent latencies.
        prop_assert!(distance < 0.05, "{distance}: {found:?} for {tick}, {anchor}, {ppb}");
        // The crystal of the other board is exact, so it must not compensate for this one.
        let right = found[2].is_none_or(|ppb| ppb.abs() < 10_000.0);
        prop_assert!(right, "{found:?} for {tick}, {anchor}, {ppb}");
    }
}

/// Fits two clocks to a run with these values. Returns the distance of the result from the run, and the
/// values found.
fn refit(tick: f64, anchor: f64, ppb: f64) -> (f64, Values) {
    let bench = two_clocks((10e6, 30e6));
    let empty = replay(251_000_000, &[1; 500]);
    let truth = [Some(tick), Some(anchor), Some(0.0), Some(ppb)];
    let latency = bench(&empty, &truth, 99).expect("it runs");
    let replay = replay(251_000_000, &latency);
    let found = fit(&TWO_CLOCKS, &replay, Effort::FULL, &bench, 1).expect("a fit");
    let made = bench(&replay, &found, 1).expect("it runs");
    (Target::new(replay.latency()).distance(&made), found)
}

/// The ticks pass the anchors once within the run. This happens for a fiftieth of all phases, a
/// range as narrow as the grid.
#[test]
fn a_phase_that_is_right_between_two_points_of_the_grid_is_found() {
    let (distance, found) = refit(0.216_612_024_148_162_16, 0.099_947_375_267_220_2, -1_964.49);
    assert!(distance < 0.05, "{distance}: {found:?}");
}

#[test]
fn a_clock_further_off_than_any_crystal_is_not_locked_to() {
    let bench = two_clocks((10e6, 30e6));
    let empty = replay(251_000_000, &[1; 600]);
    for (ppb, locks) in [(45_000.0, true), (60_000.0, false), (1_000_000.0, false)] {
        let truth = [Some(0.3), Some(0.6), Some(0.0), Some(ppb)];
        let latency = bench(&empty, &truth, 99).expect("it runs");
        let replay = replay(251_000_000, &latency);
        let starts = starts(&TWO_CLOCKS, &replay, &bench, 1, &[0.0; 4]).expect("it runs");
        assert_eq!(!starts.is_empty(), locks, "{ppb}: {starts:?}");
    }
}

#[test]
fn a_link_without_a_clock_is_not_locked_to() {
    let empty = replay(100_000_000, &[1; 300]);
    let latency = indifferent(&empty, &[], 7).expect("it runs");
    let replay = replay(100_000_000, &latency);
    let found = starts(&[PHASE, OTHER, RATE], &replay, &indifferent, 1, &[0.0; 3]);
    assert_eq!(found.expect("it runs"), vec![]);
}

#[test]
fn what_moves_no_transfer_is_left_as_it_is() {
    let link = Link { period_ns: 100_000_000, tick_ns: 10e6, noise_ns: 5_000 };
    let plain = link.bench();
    // The second phase has no effect.
    let bench = |replay: &Replay, values: &[Option<f64>], seed: u64| {
        plain(replay, &[values[0], values[2]], seed)
    };
    let replay = link.captured(0.4, 3_000.0, 300);
    let found = fit(&[PHASE, OTHER, RATE], &replay, Effort::FULL, &bench, 1).expect("a fit");
    assert_eq!(found[1], None);
    assert!(found[0].is_some(), "{found:?}");
}
