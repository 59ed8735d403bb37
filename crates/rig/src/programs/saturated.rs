//! Messages without end: the sending program never waits for anything but its link.

use std::cell::RefCell;
use std::rc::Rc;

use airlag_app::Sender;
use airlag_sim::{Duration, Instant};

use super::{Program, opened, sort_all, stop};
use crate::ends::{Bench, BoxedEnd};
use crate::run::MAX_SIZE;

/// What came through.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Carried {
    /// Messages handed to the link.
    pub sent: u64,
    /// Messages received whole while the watch ran: the one that started it is not among them.
    pub delivered: u64,
    /// Messages that did not come in that time although a later one did.
    pub lost: u64,
    /// When the watch started, on the bench's clock.
    pub first: Instant,
    /// When the last message came.
    pub last: Instant,
    /// Messages handed over and neither come nor passed by when the last one came: what the link holds
    /// before it keeps a sender waiting.
    pub under_way: u64,
    /// Messages that came or were passed by.
    pub passed: u64,
    /// Messages that came before the watch started.
    settled: u64,
    sequence: u16,
}

impl Carried {
    /// The watch starts with message `settle` (from 1), and with those that come at the same instant,
    /// and stops after `count` more. Gives how long after the message before this one came, if both did
    /// while it ran.
    fn deliver(
        &mut self,
        sequence: u16,
        now: Instant,
        settle: u64,
        count: u64,
    ) -> Option<Duration> {
        let passed_by = u64::from(sequence.wrapping_sub(self.sequence));
        self.sequence = sequence.wrapping_add(1);
        self.passed += passed_by + 1;
        if self.settled < settle || now == self.first {
            self.settled += 1;
            (self.first, self.last) = (now, now);
        } else if self.delivered < count {
            self.delivered += 1;
            self.lost += passed_by;
            // Less than none: the last one came before the link was done with it.
            let under_way = (self.sent as u16).wrapping_sub(self.sequence).cast_signed();
            self.under_way = u64::try_from(under_way).unwrap_or(0);
            let gap = now.since(self.last);
            self.last = now;
            return Some(gap);
        }
        None
    }
}

/// A count, and how long its messages are.
#[derive(Clone)]
pub struct Saturated {
    /// What came through so far.
    pub carried: Rc<RefCell<Carried>>,
    /// From each message that came while the watch ran to the next, ns.
    pub gaps_ns: Rc<RefCell<Vec<i64>>>,
    /// Bytes of a message.
    pub size: usize,
    /// When the first message may be sent: the other end is listening by then.
    pub begin: Instant,
    /// Messages that come before the watch starts, the one that starts it included.
    pub settle: u64,
    /// Messages after which it stops.
    pub count: u64,
}

impl Saturated {
    /// That has carried nothing.
    #[must_use]
    pub fn new(size: usize, begin: Instant, settle: u64, count: u64) -> Self {
        let (carried, gaps_ns) = Default::default();
        Self { carried, gaps_ns, size, begin, settle, count }
    }

    /// A message came whole.
    pub fn deliver(&self, sequence: u16, now: Instant) {
        let gap = self.carried.borrow_mut().deliver(sequence, now, self.settle, self.count);
        self.gaps_ns.borrow_mut().extend(gap.map(|gap| gap.as_ns() as i64));
    }
}

impl Program for Saturated {
    fn start(&self, near: BoxedEnd, far: BoxedEnd, bench: &Bench) {
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

        let (program, sim) = (self.clone(), bench.sim().clone());
        sort_all(far.link, bench, move |sequence| program.deliver(sequence, sim.now()));
    }
}
