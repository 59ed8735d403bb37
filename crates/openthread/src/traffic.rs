//! Messages through a network, and what became of each.
//!
//! Every node that no way leads over sends to node 1, or node 1 to each of them. Senders know where to by then:
//! one message goes ahead of those that count.

use std::cell::{Cell, RefCell};
use std::net::Ipv6Addr;
use std::rc::Rc;

use airlag_models::stack::thread::WhenFull;
use airlag_sim::{Duration, Instant};

use crate::error::Error;
use crate::network::Network;
use crate::node::{NO_BUFFERS, Node};
use crate::radio::Counts;

/// The port of every node's program, as `node/main.c` has it.
pub const PORT: u16 = 49_152;
/// Octets of the longest payload: an IPv6 datagram of 1280.
pub const MAX_SIZE: usize = 1_232;
/// How soon a program that found no buffer tries again.
const AGAIN: Duration = Duration::from_ms(1);
/// The message that goes ahead has its time: address queries are answered in well under a second a hop.
const AHEAD: Duration = Duration::from_secs(5);
/// What has not come by then, after the last that did, never comes: a node gives a datagram up after 16
/// attempts at a frame, and its receiver after 2 s without the next fragment.
const SETTLE: Duration = Duration::from_secs(5);
const LOOK: Duration = Duration::from_ms(100);

/// Which way messages go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// To node 1.
    Up,
    /// From node 1.
    Down,
}

/// Which of a node's addresses it is known by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// The one that is valid in all of the network: headers take 4 octets more than between neighbours.
    MeshLocal,
    /// The one that neighbours know.
    LinkLocal,
}

/// What is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Load {
    /// Which way.
    pub direction: Direction,
    /// Addresses of both ends.
    pub scope: Scope,
    /// Octets of a message: 1 to [`MAX_SIZE`].
    pub size: usize,
    /// Messages of each stream.
    pub count: usize,
    /// From one to the next; zero: one after the other, as fast as the program on its board can.
    pub period: Duration,
    /// What a program does that finds no message buffer.
    pub when_full: WhenFull,
}

/// What became of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// OpenThread had no buffer for it, and its program went on.
    Refused,
    /// OpenThread took it, and it never came.
    Lost,
    /// It came.
    Delivered(Instant),
}

/// A message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Message {
    /// When its program first handed it over.
    pub handed: Instant,
    /// What became of it.
    pub fate: Fate,
}

/// The messages of one sender to one receiver, in the order they were handed over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flow {
    /// Index of the sender.
    pub from: usize,
    /// Index of the receiver.
    pub to: usize,
    /// Hops between them.
    pub hops: usize,
    /// Its messages.
    pub messages: Vec<Message>,
    /// Messages that came once more.
    pub duplicates: u64,
}

impl Flow {
    /// How many came.
    #[must_use]
    pub fn delivered(&self) -> usize {
        self.messages.iter().filter(|message| message.came().is_some()).count()
    }

    /// How many found no buffer.
    #[must_use]
    pub fn refused(&self) -> usize {
        self.messages.iter().filter(|message| message.fate == Fate::Refused).count()
    }

    /// How long those that came took.
    #[must_use]
    pub fn latencies(&self) -> Vec<Duration> {
        self.messages.iter().filter_map(Message::latency).collect()
    }
}

/// What became of a load.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Carried {
    /// Streams, by the other end of each.
    pub flows: Vec<Flow>,
    /// What the transceivers did meanwhile, all together.
    pub counts: Counts,
    /// Frames that co-processors had no room for.
    pub co_processor_full: u64,
}

impl Carried {
    /// Every message.
    pub fn messages(&self) -> impl Iterator<Item = &Message> {
        self.flows.iter().flat_map(|flow| &flow.messages)
    }

    /// How long those that came took, from being handed over.
    #[must_use]
    pub fn latencies(&self) -> Vec<Duration> {
        self.messages().filter_map(Message::latency).collect()
    }

    /// Octets a second of user data, kbit/s, from the first message that came to the last; none if fewer than
    /// two came.
    #[must_use]
    pub fn goodput_kbps(&self, size: usize) -> Option<f64> {
        let mut came: Vec<Instant> = self.messages().filter_map(Message::came).collect();
        came.sort_unstable();
        let (first, last) = (*came.first()?, *came.last()?);
        let ns = last.since(first).as_ns();
        let bits = 8 * size as u64 * (came.len() as u64 - 1);
        (ns > 0).then(|| bits as f64 * 1e6 / ns as f64)
    }
}

impl Message {
    /// When it came, if it did.
    #[must_use]
    pub fn came(&self) -> Option<Instant> {
        match self.fate {
            Fate::Delivered(at) => Some(at),
            Fate::Refused | Fate::Lost => None,
        }
    }

    /// How long it took.
    #[must_use]
    pub fn latency(&self) -> Option<Duration> {
        self.came().map(|at| at.since(self.handed))
    }
}

/// One stream, while it runs.
struct Stream {
    sender: Rc<Node>,
    from: Ipv6Addr,
    to: Ipv6Addr,
    messages: RefCell<Vec<Message>>,
    /// All of them were handed over, or never will be.
    done: Cell<bool>,
}

/// A load under way.
pub struct Underway {
    streams: Vec<Rc<Stream>>,
    /// Index of the sender and of the receiver of each stream.
    ends: Vec<(usize, usize)>,
    counts: Counts,
    co_processor_full: u64,
    begin: Instant,
}

impl Underway {
    /// The instant from which messages are sent.
    #[must_use]
    pub const fn begin(&self) -> Instant {
        self.begin
    }
}

impl Network {
    /// Sends a load, and waits until what may still come has come.
    pub fn carry(&self, load: Load) -> Result<Carried, Error> {
        let underway = self.begin(load)?;
        self.finish(underway)
    }

    /// Has every sender of a load find its receiver, and then begins to send. Time passes until then.
    pub fn begin(&self, load: Load) -> Result<Underway, Error> {
        if !(1..=MAX_SIZE).contains(&load.size) {
            return Err(Error::Size { size: load.size });
        }
        let topology = &self.setup().topology;
        let mut ends = Vec::new();
        for leaf in (0..topology.len()).filter(|&index| topology.is_leaf(index)) {
            ends.push(match load.direction {
                Direction::Up => (leaf, 0),
                Direction::Down => (0, leaf),
            });
        }
        let mut streams = Vec::new();
        for &(from, to) in &ends {
            let (sender, messages) = (Rc::clone(&self.nodes()[from]), RefCell::default());
            let (from, to) = (self.address(from, load.scope)?, self.address(to, load.scope)?);
            let done = Cell::new(false);
            streams.push(Rc::new(Stream { sender, from, to, messages, done }));
        }
        for stream in &streams {
            stream.sender.send(stream.to, PORT, &[0])?;
            self.run_for(AHEAD)?;
        }
        for node in self.nodes() {
            drop(node.take_datagrams());
        }
        let (counts, co_processor_full) = (self.counts(), self.co_processor_full());
        for (nth, stream) in streams.iter().enumerate() {
            self.spawn(nth, Rc::clone(stream), load);
        }
        Ok(Underway { streams, ends, counts, co_processor_full, begin: self.bench.now() })
    }

    /// Lets time pass until nothing more of a load can come, and reports its outcome.
    pub fn finish(&self, underway: Underway) -> Result<Carried, Error> {
        let Underway { streams, ends, counts, co_processor_full, .. } = underway;
        let arrived = self.settle(&streams)?;
        let mut flows = Vec::new();
        for (stream, &(from, to)) in streams.iter().zip(&ends) {
            let mut flow = Flow {
                from,
                to,
                hops: self.setup().topology.depth(from.max(to)),
                messages: stream.messages.take(),
                duplicates: 0,
            };
            for datagram in &arrived[to] {
                if datagram.from == stream.from {
                    flow.take(datagram.at, &datagram.payload);
                }
            }
            flows.push(flow);
        }
        let co_processor_full = self.co_processor_full() - co_processor_full;
        Ok(Carried { flows, counts: self.counts().less(&counts), co_processor_full })
    }

    fn spawn(&self, nth: usize, stream: Rc<Stream>, load: Load) {
        let sim = self.bench.sim();
        let mut phase = sim.stream(&format!("stream {nth}/phase"));
        let begin = sim.now() + phase.within(load.period);
        let handle = sim.clone();
        let broken = self.broken();
        sim.spawn(format!("stream {nth}"), async move {
            for sequence in 0..load.count {
                let due = begin + load.period * sequence as u64;
                if due > handle.now() {
                    handle.sleep_until(due).await;
                }
                let handed = handle.now();
                let payload = payload(sequence, load.size);
                let fate = loop {
                    // Its program ends with its board: what it would have sent never was.
                    if !stream.sender.is_alive() {
                        stream.done.set(true);
                        return;
                    }
                    match stream.sender.send(stream.to, PORT, &payload) {
                        Ok(0) => break Fate::Lost,
                        Ok(NO_BUFFERS) if load.when_full == WhenFull::Wait => {
                            handle.sleep(AGAIN).await;
                        }
                        Ok(_) => break Fate::Refused,
                        Err(error) => {
                            *broken.borrow_mut() = Some(error);
                            handle.stop();
                            return;
                        }
                    }
                };
                stream.messages.borrow_mut().push(Message { handed, fate });
                let pace = stream.sender.pace();
                if load.period.is_zero() && !pace.is_zero() {
                    handle.sleep(pace).await;
                }
            }
            stream.done.set(true);
        });
    }

    /// Lets time pass until nothing more can come; what came, by receiver.
    fn settle(&self, streams: &[Rc<Stream>]) -> Result<Vec<Vec<crate::node::Datagram>>, Error> {
        let polls = self.setup().poll_period.unwrap_or(Duration::ZERO) * 2;
        let settle = SETTLE + polls;
        let mut arrived = vec![Vec::new(); self.nodes().len()];
        let mut last = self.bench.now();
        loop {
            self.run_for(LOOK)?;
            let now = self.bench.now();
            for (node, kept) in self.nodes().iter().zip(&mut arrived) {
                let came = node.take_datagrams();
                if !came.is_empty() {
                    last = now;
                }
                kept.extend(came);
            }
            let done = streams.iter().all(|one| one.done.get());
            if !done {
                last = now;
            }
            let refused = |message: &&Message| message.fate == Fate::Refused;
            let taken: usize = (streams.iter())
                .map(|one| {
                    let messages = one.messages.borrow();
                    messages.len() - messages.iter().filter(refused).count()
                })
                .sum();
            let came: usize = arrived.iter().map(Vec::len).sum();
            if done && came >= taken || now.since(last) >= settle {
                return Ok(arrived);
            }
        }
    }

    fn counts(&self) -> Counts {
        self.nodes().iter().fold(Counts::default(), |sum, node| sum.plus(&node.counts()))
    }

    fn co_processor_full(&self) -> u64 {
        self.nodes().iter().map(|node| node.co_processor_full()).sum()
    }
}

/// Octets in which a message carries its number: fewer where it has no room.
const NUMBER: usize = 4;

fn payload(sequence: usize, size: usize) -> Vec<u8> {
    let mut bytes = vec![0; size];
    for (byte, number) in bytes.iter_mut().zip((sequence as u32).to_le_bytes()) {
        *byte = number;
    }
    bytes
}

impl Flow {
    /// Finds which message `payload` is. A number of less than four octets comes round again: it is then that
    /// of the first message behind the last that came.
    fn take(&mut self, at: Instant, payload: &[u8]) {
        let octets = payload.len().min(NUMBER);
        let number =
            payload[..octets].iter().rev().fold(0, |sum, &byte| sum << 8 | u64::from(byte));
        let rounds = 1_u64 << (8 * octets);
        let matches = |index: &usize| *index as u64 % rounds == number;
        let after = self.messages.iter().rposition(|message| message.came().is_some());
        let behind = after.map_or(0, |after| after + 1);
        let lost = |index: &usize| self.messages[*index].fate == Fate::Lost;
        let found = (behind..self.messages.len())
            .chain(0..behind)
            .find(|index| matches(index) && lost(index));
        match found {
            Some(index) => self.messages[index].fate = Fate::Delivered(at),
            None => self.duplicates += 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn flow(count: usize) -> Flow {
        let message = Message { handed: Instant::START, fate: Fate::Lost };
        Flow { from: 1, to: 0, hops: 1, messages: vec![message; count], duplicates: 0 }
    }

    fn came(flow: &Flow) -> Vec<usize> {
        let came = |index: &usize| flow.messages[*index].came().is_some();
        (0..flow.messages.len()).filter(came).collect()
    }

    #[test]
    fn messages_are_told_apart_by_their_number() {
        let mut flow = flow(5);
        for sequence in [0, 3, 1, 3] {
            flow.take(Instant::from_ns(7), &payload(sequence, 79));
        }
        assert_eq!(came(&flow), [0, 1, 3]);
        assert_eq!(flow.duplicates, 1);
    }

    #[test]
    fn a_message_of_one_octet_is_the_next_of_its_number() {
        let mut flow = flow(600);
        for sequence in [0, 250, 300, 599] {
            flow.take(Instant::from_ns(7), &payload(sequence, 1));
        }
        assert_eq!(came(&flow), [0, 250, 300, 599 - 256]);
    }

    #[test]
    fn goodput_is_counted_between_arrivals() {
        let mut flow = flow(3);
        for (sequence, ms) in [(0, 100), (1, 110), (2, 120)] {
            flow.take(Instant::from_ns(ms * 1_000_000), &payload(sequence, 100));
        }
        let carried =
            Carried { flows: vec![flow], counts: Counts::default(), co_processor_full: 0 };
        assert_eq!(carried.goodput_kbps(100), Some(80.0));
    }
}
