//! MAC frames (IEEE Std 802.15.4-2006, 7.2), as the bytes of a PSDU.
//!
//! ```text
//!  frame control │ sequence │ destination PAN │ destination │ source │ payload │ FCS
//!  2, LE         │ 1        │ 2, LE           │ 2, LE       │ 2, LE  │ 0..116  │ 2, LE
//! ```
//!
//! Both addresses are short and of one PAN, so the source PAN is left out (7.2.1.1.5): nine octets
//! of header. An acknowledgement is frame control, sequence number and FCS.

use std::rc::Rc;

use airlag_link::airtime::ieee802154::{ACK_PSDU, MAX_PSDU};
use crc::{CRC_16_KERMIT, Crc, Table};

/// Octets before the payload of a data frame.
pub const HEADER_LEN: usize = 9;
/// Octets behind it.
pub const FCS_LEN: usize = 2;
/// Octets of the longest payload of a data frame.
pub const MAX_PAYLOAD: usize = MAX_PSDU - HEADER_LEN - FCS_LEN;
/// The address everybody answers to, and the PAN everybody belongs to.
pub const BROADCAST: u16 = 0xFFFF;

/// The ITU-T polynomial, least significant bit first, preset with zeros (7.2.1.9).
const FCS: Crc<u16, Table<16>> = Crc::<u16, Table<16>>::new(&CRC_16_KERMIT);

/// Bits of the frame control field (7.2.1.1).
mod control {
    pub(super) const TYPE: u16 = 0b111;
    pub(super) const DATA: u16 = 1;
    pub(super) const ACK: u16 = 2;
    pub(super) const ACK_REQUEST: u16 = 1 << 5;
    pub(super) const PAN_ID_COMPRESSION: u16 = 1 << 6;
    pub(super) const SHORT_DESTINATION: u16 = 0b10 << 10;
    pub(super) const SHORT_SOURCE: u16 = 0b10 << 14;
    pub(super) const ADDRESSING: u16 = PAN_ID_COMPRESSION | 0b11 << 10 | 0b11 << 14;
    pub(super) const SHORT: u16 = PAN_ID_COMPRESSION | SHORT_DESTINATION | SHORT_SOURCE;
}

/// The header of a data frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    /// Data sequence number: retries of a frame share it.
    pub sequence: u8,
    /// The receiver is asked to acknowledge.
    pub ack_request: bool,
    /// PAN of both ends.
    pub pan: u16,
    /// Receiver.
    pub destination: u16,
    /// Sender.
    pub source: u16,
}

/// A frame, taken apart. Its FCS was right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Frame<'a> {
    /// User data.
    Data(Header, &'a [u8]),
    /// Acknowledgement of the frame with this sequence number.
    Ack(u8),
}

/// The frame check sequence of `bytes`.
#[must_use]
pub const fn fcs(bytes: &[u8]) -> u16 {
    FCS.checksum(bytes)
}

/// A data frame with its FCS; `None` if the payload is too long.
#[must_use]
pub fn data(header: &Header, payload: &[u8]) -> Option<Rc<[u8]>> {
    let mut psdu = [0; MAX_PSDU];
    let request = if header.ack_request { control::ACK_REQUEST } else { 0 };
    psdu[..2].copy_from_slice(&(control::DATA | control::SHORT | request).to_le_bytes());
    psdu[2] = header.sequence;
    psdu[3..5].copy_from_slice(&header.pan.to_le_bytes());
    psdu[5..7].copy_from_slice(&header.destination.to_le_bytes());
    psdu[7..9].copy_from_slice(&header.source.to_le_bytes());
    let end = HEADER_LEN + payload.len();
    psdu.get_mut(HEADER_LEN..end).filter(|_| end + FCS_LEN <= MAX_PSDU)?.copy_from_slice(payload);
    let check = fcs(&psdu[..end]);
    psdu[end..end + FCS_LEN].copy_from_slice(&check.to_le_bytes());
    Some(Rc::from(&psdu[..end + FCS_LEN]))
}

/// The acknowledgement of the frame `sequence` (7.2.2.3).
#[must_use]
pub fn ack(sequence: u8) -> Rc<[u8]> {
    let [low, high] = control::ACK.to_le_bytes();
    let [check_low, check_high] = fcs(&[low, high, sequence]).to_le_bytes();
    let psdu: [u8; ACK_PSDU] = [low, high, sequence, check_low, check_high];
    Rc::from(psdu)
}

/// Reads a PSDU; `None` for frames of other types and addressing, and where the FCS is wrong.
#[must_use]
pub fn parse(psdu: &[u8]) -> Option<Frame<'_>> {
    let (covered, check) = psdu.split_last_chunk::<FCS_LEN>()?;
    if fcs(covered) != u16::from_le_bytes(*check) {
        return None;
    }
    read(psdu)
}

/// The same for a PSDU the medium vouches for: it says of each frame whether every bit is right,
/// and the sum need not be done again.
pub(super) fn read(psdu: &[u8]) -> Option<Frame<'_>> {
    let (covered, _) = psdu.split_last_chunk::<FCS_LEN>()?;
    let word = |at: usize| Some(u16::from_le_bytes([*covered.get(at)?, *covered.get(at + 1)?]));
    let (control, sequence) = (word(0)?, *covered.get(2)?);
    match control & control::TYPE {
        control::ACK if covered.len() == 3 => Some(Frame::Ack(sequence)),
        control::DATA if control & control::ADDRESSING == control::SHORT => {
            let ack_request = control & control::ACK_REQUEST != 0;
            let (pan, destination, source) = (word(3)?, word(5)?, word(7)?);
            let header = Header { sequence, ack_request, pan, destination, source };
            Some(Frame::Data(header, &covered[HEADER_LEN..]))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_check_of_the_standards_example_is_the_standards() {
        // 7.2.1.9: an acknowledgement sent as 0100 0000 0000 0000 0101 0110, first bit first, has the
        // FCS 0010 0111 1001 1110. First is least significant.
        let sent = |byte: u8| byte.reverse_bits();
        let expected = [0b0100_0000, 0, 0b0101_0110, 0b0010_0111, 0b1001_1110].map(sent);
        assert_eq!(*ack(expected[2]), expected);
    }

    #[test]
    fn frames_of_the_measured_firmware_come_out_byte_for_byte() {
        // What a sniffer caught of an acknowledged transfer whose payload counts up from zero.
        let header = Header {
            sequence: 0xCB,
            ack_request: true,
            pan: 0x0007,
            destination: BROADCAST,
            source: 0x8899,
        };
        let payload: Vec<u8> = (0..116).collect();
        let psdu = data(&header, &payload).expect("it fits");
        assert_eq!(psdu[..11], [0x61, 0x88, 0xCB, 0x07, 0, 0xFF, 0xFF, 0x99, 0x88, 0, 1]);
        assert_eq!(psdu[125..], [0x4D, 0x10]);
        assert_eq!(*ack(0xCB), [0x02, 0x00, 0xCB, 0x67, 0xCD]);
    }

    #[test]
    fn a_payload_that_does_not_fit_is_refused() {
        let header = Header { sequence: 0, ack_request: false, pan: 1, destination: 2, source: 3 };
        assert_eq!(data(&header, &[0; MAX_PAYLOAD]).map(|psdu| psdu.len()), Some(MAX_PSDU));
        assert_eq!(data(&header, &[0; MAX_PAYLOAD + 1]), None);
        assert_eq!(data(&header, &[0; 1_000]), None);
    }

    proptest! {
        #[test]
        fn a_frame_comes_back_and_one_changed_bit_does_not(
            sequence: u8, ack_request: bool, pan: u16, destination: u16, source: u16,
            payload in prop::collection::vec(any::<u8>(), 0..=MAX_PAYLOAD),
            at: prop::sample::Index, bit in 0_u8..8,
        ) {
            let header = Header { sequence, ack_request, pan, destination, source };
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
