//! Forwarding of a router.

use super::adaptation::{self, Piece};
use super::mesh::Mesh;
use super::queue::{Content, Fragment, Refused};
use super::station::{Incident, Station};

impl Station {
    /// Forwards a frame after its mesh header; silently drops one without remaining hops.
    pub(super) fn pass_on(&self, mesh: Mesh, payload: &[u8]) {
        let Some(hops_left) = mesh.hops_left.checked_sub(1) else { return };
        let now = self.board.sim().now();
        if self.routes.borrow().next_hop(mesh.to, now).is_none() {
            self.record(Incident::NoRoute);
            return;
        }
        let fragment = match adaptation::read(payload) {
            Some(Piece::Fragment { tag, offset, .. }) => {
                Some(Fragment { of: (mesh.from, tag), first: offset == 0 })
            }
            _ => None,
        };
        let bytes = Mesh { hops_left, ..mesh }.before(payload);
        let content = Content::Frame { bytes, fragment };
        let (outcome, late) = self.queue.borrow_mut().push(content, now);
        (0..late).for_each(|_| self.record(Incident::DroppedLate));
        match outcome {
            Ok(()) => self.news.raise(),
            Err(Refused::NoBuffers) => self.record(Incident::RelayNoBuffers),
            Err(Refused::QueueFull) => self.record(Incident::RelayQueueFull),
        }
    }
}
