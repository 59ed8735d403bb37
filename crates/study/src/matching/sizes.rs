//! Candidate payloads of a capture with an unknown payload.
//!
//! The latency of a link grows with the payload. For each profile, a series of payloads is searched for the two
//! payloads whose median latencies enclose the captured median. A third payload is then interpolated between these two
//! payloads. For a wire, or a radio without its own schedule, the latency determines the payload to the byte. For a
//! link that waits for its own interval, many payloads have nearly the same latency.

use airlag_link::message::MIN_LEN;
use airlag_rig::profile::Profile;
use airlag_rig::run::MAX_SIZE;

/// Payloads of the series, bytes: two per octave, from the shortest to the longest message.
const LADDER: [usize; 18] =
    [MIN_LEN, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024, 1536, MAX_SIZE];

/// Payload sizes with which the median latency of `profile` is near `captured_ns`, ascending. `median_ns` returns
/// the median for a size, or `None` if the link cannot carry it. For a link without a payload, `None` alone.
pub(super) fn sizes(
    profile: &Profile,
    captured_ns: f64,
    median_ns: impl Fn(usize) -> Option<f64>,
) -> Vec<Option<usize>> {
    if !profile.has_message() {
        return vec![None];
    }
    around(captured_ns, median_ns).into_iter().map(Some).collect()
}

fn around(captured_ns: f64, median_ns: impl Fn(usize) -> Option<f64>) -> Vec<usize> {
    // A payload that the link cannot carry has an infinite latency.
    let takes = |size: usize| median_ns(size).unwrap_or(f64::INFINITY);
    let above = LADDER.partition_point(|&size| takes(size) < captured_ns);
    let rung = |nth: usize| LADDER.get(nth).copied();
    let below = above.checked_sub(1).and_then(rung).filter(|&size| takes(size).is_finite());
    let above = rung(above).filter(|&size| takes(size).is_finite());
    let mut found: Vec<usize> = below.into_iter().chain(above).collect();
    if let Some((below, above)) = below.zip(above) {
        let (low, high) = (takes(below), takes(above));
        let share = ((captured_ns - low) / (high - low)).clamp(0.0, 1.0);
        let between = below + ((above - below) as f64 * share).round() as usize;
        found.insert(1, between);
        found.dedup();
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wire_tells_its_payload_to_the_byte() {
        // 10 us per byte plus one millisecond.
        let takes = |size: usize| Some(1e6 + 1e4 * size as f64);
        for size in [7, 12, 20, 100, 247, 1000] {
            let found = around(1e6 + 1e4 * size as f64, takes);
            assert!(found.contains(&size), "{size}: {found:?}");
            assert!(found.len() <= 3 && found.is_sorted(), "{found:?}");
        }
    }

    #[test]
    fn what_is_quicker_or_slower_than_any_message_has_the_nearest_alone() {
        let takes = |size: usize| Some(1e6 + 1e4 * size as f64);
        assert_eq!(around(10.0, takes), [MIN_LEN]);
        assert_eq!(around(1e12, takes), [MAX_SIZE]);
    }

    #[test]
    fn a_payload_a_link_cannot_carry_is_none() {
        let takes = |size: usize| (size <= 100).then_some(1e6 + 1e4 * size as f64);
        assert_eq!(around(1.98e6, takes), [96]);
        assert!(around(1.98e6, |_| None).is_empty());
    }
}
