//! Messages in both directions at once: each board has a trigger of its own and strobes for
//! arriving messages.

use airlag_sim::Sim;

use super::{Program, duplex, opened};
use crate::ends::{Bench, BoxedEnd, Pins};
use crate::messages::Wires;

/// Wires of both directions, and the message size.
#[derive(Clone)]
pub struct Both {
    /// From the first board to the second.
    pub there: Wires,
    /// From the second to the first.
    pub back: Wires,
    /// Message size in either direction, bytes.
    pub size: usize,
}

impl Both {
    /// Creates the program with new wires.
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

/// Runs a board that sends `out` at its triggers and strobes for arrivals `into` it.
fn spawn(
    board: &'static str,
    (out, into): (&Wires, &Wires),
    end: BoxedEnd,
    size: usize,
    bench: &Bench,
) {
    let pins = (end.pins.trigger(&out.trigger), end.pins.strobe(&into.strobe));
    let (report, link) = (bench.shared_report(), end.link);
    let ways = (out.clone(), into.messages.clone());
    bench.sim().spawn(board, async move {
        let Some(link) = opened(board, link, &report).await else { return };
        duplex(board, pins, link, size, report, ways).await;
    });
}
