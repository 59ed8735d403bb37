use super::*;

#[test]
fn ranks_of_a_median_are_those_in_the_tables() {
    // Conover, table A3, and every table of the sign test: n, and the ranks counted from 1.
    for (n, low, high) in [(6, 1, 6), (10, 2, 9), (20, 6, 15), (25, 8, 18), (50, 18, 33)] {
        let ranks = quantile_ranks(n, 0.5);
        assert_eq!(ranks, (Some(low - 1), Some(high - 1)), "n {n}");
    }
    assert_eq!(quantile_ranks(5, 0.5), (None, None));
}

#[test]
fn ranks_mirror_when_the_quantile_does() {
    for n in [10, 368, 1_000, 250_000] {
        for p in [0.01, 0.05, 0.25] {
            let (low, high) = quantile_ranks(n, p);
            let (mirrored_low, mirrored_high) = quantile_ranks(n, 1.0 - p);
            assert_eq!(mirrored_high, low.map(|rank| n - 1 - rank), "n {n} p {p}");
            assert_eq!(mirrored_low, high.map(|rank| n - 1 - rank), "n {n} p {p}");
        }
    }
}

#[test]
fn many_values_agree_with_the_normal_approximation() {
    let (low, high) = quantile_ranks(2_500_000, 0.5);
    let half = 1.96 * (2_500_000f64 * 0.25).sqrt();
    assert!((low.unwrap() as f64 - (1_250_000.0 - half)).abs() < 2.0);
    assert!((high.unwrap() as f64 - (1_250_000.0 + half)).abs() < 2.0);
}

#[test]
fn nothing_bounds_the_quantiles_of_nothing() {
    assert_eq!(quantile_ranks(0, 0.5), (None, None));
    assert_eq!(quantile_ranks(100, 0.0), (None, None));
    assert_eq!(quantile_ranks(100, 1.0), (None, None));
    assert_eq!(quantile_ranks(100, f64::NAN), (None, None));
}

#[test]
fn wilson_gives_the_published_intervals() {
    // Newcombe, Statistics in Medicine 17 (1998) 857, table I, method 3.
    let published = [
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ];
    for (count, n, low, high) in published {
        let (found_low, found_high) = wilson(count, n).unwrap();
        assert!((found_low - low).abs() < 5e-5, "{count} of {n}: {found_low}");
        assert!((found_high - high).abs() < 5e-5, "{count} of {n}: {found_high}");
    }
    assert_eq!(wilson(29, 29).unwrap().1, 1.0);
    assert_eq!(wilson(0, 0), None);
}

#[test]
fn a_difference_of_ratios_gives_the_published_interval() {
    // Newcombe, Statistics in Medicine 17 (1998) 873, table II (a), method 10: 56/70 - 48/80.
    let ratio = |count: usize, n: usize| {
        let (low, high) = wilson(count, n).unwrap();
        Bounded { value: count as f64 / n as f64, low: Some(low), high: Some(high) }
    };
    let found = difference(ratio(48, 80), ratio(56, 70));
    assert!((found.value - 0.2).abs() < 1e-12);
    assert!((found.low.unwrap() - 0.0524).abs() < 5e-5);
    assert!((found.high.unwrap() - 0.3339).abs() < 5e-5);
}

#[test]
fn a_side_without_a_bound_leaves_the_difference_without_one() {
    let open = Bounded { value: 5.0, low: Some(4.0), high: None };
    let closed = Bounded { value: 7.0, low: Some(6.0), high: Some(8.0) };
    let found = difference(open, closed);
    assert_eq!((found.low, found.value), (None, 2.0));
    assert!((found.high.unwrap() - (2.0 + 2f64.sqrt())).abs() < 1e-12);
}

#[test]
fn a_mean_of_ten_runs_lies_within_2_262_standard_errors() {
    // 97.5 % quantile of Student's t with nine degrees of freedom, from any table.
    let values: Vec<f64> = (0..10).map(f64::from).collect();
    let error = (82.5_f64 / 9.0 / 10.0).sqrt();
    let (low, high) = mean(&values).expect("ten");
    assert!((low - (4.5 - 2.262_157 * error)).abs() < 1e-5, "{low}");
    assert!((high - (4.5 + 2.262_157 * error)).abs() < 1e-5, "{high}");
    assert_eq!(mean(&[1.0]), None);
    assert_eq!(mean(&[]), None);
}
