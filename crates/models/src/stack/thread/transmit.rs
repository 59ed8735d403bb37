//! The sending side: one message at a time, one frame at a time.

use std::rc::{Rc, Weak};

use airlag_sim::{Duration, Instant};

use super::adaptation;
use super::address::Scope;
use super::config::{Radio, room};
use super::faults::TRANSMIT_WAIT;
use super::mesh::{self, Mesh};
use super::queue::Content;
use super::security;
use super::sleepy::{self, Sleepy};
use super::slices;
use super::spinel::{self, Serial};
use super::station::{Incident, Station};
use crate::stack::ieee802154::frame::{self, Header, Kind, Version};
use crate::stack::ieee802154::{Address, Outcome, Plan};

/// The next hop of a frame.
#[derive(Clone, Copy)]
pub(super) struct Hop {
    from: Address,
    to: Address,
    /// Whether the neighbour forwards the frame.
    onward: bool,
}

/// A frame to send, before its encryption.
#[derive(Clone)]
pub(super) struct Outgoing {
    pub(super) header: Header,
    counter: u32,
    payload: Vec<u8>,
}

impl Station {
    /// Sends the station's own datagrams and forwarded frames, in a loop.
    pub(super) async fn send_all(&self) {
        let sim = self.board.sim();
        loop {
            self.keep_silent().await;
            if self.poll_due.take() {
                self.poll().await;
                continue;
            }
            let (next, late) = self.queue.borrow_mut().next(sim.now());
            (0..late).for_each(|_| self.record(Incident::DroppedLate));
            if late > 0 {
                self.room.raise();
            }
            let Some(message) = next else {
                self.news.wait().await;
                continue;
            };
            self.board.span(&slices::TRANSMIT_QUEUE, message.since, sim.now());
            self.holds(true);
            let sent = match &message.content {
                Content::Datagram(payload) => self.send_datagram(payload).await,
                Content::Frame { bytes, .. } => self.send_on(bytes).await,
            };
            if let Err(incident) = sent {
                self.record(incident);
            }
            self.holds(false);
            self.queue.borrow_mut().done();
            self.room.raise();
        }
    }

    /// Sends the frames of a datagram. If one of them is given up, the rest is not sent
    /// (`OPENTHREAD_CONFIG_DROP_MESSAGE_ON_FRAGMENT_TX_FAILURE`).
    async fn send_datagram(&self, payload: &[u8]) -> Result<(), Incident> {
        let ends = self.outward();
        let compressed = adaptation::compress(ends, payload);
        let hop = match ends.scope {
            Scope::Link => {
                let [from, to] = [ends.from, ends.to].map(|place| Address::Extended(place.eui));
                Hop { from, to, onward: false }
            }
            Scope::Locator | Scope::Endpoint => self.hop(ends.to.rloc)?,
        };
        let tag = self.tag.get();
        let room = room(ends.scope, hop.onward) - self.elements_len();
        let frames = adaptation::frames(ends.scope, &compressed, room, tag);
        if frames.len() > 1 {
            // Tag 0 is skipped: it marks a message without a tag.
            self.tag.set(tag.wrapping_add(1).max(1));
        }
        let mesh = Mesh { hops_left: mesh::HOPS, from: ends.from.rloc, to: ends.to.rloc };
        let last = frames.len() - 1;
        for (nth, frame) in frames.into_iter().enumerate() {
            let frame = if hop.onward { mesh.before(&frame) } else { frame };
            self.send_frame(hop, &frame, nth < last).await?;
        }
        Ok(())
    }

    /// Polls the parent for pending frames; returns whether it announces one. In CSL, the request
    /// is sent once (`DataPollSender::PrepareDataRequest`).
    pub(super) async fn request_data(&self) -> Result<bool, Incident> {
        let own = self.routes.borrow().own.rloc;
        let (from, to) = (Address::Short(own), Address::Short(self.config.peer.rloc));
        let hop = Hop { from, to, onward: false };
        let frame = self.outgoing(Kind::Command, hop, &sleepy::DATA_REQUEST, false);
        let retries = frame.header.is_enhanced().then_some(0);
        self.keep_silent().await;
        self.prepare(&frame).await;
        match self.put(hop, &frame, Plan { at: None, retries }).await {
            Some(Outcome::Acknowledged) => Ok(self.acknowledged()),
            _ => Err(Incident::DatagramLost),
        }
    }

    /// Forwards a frame that has a mesh header.
    async fn send_on(&self, payload: &[u8]) -> Result<(), Incident> {
        let (mesh, _) = Mesh::read(payload).ok_or(Incident::NoRoute)?;
        self.send_frame(self.hop(mesh.to)?, payload, false).await
    }

    fn hop(&self, to: u16) -> Result<Hop, Incident> {
        let routes = self.routes.borrow();
        let next = routes.next_hop(to, self.board.sim().now()).ok_or(Incident::NoRoute)?;
        let from = Address::Short(routes.own.rloc);
        Ok(Hop { from, to: Address::Short(next), onward: next != to })
    }

    /// Sends a frame. With `more` frames of the same datagram to come, OpenThread sets a bit in the
    /// header.
    async fn send_frame(&self, hop: Hop, payload: &[u8], more: bool) -> Result<(), Incident> {
        self.keep_silent().await;
        let frame = self.outgoing(Kind::Data, hop, payload, more);
        let sleepy = self.sleepy.borrow().clone();
        if let Some(Sleepy::Parent(parent)) = sleepy {
            return self.send_to_child(&parent, hop, frame).await;
        }
        self.prepare(&frame).await;
        let outcome = self.put(hop, &frame, Plan::default()).await;
        if outcome != Some(Outcome::Acknowledged) {
            return Err(Incident::DatagramLost);
        }
        if self.acknowledged() {
            self.poll_due.set(true);
        }
        if hop.onward {
            self.silent_until.set(self.tick_after(self.config.collision_avoidance));
        }
        Ok(())
    }

    /// Creates a frame with the next sequence number and frame counter.
    fn outgoing(&self, kind: Kind, hop: Hop, payload: &[u8], more: bool) -> Outgoing {
        let version = match self.elements_len() {
            0 => Version::Until2006,
            _ => Version::V2015 { elements: true },
        };
        let header = Header {
            kind,
            version,
            sequence: self.node.next_sequence(),
            frame_pending: more,
            ack_request: true,
            secured: true,
            pan: self.node.config().pan,
            destination: hop.to,
            source: hop.from,
        };
        Outgoing { header, counter: self.next_counter(), payload: payload.to_vec() }
    }

    pub(super) fn next_counter(&self) -> u32 {
        let counter = self.counter.get();
        self.counter.set(counter.wrapping_add(1));
        counter
    }

    /// Software and AES for a frame.
    pub(super) async fn prepare(&self, frame: &Outgoing) {
        let costs = self.config.costs;
        self.processor.compute(&slices::SYSTEM_CALLS, costs.send).await;
        let clear = self.elements_len();
        let aes = costs.aes_block * security::blocks(&frame.header, clear, frame.payload.len());
        self.processor.compute(&slices::AES, aes).await;
    }

    /// Puts a frame on the air. `None` if a co-processor does not report the outcome.
    pub(super) async fn put(&self, hop: Hop, frame: &Outgoing, plan: Plan) -> Option<Outcome> {
        let psdu = self.encode(frame, self.board.sim().now())?;
        let outcome = match self.config.radio {
            Radio::Own => self.radio(frame, psdu, plan).await,
            Radio::CoProcessor(serial) => self.hand_down(serial, frame, psdu, plan).await,
        };
        if let Some(outcome @ (Outcome::Acknowledged | Outcome::NoAck)) = outcome {
            let (acknowledged, now) = (outcome == Outcome::Acknowledged, self.board.sim().now());
            self.routes.borrow_mut().acknowledged(hop.to, acknowledged, now);
        }
        outcome
    }

    async fn radio(&self, frame: &Outgoing, psdu: Rc<[u8]>, plan: Plan) -> Option<Outcome> {
        if plan == Plan::default() && !frame.header.is_enhanced() {
            return self.node.transmit_psdu(&frame.header, psdu).await;
        }
        let (this, header) = (Weak::clone(&self.this), frame.header);
        let frame = frame.clone();
        let encode = move |begin| this.upgrade().and_then(|station| station.encode(&frame, begin));
        self.node.transmit_planned(&header, plan, encode).await
    }

    /// Encodes a frame whose first symbol is at `begin`.
    fn encode(&self, frame: &Outgoing, begin: Instant) -> Option<Rc<[u8]>> {
        let Outgoing { header, counter, payload } = frame;
        let (octets, len) = header.octets();
        let (elements, own) = (self.elements(begin), self.routes.borrow().own.eui);
        // The identifier of a command of the 2006 edition is not encrypted.
        let (clear, secret) = match (header.version, header.kind) {
            (Version::Until2006, Kind::Command) => payload.split_at_checked(1)?,
            _ => (elements.as_slice(), payload.as_slice()),
        };
        let body = self.keys.protect(&octets[..len], own, *counter, clear, secret);
        frame::data(header, &body)
    }

    /// Tick of the board's millisecond clock at which a timer expires if it is set to the duration
    /// `time` now. The timer counts from the last tick (`TimerMilli::Start`), so it may expire up
    /// to a millisecond early.
    fn tick_after(&self, time: Duration) -> Instant {
        const TICK: i64 = 1_000_000;
        let (clock, now) = (self.board.clock(), self.board.sim().now());
        let tick = clock.local_ns(now).div_euclid(TICK) * TICK;
        clock.instant_of(tick + time.as_ns().cast_signed()).max(now)
    }

    /// Waits for a neighbour to forward a frame.
    async fn keep_silent(&self) {
        let (sim, until) = (self.board.sim(), self.silent_until.get());
        if sim.now() < until {
            self.board.span(&slices::COLLISION_AVOIDANCE, sim.now(), until);
            sim.sleep_until(until).await;
        }
    }

    /// Sends a frame through a co-processor. `None` if it does not report the outcome.
    async fn hand_down(
        &self,
        serial: Serial,
        frame: &Outgoing,
        psdu: Rc<[u8]>,
        plan: Plan,
    ) -> Option<Outcome> {
        let (sim, clock) = (self.board.sim(), self.board.clock());
        let octets = spinel::transmit_len(&psdu);
        let (begin, end) = self.down.borrow_mut().pass(serial.line, octets, clock, sim.now());
        self.board.span(&slices::SPINEL, begin, end);
        let there = clock.after(end, serial.latency);
        self.board.span(&slices::SERIAL_LATENCY, end, there);
        sim.sleep_until(there).await;
        let back = self.stopped_until();
        if sim.now() < back {
            let (now, given_up) = (sim.now(), clock.after(begin, TRANSMIT_WAIT));
            if given_up <= back {
                self.record(Incident::RadioTimeout);
            }
            let until = given_up.min(back);
            self.board.span(&slices::NO_ANSWER, now, until);
            sim.sleep_until(until).await;
            return None;
        }
        let outcome = self.radio(frame, psdu, plan).await;
        let octets = spinel::done_len();
        let (begin, end) = self.up.borrow_mut().pass(serial.line, octets, clock, sim.now());
        self.board.span(&slices::SPINEL, begin, end);
        let back = clock.after(end, serial.latency);
        self.board.span(&slices::SERIAL_LATENCY, end, back);
        sim.sleep_until(back).await;
        outcome
    }

    /// Time until which the co-processor does not respond. It stops if too many messages are
    /// queued.
    fn stopped_until(&self) -> Instant {
        let (sim, already) = (self.board.sim(), self.stopped_until.get());
        let Some(stop) = self.config.faults.stop else { return already };
        let flooded = self.queue.borrow().backlog() >= stop.backlog;
        if sim.now() >= already && flooded && self.may_stop.get() {
            let until = stop.lasts.map_or(Instant::FOREVER, |lasts| sim.now() + lasts);
            self.stopped_until.set(until);
            self.node.deafen(until);
            self.record(Incident::CoProcessorStopped);
        }
        self.may_stop.set(!flooded);
        self.stopped_until.get()
    }
}
