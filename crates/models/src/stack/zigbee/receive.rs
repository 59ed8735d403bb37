//! The receiving side: frames for this device, and frames to forward.

use std::collections::btree_map::Entry;

use super::frame::{Aps, Kind, Nwk, ZCL_LEN};
use super::security::{self, Opened};
use super::slices;
use super::station::{Incident, Station};
use crate::stack::ieee802154::frame::{self, Frame};

impl Station {
    /// Processes the frames of the radio, in a loop.
    pub(super) async fn take_all(&self) {
        loop {
            let psdu = self.node.next_frame().await;
            self.take(&psdu).await;
        }
    }

    async fn take(&self, psdu: &[u8]) {
        let Some(Frame::Data(_, bytes)) = frame::read(psdu) else { return };
        self.processor.compute(&slices::STACK, self.config.costs.receive).await;
        let Some((nwk, body)) = Nwk::read(bytes) else { return };
        if nwk.secured != self.config.format.secured {
            self.record(Incident::SecurityError);
            return;
        }
        if !nwk.secured {
            self.sort(nwk, body);
            return;
        }
        let header = &bytes[..bytes.len() - body.len()];
        let len = body.len().saturating_sub(security::AUXILIARY_LEN + security::MIC_LEN);
        let aes = self.config.costs.aes_block * security::blocks(header.len(), len);
        self.processor.compute(&slices::AES, aes).await;
        match self.key.open(header, body).filter(|opened| self.is_fresh(opened)) {
            Some(opened) => self.sort(nwk, &opened.payload),
            None => self.record(Incident::SecurityError),
        }
    }

    /// Records the frame counter of a neighbour; false if it is not above the last one (4.3.1.2).
    fn is_fresh(&self, opened: &Opened) -> bool {
        match self.heard.borrow_mut().entry(opened.sender) {
            Entry::Vacant(first) => {
                first.insert(opened.counter);
                true
            }
            Entry::Occupied(mut last) => {
                let is_fresh = opened.counter > *last.get();
                if is_fresh {
                    last.insert(opened.counter);
                }
                is_fresh
            }
        }
    }

    fn sort(&self, nwk: Nwk, payload: &[u8]) {
        if nwk.destination == self.config.own.short {
            self.accept(&nwk, payload);
        } else {
            self.forward(nwk, payload);
        }
    }

    fn forward(&self, nwk: Nwk, payload: &[u8]) {
        let radius = nwk.radius.saturating_sub(1);
        if radius == 0 {
            self.record(Incident::RadiusExpired);
        } else if self.queue.borrow().len() >= self.config.buffers {
            self.record(Incident::NoBuffers);
        } else {
            self.enqueue(Nwk { radius, ..nwk }, payload.to_vec(), None);
        }
    }

    /// Handles an APS frame for this device.
    fn accept(&self, nwk: &Nwk, payload: &[u8]) {
        let zcl = self.config.format.zcl;
        let Some((aps, data)) = Aps::read(zcl, payload) else { return };
        if nwk.source != self.config.peer.short {
            return;
        }
        let Kind::Data { ack_request } = aps.kind else {
            self.acknowledged(aps.counter);
            return;
        };
        // A repetition is acknowledged again, because its acknowledgement was lost (2.2.8.4.3).
        if ack_request {
            let answer = Aps { kind: Kind::Ack, counter: aps.counter };
            self.enqueue(self.outward(), answer.encode(zcl).to_vec(), None);
        }
        if self.taken.borrow_mut().repeats(nwk.source, aps.counter) {
            self.record(Incident::ApsDuplicate);
            return;
        }
        let skip = if zcl { ZCL_LEN } else { 0 };
        if let Some(data) = data.get(skip..) {
            self.inbox.borrow_mut().push_back(data.to_vec());
            self.arrived.raise();
        }
    }
}
