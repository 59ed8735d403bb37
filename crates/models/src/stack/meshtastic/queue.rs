//! The transmit queue of a node (`MeshPacketQueue.cpp`).

use std::collections::VecDeque;
use std::rc::Rc;

use airlag_sim::Instant;

use super::header::Header;

/// Packets in the queue (`RadioInterface.h`, `MAX_TX_QUEUE`).
pub const MOST: usize = 16;

/// Priority of a packet (`mesh.proto`, `MeshPacket.Priority`, and `MeshPacketQueue.cpp`, `fixPriority`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Priority {
    /// A packet of another node.
    Default = 64,
    /// A packet of another node that requests an acknowledgement.
    Reliable = 70,
    /// A text message of the node's own.
    High = 100,
    /// An acknowledgement of the node's own.
    Ack = 120,
}

/// A packet to send.
#[derive(Clone, Debug)]
pub struct Packet {
    /// Header.
    pub header: Header,
    /// Encrypted message.
    pub sealed: Rc<[u8]>,
    /// Priority.
    pub priority: Priority,
    /// Whether the node relays it.
    pub relayed: bool,
}

impl Packet {
    /// Identity of the packet: its sender and identifier.
    #[must_use]
    pub const fn identity(&self) -> (u32, u32) {
        (self.header.from, self.header.id)
    }

    /// Bytes on the air.
    pub fn bytes(&self) -> impl Iterator<Item = u8> + '_ {
        self.header.encode().into_iter().chain(self.sealed.iter().copied())
    }

    /// Length on the air, bytes.
    #[must_use]
    pub fn octets(&self) -> usize {
        super::header::LEN + self.sealed.len()
    }

    /// Sort key: packets with a higher priority come first. At the same priority, relayed packets
    /// precede the node's own.
    fn rank(&self) -> (Priority, bool) {
        (self.priority, self.relayed)
    }
}

/// A packet in the queue since a time.
#[derive(Clone, Debug)]
struct Entry {
    packet: Packet,
    since: Instant,
}

/// Packets in the order of sending.
#[derive(Clone, Debug, Default)]
pub struct Queue(VecDeque<Entry>);

impl Queue {
    /// Inserts a packet behind those of the same rank. Returns a packet that is dropped if the queue is
    /// full: the last one, if its priority is lower, or the new one.
    pub fn insert(&mut self, packet: Packet, since: Instant) -> Option<Packet> {
        let mut dropped = None;
        if self.0.len() >= MOST {
            if self.0.back().is_none_or(|last| last.packet.priority >= packet.priority) {
                return Some(packet);
            }
            dropped = self.0.pop_back().map(|last| last.packet);
        }
        let at = self.0.partition_point(|one| one.packet.rank() >= packet.rank());
        self.0.insert(at, Entry { packet, since });
        dropped
    }

    /// The packet that is sent next.
    #[must_use]
    pub fn front(&self) -> Option<&Packet> {
        self.0.front().map(|entry| &entry.packet)
    }

    /// Time since which the next packet has been in the queue.
    #[must_use]
    pub fn waits_since(&self) -> Option<Instant> {
        self.0.front().map(|entry| entry.since)
    }

    /// Removes the packet that is sent next.
    pub fn pop(&mut self) -> Option<Packet> {
        self.0.pop_front().map(|entry| entry.packet)
    }

    /// Whether a packet is in the queue.
    #[must_use]
    pub fn contains(&self, identity: (u32, u32)) -> bool {
        self.0.iter().any(|entry| entry.packet.identity() == identity)
    }

    /// Removes the first copy of a packet; returns whether there was one.
    pub fn remove(&mut self, identity: (u32, u32)) -> bool {
        let at = self.0.iter().position(|entry| entry.packet.identity() == identity);
        at.and_then(|at| self.0.remove(at)).is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn packet(id: u32, priority: Priority, relayed: bool) -> Packet {
        let header = Header {
            to: 2,
            from: 1,
            id,
            hop_limit: 3,
            hop_start: 3,
            want_ack: false,
            via_mqtt: false,
            channel: 8,
            next_hop: 0,
            relay_node: 1,
        };
        Packet { header, sealed: Rc::from([0; 10]), priority, relayed }
    }

    fn ids(queue: &Queue) -> Vec<u32> {
        queue.0.iter().map(|entry| entry.packet.header.id).collect()
    }

    #[test]
    fn acknowledgements_come_first_and_relayed_packets_before_own_ones() {
        let mut queue = Queue::default();
        for (id, priority, relayed) in [
            (1, Priority::High, false),
            (2, Priority::Default, true),
            (3, Priority::Ack, false),
            (4, Priority::High, false),
            (5, Priority::High, true),
        ] {
            assert!(queue.insert(packet(id, priority, relayed), Instant::START).is_none());
        }
        assert_eq!(ids(&queue), [3, 5, 1, 4, 2]);
        assert!(queue.remove((1, 1)) && !queue.remove((1, 1)) && !queue.contains((1, 1)));
        assert_eq!(queue.pop().map(|one| one.header.id), Some(3));
    }

    #[test]
    fn a_full_queue_drops_what_is_least_important() {
        let mut queue = Queue::default();
        for id in 0..MOST as u32 {
            assert!(queue.insert(packet(id, Priority::Default, true), Instant::START).is_none());
        }
        let dropped = |queue: &mut Queue, id, priority| {
            queue.insert(packet(id, priority, false), Instant::START).map(|one| one.header.id)
        };
        assert_eq!(dropped(&mut queue, 90, Priority::Default), Some(90));
        assert_eq!(dropped(&mut queue, 91, Priority::High), Some(MOST as u32 - 1));
        assert_eq!(ids(&queue)[0], 91);
        assert_eq!(ids(&queue).len(), MOST);
    }
}
