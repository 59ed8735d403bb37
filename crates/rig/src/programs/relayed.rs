//! Relay of external packets: traffic that enters at either board leaves at the other.
//!
//! The boards are those of a run: a trigger input announces a packet to a board, and its strobe
//! announces an arrival. The latency of a packet is therefore that of a message of a run.
//!
//! A packet of N bytes is represented by a message of N bytes on the link. Seven bytes of the
//! message are the header of airlag (sequence number, length, and a check of both) and a CRC. The
//! other bytes are the beginning of the packet. A packet shorter than seven bytes is padded. The
//! complete packet is stored outside the link until the message arrives, and is then delivered
//! unchanged. The link can lose, damage and delay this message like any message of a run. Bytes
//! without packet boundaries, as from a serial port, are sent directly over a byte-stream link
//! ([`Framing::Bytes`]). IP packets are sent directly over a link that supports IP, and in a tunnel
//! over any other bidirectional link ([`Framing::Ip`]).

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
use crate::report::SharedReport;
use crate::run::MAX_SIZE;
use crate::stimulus::PULSE;

pub use way::{Packet, Way};

/// Format of the traffic from outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Framing {
    /// Packets, which arrive completely or not at all.
    Packets,
    /// Bytes in pieces of any size. A byte-stream link carries them as they are, and damaged bytes
    /// arrive damaged. Any other link carries each piece as a packet.
    Bytes,
    /// IP packets. A link that supports IP carries them directly, with the queueing and the loss of
    /// this link. Any other bidirectional link carries IP packets in a tunnel, and the tunnel
    /// retransmits lost packets. A one-way link carries each IP packet as one message.
    Ip(Tunnel),
}

/// Constructor of a tunnel, which converts a link without IP support on the named board into one
/// that carries IP packets. Callers supply the constructor, which is the same at both ends.
#[derive(Clone, Copy, Debug)]
pub struct Tunnel(pub fn(&'static str, BoxedLink, &Sim, &SharedReport) -> BoxedLink);

impl PartialEq for Tunnel {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::fn_addr_eq(self.0, other.0)
    }
}

impl Eq for Tunnel {}

/// Form in which a link carries the traffic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Carried {
    /// Each packet waits beside the link until the message that represents it has arrived.
    Messages,
    /// Unchanged, in pieces.
    Bytes,
    /// Unchanged, packet by packet.
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

/// One direction of a relay, from offer to delivery.
#[derive(Clone)]
pub struct Relay {
    way: Rc<RefCell<Way>>,
    trigger: Line,
    strobe: Line,
    room: usize,
    framing: Framing,
    /// Whether the link supports this direction.
    open: bool,
    mtu: Rc<Cell<usize>>,
    connection: Rc<Cell<Option<OpenedBy>>>,
}

impl Relay {
    fn new(sim: &Sim, room: usize, framing: Framing, open: bool) -> Self {
        let (trigger, strobe) = (Line::new(sim, false), Line::new(sim, false));
        let way = Rc::<RefCell<Way>>::default();
        let (weak, clock) = (Rc::downgrade(&way), sim.clone());
        strobe.observe(move |level| {
            if let Some(way) = weak.upgrade().filter(|_| level) {
                way.borrow_mut().announce(clock.now());
            }
        });
        let mtu = Rc::new(Cell::new(MAX_SIZE));
        let connection = Rc::default();
        Self { way, trigger, strobe, room, framing, open, mtu, connection }
    }

    /// Returns the end that opened the connection for the bytes. `None` without a connection.
    #[must_use]
    pub fn connection(&self) -> Option<OpenedBy> {
        self.connection.get()
    }

    /// Longest packet that may be offered, bytes.
    #[must_use]
    pub fn mtu(&self) -> usize {
        self.mtu.get()
    }

    /// Whether the queue has room for another packet.
    #[must_use]
    pub fn has_room(&self) -> bool {
        self.way.borrow().waiting() < self.room
    }

    /// Offers a packet now. Returns its number. `None` if the queue is full, the packet is longer
    /// than [`Relay::mtu`], or the link does not support this direction.
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

    /// Pulses the trigger until the queue is empty, because a board may miss an edge while it is
    /// busy.
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

    /// State of the packets in this direction.
    pub fn way(&self) -> std::cell::RefMut<'_, Way> {
        self.way.borrow_mut()
    }
}

/// A relay in both directions, or only from the first board over a one-way link.
#[derive(Clone)]
pub struct Relayed {
    /// From the first board to the second.
    pub there: Relay,
    /// From the second to the first.
    pub back: Relay,
}

impl Relayed {
    /// Creates a relay with a queue of `room` packets at each sending board.
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

/// Sends outgoing and receives incoming traffic of a board, in turns.
fn carry(board: &'static str, end: BoxedEnd, out: &Relay, into: &Relay, bench: &Bench) {
    let (report, trigger) = (bench.shared_report(), end.pins.trigger(&out.trigger));
    let carried = Carried::Messages;
    let outgoing =
        Outgoing { relay: out.clone(), carried, sequence: 0, report: bench.shared_report() };
    let incoming = Incoming {
        relay: into.clone(),
        carried,
        strobe: end.pins.strobe(&into.strobe),
        sorter: Reassembler::new(),
        sim: bench.sim().clone(),
        report: bench.shared_report(),
    };
    bench.sim().spawn(board, async move {
        let Some(link) = opened(board, end.link, &report).await else { return };
        if let Err(cause) = relay(board, link, trigger, outgoing, incoming).await {
            stop(board, cause, &report);
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
        link = begin(board, link, &incoming.sim, &outgoing.report);
    }
    forward(link, trigger, outgoing, incoming).await
}

/// Sends outgoing and receives incoming traffic.
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
        // A single wait spans several arrivals, because an edge in transit through an interrupt
        // would be lost if the wait were dropped.
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
            // A board with a permanent backlog would otherwise never receive.
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

/// Outgoing traffic of a board.
struct Outgoing {
    relay: Relay,
    carried: Carried,
    sequence: u16,
    report: SharedReport,
}

impl Outgoing {
    /// Sends the next packet; returns false if none waits.
    async fn send<L: Link<Error: Display>>(&mut self, link: &mut L) -> Result<bool, String> {
        let (mut bytes, capability) = ([0; MAX_SIZE], link.capability());
        let Some(len) = self.next(&mut bytes) else { return Ok(false) };
        self.report.borrow_mut().sent.messages += 1;
        for chunk in chunks(&bytes[..len], capability.mtu) {
            let delivery = link.send(chunk).await.map_err(|error| error.to_string())?;
            if delivery == Delivery::Lost {
                self.report.borrow_mut().sent.lost += 1;
                break;
            }
        }
        Ok(true)
    }

    /// Writes the next message into `bytes` and returns its length.
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

/// Copies a packet to the start of `bytes` and returns its length.
fn copied(packet: &[u8], bytes: &mut [u8; MAX_SIZE]) -> usize {
    bytes[..packet.len()].copy_from_slice(packet);
    packet.len()
}

/// Incoming traffic of a board.
struct Incoming<S> {
    relay: Relay,
    carried: Carried,
    strobe: S,
    sorter: Reassembler<MAX_SIZE>,
    sim: Sim,
    report: SharedReport,
}

impl<S: OutputPin> Incoming<S> {
    /// Processes a chunk, or a piece of a byte stream.
    fn sort(&mut self, chunk: &[u8], stream: bool) -> Result<(), String> {
        match self.carried {
            Carried::Messages => {}
            Carried::Bytes => {
                self.relay.way.borrow_mut().piece(chunk, self.sim.now());
                return Ok(());
            }
            Carried::Packets => {
                self.report.borrow_mut().received.messages += 1;
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
                    self.report.borrow_mut().received.messages += 1;
                    let is_new = self.relay.way.borrow_mut().complete(header.sequence);
                    if is_new {
                        self.pulse()?;
                    }
                }
                Seen::Damaged { .. } => self.report.borrow_mut().received.damaged += 1,
                Seen::Orphan => self.report.borrow_mut().received.orphans += 1,
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
