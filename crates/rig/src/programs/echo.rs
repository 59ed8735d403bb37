//! Round trip: a message at every trigger, sent back by the other board; a strobe for the answer.

use std::convert::Infallible;

use airlag_app::{Receiver, Responder, Sender};
use airlag_sim::{Line, Sim};
use embassy_futures::select::{Either, select};
use embedded_hal_async::digital::Wait;

use super::{opened, stop};
use crate::ends::{Bench, End, Opening, Pins};
use crate::run::MAX_SIZE;

/// The wires of it, both at the first board, and how long its messages are.
#[derive(Clone)]
pub struct Echo {
    /// The trigger input.
    pub trigger: Line,
    /// The strobe output.
    pub strobe: Line,
    /// Bytes of a message, each way.
    pub size: usize,
}

impl Echo {
    /// With wires of its own.
    #[must_use]
    pub fn new(sim: &Sim, size: usize) -> Self {
        Self { trigger: Line::new(sim, false), strobe: Line::new(sim, false), size }
    }

    pub(super) fn start(
        &self,
        near: End<impl Pins, impl Opening>,
        far: End<impl Pins, impl Opening>,
        bench: &Bench,
    ) {
        let (mut trigger, mut strobe) =
            (near.pins.trigger(&self.trigger), near.pins.strobe(&self.strobe));
        let (told, link, size) = (bench.told(), near.link, self.size);
        bench.sim().spawn("sender", async move {
            let Some(mut link) = opened("sender", link, &told).await else { return };
            let mut sender = match Sender::<MAX_SIZE>::new(size) {
                Ok(sender) => sender,
                Err(error) => return stop("sender", error.to_string(), &told),
            };
            let mut receiver = Receiver::<MAX_SIZE>::new();
            loop {
                // An answer that has not come when the next trigger does is no longer waited for.
                let next = trigger.wait_for_rising_edge();
                let outcome = match select(next, receiver.step(&mut link, &mut strobe)).await {
                    Either::First(Ok(())) => {
                        let outcome = sender.send::<_, Infallible>(&mut link).await;
                        told.borrow_mut().sent = sender.sent();
                        outcome.map(|_| ()).map_err(|error| error.to_string())
                    }
                    Either::Second(outcome) => {
                        told.borrow_mut().received = receiver.received();
                        outcome.map_err(|error| error.to_string())
                    }
                };
                if let Err(cause) = outcome {
                    return stop("sender", cause, &told);
                }
            }
        });

        let (told, link) = (bench.told(), far.link);
        bench.sim().spawn("receiver", async move {
            let Some(mut link) = opened("receiver", link, &told).await else { return };
            let mut responder = Responder::<MAX_SIZE>::new();
            loop {
                if let Err(error) = responder.step(&mut link).await {
                    return stop("receiver", error.to_string(), &told);
                }
            }
        });
    }
}
