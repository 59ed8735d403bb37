//! MAC frames (IEEE Std 802.15.4-2006, 7.2), as the bytes of a PSDU.
//!
//! ```text
//!  frame control │ sequence │ destination PAN │ destination │ source     │ payload │ FCS
//!  2, LE         │ 1        │ 2, LE           │ 2 or 8, LE  │ 2 or 8, LE │ 0..116  │ 2, LE
//! ```
//!
//! The source address and the destination address belong to the same PAN, so the source PAN is
//! omitted (IEEE Std 802.15.4-2006, 7.2.1.1.5). The MAC header has nine octets with two short
//! addresses, and 21 octets with two extended addresses. An acknowledgement consists of frame
//! control, sequence number and FCS. In a secured frame, everything between MAC header and FCS
//! counts as payload: the auxiliary security header, the protected data, and the message integrity
//! code (7.6.2).

use std::rc::Rc;

use airlag_link::airtime::ieee802154::{ACK_PSDU, MAX_PSDU};
use crc::{CRC_16_KERMIT, Crc, Table};

/// Length of a data frame's header with short addresses, octets.
pub const HEADER_LEN: usize = 9;
/// Length of an extended address, octets (7.2.1).
pub const EXTENDED_LEN: usize = 8;
/// Length of the longest header, with two extended addresses, octets.
pub const MAX_HEADER_LEN: usize = 5 + 2 * EXTENDED_LEN;
/// Length of the FCS, octets.
pub const FCS_LEN: usize = 2;
/// Longest payload of a data frame with short addresses, octets.
pub const MAX_PAYLOAD: usize = MAX_PSDU - HEADER_LEN - FCS_LEN;
/// Broadcast address and broadcast PAN.
pub const BROADCAST: u16 = 0xFFFF;

/// The ITU-T polynomial, least significant bit first, preset with zeros (7.2.1.9).
const FCS: Crc<u16, Table<16>> = Crc::<u16, Table<16>>::new(&CRC_16_KERMIT);

/// Bits of the frame control field (7.2.1.1).
mod control {
    pub(super) const TYPE: u16 = 0b111;
    pub(super) const DATA: u16 = 1;
    pub(super) const ACK: u16 = 2;
    pub(super) const SECURITY_ENABLED: u16 = 1 << 3;
    pub(super) const FRAME_PENDING: u16 = 1 << 4;
    pub(super) const ACK_REQUEST: u16 = 1 << 5;
    pub(super) const PAN_ID_COMPRESSION: u16 = 1 << 6;
    /// Positions of the address mode fields.
    pub(super) const DESTINATION: u32 = 10;
    pub(super) const SOURCE: u32 = 14;
    pub(super) const MODE: u16 = 0b11;
    pub(super) const SHORT: u16 = 0b10;
    pub(super) const EXTENDED: u16 = 0b11;
    /// A frame of the 2006 edition: one of 2003 cannot be secured in this way (7.2.1.1.7).
    pub(super) const VERSION_2006: u16 = 1 << 12;
}

/// Source or destination address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Address {
    /// Assigned by the PAN, or [`BROADCAST`].
    Short(u16),
    /// Unique address of the radio.
    Extended(u64),
}

impl Address {
    /// Broadcast address.
    pub const BROADCAST: Self = Self::Short(BROADCAST);

    /// Returns true if a frame to this address is for `node`.
    pub(super) const fn is_for(self, node: Self) -> bool {
        match (self, node) {
            (Self::Short(to), Self::Short(own)) => to == own || to == BROADCAST,
            (Self::Short(to), Self::Extended(_)) => to == BROADCAST,
            (Self::Extended(to), Self::Extended(own)) => to == own,
            (Self::Extended(_), Self::Short(_)) => false,
        }
    }

    const fn mode(self) -> u16 {
        match self {
            Self::Short(_) => control::SHORT,
            Self::Extended(_) => control::EXTENDED,
        }
    }

    /// Encodes the address into `bytes` at `at`, and returns its end.
    #[inline]
    fn put(self, bytes: &mut [u8; MAX_HEADER_LEN], at: usize) -> usize {
        let end;
        match self {
            Self::Short(address) => {
                end = at + 2;
                bytes[at..end].copy_from_slice(&address.to_le_bytes());
            }
            Self::Extended(address) => {
                end = at + EXTENDED_LEN;
                bytes[at..end].copy_from_slice(&address.to_le_bytes());
            }
        }
        end
    }

    /// Decodes the address at the beginning of `bytes`, with its mode in the lowest bits of
    /// `control`, and returns the rest.
    fn first(control: u16, bytes: &[u8]) -> Option<(Self, &[u8])> {
        Some(match control & control::MODE {
            control::SHORT => {
                let (address, rest) = bytes.split_first_chunk()?;
                (Self::Short(u16::from_le_bytes(*address)), rest)
            }
            control::EXTENDED => {
                let (address, rest) = bytes.split_first_chunk()?;
                (Self::Extended(u64::from_le_bytes(*address)), rest)
            }
            _ => return None,
        })
    }
}

/// The header of a data frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    /// Data sequence number: retries of a frame share it.
    pub sequence: u8,
    /// Whether the sender has more data for the receiver (7.2.1.1.3).
    pub frame_pending: bool,
    /// Whether an acknowledgement is requested.
    pub ack_request: bool,
    /// Whether the payload begins with an auxiliary security header.
    pub secured: bool,
    /// PAN of both ends.
    pub pan: u16,
    /// Receiver.
    pub destination: Address,
    /// Sender.
    pub source: Address,
}

impl Header {
    /// Encoded header, and its length.
    #[must_use]
    pub fn octets(&self) -> ([u8; MAX_HEADER_LEN], usize) {
        let mut bytes = [0; MAX_HEADER_LEN];
        let len = self.put(&mut bytes);
        (bytes, len)
    }

    /// Encodes the header into `bytes`, and returns its length.
    #[inline]
    fn put(&self, bytes: &mut [u8; MAX_HEADER_LEN]) -> usize {
        let mut control = control::DATA | control::PAN_ID_COMPRESSION;
        control |= if self.frame_pending { control::FRAME_PENDING } else { 0 };
        control |= if self.ack_request { control::ACK_REQUEST } else { 0 };
        control |= if self.secured { control::SECURITY_ENABLED | control::VERSION_2006 } else { 0 };
        control |= self.destination.mode() << control::DESTINATION;
        control |= self.source.mode() << control::SOURCE;
        bytes[..2].copy_from_slice(&control.to_le_bytes());
        bytes[2] = self.sequence;
        bytes[3..5].copy_from_slice(&self.pan.to_le_bytes());
        let len = self.destination.put(bytes, 5);
        self.source.put(bytes, len)
    }
}

/// A decoded frame with a correct FCS.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Frame<'a> {
    /// User data.
    Data(Header, &'a [u8]),
    /// Acknowledgement of the frame with this sequence number.
    Ack(u8),
}

/// The frame check sequence of `bytes`.
// As a separate function, it is compiled for this polynomial. Inlined into its callers, it would be
// compiled for any.
#[inline(never)]
#[must_use]
pub const fn fcs(bytes: &[u8]) -> u16 {
    FCS.checksum(bytes)
}

/// Encodes a data frame with its FCS; `None` if the payload is too long.
#[must_use]
pub fn data(header: &Header, payload: &[u8]) -> Option<Rc<[u8]>> {
    let mut psdu = [0; MAX_PSDU];
    let len = header.put(psdu.first_chunk_mut()?);
    let end = len + payload.len();
    psdu.get_mut(len..end).filter(|_| end + FCS_LEN <= MAX_PSDU)?.copy_from_slice(payload);
    let check = fcs(&psdu[..end]);
    psdu[end..end + FCS_LEN].copy_from_slice(&check.to_le_bytes());
    Some(Rc::from(&psdu[..end + FCS_LEN]))
}

/// Encodes the acknowledgement of the frame `sequence` (7.2.2.3).
#[must_use]
pub fn ack(sequence: u8) -> Rc<[u8]> {
    let [low, high] = control::ACK.to_le_bytes();
    let [check_low, check_high] = fcs(&[low, high, sequence]).to_le_bytes();
    let psdu: [u8; ACK_PSDU] = [low, high, sequence, check_low, check_high];
    Rc::from(psdu)
}

/// Decodes a PSDU; `None` for frames of other types and addressing, and for a wrong FCS.
#[must_use]
pub fn parse(psdu: &[u8]) -> Option<Frame<'_>> {
    let (covered, check) = psdu.split_last_chunk::<FCS_LEN>()?;
    if fcs(covered) != u16::from_le_bytes(*check) {
        return None;
    }
    read(psdu)
}

/// Decodes a PSDU without checking its FCS, because the medium has already decided whether it is
/// correct.
pub(in crate::stack) fn read(psdu: &[u8]) -> Option<Frame<'_>> {
    if let Some(sequence) = acknowledges(psdu) {
        return Some(Frame::Ack(sequence));
    }
    Start::of(psdu)?.finish().map(|(header, payload)| Frame::Data(header, payload))
}

/// Sequence number that an acknowledgement PSDU acknowledges.
pub(super) fn acknowledges(psdu: &[u8]) -> Option<u8> {
    let &[low, high, sequence, _, _] = psdu else { return None };
    (u16::from_le_bytes([low, high]) & control::TYPE == control::ACK).then_some(sequence)
}

/// A data PSDU decoded up to its destination; most receivers need no more.
pub(super) struct Start<'a> {
    /// PAN of both ends.
    pub(super) pan: u16,
    /// Receiver.
    pub(super) destination: Address,
    control: u16,
    sequence: u8,
    rest: &'a [u8],
}

impl<'a> Start<'a> {
    #[inline]
    pub(super) fn of(psdu: &'a [u8]) -> Option<Self> {
        const DATA: u16 = control::DATA | control::PAN_ID_COMPRESSION;
        let (covered, _) = psdu.split_last_chunk::<FCS_LEN>()?;
        let (&[low, high, sequence, pan_low, pan_high], rest) = covered.split_first_chunk()?;
        let control = u16::from_le_bytes([low, high]);
        if control & (control::TYPE | control::PAN_ID_COMPRESSION) != DATA {
            return None;
        }
        let (destination, rest) = Address::first(control >> control::DESTINATION, rest)?;
        let pan = u16::from_le_bytes([pan_low, pan_high]);
        Some(Self { pan, destination, control, sequence, rest })
    }

    /// Decodes the rest of the header, and the payload.
    pub(super) fn finish(self) -> Option<(Header, &'a [u8])> {
        let Self { pan, destination, control, sequence, rest } = self;
        let (source, payload) = Address::first(control >> control::SOURCE, rest)?;
        let frame_pending = control & control::FRAME_PENDING != 0;
        let ack_request = control & control::ACK_REQUEST != 0;
        let secured = control & control::SECURITY_ENABLED != 0;
        let header =
            Header { sequence, frame_pending, ack_request, secured, pan, destination, source };
        Some((header, payload))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_check_of_the_standards_example_is_the_standards() {
        // 7.2.1.9: an acknowledgement sent as 0100 0000 0000 0000 0101 0110, first bit first, has
        // the FCS 0010 0111 1001 1110. The first bit is the least significant.
        let sent = |byte: u8| byte.reverse_bits();
        let expected = [0b0100_0000, 0, 0b0101_0110, 0b0010_0111, 0b1001_1110].map(sent);
        assert_eq!(*ack(expected[2]), expected);
    }

    #[test]
    fn frames_of_the_measured_firmware_come_out_byte_for_byte() {
        // Sniffer capture of an acknowledged transfer whose payload counts up from zero.
        let header = Header {
            sequence: 0xCB,
            frame_pending: false,
            ack_request: true,
            secured: false,
            pan: 0x0007,
            destination: Address::BROADCAST,
            source: Address::Short(0x8899),
        };
        let payload: Vec<u8> = (0..116).collect();
        let psdu = data(&header, &payload).expect("it fits");
        assert_eq!(psdu[..11], [0x61, 0x88, 0xCB, 0x07, 0, 0xFF, 0xFF, 0x99, 0x88, 0, 1]);
        assert_eq!(psdu[125..], [0x4D, 0x10]);
        assert_eq!(*ack(0xCB), [0x02, 0x00, 0xCB, 0x67, 0xCD]);
    }

    #[test]
    fn a_payload_that_does_not_fit_is_refused() {
        for (address, room) in [(Address::Short(2), MAX_PAYLOAD), (Address::Extended(2), 104)] {
            let header = Header {
                sequence: 0,
                frame_pending: false,
                ack_request: false,
                secured: false,
                pan: 1,
                destination: address,
                source: address,
            };
            let len = |payload: usize| data(&header, &vec![0; payload]).map(|psdu| psdu.len());
            assert_eq!(len(room), Some(MAX_PSDU));
            assert_eq!(len(room + 1), None);
            assert_eq!(len(1_000), None);
        }
    }

    #[test]
    fn a_secured_frame_between_extended_addresses_is_laid_out_as_the_standard_says() {
        // 7.2.1.1: data, security enabled, acknowledgement requested, one PAN, both modes 11,
        // version 1.
        let header = Header {
            sequence: 56,
            frame_pending: false,
            ack_request: true,
            secured: true,
            pan: 0xFACE,
            destination: Address::Extended(0x0102_0304_0506_0708),
            source: Address::Extended(0x1112_1314_1516_1718),
        };
        let psdu = data(&header, &[]).expect("it fits");
        assert_eq!(psdu[..5], [0x69, 0xDC, 56, 0xCE, 0xFA]);
        assert_eq!(psdu[5..13], [8, 7, 6, 5, 4, 3, 2, 1]);
        assert_eq!(psdu[13..21], [0x18, 0x17, 0x16, 0x15, 0x14, 0x13, 0x12, 0x11]);
    }

    fn address() -> impl Strategy<Value = Address> {
        prop_oneof![any::<u16>().prop_map(Address::Short), any::<u64>().prop_map(Address::Extended)]
    }

    proptest! {
        #[test]
        fn a_frame_comes_back_and_one_changed_bit_does_not(
            sequence: u8, frame_pending: bool, ack_request: bool, secured: bool, pan: u16,
            destination in address(), source in address(),
            payload in prop::collection::vec(any::<u8>(), 0..=104),
            at: prop::sample::Index, bit in 0_u8..8,
        ) {
            let header = Header {
                sequence, frame_pending, ack_request, secured, pan, destination, source,
            };
            let psdu = data(&header, &payload).expect("it fits");
            prop_assert_eq!(parse(&psdu), Some(Frame::Data(header, &payload)));
            let mut damaged = psdu.to_vec();
            let at = at.index(damaged.len());
            damaged[at] ^= 1 << bit;
            prop_assert_eq!(parse(&damaged), None);
        }

        #[test]
        fn any_bytes_are_read_without_a_panic(bytes in prop::collection::vec(any::<u8>(), 0..140)) {
            let _ = parse(&bytes);
            let _ = read(&bytes);
        }
    }
}
