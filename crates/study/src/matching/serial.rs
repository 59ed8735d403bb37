//! Difference between the serial correlations of a capture and of a bench.
//!
//! A phase that drifts against the triggers passes through all latencies of a cycle. A fitted drift can
//! therefore give the bench almost any distribution of latencies. But consecutive latencies of such a bench
//! are correlated, and fitted phases do not change this correlation. A capture with the same distribution, but
//! with independent latencies, is a capture of another link.
//!
//! The correlation is the rank correlation of the latencies with the latencies some triggers later (C.
//! Spearman, "The proof and measurement of association between two things", 1904). It depends only on the
//! order of the latencies, whereas `variation` depends only on their distribution.
//!
//! No profile models a slow drift, for example of the temperature or of the load of an operating system. Such a
//! drift increases the correlations at all lags alike. If the capture is more correlated than the bench, the
//! smallest of its correlations is therefore not counted.

use airlag_stats::pair::NONE;
use airlag_stats::rank::{autocorrelation, midranks};

/// Number of lags at which correlations are compared, in triggers. With 5 or 20 lags, rankings of the reference
/// captures name the right kind equally often, except for one capture.
const LAGS: usize = 10;

/// Largest difference of the frequencies of two crystals, each with an error of up to 50 ppm.
const DRIFT: f64 = 100e-6;

/// Smallest latency variation whose serial correlation is determined by a profile, in ns, with triggers every
/// `interval_ns`. Over [`LAGS`] triggers, the phase of a cycle changes by up to this time because of unknown
/// frequency errors. For a shorter cycle, the correlation therefore depends on these errors.
pub(super) fn least_variation_ns(interval_ns: f64) -> f64 {
    LAGS as f64 * DRIFT * interval_ns
}

/// Difference between the serial correlations of `captured` and `made`, each with one latency per trigger in
/// ns, or [`NONE`]. The result is the root mean square over all lags, minus the standard deviation expected for
/// independent latencies. The variance of one correlation of `n` independent latencies is `1 / n` (M. S.
/// Bartlett, "On the theoretical specification and sampling properties of autocorrelated time-series", 1946).
pub(super) fn difference(captured: &[i64], made: &[i64]) -> f64 {
    let arrived = |latency: &[i64]| latency.iter().filter(|&&ns| ns != NONE).count();
    let fewer = arrived(captured).min(arrived(made));
    if fewer <= LAGS {
        return 0.0;
    }
    let (theirs, ours) = (correlations(captured), correlations(made));
    let [drift, own_drift] =
        [theirs, ours].map(|each| each.iter().copied().fold(1.0, f64::min).max(0.0));
    let squares = theirs.iter().zip(&ours).map(|(theirs, ours)| {
        let only_ours = ours.abs() - theirs.abs();
        let only_theirs = (theirs - drift).abs() - (ours - own_drift).abs();
        only_ours.max(only_theirs).max(0.0).powi(2)
    });
    let root = (squares.sum::<f64>() / LAGS as f64).sqrt();
    (root - (2.0 / fewer as f64).sqrt()).max(0.0)
}

/// Rank correlations at lags from 1 to [`LAGS`]. A lost message has the mean rank, so that it contributes
/// nothing.
fn correlations(latency: &[i64]) -> [f64; LAGS] {
    let arrived: Vec<i64> = latency.iter().copied().filter(|&ns| ns != NONE).collect();
    let mean = (arrived.len() as f64 + 1.0) / 2.0;
    let mut ranks = midranks(&arrived).into_iter();
    let rank_of = |&ns: &i64| if ns == NONE { Some(mean) } else { ranks.next() };
    let series: Vec<f64> = latency.iter().map_while(rank_of).collect();
    std::array::from_fn(|nth| autocorrelation(&series, nth + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    const COUNT: usize = 500;

    /// Latencies of `COUNT` triggers, ns.
    fn each(latency: impl Fn(usize) -> i64) -> Vec<i64> {
        (0..COUNT).map(latency).collect()
    }

    /// Independent numbers from 0 to 999, by a hash of `nth` (constants of G. L. Steele, D. Lea and C. H.
    /// Flood, "Fast splittable pseudorandom number generators", 2014).
    fn chance(nth: usize, stream: u64) -> i64 {
        let mut bits = (nth as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ (stream << 32);
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((bits ^ (bits >> 31)) % 1_000) as i64
    }

    fn noise(stream: u64) -> Vec<i64> {
        each(|nth| 1_000_000 + 1_000 * chance(nth, stream))
    }

    #[test]
    fn independent_latencies_differ_by_no_more_than_chance() {
        for stream in 0..20 {
            let found = difference(&noise(stream), &noise(stream + 100));
            assert!(found < 0.03, "{stream}: {found}");
        }
    }

    #[test]
    fn a_ramp_is_not_a_shuffled_ramp() {
        let ramp = each(|nth| 1_000_000 + 2_000 * nth as i64);
        assert!(difference(&noise(1), &ramp) > 0.8);
        assert_eq!(difference(&ramp, &ramp), 0.0);
        let faster = each(|nth| 3_000_000 + 5_000 * nth as i64);
        assert_eq!(difference(&ramp, &faster), 0.0);
    }

    #[test]
    fn a_drift_that_no_profile_models_is_excused_in_the_capture_only() {
        let drifting: Vec<i64> =
            noise(1).iter().enumerate().map(|(nth, ns)| ns + 8_000 * nth as i64).collect();
        assert!(difference(&drifting, &noise(2)) < 0.05);
        assert!(difference(&noise(2), &drifting) > 0.5);
    }

    #[test]
    fn a_cycle_of_three_triggers_counts_on_either_side() {
        let cyclic: Vec<i64> = noise(1)
            .iter()
            .enumerate()
            .map(|(nth, ns)| ns + 3_000_000 * i64::from(nth % 3 == 0))
            .collect();
        assert!(difference(&cyclic, &noise(2)) > 0.3);
        assert!(difference(&noise(2), &cyclic) > 0.3);
    }

    #[test]
    fn losses_are_no_correlation_and_few_latencies_no_evidence() {
        let lossy: Vec<i64> =
            noise(1).iter().enumerate().map(|(n, &ns)| if n % 7 < 2 { NONE } else { ns }).collect();
        assert!(difference(&lossy, &noise(2)) < 0.03);
        let ramp = each(|nth| nth as i64);
        assert_eq!(difference(&noise(1)[..LAGS], &ramp[..LAGS]), 0.0);
        assert_eq!(difference(&noise(1), &[NONE; COUNT]), 0.0);
    }
}
