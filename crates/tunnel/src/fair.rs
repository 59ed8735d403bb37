//! FQ-CoDel (RFC 8290): a queue per flow, served in turns.
//!
//! A flow that was idle is served before flows with a backlog. A sparse flow therefore does not wait behind a
//! bulk flow, and each queue is kept short.

use alloc::collections::{BTreeMap, VecDeque};

use crate::codel::{Codel, Limits, Waiting};
use crate::flow::flow;
use crate::time::Instant;

/// Reason why a packet was dropped before it was sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Overload {
    /// Its queueing delay was too long (CoDel).
    Late,
    /// All queues together were full.
    Full,
}

/// Configuration of the queues.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Config {
    /// Parameters of each queue.
    pub limits: Limits,
    /// Number of queues for flows. RFC 8290, section 5.2, flows: 1024.
    pub queues: u64,
    /// Capacity of all queues together, bytes.
    pub room: usize,
}

#[derive(Debug, Default)]
struct Queue {
    packets: Codel,
    /// Bytes that it may still send in this turn.
    credit: isize,
}

/// The queues of all flows.
#[derive(Debug)]
pub struct Fair {
    config: Config,
    key: u64,
    /// Queues by flow number. Queues that are empty and in neither list are removed.
    queues: BTreeMap<u64, Queue>,
    new: VecDeque<u64>,
    old: VecDeque<u64>,
    bytes: usize,
    marked: u64,
}

impl Fair {
    /// Creates empty queues. `key` determines which flows share a queue.
    #[must_use]
    pub fn new(config: Config, key: u64) -> Self {
        let (queues, new, old) = (BTreeMap::new(), VecDeque::new(), VecDeque::new());
        Self { config, key, queues, new, old, bytes: 0, marked: 0 }
    }

    /// Sets the parameters of each queue.
    pub const fn set_limits(&mut self, limits: Limits) {
        self.config.limits = limits;
    }

    /// Queued bytes.
    #[must_use]
    pub const fn bytes(&self) -> usize {
        self.bytes
    }

    /// Number of packets marked instead of dropped.
    #[must_use]
    pub const fn marked(&self) -> u64 {
        self.marked
    }

    /// Whether all queues are empty.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.bytes == 0
    }

    /// Adds a packet. If the capacity is exceeded, the longest queue drops its oldest packet (section 4.1).
    pub fn push(&mut self, packet: Waiting, mut dropped: impl FnMut(Waiting, Overload)) {
        let number = flow(&packet.packet, self.key) % self.config.queues.max(1);
        self.bytes += packet.packet.len();
        let (new, quantum) = (&mut self.new, self.config.limits.mtu as isize);
        let queue = self.queues.entry(number).or_insert_with(|| {
            new.push_back(number);
            Queue { credit: quantum, ..Queue::default() }
        });
        queue.packets.push(packet);
        while self.bytes > self.config.room {
            let longest = self.queues.values_mut().max_by_key(|queue| queue.packets.bytes());
            let Some(oldest) = longest.and_then(|queue| queue.packets.pop()) else { break };
            self.bytes -= oldest.packet.len();
            dropped(oldest, Overload::Full);
        }
    }

    /// Takes the next packet to send. Dropped packets go to `dropped`.
    pub fn take(
        &mut self,
        now: Instant,
        mut dropped: impl FnMut(Waiting, Overload),
    ) -> Option<Waiting> {
        loop {
            let from_new = !self.new.is_empty();
            let list = if from_new { &mut self.new } else { &mut self.old };
            let number = *list.front()?;
            let queue = self.queues.get_mut(&number)?;
            if queue.credit <= 0 {
                queue.credit += self.config.limits.mtu as isize;
                list.pop_front();
                self.old.push_back(number);
                continue;
            }
            let bytes = &mut self.bytes;
            let packet = queue.packets.take(now, &self.config.limits, |packet| {
                *bytes -= packet.packet.len();
                dropped(packet, Overload::Late);
            });
            self.marked += queue.packets.take_marked();
            if let Some(packet) = packet {
                self.bytes -= packet.packet.len();
                queue.credit -= packet.packet.len() as isize;
                return Some(packet);
            }
            list.pop_front();
            // Section 4.2: an empty new queue stays for one turn among the old ones. Otherwise a flow could
            // be new with every packet.
            if from_new && !self.old.is_empty() {
                self.old.push_back(number);
            } else {
                self.queues.remove(&number);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use core::time::Duration;
    use std::vec;
    use std::vec::Vec;

    use super::*;
    use crate::flow::datagram;

    const CONFIG: Config = Config {
        limits: Limits {
            target: Duration::from_millis(5),
            interval: Duration::from_millis(100),
            mtu: 1500,
        },
        queues: 1024,
        room: 100_000,
    };

    fn packet(port: u16, id: u64, len: usize, ms: u64) -> Waiting {
        let since = Instant::from_ns(ms * 1_000_000);
        Waiting { id, packet: datagram(port, &vec![0; len]), since }
    }

    fn never(gone: Waiting, why: Overload) {
        panic!("{} was dropped: {why:?}", gone.id);
    }

    fn order(fair: &mut Fair, ms: u64) -> Vec<u64> {
        let now = Instant::from_ns(ms * 1_000_000);
        core::iter::from_fn(|| fair.take(now, never)).map(|packet| packet.id).collect()
    }

    #[test]
    fn a_new_flow_passes_one_that_waits() {
        let mut fair = Fair::new(CONFIG, 1);
        for id in 0..5 {
            fair.push(packet(1, id, 1400, 0), never);
        }
        let now = Instant::default();
        let sent: Vec<u64> =
            (0..2).filter_map(|_| fair.take(now, never)).map(|packet| packet.id).collect();
        fair.push(packet(2, 100, 36, 0), never);
        assert_eq!(sent, [0, 1]);
        assert_eq!(order(&mut fair, 0), [100, 2, 3, 4]);
        assert!(fair.is_empty() && fair.queues.is_empty());
    }

    #[test]
    fn two_full_flows_send_as_many_bytes_each() {
        let mut fair = Fair::new(CONFIG, 1);
        for id in 0..12 {
            fair.push(packet(1, id, 1400, 0), never);
            fair.push(packet(2, 100 + 3 * id, 450, 0), never);
            fair.push(packet(2, 101 + 3 * id, 450, 0), never);
            fair.push(packet(2, 102 + 3 * id, 450, 0), never);
        }
        let sent = &order(&mut fair, 0)[..24];
        let large = sent.iter().filter(|&&id| id < 100).count();
        assert!((5..=7).contains(&large), "{sent:?}");
    }

    #[test]
    fn the_longest_queue_pays_for_a_flood() {
        let mut fair = Fair::new(CONFIG, 1);
        fair.push(packet(2, 1_000_000, 36, 0), never);
        let mut dropped = Vec::new();
        for id in 0..1_000 {
            fair.push(packet(1, id, 1400, 0), |gone, why| dropped.push((gone.id, why)));
        }
        assert!(fair.bytes() <= CONFIG.room);
        assert_eq!(dropped[..2], [(0, Overload::Full), (1, Overload::Full)]);
        assert_eq!(order(&mut fair, 0).first(), Some(&1_000_000));
    }
}
