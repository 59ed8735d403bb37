//! Messages through a network, with their outcomes.
//!
//! Every leaf node sends to node 1, or node 1 sends to every leaf node. One message per stream
//! precedes the measured ones, so that routes are established.

use std::cell::{Cell, RefCell};
use std::net::Ipv6Addr;
use std::rc::Rc;

use airlag_models::stack::thread::WhenFull;
use airlag_sim::{Duration, Instant};

use crate::error::Error;
use crate::network::Network;
use crate::node::{NO_BUFFERS, Node};
use crate::radio::Counts;

/// UDP port of the programs, as in `node/main.c`.
pub const PORT: u16 = 49_152;
/// Longest payload, octets: an IPv6 datagram of 1280 octets.
pub const MAX_SIZE: usize = 1_232;
/// Retry interval of a program without a free buffer.
const AGAIN: Duration = Duration::from_ms(1);
/// Time for the preceding message. Address queries are answered in well under a second per hop.
const AHEAD: Duration = Duration::from_secs(5);
/// Time after the last arrival after which missing messages are lost. A node drops a datagram after 16
/// attempts at a frame, and a receiver after 2 s without the next fragment.
const SETTLE: Duration = Duration::from_secs(5);
const LOOK: Duration = Duration::from_ms(100);

/// Direction of the messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// To node 1.
    Up,
    /// From node 1.
    Down,
}

/// Scope of the destination address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// Valid in the whole network. Headers are 4 octets longer than between neighbours.
    MeshLocal,
    /// Valid between neighbours.
    LinkLocal,
}

/// Load of a network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Load {
    /// Direction.
    pub direction: Direction,
    /// Scope of the addresses.
    pub scope: Scope,
    /// Payload, octets, 1 to [`MAX_SIZE`].
    pub size: usize,
    /// Number of messages per stream.
    pub count: usize,
    /// Time between messages. Zero: back to back, as fast as the program on its board can send.
    pub period: Duration,
    /// Behaviour of a program without a free buffer.
    pub when_full: WhenFull,
}

/// Outcome of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MessageOutcome {
    /// Dropped by its program, because OpenThread had no free buffer.
    Refused,
    /// Accepted by OpenThread, but did not arrive.
    Lost,
    /// Arrived at this time.
    Delivered(Instant),
}

/// A message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Message {
    /// Time of the first attempt of its program.
    pub handed: Instant,
    /// Outcome.
    pub outcome: MessageOutcome,
}

/// Messages of one sender to one receiver, in sending order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flow {
    /// Index of the sender.
    pub from: usize,
    /// Index of the receiver.
    pub to: usize,
    /// Number of hops between them.
    pub hops: usize,
    /// Messages.
    pub messages: Vec<Message>,
    /// Number of duplicate arrivals.
    pub duplicates: u64,
}

impl Flow {
    /// Number of delivered messages.
    #[must_use]
    pub fn delivered(&self) -> usize {
        self.messages.iter().filter(|message| message.came().is_some()).count()
    }

    /// Number of messages dropped without a free buffer.
    #[must_use]
    pub fn refused(&self) -> usize {
        self.messages.iter().filter(|message| message.outcome == MessageOutcome::Refused).count()
    }

    /// Latencies of the delivered messages.
    #[must_use]
    pub fn latencies(&self) -> Vec<Duration> {
        self.messages.iter().filter_map(Message::latency).collect()
    }
}

/// Outcome of a load.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoadResult {
    /// Streams, in the order of the leaf nodes.
    pub flows: Vec<Flow>,
    /// Sum of the transceiver counters during the load.
    pub counts: Counts,
    /// Frames dropped because a co-processor had no buffer.
    pub co_processor_full: u64,
}

impl LoadResult {
    /// Returns all messages.
    pub fn messages(&self) -> impl Iterator<Item = &Message> {
        self.flows.iter().flat_map(|flow| &flow.messages)
    }

    /// Latencies of the delivered messages from the first attempt.
    #[must_use]
    pub fn latencies(&self) -> Vec<Duration> {
        self.messages().filter_map(Message::latency).collect()
    }

    /// User data from the first to the last arrival, kbit/s. `None` for fewer than two arrivals.
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
    /// Returns the arrival time of the message, if the message arrived.
    #[must_use]
    pub fn came(&self) -> Option<Instant> {
        match self.outcome {
            MessageOutcome::Delivered(at) => Some(at),
            MessageOutcome::Refused | MessageOutcome::Lost => None,
        }
    }

    /// Latency, if it arrived.
    #[must_use]
    pub fn latency(&self) -> Option<Duration> {
        self.came().map(|at| at.since(self.handed))
    }
}

/// State of a stream.
struct Stream {
    sender: Rc<Node>,
    from: Ipv6Addr,
    to: Ipv6Addr,
    messages: RefCell<Vec<Message>>,
    /// Whether all messages were sent, or cannot be sent any more.
    done: Cell<bool>,
}

/// A load in progress.
pub struct Underway {
    streams: Vec<Rc<Stream>>,
    /// Indices of sender and receiver of each stream.
    ends: Vec<(usize, usize)>,
    counts: Counts,
    co_processor_full: u64,
    begin: Instant,
}

impl Underway {
    /// Start of sending.
    #[must_use]
    pub const fn begin(&self) -> Instant {
        self.begin
    }
}

impl Network {
    /// Sends a load, and waits for all arrivals.
    pub fn carry(&self, load: Load) -> Result<LoadResult, Error> {
        let underway = self.begin(load)?;
        self.finish(underway)
    }

    /// Lets every sender of a load find its receiver, then starts to send. Virtual time advances until then.
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

    /// Advances time until no more arrivals are possible. Returns the outcome.
    pub fn finish(&self, underway: Underway) -> Result<LoadResult, Error> {
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
        Ok(LoadResult { flows, counts: self.counts().less(&counts), co_processor_full })
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
                let outcome = loop {
                    // The program stops with its board, so the remaining messages are not sent.
                    if !stream.sender.is_alive() {
                        stream.done.set(true);
                        return;
                    }
                    match stream.sender.send(stream.to, PORT, &payload) {
                        Ok(0) => break MessageOutcome::Lost,
                        Ok(NO_BUFFERS) if load.when_full == WhenFull::Wait => {
                            handle.sleep(AGAIN).await;
                        }
                        Ok(_) => break MessageOutcome::Refused,
                        Err(error) => {
                            *broken.borrow_mut() = Some(error);
                            handle.stop();
                            return;
                        }
                    }
                };
                stream.messages.borrow_mut().push(Message { handed, outcome });
                let pace = stream.sender.pace();
                if load.period.is_zero() && !pace.is_zero() {
                    handle.sleep(pace).await;
                }
            }
            stream.done.set(true);
        });
    }

    /// Advances time until no more arrivals are possible. Returns the arrivals by receiver.
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
            let refused = |message: &&Message| message.outcome == MessageOutcome::Refused;
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

/// Largest length of the number of a message, octets. Shorter in a short payload.
const NUMBER: usize = 4;

fn payload(sequence: usize, size: usize) -> Vec<u8> {
    let mut bytes = vec![0; size];
    for (byte, number) in bytes.iter_mut().zip((sequence as u32).to_le_bytes()) {
        *byte = number;
    }
    bytes
}

impl Flow {
    /// Identifies the message of `payload`. A number of less than four octets wraps: it belongs to the first
    /// matching message after the last arrival.
    fn take(&mut self, at: Instant, payload: &[u8]) {
        let octets = payload.len().min(NUMBER);
        let number =
            payload[..octets].iter().rev().fold(0, |sum, &byte| sum << 8 | u64::from(byte));
        let rounds = 1_u64 << (8 * octets);
        let matches = |index: &usize| *index as u64 % rounds == number;
        let after = self.messages.iter().rposition(|message| message.came().is_some());
        let behind = after.map_or(0, |after| after + 1);
        let lost = |index: &usize| self.messages[*index].outcome == MessageOutcome::Lost;
        let found = (behind..self.messages.len())
            .chain(0..behind)
            .find(|index| matches(index) && lost(index));
        match found {
            Some(index) => self.messages[index].outcome = MessageOutcome::Delivered(at),
            None => self.duplicates += 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn flow(count: usize) -> Flow {
        let message = Message { handed: Instant::START, outcome: MessageOutcome::Lost };
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
            LoadResult { flows: vec![flow], counts: Counts::default(), co_processor_full: 0 };
        assert_eq!(carried.goodput_kbps(100), Some(80.0));
    }
}
