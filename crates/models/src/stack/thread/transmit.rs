//! The sending side: one datagram at a time, one frame at a time.

use super::adaptation;
use super::config::{ROOM, Radio};
use super::security;
use super::slices;
use super::spinel;
use super::station::{Incident, Station};
use crate::stack::ieee802154::frame::{self, Header};
use crate::stack::ieee802154::{Address, Outcome};

impl Station {
    /// Sends what is handed over, for ever.
    pub(super) async fn send_all(&self) {
        let sim = self.board.sim();
        loop {
            let (next, late) = self.queue.borrow_mut().next(sim.now());
            (0..late).for_each(|_| self.tell(Incident::DroppedLate));
            if late > 0 {
                self.room.raise();
            }
            let Some(message) = next else {
                self.news.wait().await;
                continue;
            };
            self.board.span(&slices::TRANSMIT_QUEUE, message.since, sim.now());
            if !self.send_datagram(&message.payload).await {
                self.tell(Incident::DatagramLost);
            }
            self.queue.borrow_mut().done();
            self.room.raise();
        }
    }

    /// Sends the frames of a datagram; false if one of them was given up on. The rest is not sent then
    /// (`OPENTHREAD_CONFIG_DROP_MESSAGE_ON_FRAGMENT_TX_FAILURE`).
    async fn send_datagram(&self, payload: &[u8]) -> bool {
        let compressed = adaptation::compress(self.outward(), payload);
        let tag = self.tag.get();
        let frames = adaptation::frames(&compressed, ROOM, tag);
        if frames.len() > 1 {
            // Zero says that a message has no tag.
            self.tag.set(tag.wrapping_add(1).max(1));
        }
        for frame in &frames {
            if self.send_frame(frame).await != Some(Outcome::Acknowledged) {
                return false;
            }
        }
        true
    }

    async fn send_frame(&self, payload: &[u8]) -> Option<Outcome> {
        let header = Header {
            sequence: self.node.next_sequence(),
            ack_request: true,
            secured: true,
            pan: self.node.config().pan,
            destination: Address::Extended(self.config.peer),
            source: self.node.config().address,
        };
        let costs = self.config.costs;
        self.compute(&slices::SYSTEM_CALLS, costs.send).await;
        let aes = costs.aes_block * security::blocks(&header, payload.len());
        self.compute(&slices::AES, aes).await;
        let counter = self.counter.get();
        self.counter.set(counter.wrapping_add(1));
        let body = self.keys.protect(&header, counter, payload);
        let Radio::CoProcessor(serial) = self.config.radio else {
            return self.node.transmit_frame(&header, &body).await;
        };
        let (sim, clock) = (self.board.sim(), self.board.clock());
        let psdu = frame::data(&header, &body)?;
        let octets = spinel::transmit_len(&psdu);
        let (begin, end) = self.down.borrow_mut().pass(serial.line, octets, clock, sim.now());
        self.board.span(&slices::SPINEL, begin, end);
        let there = clock.after(end, serial.latency);
        self.board.span(&slices::SERIAL_LATENCY, end, there);
        sim.sleep_until(there).await;
        let outcome = self.node.transmit_frame(&header, &body).await;
        let octets = spinel::done_len();
        let (begin, end) = self.up.borrow_mut().pass(serial.line, octets, clock, sim.now());
        self.board.span(&slices::SPINEL, begin, end);
        let back = clock.after(end, serial.latency);
        self.board.span(&slices::SERIAL_LATENCY, end, back);
        sim.sleep_until(back).await;
        outcome
    }
}
