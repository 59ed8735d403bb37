//! Saturated stream: the sending program waits only for its link.

use std::cell::RefCell;
use std::rc::Rc;

use airlag_app::Sender;
use airlag_sim::{Duration, Instant};

use super::{Program, opened, sort_all, stop};
use crate::ends::{Bench, BoxedEnd};
use crate::run::MAX_SIZE;

/// Progress of a saturated stream.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StreamProgress {
    /// Messages handed to the link.
    pub sent: u64,
    /// Number of messages received completely in the measured section, without the message that
    /// started it.
    pub delivered: u64,
    /// Number of messages that are missing in this section although a later one arrived.
    pub lost: u64,
    /// Start of the measured section, on the bench's clock.
    pub first: Instant,
    /// Arrival of the last message.
    pub last: Instant,
    /// Number of messages that were handed over but neither delivered nor skipped when the last
    /// message arrived. The link accepts this many messages before it blocks a sender.
    pub under_way: u64,
    /// Number of messages delivered or skipped.
    pub passed: u64,
    /// Messages delivered before the measured section.
    settled: u64,
    sequence: u16,
}

impl StreamProgress {
    /// Records the arrival of a message. The measured section starts with the arrival of message
    /// number `settle` (counted from 1), and ends after `count` further messages. Messages that
    /// arrive at the same instant as message `settle` are not among these `count` messages. Returns
    /// the time from the previous arrival to this arrival if the section contains both arrivals.
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
            // Negative if the last message arrived before the link completed its transmission.
            let under_way = (self.sent as u16).wrapping_sub(self.sequence).cast_signed();
            self.under_way = u64::try_from(under_way).unwrap_or(0);
            let gap = now.since(self.last);
            self.last = now;
            return Some(gap);
        }
        None
    }
}

/// A saturated stream and its limits.
#[derive(Clone)]
pub struct Saturated {
    /// Progress.
    pub carried: Rc<RefCell<StreamProgress>>,
    /// Gaps between successive arrivals in the measured section, ns.
    pub gaps_ns: Rc<RefCell<Vec<i64>>>,
    /// Message size, bytes.
    pub size: usize,
    /// Time at which the first message may be sent. The other end is listening by then.
    pub begin: Instant,
    /// Arrivals before the measured section, including the one that starts it.
    pub settle: u64,
    /// Arrivals after which the stream stops.
    pub count: u64,
}

impl Saturated {
    /// Creates a stream without progress.
    #[must_use]
    pub fn new(size: usize, begin: Instant, settle: u64, count: u64) -> Self {
        let (carried, gaps_ns) = Default::default();
        Self { carried, gaps_ns, size, begin, settle, count }
    }

    /// Records the complete arrival of a message.
    pub fn deliver(&self, sequence: u16, now: Instant) {
        let gap = self.carried.borrow_mut().deliver(sequence, now, self.settle, self.count);
        self.gaps_ns.borrow_mut().extend(gap.map(|gap| gap.as_ns() as i64));
    }
}

impl Program for Saturated {
    fn start(&self, near: BoxedEnd, far: BoxedEnd, bench: &Bench) {
        let (report, link, sim) = (bench.shared_report(), near.link, bench.sim().clone());
        let (size, begin, carried) = (self.size, self.begin, Rc::clone(&self.carried));
        bench.sim().spawn("sender", async move {
            let Some(mut link) = opened("sender", link, &report).await else { return };
            let mut sender = match Sender::<MAX_SIZE>::new(size) {
                Ok(sender) => sender,
                Err(error) => return stop("sender", error.to_string(), &report),
            };
            sim.sleep_until(begin).await;
            loop {
                if let Err(error) = sender.stream(&mut link).await {
                    return stop("sender", error.to_string(), &report);
                }
                carried.borrow_mut().sent += 1;
                report.borrow_mut().sent = sender.sent();
            }
        });

        let (program, sim) = (self.clone(), bench.sim().clone());
        sort_all(far.link, bench, move |sequence| program.deliver(sequence, sim.now()));
    }
}
