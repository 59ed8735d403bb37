//! Both directions at once: each board has a trigger of its own, and a strobe for what the other sent.

use airlag_sim::{Line, Sim};

use super::{Program, duplex, opened};
use crate::ends::{Bench, BoxedEnd, Pins};

/// The wires of one board.
#[derive(Clone)]
pub struct Wires {
    /// Its trigger input.
    pub trigger: Line,
    /// Its strobe output.
    pub strobe: Line,
}

impl Wires {
    fn new(sim: &Sim) -> Self {
        Self { trigger: Line::new(sim, false), strobe: Line::new(sim, false) }
    }
}

/// The wires of both boards, and how long messages are.
#[derive(Clone)]
pub struct Both {
    /// Those of the first.
    pub near: Wires,
    /// Those of the second.
    pub far: Wires,
    /// Bytes of a message, either way.
    pub size: usize,
}

impl Both {
    /// With wires of its own.
    #[must_use]
    pub fn new(sim: &Sim, size: usize) -> Self {
        Self { near: Wires::new(sim), far: Wires::new(sim), size }
    }
}

impl Program for Both {
    fn needs_both_ways(&self) -> bool {
        true
    }

    fn start(&self, near: BoxedEnd, far: BoxedEnd, bench: &Bench) {
        spawn("sender", &self.near, near, self.size, bench);
        spawn("receiver", &self.far, far, self.size, bench);
    }
}

fn spawn(board: &'static str, wires: &Wires, end: BoxedEnd, size: usize, bench: &Bench) {
    let pins = (end.pins.trigger(&wires.trigger), end.pins.strobe(&wires.strobe));
    let (told, link) = (bench.told(), end.link);
    bench.sim().spawn(board, async move {
        let Some(link) = opened(board, link, &told).await else { return };
        duplex(board, pins, link, size, told).await;
    });
}
