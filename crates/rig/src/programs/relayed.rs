//! Packets of somebody else's: what comes to either board from outside goes to the other one.
//!
//! The boards are those of a run: that a packet has come a board learns by its trigger input, and
//! that one is there it says by its strobe. So a packet takes as long as a message of a run does.
//!
//! A packet of N bytes is a message of N bytes on the link, of which seven are ours (sequence
//! number, length, check, CRC) and the others its own; one of fewer than seven bytes is filled up.
//! The packet itself waits beside the link until its message is there, so that it arrives as it
//! was. What a link loses, damages or delays is thereby lost, damaged and delayed as in a run.
//! Bytes without edges, as a serial port has them, go as they are over a link that is a stream
//! ([`Framing::Bytes`]), IP packets over one that knows them, and over any other one that goes both ways
//! in a tunnel ([`Framing::Ip`]).

mod way;

use std::cell::{Cell, RefCell};
use std::convert::Infallible;
use std::fmt::Display;
use std::future::ready;
use std::pin::pin;
use std::rc::Rc;

use airlag_link::message::{self, HEADER_LEN, MIN_LEN, TRAILER_LEN};
use airlag_link::{Delivery, Link, OpenedBy, Reassembler, Seen, chunks};
use airlag_sim::{Line, Sim};
use embassy_futures::select::{Either, select};
use embedded_hal::digital::OutputPin;
use embedded_hal_async::digital::Wait;

use super::{Program, opened, stop};
use crate::ends::{Bench, BoxedEnd, BoxedLink, Pins};
use crate::kind::Ways;
use crate::report::Told;
use crate::run::MAX_SIZE;
use crate::stimulus::PULSE;

pub use way::{Packet, Way};

/// What comes from outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Framing {
    /// Packets, which arrive whole or not at all.
    Packets,
    /// Bytes in pieces of any size. A link that is a stream of bytes carries them as they are, and
    /// what it damages arrives damaged; any other one carries each piece as a packet.
    Bytes,
    /// IP packets. A link that knows IP carries them as they are, and does with them as it sees fit.
    /// Any other one that goes both ways is the radio of a tunnel, which sends again what it loses;
    /// one that goes one way carries each as a packet.
    Ip(Tunnel),
}

/// Makes a link that carries IP packets out of one that does not, on the board that is named: handed to the
/// bench by whoever has such a protocol, and the same at both ends.
#[derive(Clone, Copy, Debug)]
pub struct Tunnel(pub fn(&'static str, BoxedLink, &Sim, &Told) -> BoxedLink);

impl PartialEq for Tunnel {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::fn_addr_eq(self.0, other.0)
    }
}

impl Eq for Tunnel {}

/// How a link carries what comes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Carried {
    /// Beside a message of ours, with which it arrives.
    Messages,
    /// As it is, in pieces.
    Bytes,
    /// As it is, packet by packet.
    Packets,
}

impl Framing {
    fn carried_by<L: Link>(self, link: &mut L) -> Carried {
        match self {
            Self::Bytes if link.capability().stream => Carried::Bytes,
            Self::Ip(_) if link.carry_ip() => Carried::Packets,
            _ => Carried::Messages,
        }
    }
}

/// One direction of a relay: where packets are offered, and where they come out.
#[derive(Clone)]
pub struct Relay {
    way: Rc<RefCell<Way>>,
    trigger: Line,
    strobe: Line,
    room: usize,
    framing: Framing,
    /// Whether the link goes this way at all.
    open: bool,
    mtu: Rc<Cell<usize>>,
    connection: Rc<Cell<Option<OpenedBy>>>,
}

impl Relay {
    fn new(sim: &Sim, room: usize, framing: Framing, open: bool) -> Self {
        let (trigger, strobe) = (Line::new(sim, false), Line::new(sim, false));
        let way = Rc::<RefCell<Way>>::default();
        let (told, clock) = (Rc::downgrade(&way), sim.clone());
        strobe.observe(move |level| {
            if let Some(way) = told.upgrade().filter(|_| level) {
                way.borrow_mut().tell(clock.now());
            }
        });
        let mtu = Rc::new(Cell::new(MAX_SIZE));
        let connection = Rc::default();
        Self { way, trigger, strobe, room, framing, open, mtu, connection }
    }

    /// Which end opened the connection that carries the bytes; none where none does.
    #[must_use]
    pub fn connection(&self) -> Option<OpenedBy> {
        self.connection.get()
    }

    /// Longest packet that may be offered, bytes.
    #[must_use]
    pub fn mtu(&self) -> usize {
        self.mtu.get()
    }

    /// Whether another packet would find room.
    #[must_use]
    pub fn has_room(&self) -> bool {
        self.way.borrow().waiting() < self.room
    }

    /// Offers a packet, now. Its number; none where the queue is full, the packet is longer than
    /// [`Relay::mtu`], or the link does not go this way.
    #[must_use]
    pub fn offer(&self, bytes: &[u8], tag: u32) -> Option<usize> {
        let mut way = self.way.borrow_mut();
        if !self.open || way.waiting.len() >= self.room || bytes.len() > self.mtu() {
            way.refused += 1;
            return None;
        }
        let nth = way.offered;
        way.offered += 1;
        way.waiting.push_back(Packet { bytes: bytes.to_vec(), tag, nth });
        drop(way);
        self.pulse();
        Some(nth)
    }

    /// Pulses the trigger until no packet waits: an edge may come while a board is not looking.
    fn pulse(&self) {
        if self.trigger.level() {
            return;
        }
        self.trigger.set(true);
        let (this, sim) = (self.clone(), self.trigger.sim().clone());
        sim.at(sim.now() + PULSE, move || {
            this.trigger.set(false);
            let (again, sim) = (this.clone(), this.trigger.sim().clone());
            sim.at(sim.now() + PULSE, move || {
                if again.way.borrow().waiting() > 0 {
                    again.pulse();
                }
            });
        });
    }

    /// What became of its packets.
    pub fn way(&self) -> std::cell::RefMut<'_, Way> {
        self.way.borrow_mut()
    }
}

/// Packets both ways, or only from the first board where the link goes no other way.
#[derive(Clone)]
pub struct Relayed {
    /// From the first board to the second.
    pub there: Relay,
    /// From the second to the first.
    pub back: Relay,
}

impl Relayed {
    /// With a queue for `room` packets at each board that sends.
    #[must_use]
    pub fn new(sim: &Sim, room: usize, framing: Framing, ways: Ways) -> Self {
        let back = ways == Ways::Both;
        Self {
            there: Relay::new(sim, room, framing, true),
            back: Relay::new(sim, room, framing, back),
        }
    }
}

impl Program for Relayed {
    fn start(&self, near: BoxedEnd, far: BoxedEnd, bench: &Bench) {
        carry("sender", near, &self.there, &self.back, bench);
        carry("receiver", far, &self.back, &self.there, bench);
    }
}

/// Sends what goes out from a board and takes in what comes, in turns, for ever.
fn carry(board: &'static str, end: BoxedEnd, out: &Relay, into: &Relay, bench: &Bench) {
    let (told, trigger) = (bench.told(), end.pins.trigger(&out.trigger));
    let carried = Carried::Messages;
    let outgoing = Outgoing { relay: out.clone(), carried, sequence: 0, told: bench.told() };
    let incoming = Incoming {
        relay: into.clone(),
        carried,
        strobe: end.pins.strobe(&into.strobe),
        sorter: Reassembler::new(),
        sim: bench.sim().clone(),
        told: bench.told(),
    };
    bench.sim().spawn(board, async move {
        let Some(link) = opened(board, end.link, &told).await else { return };
        if let Err(cause) = relay(board, link, trigger, outgoing, incoming).await {
            stop(board, cause, &told);
        }
    });
}

async fn relay(
    board: &'static str,
    mut link: BoxedLink,
    trigger: impl Wait<Error = Infallible>,
    mut outgoing: Outgoing,
    mut incoming: Incoming<impl OutputPin>,
) -> Result<(), String> {
    let framing = outgoing.relay.framing;
    let carried = framing.carried_by(&mut link);
    let both_ways = outgoing.relay.open && incoming.relay.open;
    (outgoing.carried, incoming.carried) = (carried, carried);
    if let (Framing::Ip(Tunnel(begin)), Carried::Messages, true) = (framing, carried, both_ways) {
        (outgoing.carried, incoming.carried) = (Carried::Packets, Carried::Packets);
        link = begin(board, link, &incoming.sim, &outgoing.told);
    }
    forward(link, trigger, outgoing, incoming).await
}

/// Sends what goes out and takes in what comes.
async fn forward<L: Link<Error: Display>>(
    mut link: L,
    mut trigger: impl Wait<Error = Infallible>,
    mut outgoing: Outgoing,
    mut incoming: Incoming<impl OutputPin>,
) -> Result<(), String> {
    let capability = link.capability();
    if outgoing.carried == Carried::Packets {
        outgoing.relay.mtu.set(capability.mtu.min(MAX_SIZE));
    }
    if outgoing.carried == Carried::Bytes {
        outgoing.relay.connection.set(capability.connection);
    }
    let mut buffer = vec![0; capability.mtu.max(MAX_SIZE)];
    loop {
        // One wait for as much as comes meanwhile: an edge that is on its way through an interrupt
        // would be lost with the wait for it.
        let mut next = pin!(trigger.wait_for_rising_edge());
        while incoming.relay.open {
            match select(link.receive(&mut buffer), next.as_mut()).await {
                Either::First(got) => {
                    let got = got.map_err(|error| error.to_string())?;
                    incoming.sort(&buffer[..got], capability.stream)?;
                }
                Either::Second(Ok(())) => break,
            }
        }
        if !incoming.relay.open {
            let Ok(()) = next.await;
        }
        while outgoing.send(&mut link).await? {
            // A board that always has something to send would otherwise never look.
            let come = if incoming.relay.open {
                select(link.receive(&mut buffer), ready(())).await
            } else {
                Either::Second(())
            };
            if let Either::First(got) = come {
                let got = got.map_err(|error| error.to_string())?;
                incoming.sort(&buffer[..got], capability.stream)?;
            }
        }
    }
}

/// What goes out from a board.
struct Outgoing {
    relay: Relay,
    carried: Carried,
    sequence: u16,
    told: Told,
}

impl Outgoing {
    /// Sends the next packet; false if none waits.
    async fn send<L: Link<Error: Display>>(&mut self, link: &mut L) -> Result<bool, String> {
        let (mut bytes, capability) = ([0; MAX_SIZE], link.capability());
        let Some(len) = self.next(&mut bytes) else { return Ok(false) };
        self.told.borrow_mut().sent.messages += 1;
        for chunk in chunks(&bytes[..len], capability.mtu) {
            let delivery = link.send(chunk).await.map_err(|error| error.to_string())?;
            if delivery == Delivery::Lost {
                self.told.borrow_mut().sent.lost += 1;
                break;
            }
        }
        Ok(true)
    }

    /// Writes what is sent of the next packet; its length.
    fn next(&mut self, bytes: &mut [u8; MAX_SIZE]) -> Option<usize> {
        let mut way = self.relay.way.borrow_mut();
        match self.carried {
            Carried::Messages => {}
            Carried::Bytes => return Some(copied(&way.pop()?.bytes, bytes)),
            Carried::Packets => return Some(copied(&way.take(0)?.bytes, bytes)),
        }
        let packet = way.take(self.sequence)?;
        let len = packet.bytes.len().clamp(MIN_LEN, MAX_SIZE);
        let body = packet.bytes.len().min(len - HEADER_LEN - TRAILER_LEN);
        bytes[HEADER_LEN..HEADER_LEN + body].copy_from_slice(&packet.bytes[..body]);
        message::seal(&mut bytes[..len], self.sequence).ok()?;
        self.sequence = self.sequence.wrapping_add(1);
        Some(len)
    }
}

/// Copies a packet to the beginning of `bytes`; its length.
fn copied(packet: &[u8], bytes: &mut [u8; MAX_SIZE]) -> usize {
    bytes[..packet.len()].copy_from_slice(packet);
    packet.len()
}

/// What comes to a board.
struct Incoming<S> {
    relay: Relay,
    carried: Carried,
    strobe: S,
    sorter: Reassembler<MAX_SIZE>,
    sim: Sim,
    told: Told,
}

impl<S: OutputPin> Incoming<S> {
    /// Takes a chunk, or a piece of a stream.
    fn sort(&mut self, chunk: &[u8], stream: bool) -> Result<(), String> {
        match self.carried {
            Carried::Messages => {}
            Carried::Bytes => {
                self.relay.way.borrow_mut().piece(chunk, self.sim.now());
                return Ok(());
            }
            Carried::Packets => {
                self.told.borrow_mut().received.messages += 1;
                self.relay.way.borrow_mut().came(chunk);
                return self.pulse();
            }
        }
        let mut rest = chunk;
        while !rest.is_empty() {
            let (seen, used) = if stream {
                self.sorter.push_stream(rest)
            } else {
                (self.sorter.push(rest), rest.len())
            };
            rest = &rest[used..];
            match seen {
                Seen::Whole(header) => {
                    self.told.borrow_mut().received.messages += 1;
                    let is_new = self.relay.way.borrow_mut().complete(header.sequence);
                    if is_new {
                        self.pulse()?;
                    }
                }
                Seen::Damaged { .. } => self.told.borrow_mut().received.damaged += 1,
                Seen::Orphan => self.told.borrow_mut().received.orphans += 1,
                Seen::Partial => {}
            }
        }
        Ok(())
    }

    fn pulse(&mut self) -> Result<(), String> {
        let pulse = self.strobe.set_high().and_then(|()| self.strobe.set_low());
        pulse.map_err(|_| "the strobe output failed".to_owned())
    }
}
