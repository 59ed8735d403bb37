//! Event queue, ordered by instant and then by the order of scheduling.
//!
//! The earliest entries are kept in a sorted array, because most benches have few entries, and
//! insertion among few is cheaper than a heap operation. A heap holds the others.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Recipient of an event.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Target {
    /// The task whose key is the token.
    Task,
    /// The call whose number is the token.
    Call,
    /// The model with this number, which receives the token.
    Model(u32),
}

/// An event. Ordered by instant, then by the order of scheduling.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Entry {
    at: u64,
    order: u64,
    token: u64,
    target: Target,
}

/// Largest number of entries in the sorted array.
const NEAR: usize = 24;

#[derive(Default)]
pub(crate) struct Queue {
    /// The earliest entries, in descending order: the earliest is last.
    near: Vec<Entry>,
    /// The other entries, none earlier than those of `near`.
    far: BinaryHeap<Reverse<Entry>>,
    order: u64,
}

/// The next event up to a limit.
pub(crate) enum Next {
    /// No event is scheduled.
    Nothing,
    /// All events are after the limit.
    Later,
    /// The earliest event: its instant, its recipient and the token.
    Due(u64, Target, u64),
}

impl Queue {
    /// Instant of the earliest event.
    #[inline]
    pub(crate) fn next_at(&self) -> Option<u64> {
        let first = self.near.last().or_else(|| self.far.peek().map(|Reverse(first)| first));
        first.map(|first| first.at)
    }

    /// Schedules an event.
    #[inline]
    pub(crate) fn push(&mut self, at: u64, target: Target, token: u64) {
        let entry = Entry { at, order: self.order, token, target };
        self.order += 1;
        if self.far.peek().is_none_or(|Reverse(first)| at < first.at) {
            self.push_near(entry);
        } else {
            self.far.push(Reverse(entry));
        }
    }

    /// Inserts `entry`, the last one scheduled, by moving earlier entries one position each. They
    /// are few, so this is cheaper than a search for the position.
    #[inline]
    fn push_near(&mut self, entry: Entry) {
        self.near.push(entry);
        let mut entries = &mut self.near[..];
        while let [.., earlier, place] = &mut *entries
            && earlier.at <= entry.at
        {
            *place = *earlier;
            *earlier = entry;
            let rest = entries.len() - 1;
            entries = &mut entries[..rest];
        }
        if self.near.len() > NEAR {
            self.spill();
        }
    }

    /// Moves the later half of the near entries to the heap.
    #[cold]
    fn spill(&mut self) {
        self.far.extend(self.near.drain(..NEAR / 2).map(Reverse));
    }

    /// Removes the earliest event, unless it is after `limit`.
    #[inline]
    pub(crate) fn pop_until(&mut self, limit: u64) -> Next {
        let first = match self.near.last() {
            Some(first) if first.at > limit => return Next::Later,
            Some(&first) => {
                self.near.pop();
                first
            }
            None => match self.far.peek() {
                None => return Next::Nothing,
                Some(Reverse(first)) if first.at > limit => return Next::Later,
                Some(&Reverse(first)) => {
                    self.far.pop();
                    first
                }
            },
        };
        Next::Due(first.at, first.target, first.token)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn events_come_by_instant_and_then_as_they_were_asked(
            steps in prop::collection::vec((prop::bool::weighted(0.6), 0_u64..5), 1..400),
        ) {
            let mut queue = Queue::default();
            let mut waiting: Vec<(u64, u64)> = Vec::new();
            for (token_pushed, (push, at)) in (0..).zip(steps) {
                if push {
                    queue.push(at, Target::Call, token_pushed);
                    waiting.push((at, token_pushed));
                } else {
                    waiting.sort_unstable();
                    let expected = (!waiting.is_empty()).then(|| waiting.remove(0));
                    prop_assert_eq!(queue.next_at(), expected.map(|(at, _)| at));
                    if let Some(before) = expected.and_then(|(at, _)| at.checked_sub(1)) {
                        prop_assert!(matches!(queue.pop_until(before), Next::Later));
                    }
                    let popped = match queue.pop_until(u64::MAX) {
                        Next::Due(at, _, token) => Some((at, token)),
                        Next::Nothing | Next::Later => None,
                    };
                    prop_assert_eq!(popped, expected);
                }
            }
        }
    }
}
