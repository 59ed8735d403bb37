//! What a node hears at this moment: a frame to read, and a busy channel.

use airlag_sim::Instant;

use super::{Medium, NodeId, strength};
use crate::frame::{Band, Frame, Modulation};

impl Medium {
    /// The frame in `band` that `node` can hear at this moment and that a receiver set to
    /// `modulation` is able to read, if there is one.
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

    /// True if any frame that touches `band` is audible at `node` now: what a carrier detector
    /// sees.
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

    /// When the first of the frames that touch `band` and are audible at `node` now began: a
    /// carrier detector that takes its time has not seen one that began a moment ago.
    #[must_use]
    pub fn busy_since(&self, node: NodeId, band: Band) -> Option<Instant> {
        self.audible_since(node, band, |frame, now| frame.end > now)
    }

    /// The same, and a frame that ends at this very instant counts unless its receivers have been
    /// told: what a carrier detector has seen until now.
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
