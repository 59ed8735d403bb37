//! Trigger to strobe: the sender of `app` on one board, its receiver on the other. Published
//! measurements use this program.

use std::convert::Infallible;
use std::rc::Rc;

use airlag_app::{Echo, Receiver, Sender};
use airlag_link::Delivery;
use airlag_sim::Sim;
use embedded_hal_async::digital::Wait;

use super::{Program, opened, stop};
use crate::ends::{Bench, BoxedEnd, BoxedPins, Pins};
use crate::messages::Wires;
use crate::run::MAX_SIZE;

/// Wires and message size.
#[derive(Clone)]
pub struct Triggered {
    /// Trigger input of the first board, and strobe output of the second.
    pub wires: Wires,
    /// Message size, bytes.
    pub size: usize,
}

impl Triggered {
    /// Creates the program with new wires.
    #[must_use]
    pub fn new(sim: &Sim, size: usize) -> Self {
        Self { wires: Wires::new(sim), size }
    }
}

impl Program for Triggered {
    fn start(&self, near: BoxedEnd, far: BoxedEnd, bench: &Bench) {
        let mut trigger = near.pins.trigger(&self.wires.trigger);
        let (report, link, size) = (bench.shared_report(), near.link, self.size);
        let wires = self.wires.clone();
        bench.sim().spawn("sender", async move {
            let Some(mut link) = opened("sender", link, &report).await else { return };
            let mut sender = match Sender::<MAX_SIZE>::new(size) {
                Ok(sender) => sender,
                Err(error) => return stop("sender", error.to_string(), &report),
            };
            loop {
                let Ok(()) = trigger.wait_for_rising_edge().await;
                wires.begin();
                let outcome = sender.send::<_, Infallible>(&mut link).await;
                if let Ok(Delivery::Lost) = outcome {
                    wires.messages.give_up();
                }
                report.borrow_mut().sent = sender.sent();
                if let Err(error) = outcome {
                    return stop("sender", error.to_string(), &report);
                }
            }
        });

        let mut strobe = far.pins.strobe(&self.wires.strobe);
        let (report, link, messages) =
            (bench.shared_report(), far.link, self.wires.messages.clone());
        bench.sim().spawn("receiver", async move {
            let Some(mut link) = opened("receiver", link, &report).await else { return };
            let mut receiver = Receiver::<MAX_SIZE>::new();
            loop {
                let right = |sequence| messages.strobe(sequence);
                let outcome = receiver.step(&mut link, &mut strobe, right).await;
                report.borrow_mut().received = receiver.received();
                if let Err(error) = outcome {
                    return stop("receiver", error.to_string(), &report);
                }
            }
        });
    }

    /// Without a link, the same board strobes in response to its trigger.
    fn start_alone(&self, pins: BoxedPins, bench: &Bench) -> bool {
        let wires = self.wires.clone();
        let (mut trigger, mut strobe) = (pins.trigger(&wires.trigger), pins.strobe(&wires.strobe));
        let report = Rc::clone(&bench.shared_report());
        bench.sim().spawn("board", async move {
            let mut echo = Echo::new();
            report.borrow_mut().ready += 1;
            loop {
                let outcome = echo.step(&mut trigger, &mut strobe).await;
                wires.begin();
                wires.messages.strobe(echo.answered().wrapping_sub(1) as u16);
                let mut report = report.borrow_mut();
                report.sent.messages = echo.answered();
                report.received.messages = echo.answered();
                if let Err(error) = outcome {
                    report.stopped = Some(("board", error.to_string()));
                    return;
                }
            }
        });
        true
    }
}
