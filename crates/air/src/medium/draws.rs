//! What the radio of a node does, as far as its current depends on it.

use airlag_sim::meter::{Part, State};
use airlag_sim::{Instant, Meter};

use super::{Inner, Medium, NodeId};

impl Medium {
    /// The meter of a node that joins; none of those that stand beside.
    pub(super) fn metered(&self, name: &str) -> Option<Meter> {
        self.1.is_none().then(|| self.0.sim.meter(name, Part::Radio))
    }

    /// The meter of a node, for a radio that changes its state often; none where that is not looked at.
    #[must_use]
    pub fn meter(&self, node: NodeId) -> Option<Meter> {
        self.0.nodes.borrow()[node.0 as usize].meter.clone()
    }

    /// Tells in which state the radio of a node is from now on. That it sends is known here.
    pub fn enter(&self, node: NodeId, state: State) {
        self.enter_at(node, state, self.0.sim.now());
    }

    /// The same from `at` on, unless something else comes before.
    pub fn enter_at(&self, node: NodeId, state: State, at: Instant) {
        if let Some(meter) = &self.0.nodes.borrow()[node.0 as usize].meter {
            meter.enter_at(state, at);
        }
    }
}

impl Inner {
    /// A frame is sent.
    pub(super) fn sends(&self, node: NodeId, begin: Instant, end: Instant) {
        if let Some(meter) = &self.nodes.borrow()[node.0 as usize].meter {
            meter.during(State::Transmit, begin, end);
        }
    }

    /// It is broken off.
    pub(super) fn sends_no_more(&self, node: NodeId) {
        if let Some(meter) = &self.nodes.borrow()[node.0 as usize].meter {
            meter.cut();
        }
    }
}
