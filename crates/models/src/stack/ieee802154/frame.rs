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
//!
//! Frames of the edition of 2015 differ in the version, in the PAN ID compression between two
//! extended addresses, in the header information elements ([`element`](super::element)), and in
//! their acknowledgements, which have a destination and can be secured (IEEE Std 802.15.4-2015,
//! 7.2.1.5 and 7.3.3).

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
    pub(super) const COMMAND: u16 = 3;
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
    pub(super) const VERSION_2015: u16 = 2 << 12;
    pub(super) const VERSION: u16 = 0b11 << 12;
    /// Header information elements are present (IEEE Std 802.15.4-2015, 7.2.1.7).
    pub(super) const ELEMENTS: u16 = 1 << 9;
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

/// Frame type.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Kind {
    /// User data.
    #[default]
    Data,
    /// A MAC command.
    Command,
}

/// Edition of the standard whose frame format is used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Version {
    /// That of 2006 for secured frames, else that of 2003.
    #[default]
    Until2006,
    /// That of 2015.
    V2015 {
        /// Whether the header has information elements. They are part of the payload here.
        elements: bool,
    },
}

/// The header of a data or command frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    /// Frame type.
    pub kind: Kind,
    /// Frame version.
    pub version: Version,
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
        let mut control = match self.kind {
            Kind::Data => control::DATA,
            Kind::Command => control::COMMAND,
        };
        control |= if self.frame_pending { control::FRAME_PENDING } else { 0 };
        control |= if self.ack_request { control::ACK_REQUEST } else { 0 };
        control |= if self.secured { control::SECURITY_ENABLED } else { 0 };
        control |= match self.version {
            Version::Until2006 if self.secured => {
                control::PAN_ID_COMPRESSION | control::VERSION_2006
            }
            Version::Until2006 => control::PAN_ID_COMPRESSION,
            Version::V2015 { elements } => {
                let elements = if elements { control::ELEMENTS } else { 0 };
                let compressed = if self.is_extended() { 0 } else { control::PAN_ID_COMPRESSION };
                control::VERSION_2015 | elements | compressed
            }
        };
        control |= self.destination.mode() << control::DESTINATION;
        control |= self.source.mode() << control::SOURCE;
        bytes[..2].copy_from_slice(&control.to_le_bytes());
        bytes[2] = self.sequence;
        bytes[3..5].copy_from_slice(&self.pan.to_le_bytes());
        let len = self.destination.put(bytes, 5);
        self.source.put(bytes, len)
    }

    /// Whether both addresses are extended. A frame of the edition of 2015 then has one PAN
    /// identifier without the compression bit (IEEE Std 802.15.4-2015, table 7-2).
    const fn is_extended(&self) -> bool {
        matches!((self.destination, self.source), (Address::Extended(_), Address::Extended(_)))
    }

    /// Returns true if the frame is acknowledged by an enhanced acknowledgement.
    #[must_use]
    pub const fn is_enhanced(&self) -> bool {
        matches!(self.version, Version::V2015 { .. })
    }

    /// Encodes the header of the enhanced acknowledgement of this frame, which is addressed to its
    /// sender, and returns its length. `pending` announces further data.
    #[must_use]
    pub fn enhanced_ack(&self, pending: bool, elements: bool) -> ([u8; MAX_HEADER_LEN], usize) {
        let mut control = control::ACK | control::VERSION_2015;
        control |= if pending { control::FRAME_PENDING } else { 0 };
        control |= if self.secured { control::SECURITY_ENABLED } else { 0 };
        control |= if elements { control::ELEMENTS } else { 0 };
        control |= self.source.mode() << control::DESTINATION;
        let mut bytes = [0; MAX_HEADER_LEN];
        bytes[..2].copy_from_slice(&control.to_le_bytes());
        bytes[2] = self.sequence;
        bytes[3..5].copy_from_slice(&self.pan.to_le_bytes());
        let len = self.source.put(&mut bytes, 5);
        (bytes, len)
    }
}

/// A decoded frame with a correct FCS.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Frame<'a> {
    /// A data or command frame.
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

/// Encodes a frame of `header` and `payload` with its FCS, whatever its type; `None` if it is too
/// long.
#[must_use]
pub fn with_fcs(header: &[u8], payload: &[u8]) -> Option<Rc<[u8]>> {
    let mut psdu = [header, payload].concat();
    psdu.extend(fcs(&psdu).to_le_bytes());
    (psdu.len() <= MAX_PSDU).then(|| Rc::from(psdu))
}

/// Encodes the acknowledgement of the frame `sequence` (7.2.2.3). `pending` announces further data.
#[must_use]
pub fn ack(sequence: u8, pending: bool) -> Rc<[u8]> {
    let pending = if pending { control::FRAME_PENDING } else { 0 };
    let [low, high] = (control::ACK | pending).to_le_bytes();
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
    let &[low, high, sequence, ..] = psdu else { return None };
    let control = u16::from_le_bytes([low, high]);
    let enhanced = control & control::VERSION == control::VERSION_2015;
    (control & control::TYPE == control::ACK && (enhanced || psdu.len() == ACK_PSDU))
        .then_some(sequence)
}

/// Returns true if an acknowledgement announces further data.
#[must_use]
pub fn announces_data(ack: &[u8]) -> bool {
    ack.first().is_some_and(|&low| u16::from(low) & control::FRAME_PENDING != 0)
}

/// Data between the header and the FCS of an enhanced acknowledgement. `None` for other frames.
#[must_use]
pub fn enhanced_body(ack: &[u8]) -> Option<&[u8]> {
    let &[low, high, ..] = ack else { return None };
    let control = u16::from_le_bytes([low, high]);
    const ENHANCED: u16 = control::ACK | control::VERSION_2015;
    if control & (control::TYPE | control::VERSION) != ENHANCED {
        return None;
    }
    let (covered, _) = ack.split_last_chunk::<FCS_LEN>()?;
    let (_, rest) = Address::first(control >> control::DESTINATION, covered.get(5..)?)?;
    Some(rest)
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
        const EXTENDED: u16 =
            control::EXTENDED << control::DESTINATION | control::EXTENDED << control::SOURCE;
        let (covered, _) = psdu.split_last_chunk::<FCS_LEN>()?;
        let (&[low, high, sequence, pan_low, pan_high], rest) = covered.split_first_chunk()?;
        let control = u16::from_le_bytes([low, high]);
        if !matches!(control & control::TYPE, control::DATA | control::COMMAND) {
            return None;
        }
        // One PAN identifier: without the compression bit if the edition is that of 2015 and both
        // addresses are extended.
        let compressed =
            control & control::VERSION != control::VERSION_2015 || control & EXTENDED != EXTENDED;
        if compressed != (control & control::PAN_ID_COMPRESSION != 0) {
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
        let kind = match control & control::TYPE {
            control::COMMAND => Kind::Command,
            _ => Kind::Data,
        };
        let version = match control & control::VERSION {
            control::VERSION_2015 => Version::V2015 { elements: control & control::ELEMENTS != 0 },
            _ => Version::Until2006,
        };
        let header = Header {
            kind,
            version,
            sequence,
            frame_pending,
            ack_request,
            secured,
            pan,
            destination,
            source,
        };
        Some((header, payload))
    }
}

#[cfg(test)]
mod tests;
