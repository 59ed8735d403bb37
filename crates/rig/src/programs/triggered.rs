//! Trigger to strobe: `app`'s sender on one board, its receiver on the other. What published
//! measurements tell.

use std::convert::Infallible;
use std::rc::Rc;

use airlag_app::{Echo, Receiver, Sender};
use airlag_sim::{Line, Sim};
use embedded_hal_async::digital::Wait;

use super::{Program, opened, stop};
use crate::ends::{Bench, BoxedEnd, BoxedPins, Pins};
use crate::run::MAX_SIZE;

/// The wires of it, and how long its messages are.
#[derive(Clone)]
pub struct Triggered {
    /// The trigger input of the first board.
    pub trigger: Line,
    /// The strobe output of the second.
    pub strobe: Line,
    /// Bytes of a message.
    pub size: usize,
}

impl Triggered {
    /// With wires of its own.
    #[must_use]
    pub fn new(sim: &Sim, size: usize) -> Self {
        Self { trigger: Line::new(sim, false), strobe: Line::new(sim, false), size }
    }
}

impl Program for Triggered {
    fn start(&self, near: BoxedEnd, far: BoxedEnd, bench: &Bench) {
        let mut trigger = near.pins.trigger(&self.trigger);
        let (told, link, size) = (bench.told(), near.link, self.size);
        bench.sim().spawn("sender", async move {
            let Some(mut link) = opened("sender", link, &told).await else { return };
            let mut sender = match Sender::<MAX_SIZE>::new(size) {
                Ok(sender) => sender,
                Err(error) => return stop("sender", error.to_string(), &told),
            };
            loop {
                let Ok(()) = trigger.wait_for_rising_edge().await;
                let outcome = sender.send::<_, Infallible>(&mut link).await;
                told.borrow_mut().sent = sender.sent();
                if let Err(error) = outcome {
                    return stop("sender", error.to_string(), &told);
                }
            }
        });

        let mut strobe = far.pins.strobe(&self.strobe);
        let (told, link) = (bench.told(), far.link);
        bench.sim().spawn("receiver", async move {
            let Some(mut link) = opened("receiver", link, &told).await else { return };
            let mut receiver = Receiver::<MAX_SIZE>::new();
            loop {
                let outcome = receiver.step(&mut link, &mut strobe).await;
                told.borrow_mut().received = receiver.received();
                if let Err(error) = outcome {
                    return stop("receiver", error.to_string(), &told);
                }
            }
        });
    }

    /// Without a link: the trigger answered with the strobe.
    fn start_alone(&self, pins: BoxedPins, bench: &Bench) -> bool {
        let (mut trigger, mut strobe) = (pins.trigger(&self.trigger), pins.strobe(&self.strobe));
        let told = Rc::clone(&bench.told());
        bench.sim().spawn("board", async move {
            let mut echo = Echo::new();
            told.borrow_mut().ready += 1;
            loop {
                let outcome = echo.step(&mut trigger, &mut strobe).await;
                let mut told = told.borrow_mut();
                told.sent.messages = echo.answered();
                told.received.messages = echo.answered();
                if let Err(error) = outcome {
                    told.stopped = Some(("board", error.to_string()));
                    return;
                }
            }
        });
        true
    }
}
