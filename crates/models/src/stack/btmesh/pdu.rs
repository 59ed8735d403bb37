//! PDUs of the bearer, the network and the lower transport layer, byte for byte.
//!
//! ```text
//!  ADV_NONCONN_IND  header 2 | AdvA 6 | length 1 | type 1 | network PDU, at most 29
//!  network PDU      IVI, NID 1 | CTL, TTL 1 | SEQ 3 | SRC 2 | DST 2 | transport PDU | NetMIC 4 or 8
//!  access           SEG, AKF, AID 1 | access message, at most 11 | TransMIC 4
//!  segment          SEG, AKF, AID 1 | SZMIC, SeqZero, SegO, SegN 3 | at most 12 of message and TransMIC
//!  segment ack      opcode 1 | OBO, SeqZero 2 | BlockAck 4
//! ```
//!
//! Sources: Mesh Profile 1.0.1, 3.3.1, 3.4.4, 3.5.2 and 3.6.2; Bluetooth Core Specification 5.4,
//! volume 6, part B, 2.3. Fields are big endian. The model sends PDUs without encryption and
//! without obfuscation, because neither would change the length of a PDU. The message integrity
//! codes in the PDUs are zero.

use std::rc::Rc;

use airlag_air::Modulation;
use airlag_link::airtime::ble::Phy;

use crate::stack::ble::controller::event::FAMILY;
use crate::stack::ble::pdu::Address;

/// Bytes of a network PDU before the transport PDU.
pub const NETWORK_HEADER: usize = 9;
/// NetMIC of an access message.
pub const ACCESS_MIC: usize = 4;
/// NetMIC of a control message.
pub const CONTROL_MIC: usize = 8;
/// Bytes of a segment's header.
pub const SEGMENT_HEADER: usize = 4;
/// Longest part of an access message in a segment.
pub const SEGMENT: usize = 12;
/// Longest access message in one network PDU, without its TransMIC.
pub const UNSEGMENTED: usize = 11;
/// Most segments of a message.
pub const MAX_SEGMENTS: usize = 32;
/// Bytes of a vendor's opcode (Mesh Profile 1.0.1, 3.7.3.1).
pub const OPCODE: usize = 3;
/// Bytes of a transaction identifier.
pub const TID: usize = 1;

/// Length of the longest network PDU, that of a whole segment.
const LONGEST: usize = segment_len(SEGMENT);
/// PDU type ADV_NONCONN_IND, from a random address.
const ADV_NONCONN_IND: u8 = 0x42;
/// AD type of a network PDU: Mesh Message (Bluetooth assigned numbers).
const MESH_MESSAGE: u8 = 0x2A;
const ADVERTISER: usize = 6;
const AD_HEADER: usize = 2;

/// Modulation of the advertising bearer: 1M.
#[must_use]
pub const fn bearer_modulation() -> Modulation {
    Modulation { family: FAMILY, setting: Phy::Le1M as u32 }
}

/// Airtime of an advertising PDU with a network PDU of `len` bytes, ns.
#[must_use]
pub const fn airtime_ns(len: usize) -> u64 {
    Phy::Le1M.duration_ns(ADVERTISER + AD_HEADER + len)
}

/// Length of the network PDU of an unsegmented message of `access` bytes, opcode included.
#[must_use]
pub const fn unsegmented_len(access: usize) -> usize {
    NETWORK_HEADER + 1 + access + ACCESS_MIC + ACCESS_MIC
}

/// Length of the network PDU of a segment with `piece` bytes.
#[must_use]
pub const fn segment_len(piece: usize) -> usize {
    NETWORK_HEADER + SEGMENT_HEADER + piece + ACCESS_MIC
}

/// Lower transport PDU.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Transport {
    /// An unsegmented access message, without its TransMIC.
    Access(Rc<[u8]>),
    /// A segment of an access message.
    Segment {
        /// Lower 13 bits of the sequence number of the message's first segment.
        seq_zero: u16,
        /// Number of this segment.
        nth: u8,
        /// Number of the last segment.
        last: u8,
        /// Its part of message and TransMIC.
        piece: Rc<[u8]>,
    },
    /// Acknowledgement of segments.
    Acknowledgement {
        /// Lower 13 bits of the sequence number of the message's first segment.
        seq_zero: u16,
        /// A bit for each received segment.
        block: u32,
    },
}

/// Network PDU.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Network {
    /// Network identifier, 7 bits.
    pub nid: u8,
    /// Time to live.
    pub ttl: u8,
    /// Sequence number, 24 bits.
    pub sequence: u32,
    /// Source.
    pub source: u16,
    /// Destination.
    pub destination: u16,
    /// Content.
    pub transport: Transport,
}

const CONTROL: u8 = 0x80;
const SEGMENTED: u8 = 0x80;
const APPLICATION_KEY: u8 = 0x40;
const SEQ_ZERO: u32 = 0x1FFF;
const SEG_NUMBER: u32 = 0x1F;

impl Network {
    /// Encodes the network PDU.
    #[must_use]
    pub fn encode(&self) -> Vec<u8> {
        let control = matches!(self.transport, Transport::Acknowledgement { .. });
        let mut bytes = Vec::with_capacity(LONGEST);
        bytes.extend([self.nid, self.ttl | if control { CONTROL } else { 0 }]);
        bytes.extend(&self.sequence.to_be_bytes()[1..]);
        bytes.extend(self.source.to_be_bytes());
        bytes.extend(self.destination.to_be_bytes());
        match &self.transport {
            Transport::Access(message) => {
                bytes.push(APPLICATION_KEY);
                bytes.extend_from_slice(message);
                bytes.extend([0; ACCESS_MIC]);
            }
            Transport::Segment { seq_zero, nth, last, piece } => {
                bytes.push(SEGMENTED | APPLICATION_KEY);
                let fields = u32::from(*seq_zero) << 10 | u32::from(*nth) << 5 | u32::from(*last);
                bytes.extend(&fields.to_be_bytes()[1..]);
                bytes.extend_from_slice(piece);
            }
            Transport::Acknowledgement { seq_zero, block } => {
                bytes.push(0);
                bytes.extend((seq_zero << 2).to_be_bytes());
                bytes.extend(block.to_be_bytes());
            }
        }
        let mic = if control { CONTROL_MIC } else { ACCESS_MIC };
        bytes.resize(bytes.len() + mic, 0);
        bytes
    }

    /// Source and sequence number of an encoded network PDU. `None` if it is shorter than a header.
    #[must_use]
    pub fn identity(bytes: &[u8]) -> Option<(u16, u32)> {
        let &[_, _, s, e, q, from, source, ..] = bytes.first_chunk::<NETWORK_HEADER>()?;
        Some((u16::from_be_bytes([from, source]), u32::from_be_bytes([0, s, e, q])))
    }

    /// Decodes a network PDU. `None` if it is malformed.
    #[must_use]
    pub fn decode(bytes: &[u8]) -> Option<Self> {
        let (&[nid, ttl, s, e, q, from, source, to, destination], rest) =
            bytes.split_first_chunk::<NETWORK_HEADER>()?;
        let control = ttl & CONTROL != 0;
        let mic = if control { CONTROL_MIC } else { ACCESS_MIC };
        let rest = rest.get(..rest.len().checked_sub(mic)?)?;
        let (&first, rest) = rest.split_first()?;
        let transport = if control {
            let &[seq, zero, a, b, c, d] = rest.first_chunk::<6>().filter(|_| rest.len() == 6)?;
            let seq_zero = (u16::from_be_bytes([seq, zero]) >> 2) & SEQ_ZERO as u16;
            Transport::Acknowledgement { seq_zero, block: u32::from_be_bytes([a, b, c, d]) }
        } else if first & SEGMENTED != 0 {
            let (&[a, b, c], piece) = rest.split_first_chunk::<3>()?;
            let fields = u32::from_be_bytes([0, a, b, c]);
            Transport::Segment {
                seq_zero: (fields >> 10 & SEQ_ZERO) as u16,
                nth: (fields >> 5 & SEG_NUMBER) as u8,
                last: (fields & SEG_NUMBER) as u8,
                piece: piece.into(),
            }
        } else {
            Transport::Access(rest.get(..rest.len().checked_sub(ACCESS_MIC)?)?.into())
        };
        Some(Self {
            nid: nid & 0x7F,
            ttl: ttl & !CONTROL,
            sequence: u32::from_be_bytes([0, s, e, q]),
            source: u16::from_be_bytes([from, source]),
            destination: u16::from_be_bytes([to, destination]),
            transport,
        })
    }
}

/// Encodes the advertising packet of a network PDU from the node at `advertiser`.
#[must_use]
pub fn advertisement(advertiser: u16, network: &[u8]) -> Rc<[u8]> {
    let payload = ADVERTISER + AD_HEADER + network.len();
    let mut pdu = Vec::with_capacity(2 + payload);
    pdu.extend([ADV_NONCONN_IND, payload as u8]);
    // A non-resolvable private address: its two most significant bits are zero.
    pdu.extend([advertiser as u8, (advertiser >> 8) as u8, 0x6D, 0x65, 0x73, 0x28]);
    pdu.extend([(network.len() + 1) as u8, MESH_MESSAGE]);
    pdu.extend_from_slice(network);
    Address::ADVERTISING.packet(&pdu)
}

/// The network PDU in an advertising packet. `None` in any other packet.
#[must_use]
pub fn network_of(packet: &[u8]) -> Option<&[u8]> {
    const BEFORE: usize = 4 + 2 + ADVERTISER + AD_HEADER;
    const CRC: usize = 3;
    if !Address::ADVERTISING.matches(packet) || packet.get(4) != Some(&ADV_NONCONN_IND) {
        return None;
    }
    if packet.get(BEFORE - 1) != Some(&MESH_MESSAGE) {
        return None;
    }
    packet.get(BEFORE..packet.len().checked_sub(CRC)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn network(transport: Transport) -> Network {
        Network {
            nid: 0x68,
            ttl: 7,
            sequence: 0x01_0203,
            source: 1,
            destination: 0x0405,
            transport,
        }
    }

    #[test]
    fn fields_are_where_the_specification_puts_them() {
        let message = network(Transport::Access([0xC1, 0xFF, 0xFF, 9].into()));
        let bytes =
            [0x68, 7, 1, 2, 3, 0, 1, 4, 5, 0x40, 0xC1, 0xFF, 0xFF, 9, 0, 0, 0, 0, 0, 0, 0, 0];
        assert_eq!(message.encode(), bytes);
        assert_eq!(bytes.len(), unsegmented_len(4));
        // SeqZero 0x1555 in 13 bits, segment 3 of 0 to 17: 1_0101_0101_0101 00011 10001.
        let piece: Rc<[u8]> = [7; SEGMENT].into();
        let segment = Transport::Segment { seq_zero: 0x1555, nth: 3, last: 17, piece };
        let bytes = network(segment).encode();
        assert_eq!(bytes[9..13], [0xC0, 0x55, 0x54, 0x71]);
        assert_eq!(bytes.len(), segment_len(SEGMENT));
        let ack = Transport::Acknowledgement { seq_zero: 0x1555, block: 0x8000_0001 };
        let bytes = network(ack).encode();
        assert_eq!(bytes[1], 0x87);
        assert_eq!(bytes[9..16], [0, 0x55, 0x54, 0x80, 0, 0, 1]);
        assert_eq!(bytes.len(), NETWORK_HEADER + 7 + CONTROL_MIC);
    }

    #[test]
    fn the_longest_pdus_fill_an_advertisement() {
        assert_eq!(unsegmented_len(UNSEGMENTED), 29);
        assert_eq!(segment_len(SEGMENT), 29);
        // 31 B of advertising data: the longest advertisement, 376 us.
        assert_eq!(airtime_ns(29), 376_000);
        let packet = advertisement(3, &[5; 29]);
        assert_eq!(packet.len(), 4 + 2 + 6 + 31 + 3);
        assert_eq!(network_of(&packet), Some(&[5; 29][..]));
        assert_eq!(network_of(&packet[..9]), None);
    }

    #[test]
    fn every_pdu_is_read_as_it_was_written() {
        let piece: Rc<[u8]> = [1, 2, 3].into();
        for transport in [
            Transport::Access(piece.clone()),
            Transport::Segment { seq_zero: 0x1FFF, nth: 31, last: 31, piece },
            Transport::Acknowledgement { seq_zero: 1, block: u32::MAX },
        ] {
            let pdu = network(transport);
            let bytes = pdu.encode();
            assert_eq!(Network::decode(&bytes), Some(pdu.clone()));
            for len in 0..bytes.len() {
                assert_ne!(Network::decode(&bytes[..len]), Some(pdu.clone()), "{len}");
            }
        }
    }
}
