//! Packets in transit from one board to the other.

use std::collections::VecDeque;

use airlag_sim::Instant;

/// Largest number of messages that a board tracks as in transit. It is smaller than the range of a
/// 16-bit sequence number, and much larger than the capacity of any link.
const UNDER_WAY: usize = 4_096;

/// A packet from outside.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Packet {
    /// Content.
    pub bytes: Vec<u8>,
    /// Identifier chosen by the caller.
    pub tag: u32,
    /// Index, from 0, among the packets offered to this board, or among the received pieces of a
    /// stream.
    pub nth: usize,
}

impl Packet {
    /// Index of a packet that was never offered, or that arrived for the second time.
    pub const STRANGER: usize = usize::MAX;
}

/// Packets of one direction.
#[derive(Debug, Default)]
pub struct Way {
    pub(super) waiting: VecDeque<Packet>,
    under_way: VecDeque<(u16, Packet)>,
    /// Complete packets that the strobe has not announced yet.
    whole: VecDeque<Packet>,
    arrived: Vec<(Packet, Instant)>,
    pub(super) offered: usize,
    pieces: usize,
    pub(super) refused: u64,
}

impl Way {
    /// Packets queued for the link.
    #[must_use]
    pub fn waiting(&self) -> usize {
        self.waiting.len()
    }

    /// Packets dropped because the queue was full.
    #[must_use]
    pub const fn refused(&self) -> u64 {
        self.refused
    }

    /// Packets that have arrived since the last call, with their instants.
    pub fn arrived(&mut self) -> Vec<(Packet, Instant)> {
        std::mem::take(&mut self.arrived)
    }

    /// Takes the next packet, for a link that carries it unchanged.
    pub(super) fn pop(&mut self) -> Option<Packet> {
        self.waiting.pop_front()
    }

    /// Takes the next packet and tracks it under a sequence number until it arrives.
    pub(super) fn take(&mut self, sequence: u16) -> Option<&Packet> {
        let packet = self.waiting.pop_front()?;
        if self.under_way.len() == UNDER_WAY {
            self.under_way.pop_front();
        }
        self.under_way.push_back((sequence, packet));
        self.under_way.back().map(|(_, packet)| packet)
    }

    /// Records the complete arrival of a message by its sequence number. Returns false for a
    /// duplicate.
    pub(super) fn complete(&mut self, sequence: u16) -> bool {
        let found = self.under_way.iter().position(|&(of, _)| of == sequence);
        let packet = found.and_then(|at| self.under_way.remove(at)).map(|(_, packet)| packet);
        let is_new = packet.is_some();
        self.whole.extend(packet);
        is_new
    }

    /// Records the arrival of a packet that was carried unchanged, and matches it to the oldest
    /// identical packet in transit. A duplicate, or a packet that the link itself created, matches
    /// no packet in transit.
    pub(super) fn came(&mut self, bytes: &[u8]) {
        let found = self.under_way.iter().position(|(_, packet)| is_same(&packet.bytes, bytes));
        let known = found.and_then(|at| self.under_way.remove(at)).map(|(_, packet)| packet);
        let stranger = || Packet { bytes: bytes.to_vec(), tag: 0, nth: Packet::STRANGER };
        self.whole.push_back(known.unwrap_or_else(stranger));
    }

    /// Records the arrival of bytes that were carried unchanged.
    pub(super) fn piece(&mut self, bytes: &[u8], now: Instant) {
        let packet = Packet { bytes: bytes.to_vec(), tag: 0, nth: self.pieces };
        self.pieces += 1;
        self.arrived.push((packet, now));
    }

    /// Announces the next packet by the strobe.
    pub(super) fn announce(&mut self, now: Instant) {
        self.arrived.extend(self.whole.pop_front().map(|packet| (packet, now)));
    }
}

/// Whether two IP packets are equal apart from the congestion marking that a path may set: two bits
/// (RFC 3168, section 5), which the checksum of an IPv4 header covers.
fn is_same(sent: &[u8], came: &[u8]) -> bool {
    let marks: &[(usize, u8)] = match sent.first().map(|byte| byte >> 4) {
        Some(4) if sent.len() >= 20 => &[(1, 0x03), (10, 0xFF), (11, 0xFF)],
        Some(6) if sent.len() >= 40 => &[(1, 0x30)],
        _ => &[],
    };
    let may_change = |at: usize| {
        let mark = marks.iter().find(|&&(of, _)| of == at);
        mark.map_or(0, |&(_, bits)| bits)
    };
    let pairs = sent.iter().zip(came).take(12).enumerate();
    sent.len() == came.len()
        && sent.iter().skip(12).eq(came.iter().skip(12))
        && pairs.into_iter().all(|(at, (one, other))| (one ^ other) & !may_change(at) == 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn packet(version: u8) -> Vec<u8> {
        let mut bytes: Vec<u8> = (0..60).collect();
        bytes[0] = version << 4 | 5;
        bytes
    }

    #[test]
    fn a_packet_that_was_marked_on_the_way_is_the_same_and_any_other_is_not() {
        for (version, marked) in [(4, vec![(1, 3), (10, 7), (11, 200)]), (6, vec![(1, 0x30)])] {
            let sent = packet(version);
            let mut came = sent.clone();
            marked.iter().for_each(|&(at, bits)| came[at] ^= bits);
            assert!(is_same(&sent, &came), "IPv{version}");
            for at in 0..sent.len() {
                let mut other = came.clone();
                other[at] ^= 0x40;
                let is_checksum = version == 4 && (10..12).contains(&at);
                assert_eq!(is_same(&sent, &other), is_checksum, "IPv{version}, byte {at}");
            }
            assert!(!is_same(&sent, &came[..59]), "shorter");
        }
        assert!(is_same(b"no packet", b"no packet") && !is_same(b"no packet", b"np packet"));
    }
}
