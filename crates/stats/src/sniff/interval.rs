//! Connection interval from anchor points.
//!
//! The time between two recorded anchor points is a whole number of connection intervals. This number is more than
//! one if the sniffer missed connection events between the two anchor points. The connection interval is the
//! largest time of which nearly all distances between anchor points are multiples. A few distances may deviate,
//! because a connection may change its interval. The interval is found only if the recording has the anchor points
//! of two successive connection events.

/// Relative error of two clocks together: the largest sleep clock accuracy of both ends (Bluetooth Core
/// Specification 5.4, volume 6, part B, 4.2.2).
const CLOCKS: f64 = 500e-6 + 500e-6;
/// Jitter of an anchor point and of its time stamp, ns: 16 us of a sleeping device (4.2.2), and whole
/// microseconds of a sniffer.
const JITTER_NS: f64 = 20_000.0;
/// Largest number of candidates. The most frequent ones are kept.
const CANDIDATES: usize = 16;
/// Returns the whole number of intervals, at least 1, closest to a distance, and the deviation from it, ns.
#[must_use]
pub(super) fn steps(distance_ns: f64, interval_ns: f64) -> (u64, f64) {
    let steps = (distance_ns / interval_ns).round().max(1.0);
    (steps as u64, (distance_ns - steps * interval_ns).abs())
}

/// Whether a distance is a whole number of intervals within the accuracy of the clocks.
#[must_use]
pub(super) fn is_multiple(distance_ns: f64, interval_ns: f64) -> bool {
    let (_, deviation_ns) = steps(distance_ns, interval_ns);
    deviation_ns <= (JITTER_NS + CLOCKS * distance_ns).min(interval_ns / 8.0)
}

/// Mean interval between anchor points in ascending order, ns. `stated_ns` is the interval in a CONNECT_IND.
/// `None` for fewer than two distances, or if no interval explains half of them.
#[must_use]
pub fn interval_ns(anchors_ns: &[i64], stated_ns: Option<i64>) -> Option<f64> {
    let mut distances: Vec<f64> = anchors_ns
        .windows(2)
        .map(|pair| (pair[1] - pair[0]) as f64)
        .filter(|ns| *ns > 0.0)
        .collect();
    if distances.len() < 2 {
        return None;
    }
    distances.sort_unstable_by(f64::total_cmp);
    let support =
        |interval_ns: f64| distances.iter().filter(|ns| is_multiple(**ns, interval_ns)).count();
    let is_enough = |interval_ns: &f64| 2 * support(*interval_ns) > distances.len();
    let stated = stated_ns.map(|ns| ns as f64).filter(|ns| *ns > 0.0);
    let estimate = || best(&candidates(&distances), support).filter(is_enough);
    let found = stated.filter(is_enough).or_else(estimate)?;
    let explained: Vec<(f64, f64)> = distances
        .iter()
        .filter(|ns| is_multiple(**ns, found))
        .map(|ns| (*ns, steps(*ns, found).0 as f64))
        .collect();
    // Where the first packet of an event is missing, a later one is the anchor. Its distances are longer or shorter
    // than the median, and are left out.
    let mut each: Vec<f64> = explained.iter().map(|(ns, steps)| ns / steps).collect();
    each.sort_unstable_by(f64::total_cmp);
    let median = each[each.len() / 2];
    let (whole, count) = explained
        .iter()
        .filter(|(ns, steps)| (ns - steps * median).abs() <= JITTER_NS)
        .fold((0.0, 0.0), |(whole, count), (ns, steps)| (whole + ns, count + steps));
    Some(whole / count)
}

/// The candidate with the most support. Among candidates with nearly as much support, the largest.
fn best(candidates: &[f64], support: impl Fn(f64) -> usize) -> Option<f64> {
    let counted: Vec<(f64, usize)> = candidates.iter().map(|ns| (*ns, support(*ns))).collect();
    let most = counted.iter().map(|(_, count)| *count).max()?;
    let good = counted.iter().filter(|(_, count)| 20 * count >= 19 * most);
    good.map(|(ns, _)| *ns).max_by(f64::total_cmp)
}

/// Means of groups of equal distances, the most frequent ones. `distances` are ascending.
fn candidates(distances: &[f64]) -> Vec<f64> {
    let same = |a: &f64, b: &f64| b - a <= JITTER_NS + CLOCKS * b;
    let mut groups: Vec<&[f64]> = distances.chunk_by(same).collect();
    groups.sort_by_key(|group| std::cmp::Reverse(group.len()));
    groups.truncate(CANDIDATES);
    groups.iter().map(|group| group.iter().sum::<f64>() / group.len() as f64).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const INTERVAL_NS: i64 = 30_000_000;

    #[test]
    fn a_change_of_the_interval_is_outvoted() {
        let early = (0..40).map(|nth| nth * 50_000_000);
        let late = (0..400).map(|nth| 2_000_000_000 + nth * 7_500_000);
        let anchors: Vec<i64> = early.chain(late).collect();
        let found = interval_ns(&anchors, None).expect("an interval");
        assert!((found - 7_500_000.0).abs() < 1_000.0, "{found}");
    }

    #[test]
    fn an_interval_that_the_anchors_contradict_is_not_used() {
        let anchors: Vec<i64> = (0..40).map(|nth| nth * INTERVAL_NS).collect();
        let found = interval_ns(&anchors, Some(50_000_000)).expect("an interval");
        assert!((found - INTERVAL_NS as f64).abs() < 1.0, "{found}");
        assert_eq!(interval_ns(&anchors[..2], None), None);
    }

    proptest! {
        #[test]
        fn missed_events_do_not_change_the_interval(
            units in 6_i64..3200,
            seen in prop::collection::vec(prop::bool::weighted(0.4), 80..200),
            jitter in prop::collection::vec(-8_000_i64..8_000, 200),
        ) {
            let true_ns = units * 1_250_000;
            let anchors: Vec<i64> = seen
                .iter()
                .enumerate()
                .filter(|(_, seen)| **seen)
                .map(|(nth, _)| nth as i64 * true_ns + jitter[nth])
                .collect();
            prop_assume!(anchors.len() > 20);
            let found = interval_ns(&anchors, None).expect("an interval");
            prop_assert!((found - true_ns as f64).abs() < 2_000.0, "{found} {true_ns}");
        }
    }
}
