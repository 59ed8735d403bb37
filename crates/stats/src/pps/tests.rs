//! Known clocks with known pulses.

use proptest::prelude::*;

use super::*;

/// A clock with a frequency error, a drift, and jittering pulses.
#[derive(Clone, Debug)]
struct Bench {
    ppm: f64,
    /// Change of the frequency error, ppm per second.
    drift: f64,
    /// Largest jitter of a pulse, ns.
    jitter_ns: i64,
    /// Reading of the clock at the first second, ns.
    begin_ns: i64,
    /// For each second: its jitter, as a share of the largest jitter, and whether the pulse is
    /// present.
    seconds: Vec<(f64, bool)>,
    /// Spurious rising edges, as shares of the duration.
    spurious: Vec<f64>,
}

impl Bench {
    /// Reading of the clock at a true time in seconds since the first whole second, ns.
    fn reads(&self, at_s: f64) -> f64 {
        let error_us = self.ppm * at_s + self.drift * at_s * at_s / 2.0;
        self.begin_ns as f64 + at_s * 1e9 + error_us * 1e3
    }

    /// The channel, and the seconds of its pulses.
    fn channel(&self) -> (Vec<Segment>, Vec<i64>) {
        let there = |nth: &usize| self.seconds[*nth].1;
        let seconds: Vec<usize> = (0..self.seconds.len()).filter(there).collect();
        let pulse = |nth: &usize| {
            let jitter = self.seconds[*nth].0 * self.jitter_ns as f64;
            (self.reads(*nth as f64) + jitter).round() as i64
        };
        let mut rises: Vec<i64> = seconds.iter().map(pulse).collect();
        let lasting = self.seconds.len() as f64;
        rises.extend(self.spurious.iter().map(|share| self.reads(share * lasting) as i64));
        rises.sort_unstable();
        rises.dedup_by(|next, before| *next - *before < 3 * MIN_LOW_NS);
        let edges_ns: Vec<i64> = rises.iter().flat_map(|&at| [at, at + MIN_LOW_NS]).collect();
        let (begin_ns, end_ns) = (edges_ns[0] - 500_000_000, edges_ns[edges_ns.len() - 1] + 1_000);
        let segment = Segment { begin_ns, end_ns, initial: false, edges_ns };
        (vec![segment], seconds.iter().map(|&nth| nth as i64).collect())
    }
}

use super::pulses::MIN_LOW_NS;

prop_compose! {
    fn benches()(
        ppm in -300.0..300.0,
        drift in -0.01..0.01,
        jitter_ns in 0_i64..200,
        begin_ns in 0_i64..5_000_000_000_000,
        seconds in prop::collection::vec((-1.0..1.0, prop::bool::weighted(0.9)), 20..120),
        spurious in prop::collection::vec(0.0..1.0, 0..8),
    ) -> Bench {
        let mut seconds = seconds;
        let last = seconds.len() - 1;
        for nth in [0, 1, last] {
            seconds[nth].1 = true;
        }
        Bench { ppm, drift, jitter_ns, begin_ns, seconds, spurious }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn pulses_are_found_and_times_are_those_of_the_pulses(bench in benches(), tried in prop::collection::vec(-0.04..1.04, 20)) {
        let (channel, seconds) = bench.channel();
        // An edge that takes the place of a missing pulse cannot be distinguished from it.
        let limit_ns = 150_000.0;
        let takes_a_place = |share: &f64| {
            let at = share * bench.seconds.len() as f64;
            (at - at.round()).abs() * 1e9 < limit_ns
        };
        prop_assume!(!bench.spurious.iter().any(takes_a_place));
        let base = TimeBase::of(&channel).unwrap();
        prop_assert_eq!(&base.pulses().second, &seconds);
        let missing = seconds.last().unwrap() + 1 - seconds.len() as i64;
        prop_assert_eq!(base.pulses().missing(), missing as u64);
        let rises = channel[0].edges_ns.len() / 2;
        prop_assert_eq!(base.pulses().spurious_ns.len(), rises - seconds.len());
        let quality = base.quality();
        let last = *seconds.last().unwrap() as f64;
        let mean_ppm = bench.ppm + bench.drift * last / 2.0;
        let reading_ppm = 2.0 * bench.jitter_ns as f64 / last / 1e3;
        prop_assert!((quality.ppm - mean_ppm).abs() <= reading_ppm + 1e-3);
        // The error at a time is at most the jitter of both pulses plus the curvature of the drift
        // in a gap.
        let gap = base.pulses().longest_gap_s() as f64;
        let bent = bench.drift.abs() * 1e3 / 8.0 * gap * gap;
        let mut before = i64::MIN;
        let mut tried = tried;
        tried.sort_unstable_by(f64::total_cmp);
        for share in tried {
            let at_s = share * last;
            let found = base.since_first_ns(bench.reads(at_s).round() as i64);
            prop_assert!(found >= before);
            before = found;
            if (0.0..=last).contains(&at_s) {
                let error = found as f64 - at_s * 1e9;
                prop_assert!(error.abs() <= bench.jitter_ns as f64 + bent + 2.0, "{error} at {at_s}");
            }
        }
    }

    #[test]
    fn later_times_stay_later(bench in benches(), at in prop::collection::vec(-2.0..3.0, 40)) {
        let (channel, _) = bench.channel();
        let base = TimeBase::of(&channel).unwrap();
        let mut at: Vec<i64> =
            at.iter().map(|share| bench.reads(share * bench.seconds.len() as f64) as i64).collect();
        at.extend(base.pulses().at_ns.iter().flat_map(|&pulse| [pulse - 1, pulse, pulse + 1]));
        at.sort_unstable();
        let found: Vec<i64> = at.iter().map(|&at| base.since_first_ns(at)).collect();
        prop_assert!(found.is_sorted());
        for (&pulse, second) in base.pulses().at_ns.iter().zip(&base.pulses().second) {
            prop_assert_eq!(base.since_first_ns(pulse), second * SECOND_NS);
        }
    }
}

fn steady(seconds: usize) -> Bench {
    let seconds = vec![(0.0, true); seconds];
    Bench { ppm: 12.5, drift: 0.0, jitter_ns: 0, begin_ns: 7, seconds, spurious: Vec::new() }
}

#[test]
fn a_constant_crystal_has_no_jitter_and_no_error() {
    let base = TimeBase::of(&steady(40).channel().0).unwrap();
    let quality = base.quality();
    assert!((quality.ppm - 12.5).abs() < 1e-3, "{quality:?}");
    assert!(quality.jitter_ns.unwrap() < 0.5 && quality.extrapolation_ns.unwrap() < 1.0);
    assert_eq!((quality.gap_ns, base.pulses().longest_gap_s()), (None, 1));
    // Half a second after the last pulse, by a clock that runs fast.
    let at_ns = base.pulses().at_ns[39] + 500_006_250;
    assert_eq!(base.since_first_ns(at_ns), 39_500_000_000);
}

#[test]
fn jitter_and_drift_show_in_the_measured_errors() {
    let mut bench = steady(300);
    for (nth, second) in bench.seconds.iter_mut().enumerate() {
        // Uniform between -1 and 1.
        second.0 = (nth as f64 * 0.618_034).fract() * 2.0 - 1.0;
    }
    bench.jitter_ns = 30;
    let quality = TimeBase::of(&bench.channel().0).unwrap().quality();
    // Steps of the golden ratio are not independent, so that the estimate is above 30 ns / √3.
    assert!((15.0..40.0).contains(&quality.jitter_ns.unwrap()), "{quality:?}");
    bench.jitter_ns = 0;
    bench.drift = 0.02;
    bench.seconds[100..120].iter_mut().for_each(|second| second.1 = false);
    let base = TimeBase::of(&bench.channel().0).unwrap();
    assert_eq!((base.pulses().missing(), base.pulses().first_missing_s()), (20, Some(100)));
    // The frequency changes by 0.02 ppm a second, so the middle of 21 s is off by 20 ns/s² × 21² s² / 8.
    let gap_ns = base.quality().gap_ns.unwrap();
    assert!((gap_ns - 1_100.0).abs() < 10.0, "{gap_ns}");
    let middle_s = 109.5;
    let found = base.since_first_ns(bench.reads(middle_s) as i64);
    let error = (found as f64 - middle_s * 1e9).abs();
    assert!((error - gap_ns).abs() < 10.0, "{error}");
}

#[test]
fn ringing_is_spurious_and_the_first_edge_counts() {
    let (mut channel, _) = steady(10).channel();
    let clean = channel[0].edges_ns.clone();
    channel[0].edges_ns =
        clean.chunks(2).flat_map(|at| [at[0], at[0] + 40, at[0] + 90, at[1]]).collect();
    let base = TimeBase::of(&channel).unwrap();
    assert_eq!(base.pulses().spurious_ns.len(), 10);
    assert!(base.pulses().at_ns.iter().eq(clean.iter().step_by(2)));
}

#[test]
fn other_signals_are_refused() {
    let of = |edges_ns: Vec<i64>| {
        let end_ns = edges_ns.last().copied().unwrap_or(0);
        TimeBase::of(&[Segment { begin_ns: 0, end_ns, initial: false, edges_ns }])
    };
    let every = |period_ns: i64| {
        (1..1_000).flat_map(|nth| [nth * period_ns, nth * period_ns + 9]).collect()
    };
    assert!(of(Vec::new()).is_err());
    assert!(of(vec![5_000]).is_err());
    for period_ns in [10_000, 203_000_000, 700_000_000, 1_700_000_000] {
        let refused = of(every(period_ns)).unwrap_err();
        assert_eq!(refused.rises, 999);
    }
    let told = of(every(203_000_000)).unwrap_err().to_string();
    assert!(told.ends_with("of 999 rising edges are whole seconds apart"), "{told}");
}
