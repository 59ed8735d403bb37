//! The receiving side: frames, fragments, datagrams.

use std::rc::{Rc, Weak};

use airlag_sim::Instant;
use airlag_sim::channel::{Receiver, Sender};

use super::adaptation::{self, Piece};
use super::address::{Ends, Place, Scope};
use super::mesh::Mesh;
use super::reassembly::{Id, Taken};
use super::security;
use super::sleepy;
use super::slices;
use super::spinel::{self, Serial};
use super::station::{Incident, Station};
use crate::stack::frames::next_of;
use crate::stack::ieee802154::Address;
use crate::stack::ieee802154::frame::{self, Frame, Kind};

/// A frame on a serial line to the host, and its arrival.
type Rising = (Instant, Rc<[u8]>);

impl Station {
    /// Processes the frames of its own radio, in a loop.
    pub(super) async fn take_all(&self) {
        loop {
            let psdu = self.node.next_frame().await;
            self.take(&psdu).await;
        }
    }

    /// The co-processor: forwards received frames as long as there is room, in a loop.
    pub(super) async fn pass_up(&self, serial: Serial, into: Sender<Rising>) {
        let (sim, clock) = (self.board.sim(), self.board.clock());
        loop {
            let psdu = self.node.next_frame().await;
            let (now, octets) = (sim.now(), spinel::received_len(&psdu));
            let mut up = self.up.borrow_mut();
            if up.waiting(now) + octets > serial.buffer {
                self.record(Incident::CoProcessorFull);
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

    /// The host: processes frames from the line, in a loop.
    pub(super) async fn take_from(&self, mut out: Receiver<Rising>) {
        while let Some((there, psdu)) = out.receive().await {
            self.board.sim().sleep_until(there).await;
            self.take(&psdu).await;
        }
    }

    async fn take(&self, psdu: &[u8]) {
        let Some(Frame::Data(header, body)) = frame::read(psdu) else { return };
        self.processor.compute(&slices::SYSTEM_CALLS, self.config.costs.receive).await;
        let clear = security::clear_len(&header, body).unwrap_or(0);
        let around = security::AUXILIARY_LEN + clear + security::MIC_LEN;
        let blocks = security::blocks(&header, clear, body.len().saturating_sub(around));
        let aes = self.config.costs.aes_block * blocks;
        self.processor.compute(&slices::AES, aes).await;
        let now = self.board.sim().now();
        let from = self.routes.borrow().neighbour(header.source, now);
        let from = from.filter(|_| !self.config.faults.insecure.is_some_and(|is| is.covers(now)));
        let opened = from.and_then(|from| {
            let (counter, payload) = self.keys.open(&header, from.eui, body).ok()?;
            self.routes.borrow_mut().take(header.source, counter).then_some((from, payload))
        });
        let Some((from, payload)) = opened else {
            self.record(Incident::SecurityError);
            return;
        };
        if header.kind == Kind::Command {
            if payload == sleepy::DATA_REQUEST {
                self.requested();
            }
            return;
        }
        self.received(header.frame_pending);
        let scope = match header.source {
            Address::Extended(_) => Scope::Link,
            Address::Short(_) => Scope::Locator,
        };
        self.sort(from, scope, &payload);
    }

    /// Delivers data for this board, and forwards the rest.
    fn sort(&self, from: Place, scope: Scope, payload: &[u8]) {
        let to = self.routes.borrow().own;
        let Some((mesh, rest)) = Mesh::read(payload) else {
            return self.accept(Ends { from, to, scope }, payload);
        };
        if mesh.to != to.rloc {
            return self.pass_on(mesh, rest);
        }
        let from = self.routes.borrow().place(mesh.from);
        if let Some(from) = from {
            self.accept(Ends { from, to, scope }, rest);
        }
    }

    fn accept(&self, ends: Ends, payload: &[u8]) {
        match adaptation::read(payload) {
            Some(Piece::Whole(datagram)) => self.deliver(ends, datagram),
            Some(Piece::Fragment { size, tag, offset: 0, bytes }) => {
                self.begin(Id { from: ends.from.eui, size, tag }, bytes);
            }
            Some(Piece::Fragment { size, tag, offset, bytes }) => {
                let id = Id { from: ends.from.eui, size, tag };
                let taken = self.reassembly.borrow_mut().take(id, offset, bytes);
                match taken {
                    Taken::Continued => {}
                    Taken::Whole(datagram) => {
                        self.queue.borrow_mut().release(size.into());
                        self.deliver(ends, &datagram);
                    }
                    Taken::Orphan => self.record(Incident::OrphanFragment),
                }
            }
            None => {}
        }
    }

    /// Accepts the first fragment of a datagram, if there are buffers for the whole datagram.
    fn begin(&self, id: Id, bytes: &[u8]) {
        let Some(saved) = adaptation::saved(bytes) else { return };
        if !self.queue.borrow_mut().hold(id.size.into()) {
            self.record(Incident::FragmentStorm);
            return;
        }
        let sim = self.board.sim();
        let deadline = self.board.clock().after(sim.now(), self.config.reassembly);
        self.reassembly.borrow_mut().begin(id, saved, bytes, deadline);
        let this = Weak::clone(&self.this);
        sim.at(deadline, move || {
            let Some(station) = this.upgrade() else { return };
            for gone in station.reassembly.borrow_mut().expire(deadline) {
                station.queue.borrow_mut().release(gone.size.into());
                station.record(Incident::FragmentTimeout);
            }
            station.room.raise();
        });
    }

    /// Delivers a datagram to the program, if it is from the program's peer.
    fn deliver(&self, ends: Ends, datagram: &[u8]) {
        let Some(payload) = adaptation::expand(ends, datagram) else { return };
        if ends.from.eui == self.config.peer.eui {
            self.inbox.borrow_mut().push_back(payload.to_vec());
            self.arrived.raise();
        }
    }

    /// Waits for the next datagram, copies it into `buffer` and returns its size. A longer one is
    /// truncated.
    pub(super) async fn next_datagram(&self, buffer: &mut [u8]) -> usize {
        next_of(buffer, &self.arrived, || self.inbox.borrow_mut().pop_front()).await
    }
}
