//! Interval of payloads that explain a capture about as well as the best payload.
//!
//! On a wired link, the latency determines the payload size to the byte. On a link whose messages
//! wait for the schedule of the link, the latency is about the same for a few bytes more or less.
//! For a link with such a schedule, a single payload size would suggest more accuracy than the
//! capture supports.

use airlag_link::message::MIN_LEN;
use airlag_rig::run::MAX_SIZE;

/// Posterior odds against a payload outside the interval, with equal prior probabilities.
pub(super) const ODDS: f64 = 20.0;

/// An interval of payloads, bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interval {
    /// Smallest payload.
    pub least: usize,
    /// Largest payload.
    pub most: usize,
}

impl Interval {
    /// The interval of payloads around `best` that `fits` accepts, including `best`. Each end has
    /// an accuracy of an eighth of its distance from `best`.
    pub(super) fn around(best: usize, fits: impl Fn(usize) -> bool) -> Self {
        let least = edge(best, |inside, by| inside.saturating_sub(by).max(MIN_LEN), &fits);
        let most = edge(best, |inside, by| (inside + by).min(MAX_SIZE), &fits);
        Self { least, most }
    }
}

/// Last payload that fits in the direction of `go`, found in growing steps and then by bisection.
fn edge(best: usize, go: impl Fn(usize, usize) -> usize, fits: &impl Fn(usize) -> bool) -> usize {
    let (mut inside, mut stride) = (best, 1);
    let outside = loop {
        let next = go(inside, stride);
        if next == inside {
            return inside;
        }
        if !fits(next) {
            break next;
        }
        (inside, stride) = (next, 2 * stride);
    };
    let mut gap = inside.abs_diff(outside);
    while gap > 1 + best.abs_diff(inside) / 8 {
        let middle = go(inside, gap / 2);
        if fits(middle) {
            inside = middle;
            gap -= gap / 2;
        } else {
            gap /= 2;
        }
    }
    inside
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    fn of(least: usize, most: usize) -> impl Fn(usize) -> bool {
        move |size| (least..=most).contains(&size)
    }

    #[test]
    fn an_interval_of_a_few_bytes_is_exact() {
        for (least, most) in [(128, 128), (127, 129), (120, 135)] {
            assert_eq!(Interval::around(128, of(least, most)), Interval { least, most });
        }
    }

    #[test]
    fn a_wide_interval_is_known_to_an_eighth_of_its_width() {
        for (least, most) in [(5, 700), (12, 2_000), (100, 1_500)] {
            let found = Interval::around(128, of(least, most));
            assert!((least..=least + 16).contains(&found.least), "{found:?}");
            assert!(found.most <= most && 9 * (most - found.most) <= most - 128 + 9, "{found:?}");
        }
    }

    #[test]
    fn an_interval_ends_with_the_shortest_and_the_longest_message() {
        let all = Interval::around(128, of(0, usize::MAX));
        assert_eq!(all, Interval { least: MIN_LEN, most: MAX_SIZE });
    }

    #[test]
    fn few_payloads_are_looked_at() {
        let looked = Cell::new(0);
        let _ = Interval::around(128, |size| {
            looked.set(looked.get() + 1);
            (60..900).contains(&size)
        });
        assert!(looked.get() < 30, "{}", looked.get());
    }
}
