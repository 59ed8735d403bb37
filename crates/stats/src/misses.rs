//! Missed deadlines, and the longest run of consecutive misses.
//!
//! A control loop tolerates a single late sample but not several late samples in a row. Losses and stalls
//! come in bursts, so the share of missed deadlines is not a sufficient measure. A lost message misses every
//! deadline. A censored message does not count as a miss. A censored message neither interrupts nor extends a
//! run of consecutive misses.

use crate::interval::wilson;

/// Messages checked against one deadline.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Misses {
    /// Deadline, ns. A message that takes longer misses it.
    pub deadline_ns: i64,
    /// Messages with a known outcome.
    pub n: usize,
    /// Late or lost messages.
    pub missed: usize,
    /// The 95 % confidence interval of the share of missed messages (Wilson), for independent
    /// misses.
    pub interval: (f64, f64),
    /// Longest run of consecutive misses.
    pub longest_run: usize,
}

impl Misses {
    /// Checks messages against a deadline. `fates` are the latencies in trigger order, ns, `None` for a lost
    /// message. Returns `None` without messages.
    #[must_use]
    pub fn of(fates: &[Option<i64>], deadline_ns: i64) -> Option<Self> {
        let (mut missed, mut run, mut longest_run) = (0, 0, 0);
        for fate in fates {
            if fate.is_none_or(|latency| latency > deadline_ns) {
                missed += 1;
                run += 1;
                longest_run = longest_run.max(run);
            } else {
                run = 0;
            }
        }
        let interval = wilson(missed, fates.len())?;
        Some(Self { deadline_ns, n: fates.len(), missed, interval, longest_run })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn late_and_lost_messages_miss_and_count_in_a_row() {
        let fates = [Some(5), Some(11), None, Some(40), Some(10), Some(12)];
        let found = Misses::of(&fates, 10).expect("fates");
        assert_eq!((found.n, found.missed, found.longest_run), (6, 4, 3));
        assert_eq!(Misses::of(&[], 10), None);
    }

    proptest! {
        /// A longer deadline never increases the number of misses or of consecutive misses.
        #[test]
        fn misses_only_fall_with_the_deadline(
            fates in proptest::collection::vec(proptest::option::of(0i64..100), 1..200),
            deadline in 0i64..100,
        ) {
            let short = Misses::of(&fates, deadline).expect("some");
            let long = Misses::of(&fates, deadline + 1).expect("some");
            prop_assert!(long.missed <= short.missed && long.longest_run <= short.longest_run);
            prop_assert!(short.longest_run <= short.missed && short.missed <= short.n);
            prop_assert_eq!(short.longest_run == 0, short.missed == 0);
            let lost = fates.iter().filter(|fate| fate.is_none()).count();
            prop_assert_eq!(Misses::of(&fates, i64::MAX).expect("some").missed, lost);
        }
    }
}
