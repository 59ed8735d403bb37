//! Round trip: a message at every trigger, sent back by the other board; a strobe for the answer.

use airlag_app::Responder;
use airlag_sim::{Line, Sim};

use super::{Program, duplex, opened, stop};
use crate::ends::{Bench, BoxedEnd, Pins};
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
}

impl Program for Echo {
    fn needs_both_ways(&self) -> bool {
        true
    }

    fn start(&self, near: BoxedEnd, far: BoxedEnd, bench: &Bench) {
        let pins = (near.pins.trigger(&self.trigger), near.pins.strobe(&self.strobe));
        let (told, link, size) = (bench.told(), near.link, self.size);
        bench.sim().spawn("sender", async move {
            let Some(link) = opened("sender", link, &told).await else { return };
            // An answer that has not come when the next trigger does is no longer waited for.
            duplex("sender", pins, link, size, told).await;
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
