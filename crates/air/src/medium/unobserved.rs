//! Frames without effect, which a model may leave out of the simulation.
//!
//! A transmitter that sends without pause repeats the same frame for most of the time. If only the
//! transmitter and its receiver use the channel, a repeated frame has only two effects: the charge
//! that the transmitter draws, and the random numbers that the path between the two radios draws. A
//! model can therefore plan the power states of the transmitter ahead, and draw the random numbers
//! without simulating the beginning, the end and the arrival of each frame as events. The results
//! are the same to the last bit as with these events.

use airlag_sim::Instant;
use airlag_sim::meter::State;

use super::{Lossy, Medium, NodeId};

impl Medium {
    /// Whether a frame without effect at its receiver has no other effect: there are only two
    /// nodes, overlaps are not modelled by signal levels, and nothing observes each frame.
    #[must_use]
    pub fn is_unobserved(&self) -> bool {
        let inner = &*self.0;
        inner.nodes.borrow().len() == 2
            && !inner.has_receivers.get()
            && !inner.is_tapped.get()
            && inner.detectors.borrow().is_empty()
            && !inner.sim.is_recording()
    }

    /// Records a transmission of `node` from `begin` to `end`, now or later, that is left out of
    /// the simulation. A frame that is sent at this time after all is not recorded again.
    pub fn plan_transmission(&self, node: NodeId, begin: Instant, end: Instant) {
        if let Some(meter) = &self.0.nodes.borrow()[node.0 as usize].meter {
            meter.during(State::Transmit, begin, end);
        }
    }

    /// Makes the draws of a frame from `node` that is left out of the simulation.
    pub fn skip(&self, node: NodeId) {
        for path in self.0.nodes.borrow_mut()[node.0 as usize].paths.iter_mut() {
            // Frames out of range draw nothing.
            if let Some(lossy) = path.lossy.as_mut().filter(|_| path.heard) {
                let Lossy { losses, stream } = &mut **lossy;
                losses.iter_mut().for_each(|one| one.skip(stream));
            }
        }
    }
}
