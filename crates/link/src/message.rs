//! Message format: a message of N bytes takes N bytes on the link. Its first bytes contain the
//! sequence number and the length, and its last two the CRC.
//!
//! ```text
//!  byte  0        1        2        3        4       5 .. N-3          N-2      N-1
//!       +--------+--------+--------+--------+-------+-----------------+--------+--------+
//!       | sequence, LE    | length, LE      | check | body            | CRC-16, BE      |
//!       +--------+--------+--------+--------+-------+-----------------+--------+--------+
//! ```
//!
//! `check` is a CRC-8 over the four bytes before `check`. After a loss, the receiver uses `check`
//! to distinguish the first chunk of a message from a later chunk, so chunks need no header byte.
//! The CRC-16 covers all bytes of the message before the CRC-16.
//!
//! The body of a test message is a function of the sequence number that both ends compute, so the
//! receiver compares every byte and not only the CRC.

use crc::{CRC_8_SMBUS, CRC_16_IBM_3740, Crc, Table};

/// Lookup tables of 512 B each. A board has one, because its flash is small. A computer has
/// sixteen, because the check of a message was an eighth of the time to simulate the message.
type Lookup = Table<{ if cfg!(target_os = "none") { 1 } else { 16 } }>;

/// CRC-16 with polynomial 0x1021 and preset 0xFFFF ("CCITT-FALSE").
const CRC16: Crc<u16, Lookup> = Crc::<u16, Lookup>::new(&CRC_16_IBM_3740);
const CRC8: Crc<u8, Table<1>> = Crc::<u8, Table<1>>::new(&CRC_8_SMBUS);

/// Bytes before the body.
pub const HEADER_LEN: usize = 5;
/// Bytes after the body.
pub const TRAILER_LEN: usize = 2;
/// The shortest message: a header, no body, a CRC.
pub const MIN_LEN: usize = HEADER_LEN + TRAILER_LEN;

/// Error of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MessageError {
    /// Shorter than header and CRC together.
    #[error("{len} bytes are too short for a message; at least {MIN_LEN} are required")]
    TooShort {
        /// Bytes given.
        len: usize,
    },
    /// Longer than its length field can represent.
    #[error("{len} bytes are too long for a message; at most 65535 are possible")]
    TooLong {
        /// Bytes given.
        len: usize,
    },
    /// The bytes are not the beginning of a message.
    #[error("not the beginning of a message")]
    NotABeginning,
    /// The CRC is wrong: a piece is missing, duplicated, out of order or changed.
    #[error("message {sequence} is damaged: CRC {found:#06x} where {expected:#06x} was computed")]
    Damaged {
        /// Sequence number from its header.
        sequence: u16,
        /// CRC computed over the bytes.
        expected: u16,
        /// CRC at the end of the message.
        found: u16,
    },
}

/// The first bytes of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    /// Message counter, wrapping.
    pub sequence: u16,
    /// Length of the whole message, header and CRC included, bytes.
    pub length: u16,
}

impl Header {
    /// Encodes the header.
    #[must_use]
    pub fn to_bytes(self) -> [u8; HEADER_LEN] {
        let [s0, s1] = self.sequence.to_le_bytes();
        let [l0, l1] = self.length.to_le_bytes();
        [s0, s1, l0, l1, CRC8.checksum(&[s0, s1, l0, l1])]
    }

    /// Parses a header. `None` if the bytes do not begin a message.
    #[must_use]
    pub fn parse(bytes: &[u8]) -> Option<Self> {
        let bytes = bytes.get(..HEADER_LEN)?;
        let length = u16::from_le_bytes([bytes[2], bytes[3]]);
        if usize::from(length) < MIN_LEN || CRC8.checksum(&bytes[..4]) != bytes[4] {
            return None;
        }
        Some(Self { sequence: u16::from_le_bytes([bytes[0], bytes[1]]), length })
    }
}

/// Byte `index` of a test message's body, equal on both sides.
///
/// Neighbouring bytes, messages and chunks all differ, so that a swapped or repeated piece is
/// detected.
#[must_use]
pub const fn body_byte(sequence: u16, index: usize) -> u8 {
    let mixed =
        (index as u32).wrapping_mul(0x9E37_79B9) ^ (sequence as u32).wrapping_mul(0x85EB_CA6B);
    (mixed >> 24) as u8 ^ (mixed >> 11) as u8
}

/// Writes header and CRC around the body that is already in `message`.
pub fn seal(message: &mut [u8], sequence: u16) -> Result<(), MessageError> {
    let len = message.len();
    if len < MIN_LEN {
        return Err(MessageError::TooShort { len });
    }
    let length = u16::try_from(len).map_err(|_| MessageError::TooLong { len })?;
    message[..HEADER_LEN].copy_from_slice(&Header { sequence, length }.to_bytes());
    let crc = CRC16.checksum(&message[..len - TRAILER_LEN]);
    message[len - TRAILER_LEN..].copy_from_slice(&crc.to_be_bytes());
    Ok(())
}

/// Writes the test message `sequence` over the whole of `message`.
pub fn write_test(message: &mut [u8], sequence: u16) -> Result<(), MessageError> {
    let end = message.len().saturating_sub(TRAILER_LEN);
    if let Some(body) = message.get_mut(HEADER_LEN..end) {
        for (index, byte) in body.iter_mut().enumerate() {
            *byte = body_byte(sequence, index);
        }
    }
    seal(message, sequence)
}

/// Checks header and CRC of a complete message and returns its header.
pub fn open(message: &[u8]) -> Result<Header, MessageError> {
    let len = message.len();
    if len < MIN_LEN {
        return Err(MessageError::TooShort { len });
    }
    let header = Header::parse(message).ok_or(MessageError::NotABeginning)?;
    check(message, header)?;
    Ok(header)
}

/// Checks the length and the CRC of a complete message whose `header` has been parsed.
pub(crate) fn check(message: &[u8], header: Header) -> Result<(), MessageError> {
    let len = message.len();
    let (covered, trailer) = message.split_at(len.saturating_sub(TRAILER_LEN));
    let &[high, low] = trailer else { return Err(MessageError::TooShort { len }) };
    let (expected, found) = (CRC16.checksum(covered), u16::from_be_bytes([high, low]));
    if usize::from(header.length) != len || expected != found {
        return Err(MessageError::Damaged { sequence: header.sequence, expected, found });
    }
    Ok(())
}

/// Whether the body of `message` is that of test message `sequence`. [`open`] must have accepted
/// `message`.
#[must_use]
pub fn is_test(message: &[u8], sequence: u16) -> bool {
    let end = message.len().saturating_sub(TRAILER_LEN);
    message.get(HEADER_LEN..end).is_some_and(|body| {
        body.iter().enumerate().all(|(index, &byte)| byte == body_byte(sequence, index))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::vec;

    #[test]
    fn the_checksums_are_the_catalogued_ones() {
        // Check values from the CRC RevEng catalogue for "123456789".
        assert_eq!(CRC16.checksum(b"123456789"), 0x29B1);
        assert_eq!(CRC8.checksum(b"123456789"), 0xF4);
    }

    #[test]
    fn a_message_of_twelve_bytes_is_twelve_bytes() {
        let mut message = [0; 12];
        write_test(&mut message, 0x0102).expect("12 bytes suffice");
        assert_eq!(message[..4], [0x02, 0x01, 12, 0]);
        assert_eq!(open(&message), Ok(Header { sequence: 0x0102, length: 12 }));
        assert!(is_test(&message, 0x0102));
        assert!(!is_test(&message, 0x0103));
    }

    #[test]
    fn too_short_and_too_long_are_named() {
        assert_eq!(write_test(&mut [0; 6], 1), Err(MessageError::TooShort { len: 6 }));
        let mut long = vec![0; 65_536];
        assert_eq!(write_test(&mut long, 1), Err(MessageError::TooLong { len: 65_536 }));
    }

    proptest! {
        #[test]
        fn a_message_opens_again(len in MIN_LEN..2000_usize, sequence: u16) {
            let mut message = vec![0; len];
            write_test(&mut message, sequence).expect("long enough");
            prop_assert_eq!(open(&message), Ok(Header { sequence, length: len as u16 }));
            prop_assert!(is_test(&message, sequence));
        }

        #[test]
        fn one_changed_bit_never_passes(
            len in MIN_LEN..300_usize, sequence: u16, at: prop::sample::Index, bit in 0_u8..8,
        ) {
            let mut message = vec![0; len];
            write_test(&mut message, sequence).expect("long enough");
            let at = at.index(len);
            message[at] ^= 1 << bit;
            prop_assert!(open(&message).is_err());
        }
    }
}
