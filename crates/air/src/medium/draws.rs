//! Power states of radios on the medium.

use airlag_sim::meter::{Part, State};
use airlag_sim::{Instant, Meter};

use super::{Inner, Medium, NodeId};

impl Medium {
    /// Creates the meter of a joining node. `None` for neighbours.
    pub(super) fn metered(&self, name: &str) -> Option<Meter> {
        self.1.is_none().then(|| self.0.sim.meter(name, Part::Radio))
    }

    /// Hands the meter of a node over to its radio, which from then on records its own
    /// transmissions. `None` if the node has no meter.
    #[must_use]
    pub fn take_meter(&self, node: NodeId) -> Option<Meter> {
        self.0.nodes.borrow_mut()[node.0 as usize].meter.take()
    }

    /// Sets the state of a node's radio from now on. The medium records transmissions.
    pub fn enter(&self, node: NodeId, state: State) {
        self.enter_at(node, state, self.0.sim.now());
    }

    /// Sets the state from `at` on, unless another change comes first.
    pub fn enter_at(&self, node: NodeId, state: State, at: Instant) {
        if let Some(meter) = &self.0.nodes.borrow()[node.0 as usize].meter {
            meter.enter_at(state, at);
        }
    }
}

impl Inner {
    /// Records the transmission of a frame.
    pub(super) fn sends(&self, node: NodeId, begin: Instant, end: Instant) {
        if let Some(meter) = &self.nodes.borrow()[node.0 as usize].meter {
            meter.during(State::Transmit, begin, end);
        }
    }

    /// Records an aborted transmission.
    pub(super) fn sends_no_more(&self, node: NodeId) {
        if let Some(meter) = &self.nodes.borrow()[node.0 as usize].meter {
            meter.cut();
        }
    }
}
