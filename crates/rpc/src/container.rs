//! A container: one packet of the link with a header and a piece of a payload.
//!
//! ```text
//!  transaction 1 | sequence 1 | type:2 command:4 -:2 | total 2, LE (only the first) | length 1 | payload
//! ```
//!
//! Bytes after the payload are ignored, because a radio may pad its frames.

use crate::control::Code;

/// Length of the header of the first container of a payload, bytes.
pub const FIRST_HEADER: usize = 6;
/// Length of the header of any other container, bytes.
pub const HEADER: usize = 4;
/// Bytes of an attribute PDU before its value, which is the container.
pub const ATT_HEADER: usize = 3;
/// The smallest MTU of the attribute protocol: Core 5.4, volume 3, part G, section 5.2.1.
pub const MIN_MTU: usize = 23;
/// Largest payload of one container, bytes, because its length is one byte.
pub const MAX_PIECE: usize = 255;
/// Largest number of containers per payload, because the sequence number is one byte.
pub const MAX_CONTAINERS: usize = 256;

/// Kind of a container.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The first container of a payload.
    First {
        /// Length of the whole payload, bytes.
        total: u16,
    },
    /// A later container of a payload.
    Next,
    /// A control message.
    Control(Code),
}

/// Value of two bits in the third byte.
const FIRST: u8 = 0b00;
const NEXT: u8 = 0b01;
const CONTROL: u8 = 0b11;

/// A parsed container.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Container<'a> {
    /// Transaction of the payload.
    pub transaction: u8,
    /// Sequence number in the payload, from 0.
    pub sequence: u8,
    /// Kind.
    pub kind: Kind,
    /// Piece of the payload.
    pub payload: &'a [u8],
}

/// Reason why a packet is not a container.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Malformed {
    /// The packet is shorter than its header.
    #[error("a container of {0} B ends within its header")]
    Header(usize),
    /// The packet is shorter than its declared length.
    #[error("a container declares {says} B of payload but contains {has} B")]
    Truncated {
        /// Declared length, bytes.
        says: usize,
        /// Actual length, bytes.
        has: usize,
    },
    /// The type is not defined.
    #[error("a container of an undefined type")]
    Type,
}

impl<'a> Container<'a> {
    /// Parses a packet.
    ///
    /// # Errors
    ///
    /// [`Malformed`] for an invalid container.
    pub fn parse(packet: &'a [u8]) -> Result<Self, Malformed> {
        let short = Malformed::Header(packet.len());
        let &[transaction, sequence, flags, third, ref rest @ ..] = packet else {
            return Err(short);
        };
        let (kind, length, rest) = match flags >> 6 {
            FIRST => {
                let &[high, length, ref rest @ ..] = rest else { return Err(short) };
                (Kind::First { total: u16::from_le_bytes([third, high]) }, length, rest)
            }
            NEXT => (Kind::Next, third, rest),
            CONTROL => (Kind::Control(Code::from_bits(flags >> 2 & 0xF)), third, rest),
            _ => return Err(Malformed::Type),
        };
        let says = usize::from(length);
        let payload = rest.get(..says).ok_or(Malformed::Truncated { says, has: rest.len() })?;
        Ok(Self { transaction, sequence, kind, payload })
    }

    /// Writes the container to the start of `into`. Returns its length, or `None` if it does not fit or has
    /// more than [`MAX_PIECE`] bytes.
    #[must_use]
    pub fn write(&self, into: &mut [u8]) -> Option<usize> {
        let length = u8::try_from(self.payload.len()).ok()?;
        let head = self.kind.header();
        let whole = into.get_mut(..head + self.payload.len())?;
        let (header, payload) = whole.split_at_mut(head);
        self.kind.write(self.transaction, self.sequence, length, header);
        payload.copy_from_slice(self.payload);
        Some(whole.len())
    }
}

impl Kind {
    /// Length of the header, bytes.
    #[must_use]
    pub const fn header(self) -> usize {
        match self {
            Self::First { .. } => FIRST_HEADER,
            Self::Next | Self::Control(_) => HEADER,
        }
    }

    /// Writes the header of a container with `length` bytes of payload. `header` must have the length of
    /// [`Kind::header`].
    pub(crate) fn write(self, transaction: u8, sequence: u8, length: u8, header: &mut [u8]) {
        let flags = match self {
            Self::First { .. } => FIRST << 6,
            Self::Next => NEXT << 6,
            Self::Control(code) => CONTROL << 6 | code.bits() << 2,
        };
        match self {
            Self::First { total } => {
                let [low, high] = total.to_le_bytes();
                header.copy_from_slice(&[transaction, sequence, flags, low, high, length]);
            }
            Self::Next | Self::Control(_) => {
                header.copy_from_slice(&[transaction, sequence, flags, length]);
            }
        }
    }
}

/// Largest payload of the `nth` container in packets of `packet` bytes.
#[must_use]
pub const fn room(packet: usize, nth: usize) -> usize {
    let head = if nth == 0 { FIRST_HEADER } else { HEADER };
    let room = packet.saturating_sub(head);
    if room < MAX_PIECE { room } else { MAX_PIECE }
}

/// Number of containers of a payload of `total` bytes in packets of `packet` bytes.
#[must_use]
pub const fn count(packet: usize, total: usize) -> usize {
    let (first, next) = (room(packet, 0), room(packet, 1));
    if total <= first { 1 } else { 1 + (total - first).div_ceil(next) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn containers_are_what_the_protocol_says() {
        let mut bytes = [0; 16];
        let first = Container {
            transaction: 7,
            sequence: 0,
            kind: Kind::First { total: 0x1234 },
            payload: b"ab",
        };
        assert_eq!(first.write(&mut bytes), Some(8));
        assert_eq!(bytes[..8], *b"\x07\x00\x00\x34\x12\x02ab");
        let next = Container { transaction: 7, sequence: 1, kind: Kind::Next, payload: b"c" };
        assert_eq!(next.write(&mut bytes), Some(5));
        assert_eq!(bytes[..5], *b"\x07\x01\x40\x01c");
        let end = Container {
            transaction: 9,
            sequence: 0,
            kind: Kind::Control(Code::StreamEndToCentral),
            payload: b"",
        };
        assert_eq!(end.write(&mut bytes), Some(4));
        assert_eq!(bytes[..4], *b"\x09\x00\xCC\x00");
        assert_eq!(Container::parse(b"\x09\x00\xCC\x00"), Ok(end));
    }

    #[test]
    fn what_a_radio_fills_up_with_is_no_payload() {
        let parsed = Container::parse(b"\x07\x01\x40\x01c\x00\x00").map(|found| found.payload);
        assert_eq!(parsed, Ok(&b"c"[..]));
    }

    #[test]
    fn what_is_no_container_is_refused() {
        for (wrong, cause) in [
            (&b""[..], Malformed::Header(0)),
            (b"\x01\x02\x40", Malformed::Header(3)),
            (b"\x01\x02\x00\x01\x00", Malformed::Header(5)),
            (b"\x01\x02\x40\x02a", Malformed::Truncated { says: 2, has: 1 }),
            (b"\x01\x02\x80\x00", Malformed::Type),
        ] {
            assert_eq!(Container::parse(wrong), Err(cause));
        }
    }

    #[test]
    fn payloads_take_as_many_containers_as_fit() {
        assert_eq!([238, 239, 478, 479].map(|total| count(244, total)), [1, 2, 2, 3]);
        assert_eq!(count(244, 8232), 35);
        assert_eq!(count(20, 0), 1);
    }

    proptest::proptest! {
        #[test]
        fn any_bytes_are_parsed_without_a_panic_and_come_back_the_same(bytes: std::vec::Vec<u8>) {
            if let Ok(container) = Container::parse(&bytes) {
                let mut again = [0; 300];
                let length = container.write(&mut again).expect("at most 261 bytes");
                proptest::prop_assert_eq!(Container::parse(&again[..length]), Ok(container));
            }
        }
    }
}
