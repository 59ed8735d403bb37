//! A central and a peripheral, connected directly, and a service for the tests.

#![allow(dead_code, reason = "each test program uses some of it")]

use std::vec;
use std::vec::Vec;

use airlag_rpc::central::{CallKind, Central, Config as CentralConfig, Event, Failure, Ticket};
use airlag_rpc::control::Reason;
use airlag_rpc::peripheral::{Config, Peripheral, Refused, Taken};
use airlag_rpc::service::{Fault, Outcome, Reply, Service};
use airlag_rpc::{Entropy, Instant};

/// Secret key of the peripheral's identity.
pub const SEED: [u8; 32] = [9; 32];

/// Predictable bytes instead of random ones. Contains the next byte.
#[derive(Debug)]
pub struct Counting(u8);

impl Entropy for Counting {
    fn fill(&mut self, bytes: &mut [u8]) {
        for byte in bytes {
            *byte = self.0;
            self.0 = self.0.wrapping_mul(5).wrapping_add(7);
        }
    }
}

/// Items of a reply, in memory.
#[derive(Debug)]
pub struct Items {
    left: std::vec::IntoIter<Vec<u8>>,
    item: Vec<u8>,
    at: usize,
}

impl Items {
    fn of(items: Vec<Vec<u8>>) -> Self {
        Self { left: items.into_iter(), item: Vec::new(), at: 0 }
    }
}

impl Reply for Items {
    fn len(&self) -> usize {
        self.item.len()
    }

    fn read(&mut self, into: &mut [u8]) -> usize {
        let rest = &self.item[self.at..];
        let count = rest.len().min(into.len());
        into[..count].copy_from_slice(&rest[..count]);
        self.at += count;
        count
    }

    fn next(&mut self) -> bool {
        let next = self.left.next();
        self.at = 0;
        next.map(|item| self.item = item).is_some()
    }
}

/// `echo` responds with its request, `count` with the number of items in the first byte of its
/// request, `sum` with the total number of bytes of the uploaded items.
#[derive(Debug, Default)]
pub struct Toy {
    sum: usize,
}

impl Service for Toy {
    type Reply = Items;

    fn methods(&self) -> &'static [&'static str] {
        &["echo", "count", "sum"]
    }

    fn call(&mut self, method: &str, request: &[u8]) -> Result<Outcome<Items>, Fault> {
        match method {
            "echo" => Ok(Outcome::Reply(Items::of(vec![request.to_vec()]))),
            "count" => {
                let &[count] = request else { return Err(Fault::Malformed) };
                Ok(Outcome::Stream(Items::of((0..count).map(|nth| vec![nth]).collect())))
            }
            "sum" => {
                self.sum += request.len();
                Ok(Outcome::Taken)
            }
            _ => Err(Fault::UnknownMethod),
        }
    }

    fn end(&mut self, method: &str) -> Result<Items, Fault> {
        match method {
            "sum" => {
                let sum = std::mem::take(&mut self.sum) as u64;
                Ok(Items::of(vec![sum.to_le_bytes().to_vec()]))
            }
            _ => Err(Fault::UnknownMethod),
        }
    }

    fn abandon(&mut self, _: &str) {
        self.sum = 0;
    }
}

/// Both ends. Containers are delivered immediately, unless a test changes them.
#[derive(Debug)]
pub struct Wired {
    asking: CentralConfig,
    connections: u8,
    /// The end that makes calls.
    pub central: Central<Counting>,
    /// The end that responds to calls.
    pub peripheral: Peripheral<Toy, Counting, 10_000, 8>,
    /// Current time.
    pub now: Instant,
    /// Containers that the peripheral rejected, with the reason.
    pub refused: Vec<Refused>,
    /// Number of calls of the service.
    pub calls: usize,
}

/// Both ends over packets of `packet` bytes with their default configuration, which `change` may
/// modify.
pub fn wired(packet: usize, change: impl FnOnce(&mut CentralConfig, &mut Config)) -> Wired {
    let (mut asking, mut answering) = (CentralConfig::new(packet, 8), Config::new(packet, 8));
    change(&mut asking, &mut answering);
    let now = Instant(0);
    let central = Central::new(asking.clone(), Counting(1), now);
    let peripheral = Peripheral::new(Toy::default(), SEED, Counting(2), answering);
    Wired { asking, connections: 1, central, peripheral, now, refused: Vec::new(), calls: 0 }
}

/// Direction of a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// To the peripheral.
    Up,
    /// To the central.
    Down,
}

/// Whether a packet is a piece of a payload and not a control message.
pub fn is_piece(packet: &[u8]) -> bool {
    packet[2] >> 6 != 0b11
}

/// Whether a packet begins a payload.
pub fn is_first(packet: &[u8]) -> bool {
    packet[2] >> 6 == 0
}

/// A message from one end to the other.
pub fn message(transaction: u8, code: u8, payload: &[u8]) -> Vec<u8> {
    [&[transaction, 0, 0b11 << 6 | code << 2, payload.len() as u8], payload].concat()
}

/// Packet size that is sufficient for a key exchange but not for a message of [`LONG`] bytes.
pub const PACKET: usize = 140;
/// Length of a message that takes several packets of [`PACKET`] bytes.
pub const LONG: usize = 500;

/// Two ends that have a session.
pub fn sealed() -> Wired {
    let mut ends = wired(PACKET, |_, _| {});
    assert_eq!(ends.settle(), [Event::Ready]);
    assert!(ends.peripheral.is_sealed());
    ends
}

/// Modifies the `nth` piece in the direction `way`.
pub fn at(
    way: Way,
    nth: usize,
    mut change: impl FnMut(Vec<u8>) -> Vec<Vec<u8>>,
) -> impl FnMut(Way, Vec<u8>) -> Vec<Vec<u8>> {
    let mut seen = 0;
    move |going, packet| {
        if going != way || !is_piece(&packet) {
            return vec![packet];
        }
        seen += 1;
        if seen - 1 == nth { change(packet) } else { vec![packet] }
    }
}

/// Modifies one byte of a packet.
pub fn changed(at: usize, to: impl Fn(u8) -> u8) -> impl Fn(Vec<u8>) -> Vec<Vec<u8>> {
    move |mut packet| {
        packet[at] = to(packet[at]);
        vec![packet]
    }
}

/// Event that a call failed, with its reason.
pub fn failed(ticket: Ticket, failure: Failure) -> Event {
    Event::Failed { ticket, failure }
}

/// Event that a call failed with a reason from the peripheral.
pub fn told(ticket: Ticket, reason: Reason) -> Event {
    failed(ticket, Failure::Peer(reason))
}

impl Wired {
    /// Closes the connection and opens a new one.
    pub fn connect(&mut self) {
        self.peripheral.reset();
        self.connections += 2;
        self.central = Central::new(self.asking.clone(), Counting(self.connections), self.now);
    }

    /// Requests an echo of `message`.
    pub fn echo(&mut self, message: &[u8]) -> Ticket {
        self.central.ask(CallKind::Single, "echo", vec![message.to_vec()])
    }

    /// Uploads items of the given lengths. Returns the sum according to the peripheral.
    pub fn upload(&mut self, lengths: &[usize]) -> u64 {
        let items = lengths.iter().map(|&length| vec![0; length]).collect();
        let ticket = self.central.ask(CallKind::Upload, "sum", items);
        match &self.settle()[..] {
            [Event::Reply { ticket: found, message }] if *found == ticket => {
                u64::from_le_bytes(message[..].try_into().expect("eight bytes"))
            }
            other => panic!("{other:?}"),
        }
    }

    /// Calls the echo, and checks that its response is the only event.
    pub fn works(&mut self) {
        let message = b"is anybody there?".to_vec();
        let ticket = self.echo(&message);
        assert_eq!(self.settle(), [Event::Reply { ticket, message }]);
    }

    /// Runs until neither end has anything to send.
    pub fn settle(&mut self) -> Vec<Event> {
        self.settle_with(|_, packet| vec![packet])
    }

    /// Like `settle`, but replaces every packet by the packets that `change` returns.
    pub fn settle_with(
        &mut self,
        mut change: impl FnMut(Way, Vec<u8>) -> Vec<Vec<u8>>,
    ) -> Vec<Event> {
        let mut bytes = [0; 600];
        loop {
            self.now = self.now.after(1_000_000);
            if let Some(length) = self.central.outgoing(&mut bytes, self.now) {
                for packet in change(Way::Up, bytes[..length].to_vec()) {
                    self.up(&packet);
                }
            } else if let Some(length) = self.peripheral.outgoing(&mut bytes) {
                for packet in change(Way::Down, bytes[..length].to_vec()) {
                    self.central.received(&packet, self.now);
                }
            } else {
                return std::iter::from_fn(|| self.central.event()).collect();
            }
        }
    }

    /// Delivers a packet to the peripheral.
    pub fn up(&mut self, packet: &[u8]) {
        match self.peripheral.received(packet, self.now) {
            Ok(Taken::Call { .. }) => self.calls += 1,
            Ok(_) => {}
            Err(cause) => self.refused.push(cause),
        }
    }

    /// Advances the time.
    pub fn wait(&mut self, ms: u64) -> Vec<Event> {
        self.now = self.now.after(ms * 1_000_000);
        self.central.tick(self.now);
        std::iter::from_fn(|| self.central.event()).collect()
    }
}
