//! Offered load: messages come to a bounded queue when they please, and the sending program takes
//! them as fast as its link lets it.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;

use airlag_app::Sender;
use airlag_sim::channel::Notice;
use airlag_sim::{Instant, Sim};

use super::{Program, opened, sort_all, stop};
use crate::ends::{Bench, BoxedEnd};
use crate::run::MAX_SIZE;

/// What became of a message that was offered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Message {
    /// When it came to the queue.
    pub offered: Instant,
    /// Whether it found the queue full.
    pub refused: bool,
    /// When the program took it; none if it never did.
    pub taken: Option<Instant>,
    /// When the other board had it whole; none if it never did.
    pub delivered: Option<Instant>,
}

impl Message {
    /// Nanoseconds from its offer to a later instant.
    #[must_use]
    pub const fn since_offered(&self, at: Instant) -> u64 {
        at.since(self.offered).as_ns()
    }
}

/// A queue of messages, and what became of each.
#[derive(Debug, Default)]
pub struct Queue {
    /// Every message offered, in order.
    pub messages: Vec<Message>,
    /// When the queue is looked at.
    watch: (Instant, Instant),
    /// Waiting messages times the nanoseconds they were looked at, up to the last change.
    area: u128,
    waiting: VecDeque<usize>,
    changed: Instant,
    /// Of the messages sent, in the order of their sequence numbers.
    sent: Vec<usize>,
    /// Up to here of `sent`, messages were delivered or passed by.
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

    /// Offers a message to a queue that holds `room`.
    fn offer(&mut self, now: Instant, room: usize) {
        self.pass(now);
        let refused = self.waiting.len() >= room;
        if !refused {
            self.waiting.push_back(self.messages.len());
        }
        self.messages.push(Message { offered: now, refused, taken: None, delivered: None });
    }

    /// Takes the next message; false if none waits.
    pub fn take(&mut self, now: Instant) -> bool {
        self.pass(now);
        let Some(nth) = self.waiting.pop_front() else { return false };
        self.messages[nth].taken = Some(now);
        self.sent.push(nth);
        true
    }

    /// The message with this sequence number came whole. Numbers are those of 16 bits; what is
    /// under way is far less than that.
    pub fn deliver(&mut self, sequence: u16, now: Instant) {
        let ahead = usize::from(sequence.wrapping_sub(self.settled as u16));
        let Some(&nth) = self.sent.get(self.settled + ahead) else { return };
        self.messages[nth].delivered.get_or_insert(now);
        self.settled += ahead + 1;
    }

    /// Whether nothing waits, and the last message that was sent has come.
    #[must_use]
    pub fn is_settled(&self) -> bool {
        self.waiting.is_empty() && self.settled == self.sent.len()
    }

    /// Messages that waited, on average over the time the queue was looked at, up to `now`.
    #[must_use]
    pub fn mean(&mut self, now: Instant) -> f64 {
        self.pass(now);
        let (begin, end) = (self.watch.0, now.min(self.watch.1));
        if end > begin { self.area as f64 / end.since(begin).as_ns() as f64 } else { 0.0 }
    }
}

/// When messages are offered.
#[derive(Clone, Debug, Default)]
pub struct Offers {
    /// How many there are from an instant on, of which none is refused.
    pub ahead: (Instant, usize),
    /// When the others come, ascending.
    pub arrivals: Vec<Instant>,
}

/// When messages are offered, and the queue they come to.
#[derive(Clone)]
pub struct Offered {
    /// What became of the messages.
    pub queue: Rc<RefCell<Queue>>,
    /// Messages the queue holds.
    pub room: usize,
    /// Bytes of a message.
    pub size: usize,
    /// When they come.
    pub offers: Rc<Offers>,
    news: Rc<Notice>,
}

impl Offered {
    /// Messages of `size` bytes as `offers` says, to a queue for `room` of them that is looked at from
    /// one instant to another.
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

    /// What is raised when a message comes.
    pub fn news(&self) -> Rc<Notice> {
        Rc::clone(&self.news)
    }

    /// Lets the messages come.
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
        let (told, link, sim) = (bench.told(), near.link, bench.sim().clone());
        let offered = self.clone();
        bench.sim().spawn("sender", async move {
            let Some(mut link) = opened("sender", link, &told).await else { return };
            let mut sender = match Sender::<MAX_SIZE>::new(offered.size) {
                Ok(sender) => sender,
                Err(error) => return stop("sender", error.to_string(), &told),
            };
            loop {
                while !offered.queue.borrow_mut().take(sim.now()) {
                    offered.news.wait().await;
                }
                if let Err(error) = sender.stream(&mut link).await {
                    return stop("sender", error.to_string(), &told);
                }
                told.borrow_mut().sent = sender.sent();
            }
        });

        let (queue, sim) = (Rc::clone(&self.queue), bench.sim().clone());
        sort_all(far.link, bench, move |sequence| {
            queue.borrow_mut().deliver(sequence, sim.now());
        });
    }
}
