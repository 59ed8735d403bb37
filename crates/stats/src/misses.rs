//! How many messages miss a deadline, and how many in a row.
//!
//! A control loop rides over one late sample and stops at the fifth in a row: the share of misses
//! does not tell which it will be, since losses and stalls come in bursts. What is lost misses every
//! deadline; what is censored is not judged, and neither breaks nor lengthens a run of misses.

use crate::interval::wilson;

/// What becomes of messages at one deadline.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Misses {
    /// The deadline: a message that takes longer misses it, ns.
    pub deadline_ns: i64,
    /// Messages whose fate is known.
    pub n: usize,
    /// Of these, late or lost.
    pub missed: usize,
    /// The 95 % interval of their share (Wilson), which takes misses as independent of each other.
    pub interval: (f64, f64),
    /// Most of them in a row.
    pub longest_run: usize,
}

impl Misses {
    /// Holds messages against a deadline: their latencies in the order of their triggers, ns, and
    /// none for a lost one. `None` when there are no messages.
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
        /// A longer deadline is missed by no more messages, nor by more in a row.
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
