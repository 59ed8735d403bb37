//! Round trip: a message at every trigger, returned by the other board, and a strobe for its
//! return.

use airlag_app::Responder;
use airlag_sim::Sim;

use super::{Program, duplex, opened, stop};
use crate::ends::{Bench, BoxedEnd, Pins};
use crate::messages::Wires;
use crate::run::MAX_SIZE;

/// Wires, both at the first board, and the message size.
#[derive(Clone)]
pub struct Echo {
    /// Trigger input and strobe output.
    pub wires: Wires,
    /// Message size in each direction, bytes.
    pub size: usize,
}

impl Echo {
    /// Creates the program with new wires.
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
        let (report, link, size) = (bench.shared_report(), near.link, self.size);
        bench.sim().spawn("sender", async move {
            let Some(link) = opened("sender", link, &report).await else { return };
            // A message that has not returned by the next trigger is no longer awaited.
            let into = wires.messages.clone();
            duplex("sender", pins, link, size, report, (wires, into)).await;
        });

        let (report, link) = (bench.shared_report(), far.link);
        bench.sim().spawn("receiver", async move {
            let Some(mut link) = opened("receiver", link, &report).await else { return };
            let mut responder = Responder::<MAX_SIZE>::new();
            loop {
                if let Err(error) = responder.step(&mut link).await {
                    return stop("receiver", error.to_string(), &report);
                }
            }
        });
    }
}
