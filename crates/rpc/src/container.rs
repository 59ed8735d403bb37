//! One packet of the link: a header, and a piece of a payload.
//!
//! ```text
//!  transaction 1 | sequence 1 | type:2 command:4 -:2 | total 2, LE (only the first) | length 1 | payload
//! ```
//!
//! What lies behind the payload is no part of it: a radio may fill its frames up.

use crate::control::Code;

/// Bytes of a header: of the first container of a payload, and of any other.
pub const FIRST_HEADER: usize = 6;
/// See [`FIRST_HEADER`].
pub const HEADER: usize = 4;
/// Bytes of an attribute PDU before its value, which is the container.
pub const ATT_HEADER: usize = 3;
/// The smallest MTU of the attribute protocol: Core 5.4, volume 3, part G, section 5.2.1.
pub const MIN_MTU: usize = 23;
/// Most bytes of payload in one container: its length is one byte.
pub const MAX_PIECE: usize = 255;
/// Most containers of a payload: its sequence numbers are one byte.
pub const MAX_CONTAINERS: usize = 256;

/// What a container is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The first of a payload, which has so many bytes in all.
    First {
        /// Bytes of the whole payload.
        total: u16,
    },
    /// A later one of a payload.
    Next,
    /// A message to the other end.
    Control(Code),
}

/// Two bits of the third byte.
const FIRST: u8 = 0b00;
const NEXT: u8 = 0b01;
const CONTROL: u8 = 0b11;

/// A container, taken apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Container<'a> {
    /// Which payload it belongs to.
    pub transaction: u8,
    /// Which one of them it is, from 0.
    pub sequence: u8,
    /// What it is.
    pub kind: Kind,
    /// Its piece of the payload.
    pub payload: &'a [u8],
}

/// What is no container.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Malformed {
    /// Shorter than its header.
    #[error("a container of {0} B ends within its header")]
    Header(usize),
    /// Shorter than its header says.
    #[error("a container says it carries {says} B and carries {has} B")]
    Truncated {
        /// What the header says.
        says: usize,
        /// What there is.
        has: usize,
    },
    /// Of the type that is not defined.
    #[error("a container of an undefined type")]
    Type,
}

impl<'a> Container<'a> {
    /// Takes a packet apart.
    ///
    /// # Errors
    ///
    /// [`Malformed`] where it is no container.
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

    /// Writes it to the beginning of `into`; its length. None where it does not fit, or has more than
    /// [`MAX_PIECE`] bytes.
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
    /// Bytes of the header.
    #[must_use]
    pub const fn header(self) -> usize {
        match self {
            Self::First { .. } => FIRST_HEADER,
            Self::Next | Self::Control(_) => HEADER,
        }
    }

    /// Writes the header of a container with `length` bytes of payload. `header` has as many bytes as
    /// [`Kind::header`] says.
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

/// Most bytes of payload in a container that is the `nth` of its payload, in packets of `packet` bytes.
#[must_use]
pub const fn room(packet: usize, nth: usize) -> usize {
    let head = if nth == 0 { FIRST_HEADER } else { HEADER };
    let room = packet.saturating_sub(head);
    if room < MAX_PIECE { room } else { MAX_PIECE }
}

/// Containers of a payload of `total` bytes, in packets of `packet` bytes.
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
