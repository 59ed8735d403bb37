//! Offered load: messages arrive at a bounded queue independently of the link, and the sending
//! program takes them as fast as the link accepts them.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;

use airlag_app::Sender;
use airlag_sim::channel::Notice;
use airlag_sim::{Instant, Sim};

use super::{Program, opened, sort_all, stop};
use crate::ends::{Bench, BoxedEnd};
use crate::run::MAX_SIZE;

/// Outcome of an offered message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Message {
    /// Instant of arrival at the queue.
    pub offered: Instant,
    /// Whether the queue was full.
    pub refused: bool,
    /// Instant at which the program took the message from the queue. `None` if it did not.
    pub taken: Option<Instant>,
    /// Instant at which the other board had received the message completely. `None` if it did not
    /// receive the message.
    pub delivered: Option<Instant>,
}

impl Message {
    /// Nanoseconds from its arrival at the queue to a later instant.
    #[must_use]
    pub const fn since_offered(&self, at: Instant) -> u64 {
        at.since(self.offered).as_ns()
    }
}

/// A queue of messages, and their outcomes.
#[derive(Debug, Default)]
pub struct Queue {
    /// All offered messages, in order.
    pub messages: Vec<Message>,
    /// Window in which the queue is observed.
    watch: (Instant, Instant),
    /// Integral of the queue length over the observed time, message-nanoseconds, up to the last
    /// change.
    area: u128,
    waiting: VecDeque<usize>,
    changed: Instant,
    /// Indices of the messages sent, in the order of their sequence numbers.
    sent: Vec<usize>,
    /// Number of messages at the start of `sent` that were delivered or skipped.
    settled: usize,
}

impl Queue {
    fn pass(&mut self, now: Instant) {
        let (begin, end) = (self.changed.max(self.watch.0), now.min(self.watch.1));
        if end > begin {
            self.area += self.waiting.len() as u128 * u128::from(end.since(begin).as_ns());
        }
        self.changed = now;
    }

    /// Offers a message to a queue with capacity `room`.
    fn offer(&mut self, now: Instant, room: usize) {
        self.pass(now);
        let refused = self.waiting.len() >= room;
        if !refused {
            self.waiting.push_back(self.messages.len());
        }
        self.messages.push(Message { offered: now, refused, taken: None, delivered: None });
    }

    /// Takes the next message; returns false if the queue is empty.
    pub fn take(&mut self, now: Instant) -> bool {
        self.pass(now);
        let Some(nth) = self.waiting.pop_front() else { return false };
        self.messages[nth].taken = Some(now);
        self.sent.push(nth);
        true
    }

    /// Records the complete arrival of a message by its sequence number. The 16 bits of the number
    /// are sufficient, because far fewer messages are in transit.
    pub fn deliver(&mut self, sequence: u16, now: Instant) {
        let ahead = usize::from(sequence.wrapping_sub(self.settled as u16));
        let Some(&nth) = self.sent.get(self.settled + ahead) else { return };
        self.messages[nth].delivered.get_or_insert(now);
        self.settled += ahead + 1;
    }

    /// Whether the queue is empty and the last message sent has arrived.
    #[must_use]
    pub fn is_settled(&self) -> bool {
        self.waiting.is_empty() && self.settled == self.sent.len()
    }

    /// Mean queue length over the observed time up to `now`.
    #[must_use]
    pub fn mean(&mut self, now: Instant) -> f64 {
        self.pass(now);
        let (begin, end) = (self.watch.0, now.min(self.watch.1));
        if end > begin { self.area as f64 / end.since(begin).as_ns() as f64 } else { 0.0 }
    }
}

/// Times at which messages are offered.
#[derive(Clone, Debug, Default)]
pub struct Offers {
    /// Time and size of the initial burst: `(at, n)` queues `n` messages at `at`, even beyond the
    /// queue capacity.
    pub ahead: (Instant, usize),
    /// Arrival times of all other messages, ascending.
    pub arrivals: Vec<Instant>,
}

/// An offered load and its queue.
#[derive(Clone)]
pub struct Offered {
    /// Outcomes of the messages.
    pub queue: Rc<RefCell<Queue>>,
    /// Queue capacity, messages.
    pub room: usize,
    /// Message size, bytes.
    pub size: usize,
    /// Arrival times.
    pub offers: Rc<Offers>,
    news: Rc<Notice>,
}

impl Offered {
    /// Creates a load of messages of `size` bytes with arrivals `offers`, for a queue with capacity
    /// `room` that is observed from one instant to another.
    #[must_use]
    pub fn new(
        sim: &Sim,
        size: usize,
        room: usize,
        offers: Offers,
        watch: (Instant, Instant),
    ) -> Self {
        let news = Rc::new(Notice::new(sim));
        let queue = Rc::new(RefCell::new(Queue { watch, ..Queue::default() }));
        Self { queue, room, size, offers: Rc::new(offers), news }
    }

    /// Notification of arrivals at the queue.
    pub fn news(&self) -> Rc<Notice> {
        Rc::clone(&self.news)
    }

    /// Starts the arrivals.
    pub fn arrive(&self, bench: &Bench) {
        let (sim, offered) = (bench.sim().clone(), self.clone());
        bench.sim().spawn("arrivals", async move {
            let (begin, many) = offered.offers.ahead;
            sim.sleep_until(begin).await;
            for _ in 0..many {
                offered.queue.borrow_mut().offer(begin, usize::MAX);
            }
            offered.news.raise();
            for &at in &offered.offers.arrivals {
                sim.sleep_until(at).await;
                offered.queue.borrow_mut().offer(at, offered.room);
                offered.news.raise();
            }
        });
    }
}

impl Program for Offered {
    fn start(&self, near: BoxedEnd, far: BoxedEnd, bench: &Bench) {
        self.arrive(bench);
        let (report, link, sim) = (bench.shared_report(), near.link, bench.sim().clone());
        let offered = self.clone();
        bench.sim().spawn("sender", async move {
            let Some(mut link) = opened("sender", link, &report).await else { return };
            let mut sender = match Sender::<MAX_SIZE>::new(offered.size) {
                Ok(sender) => sender,
                Err(error) => return stop("sender", error.to_string(), &report),
            };
            loop {
                while !offered.queue.borrow_mut().take(sim.now()) {
                    offered.news.wait().await;
                }
                if let Err(error) = sender.stream(&mut link).await {
                    return stop("sender", error.to_string(), &report);
                }
                report.borrow_mut().sent = sender.sent();
            }
        });

        let (queue, sim) = (Rc::clone(&self.queue), bench.sim().clone());
        sort_all(far.link, bench, move |sequence| {
            queue.borrow_mut().deliver(sequence, sim.now());
        });
    }
}
