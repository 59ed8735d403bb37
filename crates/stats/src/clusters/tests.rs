use super::*;
use crate::noise::Noise;

fn close(found: f64, expected: f64) {
    assert!((found / expected - 1.0).abs() < 1e-9, "{found} instead of {expected}");
}

fn alike(count: usize, of: usize, runs: usize) -> Vec<Share> {
    vec![Share { count, of }; runs]
}

#[test]
fn nothing_of_a_thousand_is_bounded_as_the_formula_says() {
    // Clopper–Pearson: (1 - p)^n equals the permitted probability.
    close(share_bound(&alike(0, 1000, 1), 0.05, End::Upper), 1.0 - 0.05f64.powf(1e-3));
    close(share_bound(&alike(1000, 1000, 1), 0.05, End::Lower), 0.05f64.powf(1e-3));
    assert_eq!(share_bound(&alike(0, 1000, 1), 0.05, End::Lower), 0.0);
    assert_eq!(share_bound(&alike(0, 0, 1), 0.05, End::Upper), 1.0);
}

#[test]
fn shares_have_the_bounds_that_scipy_gives() {
    // The expected values are scipy.stats.beta.ppf(0.975, 22, 979) and beta.ppf(0.025, 21, 980),
    // SciPy 1.17.
    close(share_bound(&alike(21, 1000, 1), 0.025, End::Upper), 0.0319223351804155);
    close(share_bound(&alike(21, 1000, 1), 0.025, End::Lower), 0.013045192290387683);
}

#[test]
fn an_end_of_a_quantile_is_the_order_statistic_of_the_tables() {
    // Of 100 independent values the 59th is above the median with 95 % confidence. Tables of the binomial
    // distribution give P(X <= 58) = 0.9557 and P(X <= 57) = 0.9334.
    let run: Vec<f64> = (1..=100).map(f64::from).collect();
    assert_eq!(quantile_bound(&[&run], 0.5, 0.05, End::Upper), 59.0);
    assert_eq!(quantile_bound(&[&run], 0.5, 0.05, End::Lower), 42.0);
    // 100 messages cannot bound their 99 % quantile: 0.99^100 = 0.37 is more than 5 %.
    assert_eq!(quantile_bound(&[&run], 0.99, 0.05, End::Upper), f64::INFINITY);
    assert_eq!(quantile_bound(&[], 0.5, 0.05, End::Upper), f64::INFINITY);
    assert_eq!(quantile_bound(&[], 0.5, 0.05, End::Lower), 0.0);
}

#[test]
fn runs_that_differ_determine_less_than_as_many_independent_messages() {
    let same = share_bound(&alike(10, 1000, 20), 0.05, End::Upper);
    let apart = [alike(0, 1000, 18), alike(100, 1000, 2)].concat();
    let wider = share_bound(&apart, 0.05, End::Upper);
    assert!(same < 0.0125 && 0.0125 < wider, "{same} {wider}");
    let (low, high) = ([1.0; 100], [9.0; 100]);
    let (mixed, quick, slow) = ([low, high].concat(), [low, low].concat(), [high, high].concat());
    let steady = vec![&mixed[..]; 20];
    let bursts = [vec![&quick[..]; 10], vec![&slow[..]; 10]].concat();
    assert_eq!(quantile_bound(&steady, 0.6, 0.05, End::Lower), 9.0);
    assert_eq!(quantile_bound(&bursts, 0.6, 0.05, End::Lower), 1.0);
}

#[test]
fn a_bound_misses_as_seldom_as_it_claims() {
    // A share of 2 % overall, which varies between runs in clusters.
    for clustered in [false, true] {
        let mut noise = Noise::seed(7);
        let missed = (0..400).filter(|_| {
            let runs: Vec<Share> = (0..20)
                .map(|_| {
                    let share = if clustered { 0.04 * noise.uniform() } else { 0.02 };
                    Share { count: (0..500).filter(|_| noise.uniform() < share).count(), of: 500 }
                })
                .collect();
            share_bound(&runs, 0.05, End::Upper) < 0.02
        });
        // 5 % of 400 is 20. The probability of 35 or more is one in a thousand.
        assert!(missed.count() < 35, "clustered {clustered}");
    }
}

#[test]
fn a_lost_message_takes_longer_than_any() {
    let fates = [1.0, 2.0, 3.0, f64::INFINITY];
    assert_eq!(quantile(&fates, 0.5), 2.5);
    assert_eq!(quantile(&fates, 0.99), f64::INFINITY);
    assert!(quantile(&[], 0.5).is_nan());
}

#[test]
fn a_mean_is_bounded_by_how_runs_differ() {
    // Quantile of Student's t with two degrees of freedom at p: (2 p - 1) / sqrt(2 p (1 - p)).
    let students = 0.95 / (2.0f64 * 0.975 * 0.025).sqrt();
    let reach = students / 3f64.sqrt();
    close(mean_bound(&[1.0, 2.0, 3.0], 0.025, End::Upper), 2.0 + reach);
    close(2.0 - mean_bound(&[1.0, 2.0, 3.0], 0.025, End::Lower), reach);
    assert_eq!(mean_bound(&[1.0, f64::NAN], 0.025, End::Upper), f64::INFINITY);
    assert_eq!(mean_bound(&[1.0], 0.025, End::Lower), f64::NEG_INFINITY);
    // Twenty values: sixteen are added in lanes, and four individually.
    let values: Vec<f64> = (1..=20).map(f64::from).collect();
    assert_eq!(mean(&values), 10.5);
}
