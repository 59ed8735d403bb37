use super::*;
use crate::noise::Noise;

#[test]
fn equal_values_share_their_ranks() {
    assert_eq!(midranks(&[30, 10, 20, 20]), [4.0, 1.0, 2.5, 2.5]);
    assert!(midranks(&[]).is_empty());
}

#[test]
fn tails_have_the_tabulated_probabilities() {
    assert!((two_sided(1.959_963_985) - 0.05).abs() < 1e-9);
    assert!((two_sided(-5.0) - 5.733_031e-7).abs() < 1e-12);
    assert!((chi_squared_above(7.814_728, 3) - 0.05).abs() < 1e-7);
    assert!((chi_squared_above(30.0, 10) - 8.566_412e-4).abs() < 1e-9);
    assert_eq!(chi_squared_above(-1.0, 3), 1.0);
    for degrees in [1, 2, 3, 4, 7, 10, 31, 64, 199] {
        for x in [0.01, 0.5, 2.0, 9.0, 40.0, 150.0, 300.0] {
            let expected = statrs::function::gamma::gamma_ur(degrees as f64 / 2.0, x / 2.0);
            let found = chi_squared_above(x, degrees);
            assert!((found - expected).abs() <= 1e-10 * expected, "{degrees}, {x}: {found}");
        }
    }
}

#[test]
fn kruskal_finds_what_scipy_finds() {
    // scipy.stats.kruskal([1, 3, 5, 7], [2, 4, 6, 8, 9], [10, 11, 12]): p 0.033630977
    let values = [1, 3, 5, 7, 2, 4, 6, 8, 9, 10, 11, 12];
    let class = |index: usize| if index < 4 { 0 } else { usize::from(index >= 9) + 1 };
    let found = kruskal(&midranks(&values), class, 3).unwrap();
    assert!((found.p - 0.033_630_977).abs() < 1e-8);
    assert_eq!(kruskal(&[1.5, 1.5], |index| index, 2), None);
    assert_eq!(kruskal(&[1.0, 2.0, 3.0], |_| 0, 2), None);
}

#[test]
fn superiority_runs_from_one_set_to_the_other() {
    let all_smaller = superiority(&[10, 11, 12], &[1, 2, 3]).unwrap();
    assert_eq!((all_smaller.second_smaller, all_smaller.delta()), (1.0, -1.0));
    let equal = superiority(&[5, 5], &[5, 5, 5]).unwrap();
    assert_eq!((equal.second_smaller, equal.p), (0.5, 1.0));
    assert_eq!(superiority(&[], &[1]), None);
}

#[test]
fn superiority_raises_false_alarms_as_often_as_it_promises() {
    let alarms = (0..400).filter(|&seed| {
        let mut noise = Noise::seed(seed);
        let a = noise.series(60, |noise, _| 1e6 * noise.exponential());
        let b = noise.series(40, |noise, _| 1e6 * noise.exponential());
        superiority(&a, &b).unwrap().p < 0.05
    });
    let alarms = alarms.count();
    assert!((5..=38).contains(&alarms), "{alarms} of 400 at 5 %");
}

#[test]
fn the_distance_of_distributions_is_their_largest_gap() {
    assert_eq!(ks_distance(&[1, 2, 3, 4], &[3, 4, 5, 6]), Some(0.5));
    assert_eq!(ks_distance(&[1, 1], &[1]), Some(0.0));
    assert_eq!(ks_distance(&[1], &[2, 3]), Some(1.0));
    assert_eq!(ks_distance(&[], &[2, 3]), None);
}

#[test]
fn an_alternating_series_is_anticorrelated() {
    let series: Vec<f64> = (0..100).map(|i| f64::from(i % 2)).collect();
    assert!((autocorrelation(&series, 1) + 0.99).abs() < 1e-9);
    assert!((autocorrelation(&series, 2) - 0.98).abs() < 1e-9);
    assert_eq!(autocorrelation(&[1.0, 1.0], 1), 0.0);
    assert_eq!(autocorrelation(&series, 100), 0.0);
}
