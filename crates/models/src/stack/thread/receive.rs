//! The receiving side: frames, fragments, datagrams.

use std::rc::{Rc, Weak};

use airlag_sim::Instant;
use airlag_sim::channel::{Receiver, Sender};

use super::adaptation::{self, Piece};
use super::reassembly::Taken;
use super::security;
use super::slices;
use super::spinel::{self, Serial};
use super::station::{Incident, Station};
use crate::stack::ieee802154::Address;
use crate::stack::ieee802154::frame::{self, Frame};

/// A frame on its way up a serial line, and when it is there.
type Rising = (Instant, Rc<[u8]>);

impl Station {
    /// Takes what its own radio heard, for ever.
    pub(super) async fn take_all(&self) {
        loop {
            let psdu = self.node.next_frame().await;
            self.take(&psdu).await;
        }
    }

    /// The co-processor: passes on what it heard as long as there is room, for ever.
    pub(super) async fn pass_up(&self, serial: Serial, into: Sender<Rising>) {
        let (sim, clock) = (self.board.sim(), self.board.clock());
        loop {
            let psdu = self.node.next_frame().await;
            let (now, octets) = (sim.now(), spinel::received_len(&psdu));
            let mut up = self.up.borrow_mut();
            if up.waiting(now) + octets > serial.buffer {
                self.tell(Incident::CoProcessorFull);
                continue;
            }
            let (begin, end) = up.pass(serial.line, octets, clock, now);
            drop(up);
            let there = clock.after(end, serial.latency);
            self.board.span(&slices::SPINEL, begin, end);
            self.board.span(&slices::SERIAL_LATENCY, end, there);
            into.send((there, psdu));
        }
    }

    /// The host: takes what comes up the line, for ever.
    pub(super) async fn take_from(&self, mut out: Receiver<Rising>) {
        while let Some((there, psdu)) = out.receive().await {
            self.board.sim().sleep_until(there).await;
            self.take(&psdu).await;
        }
    }

    async fn take(&self, psdu: &[u8]) {
        let Some(Frame::Data(header, body)) = frame::read(psdu) else { return };
        self.compute(&slices::SYSTEM_CALLS, self.config.costs.receive).await;
        let len = body.len().saturating_sub(security::AUXILIARY_LEN + security::MIC_LEN);
        let aes = self.config.costs.aes_block * security::blocks(&header, len);
        self.compute(&slices::AES, aes).await;
        let ours = header.source == Address::Extended(self.config.peer);
        let opened = self.keys.open(&header, body).ok().filter(|&(counter, _)| {
            // A counter that is not above the last one: somebody repeats what was sent (7.5.8.2.3).
            ours && self.taken.get().is_none_or(|last| counter > last)
        });
        let Some((counter, payload)) = opened else {
            self.tell(Incident::SecurityError);
            return;
        };
        self.taken.set(Some(counter));
        match adaptation::read(&payload) {
            Some(Piece::Whole(datagram)) => self.deliver(datagram),
            Some(Piece::Fragment { size, tag, offset, bytes }) => {
                self.assemble((size, tag), offset, bytes);
            }
            None => {}
        }
    }

    fn assemble(&self, which: (u16, u16), offset: usize, bytes: &[u8]) {
        let sim = self.board.sim();
        let deadline = self.board.clock().after(sim.now(), self.config.reassembly);
        let taken = self.reassembly.borrow_mut().take(which, offset, bytes, deadline);
        match taken {
            Taken::Begun => {
                let this = Weak::clone(&self.this);
                sim.at(deadline, move || {
                    let Some(station) = this.upgrade() else { return };
                    let gone = station.reassembly.borrow_mut().expire(deadline);
                    (0..gone).for_each(|_| station.tell(Incident::FragmentTimeout));
                });
            }
            Taken::Continued => {}
            Taken::Whole(datagram) => self.deliver(&datagram),
            Taken::Orphan => self.tell(Incident::OrphanFragment),
        }
    }

    fn deliver(&self, datagram: &[u8]) {
        let Some(payload) = adaptation::expand(self.inward(), datagram) else { return };
        self.inbox.borrow_mut().push_back(payload.to_vec());
        self.arrived.raise();
    }

    /// Waits for the next datagram, copies it into `buffer` and returns its size. What does not fit is
    /// cut off.
    pub(super) async fn next_datagram(&self, buffer: &mut [u8]) -> usize {
        loop {
            let next = self.inbox.borrow_mut().pop_front();
            if let Some(payload) = next {
                let len = payload.len().min(buffer.len());
                buffer[..len].copy_from_slice(&payload[..len]);
                return len;
            }
            self.arrived.wait().await;
        }
    }
}
