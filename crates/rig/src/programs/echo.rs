//! Round trip: a message at every trigger, sent back by the other board; a strobe for the answer.

use airlag_app::Responder;
use airlag_sim::Sim;

use super::{Program, duplex, opened, stop};
use crate::ends::{Bench, BoxedEnd, Pins};
use crate::messages::Wires;
use crate::run::MAX_SIZE;

/// The wires of it, both at the first board, and how long its messages are.
#[derive(Clone)]
pub struct Echo {
    /// The trigger input and the strobe output.
    pub wires: Wires,
    /// Bytes of a message, each way.
    pub size: usize,
}

impl Echo {
    /// With wires of its own.
    #[must_use]
    pub fn new(sim: &Sim, size: usize) -> Self {
        Self { wires: Wires::new(sim), size }
    }
}

impl Program for Echo {
    fn needs_both_ways(&self) -> bool {
        true
    }

    fn start(&self, near: BoxedEnd, far: BoxedEnd, bench: &Bench) {
        let wires = self.wires.clone();
        let pins = (near.pins.trigger(&wires.trigger), near.pins.strobe(&wires.strobe));
        let (told, link, size) = (bench.told(), near.link, self.size);
        bench.sim().spawn("sender", async move {
            let Some(link) = opened("sender", link, &told).await else { return };
            // An answer that has not come when the next trigger does is no longer waited for.
            let into = wires.messages.clone();
            duplex("sender", pins, link, size, told, (wires, into)).await;
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
