//! Both directions at once: each board has a trigger of its own, and a strobe for what the other sent.

use airlag_sim::Sim;

use super::{Program, duplex, opened};
use crate::ends::{Bench, BoxedEnd, Pins};
use crate::messages::Wires;

/// The wires of both directions, and how long messages are.
#[derive(Clone)]
pub struct Both {
    /// From the first board to the second.
    pub there: Wires,
    /// From the second to the first.
    pub back: Wires,
    /// Bytes of a message, either way.
    pub size: usize,
}

impl Both {
    /// With wires of its own.
    #[must_use]
    pub fn new(sim: &Sim, size: usize) -> Self {
        Self { there: Wires::new(sim), back: Wires::new(sim), size }
    }
}

impl Program for Both {
    fn needs_both_ways(&self) -> bool {
        true
    }

    fn start(&self, near: BoxedEnd, far: BoxedEnd, bench: &Bench) {
        spawn("sender", (&self.there, &self.back), near, self.size, bench);
        spawn("receiver", (&self.back, &self.there), far, self.size, bench);
    }
}

/// Runs a board that triggers what goes `out` of it, and strobes for what comes `into` it.
fn spawn(
    board: &'static str,
    (out, into): (&Wires, &Wires),
    end: BoxedEnd,
    size: usize,
    bench: &Bench,
) {
    let pins = (end.pins.trigger(&out.trigger), end.pins.strobe(&into.strobe));
    let (told, link) = (bench.told(), end.link);
    let ways = (out.clone(), into.messages.clone());
    bench.sim().spawn(board, async move {
        let Some(link) = opened(board, link, &told).await else { return };
        duplex(board, pins, link, size, told, ways).await;
    });
}
