//! Messages without end: the sending program never waits for anything but its link.

use std::cell::RefCell;
use std::rc::Rc;

use airlag_app::{Sender, Sorter};
use airlag_sim::Instant;

use super::{opened, receive_all, stop};
use crate::ends::{Bench, End, Opening, Pins};
use crate::run::MAX_SIZE;

/// What came through.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Carried {
    /// Messages handed to the link.
    pub sent: u64,
    /// Messages received whole.
    pub delivered: u64,
    /// When the first of them was, on the bench's clock.
    pub first: Instant,
    /// When the last of them was.
    pub last: Instant,
    /// Sequence number of the last one, and messages passed by before it.
    sequence: Option<u16>,
    passed_by: u64,
}

impl Carried {
    /// Messages that did not arrive although a later one did.
    #[must_use]
    pub const fn lost(&self) -> u64 {
        self.passed_by
    }

    fn deliver(&mut self, sequence: u16, now: Instant) {
        let next = self.sequence.map_or(0, |last| last.wrapping_add(1));
        self.passed_by += u64::from(sequence.wrapping_sub(next));
        self.sequence = Some(sequence);
        if self.delivered == 0 {
            self.first = now;
        }
        self.delivered += 1;
        self.last = now;
    }
}

/// A count, and how long its messages are.
#[derive(Clone)]
pub struct Saturated {
    /// What came through so far.
    pub carried: Rc<RefCell<Carried>>,
    /// Bytes of a message.
    pub size: usize,
    /// When the first message may be sent: the other end is listening by then.
    pub begin: Instant,
}

impl Saturated {
    /// That has carried nothing.
    #[must_use]
    pub fn new(size: usize, begin: Instant) -> Self {
        Self { carried: Rc::default(), size, begin }
    }

    pub(super) fn start(
        &self,
        near: End<impl Pins, impl Opening>,
        far: End<impl Pins, impl Opening>,
        bench: &Bench,
    ) {
        let (told, link, sim) = (bench.told(), near.link, bench.sim().clone());
        let (size, begin, carried) = (self.size, self.begin, Rc::clone(&self.carried));
        bench.sim().spawn("sender", async move {
            let Some(mut link) = opened("sender", link, &told).await else { return };
            let mut sender = match Sender::<MAX_SIZE>::new(size) {
                Ok(sender) => sender,
                Err(error) => return stop("sender", error.to_string(), &told),
            };
            sim.sleep_until(begin).await;
            loop {
                if let Err(error) = sender.stream(&mut link).await {
                    return stop("sender", error.to_string(), &told);
                }
                carried.borrow_mut().sent += 1;
                told.borrow_mut().sent = sender.sent();
            }
        });

        let (told, link, sim) = (bench.told(), far.link, bench.sim().clone());
        let carried = Rc::clone(&self.carried);
        bench.sim().spawn("receiver", async move {
            let Some(link) = opened("receiver", link, &told).await else { return };
            let mut sorter = Sorter::<MAX_SIZE>::new();
            let counted = Rc::clone(&told);
            let count = |chunk: &[u8], stream| {
                sorter.sort(chunk, stream, |sequence| {
                    carried.borrow_mut().deliver(sequence, sim.now());
                });
                counted.borrow_mut().received = sorter.received();
            };
            receive_all(link, told, count).await;
        });
    }
}
