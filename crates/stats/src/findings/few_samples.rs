//! Finding of too few transfers for a quantile.

use super::{Finding, Name, Value};

/// Error probability at each end: half of 5 %.
const RISK: f64 = 0.025;

/// Returns the finding if `delivered` latencies are too few for a two-sided 95 % interval of the `p`
/// quantile, which [`Summary`](crate::dist::Summary) reports.
///
/// The probability that all `n` latencies are below the `p` quantile is `p^n`. The largest latency is
/// therefore an upper bound of the quantile, with an error probability of 0.025, if `n >= ln 0.025 / ln p`.
/// For p99, this is 368 latencies (S. S. Wilks, "Determination of sample sizes for setting tolerance limits",
/// Annals of Mathematical Statistics 12 (1941) 91, for a one-sided limit). For a low quantile, the smallest
/// latency is a lower bound, and `1 - p` replaces `p` in the condition.
#[must_use]
pub fn few_samples(delivered: usize, p: f64) -> Option<Finding> {
    let needed = needed(p)?;
    if delivered == 0 || delivered >= needed {
        return None;
    }
    let percentile = p * 100.0;
    Some(Finding {
        name: Name::FewSamples,
        evidence: vec![
            ("n", Value::Int(delivered as i64)),
            ("needed", Value::Int(needed as i64)),
            ("percentile", Value::Float(percentile)),
        ],
        message: format!(
            "{delivered} latenc{} not bound p{percentile}: its 95 % confidence interval requires at \
             least {needed}. The reported value is close to the most extreme latency.",
            if delivered == 1 { "y does" } else { "ies do" }
        ),
        advice: format!(
            "Capture at least {needed} transfers, or report a quantile nearer to the median."
        ),
    })
}

/// Smallest number of values whose extreme bounds the `p` quantile. `None` if there is none.
fn needed(p: f64) -> Option<usize> {
    let towards_extreme = p.max(1.0 - p);
    (towards_extreme > 0.0 && towards_extreme < 1.0)
        .then(|| (libm::log(RISK) / libm::log(towards_extreme)).ceil() as usize)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dist::bounded_quantiles;
    use crate::noise::Noise;

    #[test]
    fn the_numbers_are_those_of_wilks_at_both_ends() {
        let sizes = [(0.99, 368), (0.95, 72), (0.9, 36), (0.5, 6), (0.01, 368), (0.999, 3_688)];
        for (p, n) in sizes {
            assert_eq!(needed(p), Some(n), "p {p}");
            assert!(few_samples(n - 1, p).is_some());
            assert_eq!(few_samples(n, p), None);
        }
        assert_eq!(needed(1.0), None);
        assert_eq!(needed(f64::NAN), None);
        assert_eq!(few_samples(0, 0.99), None);
    }

    #[test]
    fn it_is_raised_exactly_where_the_interval_beside_the_quantile_is_open() {
        for p in [0.99, 0.95, 0.9, 0.05] {
            let n = needed(p).expect("a number");
            let is_open = |n: usize| {
                let values: Vec<i64> = (0..n as i64).collect();
                let quantile = bounded_quantiles(&values, &[p])[0];
                quantile.low_ns.is_none() || quantile.high_ns.is_none()
            };
            assert!(is_open(n - 1) && !is_open(n), "{p} {n}");
        }
    }

    #[test]
    fn with_enough_values_the_largest_lies_beyond_the_quantile_as_often_as_promised() {
        let mut noise = Noise::seed(11);
        let short = |noise: &mut Noise| (0..368).all(|_| noise.uniform() < 0.99);
        let missed = (0..2_000).filter(|_| short(&mut noise)).count();
        // 2.5 % of 2000 is 50; four standard deviations are 28.
        assert!((22..=78).contains(&missed), "{missed}");
    }
}
