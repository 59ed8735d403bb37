use super::*;
use crate::noise::{CLEAN, Noise, clean, run_with_losses};

/// Type 7 quantile by its definition.
fn sorted_quantile(values: &[i64], p: f64) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_unstable();
    let exact = (sorted.len() - 1) as f64 * p;
    let (rank, part) = (exact.floor() as usize, exact.fract());
    let low = sorted[rank] as f64;
    let high = sorted[(rank + 1).min(sorted.len() - 1)] as f64;
    low + (high - low) * part
}

#[test]
fn quantiles_interpolate_between_the_closest_ranks() {
    // numpy.percentile([15, 20, 35, 40, 50], [5, 25, 30, 50, 95, 100])
    let values = [35, 15, 50, 20, 40];
    let levels = [0.05, 0.25, 0.3, 0.5, 0.95, 1.0];
    assert_eq!(quantiles(&values, &levels), [16.0, 20.0, 23.0, 35.0, 48.0, 50.0]);
    assert_eq!(quantiles(&values, &[0.5, 0.0]), [35.0, 15.0]);
    assert!(quantiles(&[], &levels).is_empty());
}

#[test]
fn a_quantile_has_the_shortest_name_that_is_right() {
    for tenths in 0..=1_000 {
        let name = format!("p{}.{}", tenths / 10, tenths % 10);
        let name = name.strip_suffix(".0").unwrap_or(&name);
        // Two ways to compute a level, 0.29 times 100 and 99.9 divided by 100, give results that
        // are wrong by one bit.
        let decimal: f64 = format!("{}.{:03}", tenths / 1_000, tenths % 1_000).parse().unwrap();
        assert_eq!(quantile_name(decimal), name);
        assert_eq!(quantile_name(f64::from(tenths) / 10.0 / 100.0), name);
    }
    assert_eq!(quantile_name(0.999_99), "p99.999");
    assert_eq!(quantile_name(0.000_001), "p0.0001");
    assert_eq!(quantile_name(1.0 / 3.0), "p33.33333333333333");
}

#[test]
fn selection_agrees_with_sorting_whatever_the_values() {
    let levels = [0.0, 0.001, 0.01, 0.25, 0.5, 0.500_1, 0.75, 0.99, 0.999, 1.0];
    for n in [1, 2, 3, 100, 2_047, 2_048, 5_000, 40_000] {
        for (kind, (name, _)) in CLEAN.iter().enumerate() {
            let values = clean(kind, n, n as u64);
            for (&p, found) in levels.iter().zip(quantiles(&values, &levels)) {
                assert_eq!(found, sorted_quantile(&values, p), "{} n {n} p {p}", name);
            }
        }
    }
}

#[test]
fn selection_survives_extreme_values() {
    let mut values = vec![7; 5_000];
    assert_eq!(quantiles(&values, &[0.0, 0.5, 1.0]), [7.0; 3]);
    (values[17], values[18]) = (i64::MAX, i64::MIN);
    let ends = quantiles(&values, &[0.0, 0.5, 1.0]);
    assert_eq!(ends, [i64::MIN as f64, 7.0, i64::MAX as f64]);
    // All values except one outlier fall into one bucket, several times in a row.
    let mut noise = Noise::seed(1);
    let mut values = noise.series(10_000, |noise, _| 1e3 * noise.uniform());
    values.push(1 << 60);
    for p in [0.1, 0.5, 0.9] {
        assert_eq!(quantiles(&values, &[p]), [sorted_quantile(&values, p)]);
    }
}

#[test]
fn a_summary_holds_what_its_names_say() {
    let summary = Summary::of(&[10, 20, 40, 10]).unwrap();
    assert_eq!((summary.n, summary.min_ns, summary.max_ns), (4, 10, 40));
    assert_eq!(summary.mean_ns, 20.0);
    // Squared deviations are 100 + 0 + 400 + 100, divided by n - 1 = 3.
    assert_eq!(summary.std_ns, Some(200f64.sqrt()));
    assert_eq!(summary.quantile(0.5).unwrap().value_ns, 15.0);
    assert_eq!(summary.quantiles.len(), QUANTILES.len());
    assert_eq!(summary.quantile(FAR_TAIL), None);
    let jitter = summary.jitter.unwrap();
    assert_eq!((jitter.mean_ns, jitter.p50_ns), (20.0, 20.0));
    assert_eq!(Summary::of(&[]), None);
}

#[test]
fn a_single_value_has_no_spread_and_no_jitter() {
    let summary = Summary::of(&[5]).unwrap();
    assert_eq!((summary.std_ns, summary.jitter), (None, None));
    assert!(summary.quantiles.iter().all(|q| q.value_ns == 5.0));
    let median = summary.quantile(0.5).unwrap();
    assert_eq!((median.low_ns, median.high_ns), (None, None));
}

#[test]
fn the_far_tail_appears_when_there_are_values_for_it() {
    let short = Summary::of(&clean(2, FAR_TAIL_FROM - 1, 1)).unwrap();
    let long = Summary::of(&clean(2, FAR_TAIL_FROM, 1)).unwrap();
    assert_eq!(short.quantile(FAR_TAIL), None);
    assert!(long.quantile(FAR_TAIL).is_some());
}

#[test]
fn a_tail_that_was_not_seen_is_not_bounded() {
    // The largest of n values lies above p99 with probability 1 - 0.99^n, which exceeds 97.5 % from
    // n = 368.
    let bound = |n| bounded_quantiles(&clean(1, n, 3), &[0.99])[0].high_ns;
    assert_eq!(bound(367), None);
    assert!(bound(368).is_some());
}

#[test]
fn intervals_cover_the_true_quantile_as_often_as_they_promise() {
    let rounds = 1_000;
    for (n, p) in [(20, 0.5), (100, 0.25), (400, 0.99), (1_000, 0.5), (1_000, 0.95)] {
        // The values are log-normal around 1 ms. Their quantiles are a monotonic function of those
        // of the normal distribution.
        let truth = match p {
            0.25 => -0.674_489_750,
            0.5 => 0.0,
            0.95 => 1.644_853_627,
            _ => 2.326_347_874,
        };
        let truth = 1e6 * f64::exp(truth);
        let mut missed = 0;
        for round in 0..rounds {
            let mut noise = Noise::seed(round * 7_919 + n as u64);
            let values = noise.series(n, |noise, _| 1e6 * noise.normal().exp());
            let q = bounded_quantiles(&values, &[p])[0];
            let above = q.low_ns.is_some_and(|low| low as f64 > truth);
            let below = q.high_ns.is_some_and(|high| (high as f64) < truth);
            missed += usize::from(above || below);
        }
        // 5 % of 1000 is 50, and 78 is four standard deviations above that.
        assert!(missed <= 78, "n {n} p {p}: {missed} of {rounds} intervals missed");
    }
}

#[test]
fn the_mean_of_large_values_keeps_its_last_digits() {
    let base = 1 << 61;
    let values = [base, base + 1, base + 2, base + 1];
    assert_eq!(mean(&values), (base + 1) as f64);
    assert_eq!(mean(&[-3, -4]), -3.5);
}

#[test]
fn losses_lower_the_ratio_and_the_end_of_the_curve() {
    let run = run_with_losses(100, &[Some(3), None, Some(1), Some(3)]);
    let delivery = Delivery::of(&run).unwrap();
    assert_eq!((delivery.delivered, delivery.lost, delivery.ratio), (3, 1, 0.75));
    assert!(delivery.low < 0.75 && delivery.high > 0.75);
    let curve = steps(&run.latencies_ns(), run.trigger_ns.len());
    assert_eq!(curve.value_ns, [1, 3]);
    assert_eq!(curve.share, [0.25, 0.75]);
    assert_eq!(Delivery::of(&Transfers::default()), None);
}
