//! Frames and carriers that a node can hear now.

use airlag_sim::Instant;

use super::{Medium, NodeId, strength};
use crate::frame::{Band, Frame, Modulation};

impl Medium {
    /// Returns the frame in `band` that `node` can receive now with a receiver set to `modulation`,
    /// if there is one.
    #[must_use]
    pub fn hearing(&self, node: NodeId, band: Band, modulation: Modulation) -> Option<Frame> {
        let flying = self.0.flying.borrow();
        let nodes = self.0.nodes.borrow();
        let now = self.0.sim.now();
        let fits = |frame: &Frame| frame.band == band && frame.modulation == modulation;
        let audible = |frame: &Frame| {
            fits(frame) && frame.end > now && nodes[frame.from.0 as usize].is_heard_by(node)
        };
        let leaving = flying.iter().map(|flying| &flying.frame).find(|frame| audible(frame));
        let arriving = self.0.arriving.borrow();
        let still = || arriving.iter().find(|(to, frame)| *to == node && fits(frame));
        leaving.or_else(|| still().map(|(_, frame)| frame)).cloned()
    }

    /// Whether any frame that touches `band` is audible at `node` now, as a carrier detector senses
    /// it.
    #[must_use]
    pub fn busy(&self, node: NodeId, band: Band) -> bool {
        let nodes = self.0.nodes.borrow();
        let now = self.0.sim.now();
        self.0.flying.borrow().iter().any(|flying| {
            flying.frame.band.overlaps(&band)
                && flying.frame.end > now
                && nodes[flying.frame.from.0 as usize].is_heard_by(node)
                && strength::senses(&nodes, node, &band, &flying.frame)
        })
    }

    /// Start of the earliest frame that touches `band` and is audible at `node` now. A carrier
    /// detector with a detection delay has not yet sensed a frame that has just begun.
    #[must_use]
    pub fn busy_since(&self, node: NodeId, band: Band) -> Option<Instant> {
        self.audible_since(node, band, |frame, now| frame.end > now)
    }

    /// Start of the earliest frame that touches `band` and is audible at `node`. In contrast to
    /// [`Medium::busy_since`], a frame that ends at the current instant is included until the
    /// medium reports the end of the frame to its receivers: a carrier detector has sensed this
    /// frame until the current instant.
    #[must_use]
    pub fn busy_up_to_now(&self, node: NodeId, band: Band) -> Option<Instant> {
        self.audible_since(node, band, |_, _| true)
    }

    fn audible_since(
        &self,
        node: NodeId,
        band: Band,
        counts: impl Fn(&Frame, Instant) -> bool,
    ) -> Option<Instant> {
        let nodes = self.0.nodes.borrow();
        let now = self.0.sim.now();
        let flying = self.0.flying.borrow();
        let audible = flying.iter().map(|flying| &flying.frame).filter(|frame| {
            frame.band.overlaps(&band)
                && counts(frame, now)
                && nodes[frame.from.0 as usize].is_heard_by(node)
                && strength::senses(&nodes, node, &band, frame)
        });
        audible.map(|frame| frame.begin).min()
    }
}
