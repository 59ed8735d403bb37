//! What is scheduled, earliest first; what is scheduled for one instant, in the order it was asked.
//!
//! The earliest few keys are kept in order, because most benches have no more and a place among few is
//! found sooner than a heap is repaired. A heap holds those after them. Keys are one word pair each, and
//! the events stay where they were written. Both are made of whole words that are written and read one by
//! one: a record that is copied in one piece right after it was written in several stalls the processor,
//! which cost more than all comparisons together.

use std::cell::Cell;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::rc::Rc;

use crate::sim::Timed;

/// What happens at an instant: a target is told its token, or without one, a task is woken.
pub(crate) struct Event {
    pub(crate) target: Option<Rc<dyn Timed>>,
    pub(crate) token: u64,
}

/// The target that calls `call` once, whatever it is told.
pub(crate) fn once(call: impl FnOnce() + 'static) -> Rc<dyn Timed> {
    Rc::new(Once(Cell::new(Some(call))))
}

struct Once<F>(Cell<Option<F>>);

impl<F: FnOnce()> Timed for Once<F> {
    fn due(self: Rc<Self>, _token: u64) {
        if let Some(call) = self.0.take() {
            call();
        }
    }
}

/// Bits of a key for the place of its event: 16 million of them can wait at a time.
const PLACE_BITS: u32 = 24;
/// Bits of a key for the order of asking. When they run out, who waits is counted anew.
const ORDER_BITS: u32 = 64 - PLACE_BITS;

/// Instant, order and place, from the highest bits to the lowest.
type Key = u128;

const fn key(at: u64, order: u64, place: usize) -> Key {
    (at as u128) << 64 | (order as u128) << PLACE_BITS | place as u128
}

const fn instant_of(key: Key) -> u64 {
    (key >> 64) as u64
}

const fn place_of(key: Key) -> usize {
    key as usize & ((1 << PLACE_BITS) - 1)
}

/// Keys kept in order.
const NEAR: usize = 24;

#[derive(Default)]
pub(crate) struct Queue {
    /// The earliest keys, the first of them last.
    near: Vec<Key>,
    /// The keys after all of `near`.
    far: BinaryHeap<Reverse<Key>>,
    /// Where events wait. The token of a place without one is the next such place.
    events: Vec<Event>,
    /// The first place without an event; the number of places if each has one.
    free: usize,
    order: u64,
}

/// What there is to do up to an instant.
pub(crate) enum Next {
    /// Nothing is scheduled.
    Nothing,
    /// All of it is scheduled for later.
    Later,
    /// The earliest event, with its instant.
    Due(u64, Event),
}

/// Adds a place; the one after it would be the next without an event.
#[cold]
fn grow(events: &mut Vec<Event>) -> &mut Event {
    let place = events.len();
    assert!(place >> PLACE_BITS == 0, "fewer than 2^24 events wait at a time");
    events.push(Event { target: None, token: place as u64 + 1 });
    &mut events[place]
}

impl Queue {
    /// The instant of the earliest.
    #[inline]
    pub(crate) fn next_at(&self) -> Option<u64> {
        self.first().map(instant_of)
    }

    #[inline]
    fn first(&self) -> Option<Key> {
        self.near.last().copied().or_else(|| self.far.peek().map(|&Reverse(key)| key))
    }

    /// Schedules that `target` is told `token`. They come as words and not as an [`Event`], so that
    /// they are written once, where they wait.
    #[inline]
    pub(crate) fn push(&mut self, at: u64, target: Option<Rc<dyn Timed>>, token: u64) {
        let place = self.free;
        let slot = match self.events.get_mut(place) {
            Some(slot) => slot,
            None => grow(&mut self.events),
        };
        self.free = slot.token as usize;
        slot.target = target;
        slot.token = token;
        if self.order >> ORDER_BITS != 0 {
            self.count_anew();
        }
        let key = key(at, self.order, place);
        self.order += 1;
        if self.far.peek().is_none_or(|&Reverse(first)| key < first) {
            self.push_near(key);
        } else {
            self.far.push(Reverse(key));
        }
    }

    /// Moves each key that is earlier by one: they are few, so this costs less than to find the place
    /// first and to move them all. `key` was asked for last.
    #[inline]
    fn push_near(&mut self, key: Key) {
        self.near.push(key);
        let mut keys = &mut self.near[..];
        while let [.., earlier, place] = &mut *keys
            && instant_of(*earlier) <= instant_of(key)
        {
            *place = *earlier;
            *earlier = key;
            let rest = keys.len() - 1;
            keys = &mut keys[..rest];
        }
        if self.near.len() > NEAR {
            self.spill();
        }
    }

    /// Leaves the later half of the near keys to the heap.
    #[cold]
    fn spill(&mut self) {
        self.far.extend(self.near.drain(..NEAR / 2).map(Reverse));
    }

    #[cold]
    fn count_anew(&mut self) {
        self.far.extend(self.near.drain(..).map(Reverse));
        let waiting = core::mem::take(&mut self.far).into_sorted_vec();
        self.order = 0;
        for Reverse(old) in waiting.into_iter().rev() {
            self.far.push(Reverse(key(instant_of(old), self.order, place_of(old))));
            self.order += 1;
        }
    }

    /// Takes the earliest, unless it is scheduled for after `limit`.
    #[inline]
    pub(crate) fn pop_until(&mut self, limit: u64) -> Next {
        let key = match self.near.last() {
            Some(&key) if instant_of(key) > limit => return Next::Later,
            Some(&key) => {
                self.near.pop();
                key
            }
            None => match self.far.peek() {
                None => return Next::Nothing,
                Some(&Reverse(key)) if instant_of(key) > limit => return Next::Later,
                Some(&Reverse(key)) => {
                    self.far.pop();
                    key
                }
            },
        };
        let place = place_of(key);
        let event = &mut self.events[place];
        let (target, token) = (event.target.take(), event.token);
        event.token = self.free as u64;
        self.free = place;
        Next::Due(instant_of(key), Event { target, token })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    struct Deaf;
    impl Timed for Deaf {
        fn due(self: Rc<Self>, _token: u64) {}
    }

    proptest! {
        #[test]
        fn events_come_by_instant_and_then_as_they_were_asked(
            steps in prop::collection::vec((prop::bool::weighted(0.6), 0_u64..5), 1..400),
            order in prop::sample::select(vec![0, (1_u64 << ORDER_BITS) - 20]),
        ) {
            let mut queue = Queue { order, ..Queue::default() };
            let mut waiting: Vec<(u64, u64)> = Vec::new();
            for (token_pushed, (push, at)) in (0..).zip(steps) {
                if push {
                    queue.push(at, Some(Rc::new(Deaf)), token_pushed);
                    waiting.push((at, token_pushed));
                } else {
                    waiting.sort_unstable();
                    let expected = (!waiting.is_empty()).then(|| waiting.remove(0));
                    prop_assert_eq!(queue.next_at(), expected.map(|(at, _)| at));
                    if let Some(before) = expected.and_then(|(at, _)| at.checked_sub(1)) {
                        prop_assert!(matches!(queue.pop_until(before), Next::Later));
                    }
                    let popped = match queue.pop_until(u64::MAX) {
                        Next::Due(at, event) => Some((at, event.token)),
                        Next::Nothing | Next::Later => None,
                    };
                    prop_assert_eq!(popped, expected);
                }
            }
        }
    }
}
