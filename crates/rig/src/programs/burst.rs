//! Messages back to back: so many, handed over one after the other whatever becomes of them.

use std::cell::RefCell;
use std::rc::Rc;

use airlag_app::{Collector, Repeater, Sender};
use airlag_link::Delivery;
use airlag_sim::{Clock, Duration, Instant, Sim};
use embassy_futures::join::join;
use embedded_hal_async::delay::DelayNs;

use super::{Program, opened, sort_all, stop};
use crate::ends::{Bench, BoxedEnd, Pins};
use crate::run::MAX_SIZE;

/// What became of a message, by its position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fate {
    /// When the program had handed it over, the last time.
    pub handed: Instant,
    /// Whether the link took it then, as far as the program knows.
    pub refused: bool,
    /// When the other board had it whole; none if it never did.
    pub came: Option<Instant>,
}

/// What happened so far.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    /// Messages in the order in which they were handed over first.
    pub messages: Vec<Fate>,
    /// How often a message was handed over, repeats included.
    pub handed: u64,
    /// Whether the sending program is done.
    pub done: bool,
}

impl Seen {
    fn hand_over(&mut self, nth: usize, now: Instant, delivery: Delivery) {
        let fate = Fate { handed: now, refused: delivery == Delivery::Lost, came: None };
        self.handed += 1;
        match self.messages.get_mut(nth) {
            Some(message) => *message = Fate { came: message.came, ..fate },
            None => self.messages.push(fate),
        }
    }

    /// The message with this sequence number came: the last one that was handed over with it, or the
    /// one about to be.
    fn deliver(&mut self, sequence: u16, now: Instant) {
        let begun = self.messages.len();
        if sequence == begun as u16 {
            // It came before its sender was told that it had left.
            self.messages.push(Fate { handed: now, refused: false, came: Some(now) });
            return;
        }
        let behind = usize::from((begun as u16).wrapping_sub(sequence));
        if let Some(message) = begun.checked_sub(behind).and_then(|nth| self.messages.get_mut(nth))
        {
            message.came.get_or_insert(now);
        }
    }
}

/// So many messages, and how they are sent.
#[derive(Clone)]
pub struct Burst {
    /// What happened so far.
    pub seen: Rc<RefCell<Seen>>,
    /// Bytes of a message.
    pub size: usize,
    /// How many messages.
    pub count: u32,
    /// When the first is handed over: the other end is listening by then.
    pub begin: Instant,
    /// From one being handed over to the next, at least.
    pub pace: Option<Duration>,
    /// After what time the receiver is asked again which it has; none if it is not asked and nothing is
    /// sent again.
    pub repeat: Option<Duration>,
}

/// A program's delay, by the clock of its board.
struct Timer(Sim, Clock);

impl DelayNs for Timer {
    async fn delay_ns(&mut self, ns: u32) {
        let until = self.1.after(self.0.now(), Duration::from_ns(ns.into()));
        self.0.sleep_until(until).await;
    }
}

const fn micros(duration: Duration) -> u32 {
    let us = duration.as_ns() / 1_000;
    if us > u32::MAX as u64 { u32::MAX } else { us as u32 }
}

impl Burst {
    fn plain(&self, near: BoxedEnd, far: BoxedEnd, bench: &Bench) {
        let (told, link, sim) = (bench.told(), near.link, bench.sim().clone());
        let (burst, mut timer) = (self.clone(), Timer(sim.clone(), near.pins.clock()));
        bench.sim().spawn("sender", async move {
            let Some(mut link) = opened("sender", link, &told).await else { return };
            let mut sender = match Sender::<MAX_SIZE>::new(burst.size) {
                Ok(sender) => sender,
                Err(error) => return stop("sender", error.to_string(), &told),
            };
            sim.sleep_until(burst.begin).await;
            for nth in 0..burst.count as usize {
                let outcome = match burst.pace {
                    None => sender.stream(&mut link).await,
                    Some(pace) => {
                        let wait = timer.delay_us(micros(pace));
                        join(wait, sender.stream(&mut link)).await.1
                    }
                };
                match outcome {
                    Ok(delivery) => burst.seen.borrow_mut().hand_over(nth, sim.now(), delivery),
                    Err(error) => return stop("sender", error.to_string(), &told),
                }
                told.borrow_mut().sent = sender.sent();
            }
            burst.seen.borrow_mut().done = true;
        });

        let (seen, sim) = (Rc::clone(&self.seen), bench.sim().clone());
        sort_all(far.link, bench, move |sequence| {
            seen.borrow_mut().deliver(sequence, sim.now());
        });
    }

    fn repeating(&self, near: BoxedEnd, far: BoxedEnd, bench: &Bench, timeout: Duration) {
        let (told, link, sim) = (bench.told(), near.link, bench.sim().clone());
        let (burst, mut timer) = (self.clone(), Timer(sim.clone(), near.pins.clock()));
        bench.sim().spawn("sender", async move {
            let Some(mut link) = opened("sender", link, &told).await else { return };
            let (pace, timeout) = (burst.pace.map(micros), micros(timeout));
            let mut repeater = match Repeater::<MAX_SIZE>::new(burst.size, pace, timeout) {
                Ok(repeater) => repeater,
                Err(error) => return stop("sender", error.to_string(), &told),
            };
            sim.sleep_until(burst.begin).await;
            let handed = |nth, delivery| {
                burst.seen.borrow_mut().hand_over(nth as usize, sim.now(), delivery);
            };
            match repeater.run(&mut link, &mut timer, burst.count, handed).await {
                Ok(()) => burst.seen.borrow_mut().done = true,
                Err(error) => stop("sender", error.to_string(), &told),
            }
        });

        let (told, link, sim) = (bench.told(), far.link, bench.sim().clone());
        let seen = Rc::clone(&self.seen);
        bench.sim().spawn("receiver", async move {
            let Some(mut link) = opened("receiver", link, &told).await else { return };
            let mut collector = Collector::<MAX_SIZE>::new();
            loop {
                let fresh = |sequence| seen.borrow_mut().deliver(sequence, sim.now());
                if let Err(error) = collector.step(&mut link, fresh).await {
                    return stop("receiver", error.to_string(), &told);
                }
            }
        });
    }
}

impl Program for Burst {
    fn needs_both_ways(&self) -> bool {
        self.repeat.is_some()
    }

    fn start(&self, near: BoxedEnd, far: BoxedEnd, bench: &Bench) {
        match self.repeat {
            Some(timeout) => self.repeating(near, far, bench, timeout),
            None => self.plain(near, far, bench),
        }
    }
}
