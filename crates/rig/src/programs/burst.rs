//! A train: a fixed number of messages back to back. Without `repeat`, they are sent regardless of
//! their outcome.

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

/// Outcome of a message, by its position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BurstMessage {
    /// Instant at which the program last handed the message over to the link.
    pub handed: Instant,
    /// Whether the link refused the message at that time, as reported to the program.
    pub refused: bool,
    /// Instant at which the other board had received the message completely. `None` if it did not
    /// receive the message.
    pub came: Option<Instant>,
}

/// Progress of a train.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    /// Messages in the order of their first handover.
    pub messages: Vec<BurstMessage>,
    /// Number of handovers, retransmissions included.
    pub handed: u64,
    /// Whether the sending program has finished.
    pub done: bool,
}

impl Seen {
    fn hand_over(&mut self, nth: usize, now: Instant, delivery: Delivery) {
        let fate = BurstMessage { handed: now, refused: delivery == Delivery::Lost, came: None };
        self.handed += 1;
        match self.messages.get_mut(nth) {
            Some(message) => *message = BurstMessage { came: message.came, ..fate },
            None => self.messages.push(fate),
        }
    }

    /// Records the arrival of a message by its sequence number: the message that was last handed
    /// over with this number, or the one about to be handed over.
    fn deliver(&mut self, sequence: u16, now: Instant) {
        let begun = self.messages.len();
        if sequence == begun as u16 {
            // It arrived before its sender was notified of the transmission.
            self.messages.push(BurstMessage { handed: now, refused: false, came: Some(now) });
            return;
        }
        let behind = usize::from((begun as u16).wrapping_sub(sequence));
        if let Some(message) = begun.checked_sub(behind).and_then(|nth| self.messages.get_mut(nth))
        {
            message.came.get_or_insert(now);
        }
    }
}

/// A train of messages and its sending policy.
#[derive(Clone)]
pub struct Burst {
    /// Progress.
    pub seen: Rc<RefCell<Seen>>,
    /// Message size, bytes.
    pub size: usize,
    /// Number of messages.
    pub count: u32,
    /// Time at which the first message is handed over. The other end is listening by then.
    pub begin: Instant,
    /// Shortest interval between handovers.
    pub pace: Option<Duration>,
    /// Timeout after which the receiver is queried again for missing messages. `None` disables
    /// queries and retransmission.
    pub repeat: Option<Duration>,
}

/// Delays on the clock of a board.
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
        let (report, link, sim) = (bench.shared_report(), near.link, bench.sim().clone());
        let (burst, mut timer) = (self.clone(), Timer(sim.clone(), near.pins.clock()));
        bench.sim().spawn("sender", async move {
            let Some(mut link) = opened("sender", link, &report).await else { return };
            let mut sender = match Sender::<MAX_SIZE>::new(burst.size) {
                Ok(sender) => sender,
                Err(error) => return stop("sender", error.to_string(), &report),
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
                    Err(error) => return stop("sender", error.to_string(), &report),
                }
                report.borrow_mut().sent = sender.sent();
            }
            burst.seen.borrow_mut().done = true;
        });

        let (seen, sim) = (Rc::clone(&self.seen), bench.sim().clone());
        sort_all(far.link, bench, move |sequence| {
            seen.borrow_mut().deliver(sequence, sim.now());
        });
    }

    fn repeating(&self, near: BoxedEnd, far: BoxedEnd, bench: &Bench, timeout: Duration) {
        let (report, link, sim) = (bench.shared_report(), near.link, bench.sim().clone());
        let (burst, mut timer) = (self.clone(), Timer(sim.clone(), near.pins.clock()));
        bench.sim().spawn("sender", async move {
            let Some(mut link) = opened("sender", link, &report).await else { return };
            let (pace, timeout) = (burst.pace.map(micros), micros(timeout));
            let mut repeater = match Repeater::<MAX_SIZE>::new(burst.size, pace, timeout) {
                Ok(repeater) => repeater,
                Err(error) => return stop("sender", error.to_string(), &report),
            };
            sim.sleep_until(burst.begin).await;
            let handed = |nth, delivery| {
                burst.seen.borrow_mut().hand_over(nth as usize, sim.now(), delivery);
            };
            match repeater.run(&mut link, &mut timer, burst.count, handed).await {
                Ok(()) => burst.seen.borrow_mut().done = true,
                Err(error) => stop("sender", error.to_string(), &report),
            }
        });

        let (report, link, sim) = (bench.shared_report(), far.link, bench.sim().clone());
        let seen = Rc::clone(&self.seen);
        bench.sim().spawn("receiver", async move {
            let Some(mut link) = opened("receiver", link, &report).await else { return };
            let mut collector = Collector::<MAX_SIZE>::new();
            loop {
                let fresh = |sequence| seen.borrow_mut().deliver(sequence, sim.now());
                if let Err(error) = collector.step(&mut link, fresh).await {
                    return stop("receiver", error.to_string(), &report);
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
