//! The sending side: one frame at a time.

use super::security;
use super::slices;
use super::station::{Incident, Outgoing, Station};
use crate::stack::ieee802154::frame::{Header, Kind, Version};
use crate::stack::ieee802154::{Address, Outcome};

impl Station {
    /// Sends the frames of the queue, in a loop.
    pub(super) async fn send_all(&self) {
        loop {
            let next = self.queue.borrow_mut().pop_front();
            let Some(frame) = next else {
                self.queued.wait().await;
                continue;
            };
            self.board.span(&slices::TRANSMIT_QUEUE, frame.since, self.board.sim().now());
            let sent = self.send_frame(&frame).await;
            if let Err(incident) = sent {
                self.record(incident);
            }
            if let Some(round) = frame.round {
                self.handed_over(round, sent.is_ok());
            }
        }
    }

    /// Sends a frame to its next hop, and repeats it if the MAC gives it up (3.6.2.1).
    async fn send_frame(&self, frame: &Outgoing) -> Result<(), Incident> {
        let next = *self.routes.get(&frame.nwk.destination).ok_or(Incident::NoRoute)?;
        for repetition in 0..=self.config.unicast_retries {
            if repetition > 0 {
                self.record(Incident::UnicastRetry);
                self.delay_retry().await;
            }
            if self.transmit(frame, next).await == Some(Outcome::Acknowledged) {
                return Ok(());
            }
        }
        Err(Incident::FrameLost)
    }

    async fn delay_retry(&self) {
        let sim = self.board.sim();
        let begin = sim.now();
        let end = self.board.clock().after(begin, self.config.unicast_retry_delay);
        self.board.span(&slices::UNICAST_RETRY, begin, end);
        sim.sleep_until(end).await;
    }

    /// Secures a frame for this hop, and passes it to the MAC.
    async fn transmit(&self, frame: &Outgoing, next: u16) -> Option<Outcome> {
        let costs = self.config.costs;
        self.processor.compute(&slices::STACK, costs.send).await;
        let mut body = frame.nwk.encode();
        if frame.nwk.secured {
            let aes = costs.aes_block * security::blocks(body.len(), frame.payload.len());
            self.processor.compute(&slices::AES, aes).await;
            let counter = self.counter.get();
            self.counter.set(counter.wrapping_add(1));
            let secured = self.key.protect(&body, self.config.own.eui, counter, &frame.payload);
            body.extend(secured);
        } else {
            body.extend_from_slice(&frame.payload);
        }
        let sequence = self.mac_sequence.get();
        self.mac_sequence.set(sequence.wrapping_add(1));
        let header = Header {
            kind: Kind::Data,
            version: Version::Until2006,
            sequence,
            frame_pending: false,
            ack_request: true,
            secured: false,
            pan: self.node.config().pan,
            destination: Address::Short(next),
            source: Address::Short(self.config.own.short),
        };
        self.node.transmit_frame(&header, &body).await
    }
}
