//! The header of a packet (`RadioInterface.h`, `PacketHeader`).
//!
//! ```text
//!  to 4 | from 4 | id 4 | flags 1 | channel 1 | next hop 1 | relay 1
//!                           └ hop limit 3, want ack 1, via MQTT 1, hop start 3 bits
//! ```
//!
//! Numbers are little endian. Relays change the hop limit and the last byte; the rest identifies the
//! packet.

/// Length of the header, bytes.
pub const LEN: usize = 16;
/// Largest hop limit.
pub const MOST_HOPS: u8 = 7;
/// Address of all nodes.
pub const BROADCAST: u32 = u32::MAX;

const WANT_ACK: u8 = 0x08;
const VIA_MQTT: u8 = 0x10;

/// A header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    /// Number of the node to which the packet is addressed, or [`BROADCAST`].
    pub to: u32,
    /// Number of the node that created the packet.
    pub from: u32,
    /// Identifier of the packet, unique for its sender.
    pub id: u32,
    /// Further rebroadcasts that are allowed, at most 7.
    pub hop_limit: u8,
    /// Hop limit with which the packet was created, at most 7.
    pub hop_start: u8,
    /// Whether an acknowledgement is requested.
    pub want_ack: bool,
    /// Whether the packet passed through a server on the Internet.
    pub via_mqtt: bool,
    /// Hash of the channel; 0 for encryption with a public key.
    pub channel: u8,
    /// Last byte of the number of the node that is to relay the packet; 0 for all.
    pub next_hop: u8,
    /// Last byte of the number of the node that sent this copy.
    pub relay_node: u8,
}

impl Header {
    /// Encodes the header.
    #[must_use]
    pub fn encode(&self) -> [u8; LEN] {
        let mut bytes = [0; LEN];
        bytes[..4].copy_from_slice(&self.to.to_le_bytes());
        bytes[4..8].copy_from_slice(&self.from.to_le_bytes());
        bytes[8..12].copy_from_slice(&self.id.to_le_bytes());
        bytes[12] = self.hop_limit & MOST_HOPS
            | if self.want_ack { WANT_ACK } else { 0 }
            | if self.via_mqtt { VIA_MQTT } else { 0 }
            | self.hop_start << 5;
        bytes[13..].copy_from_slice(&[self.channel, self.next_hop, self.relay_node]);
        bytes
    }

    /// Decodes the header of a packet, and returns it with the bytes that follow. `None` for a shorter
    /// packet.
    #[must_use]
    pub fn decode(bytes: &[u8]) -> Option<(Self, &[u8])> {
        let (&[t0, t1, t2, t3, f0, f1, f2, f3, i0, i1, i2, i3, flags, rest @ ..], sealed) =
            bytes.split_first_chunk::<LEN>()?;
        let [channel, next_hop, relay_node] = rest;
        let header = Self {
            to: u32::from_le_bytes([t0, t1, t2, t3]),
            from: u32::from_le_bytes([f0, f1, f2, f3]),
            id: u32::from_le_bytes([i0, i1, i2, i3]),
            hop_limit: flags & MOST_HOPS,
            hop_start: flags >> 5,
            want_ack: flags & WANT_ACK != 0,
            via_mqtt: flags & VIA_MQTT != 0,
            channel,
            next_hop,
            relay_node,
        };
        Some((header, sealed))
    }

    /// Number of rebroadcasts that led to this copy.
    #[must_use]
    pub const fn hops_used(&self) -> u8 {
        self.hop_start.saturating_sub(self.hop_limit)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_header_of_a_published_log_is_read() {
        // KMX415/meshpoint, issue 12: text from 3c06b868 to all nodes, with its bytes.
        let bytes =
            [0xFF, 0xFF, 0xFF, 0xFF, 0x68, 0xB8, 0x06, 0x3C, 0xD0, 0x13, 0, 0, 0x63, 0x02, 0, 0];
        let (header, rest) = Header::decode(&bytes).expect("a header");
        assert!(rest.is_empty());
        assert_eq!((header.to, header.from, header.id), (BROADCAST, 0x3C06_B868, 0x13D0));
        assert_eq!((header.hop_limit, header.hop_start, header.want_ack), (3, 3, false));
        assert_eq!((header.channel, header.hops_used()), (2, 0));
        assert_eq!(header.encode(), bytes);
    }

    proptest! {
        #[test]
        fn what_is_encoded_is_decoded(
            to: u32, from: u32, id: u32, hop_limit in 0..=MOST_HOPS, hop_start in 0..=MOST_HOPS,
            want_ack: bool, via_mqtt: bool, channel: u8, next_hop: u8, relay_node: u8,
            rest in prop::collection::vec(any::<u8>(), 0..240),
        ) {
            let header = Header {
                to, from, id, hop_limit, hop_start, want_ack, via_mqtt, channel, next_hop, relay_node,
            };
            let packet: Vec<u8> = header.encode().into_iter().chain(rest.iter().copied()).collect();
            prop_assert_eq!(Header::decode(&packet), Some((header, &rest[..])));
        }

        #[test]
        fn any_bytes_are_a_header_or_too_short(bytes in prop::collection::vec(any::<u8>(), 0..40)) {
            match Header::decode(&bytes) {
                Some((header, rest)) => {
                    prop_assert_eq!(&header.encode()[..], &bytes[..LEN]);
                    prop_assert_eq!(rest, &bytes[LEN..]);
                }
                None => prop_assert!(bytes.len() < LEN),
            }
        }
    }
}
