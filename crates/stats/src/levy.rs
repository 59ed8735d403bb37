//! Lévy distance between two sets of latencies on a relative scale, comparable between links that vary by
//! nanoseconds and by seconds.
//!
//! The Kolmogorov–Smirnov distance compares, for each latency, only the shares of the two sets that are below
//! this latency. Two sets of constant latencies that differ by a nanosecond therefore have the distance 1.
//! The metric of P. Lévy ("Théorie de l'addition des variables aléatoires", 1937) also permits a small shift
//! of the distribution functions along the axis of the latency. The axis is logarithmic here, so that a shift
//! is a factor.

/// Smallest `e` from 0 to 1 such that all but a share `e` of the latencies agree within a factor of `1 + e`.
/// `None` if a set is empty or contains a latency that is not positive.
///
/// If the two sets have the distribution functions `F` and `G`, the distance is the smallest `e` with
/// `F(x / (1 + e)) - e <= G(x) <= F(x (1 + e)) + e` for every `x`. The distance is symmetric, and at most as
/// large as the Kolmogorov–Smirnov distance ([`crate::rank::ks_distance`]).
#[must_use]
pub fn levy_distance(first: &[i64], second: &[i64]) -> Option<f64> {
    let sorted = |values: &[i64]| {
        let mut sorted = values.to_vec();
        sorted.sort_unstable();
        sorted.first().is_some_and(|&least| least > 0).then_some(sorted)
    };
    let (first, second) = (sorted(first)?, sorted(second)?);
    let within = |e: f64| {
        let by = |value: i64| value as f64 * (1.0 + e);
        is_below(&first, &second, e, by) && is_below(&second, &first, e, by)
    };
    Some(least(within))
}

/// Smallest `e`, at most 1, such that all but a share `e` of two sets agree within `e` times `unit`. This is
/// the Lévy metric on differences instead of factors. Both sets must be in ascending order.
#[must_use]
pub fn levy_within(first: &[i64], second: &[i64], unit: f64) -> f64 {
    let within = |e: f64| {
        let by = |value: i64| value as f64 + e * unit;
        is_below(first, second, e, by) && is_below(second, first, e, by)
    };
    least(within)
}

/// Smallest `e` from 0 to 1 that satisfies the monotonic condition `within`, which holds at 1.
fn least(within: impl Fn(f64) -> bool) -> f64 {
    if within(0.0) {
        return 0.0;
    }
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..30 {
        let middle = f64::midpoint(low, high);
        if within(middle) { high = middle } else { low = middle }
    }
    high
}

/// Whether the distribution function of `one`, with each value changed by `moved`, exceeds that of `other` by
/// at most `e`. It is sufficient to check at its steps.
fn is_below(one: &[i64], other: &[i64], e: f64, moved: impl Fn(i64) -> f64) -> bool {
    let (n, m) = (one.len() as f64, other.len() as f64);
    let mut reached = 0;
    one.iter().enumerate().all(|(nth, &value)| {
        let moved = moved(value);
        while reached < other.len() && other[reached] as f64 <= moved {
            reached += 1;
        }
        // Shares are quotients of counts, so the last bit is not significant.
        (nth + 1) as f64 / n - reached as f64 / m <= e + 1e-12
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::rank::ks_distance;

    #[test]
    fn a_constant_link_that_takes_two_percent_longer_is_two_percent_apart() {
        let apart = levy_distance(&[1_000_000; 50], &[1_020_000; 50]).expect("values");
        assert!((apart - 0.02).abs() < 1e-6, "{apart}");
        assert_eq!(ks_distance(&[1_000_000; 50], &[1_020_000; 50]), Some(1.0));
    }

    #[test]
    fn one_transfer_in_ten_that_takes_a_retry_is_a_tenth_apart() {
        let plain = [1_000_000; 50];
        let mut retried = plain;
        retried[..5].fill(2_000_000);
        let apart = levy_distance(&plain, &retried).expect("values");
        assert!((apart - 0.1).abs() < 1e-6, "{apart}");
    }

    #[test]
    fn nothing_is_no_distance() {
        assert_eq!(levy_distance(&[], &[1]), None);
        assert_eq!(levy_distance(&[0], &[1]), None);
        assert_eq!(levy_distance(&[i64::MAX], &[1]), Some(1.0));
    }

    fn latencies() -> impl Strategy<Value = Vec<i64>> {
        prop::collection::vec(1i64..1_000_000, 1..60)
    }

    proptest! {
        #[test]
        fn it_is_a_distance_below_that_of_kolmogorov_and_smirnov(
            a in latencies(), b in latencies(), c in latencies()
        ) {
            let d = |x: &[i64], y: &[i64]| levy_distance(x, y).expect("values");
            prop_assert_eq!(d(&a, &a), 0.0);
            prop_assert_eq!(d(&a, &b), d(&b, &a));
            prop_assert!(d(&a, &b) <= ks_distance(&a, &b).expect("values") + 1e-8);
            // Factors multiply, so the triangle inequality contains their product.
            let (ab, bc) = (d(&a, &b), d(&b, &c));
            prop_assert!(d(&a, &c) <= ab + bc + ab * bc + 1e-8);
        }

        #[test]
        fn scaling_all_latencies_moves_them_by_no_more_than_the_factor(
            a in latencies(), percent in 0i64..50
        ) {
            let scaled: Vec<i64> = a.iter().map(|v| v * 100 * (100 + percent)).collect();
            let a: Vec<i64> = a.iter().map(|v| v * 100 * 100).collect();
            let apart = levy_distance(&a, &scaled).expect("values");
            prop_assert!(apart <= percent as f64 / 100.0 + 1e-8);
        }
    }
}
