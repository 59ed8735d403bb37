//! IEEE 802.15.4 frames of a sniffer.
//!
//! ```text
//! 195  frame with its 16-bit FCS
//! 230  frame without FCS
//! 283  TAP: version 1 | 0 | header length 2 | fields (type 2, length 2, value padded to a word) | frame
//!
//! frame: control 2 | sequence 1 | destination PAN 2, address 2 or 8 | source PAN 2, address 2 or 8 | rest | FCS
//! ```
//!
//! Link types of tcpdump.org; IEEE 802.15.4 TAP, revision 1.0. IEEE 802.15.4-2020, sections 7.2 and 12.

use std::fmt;

use super::bytes::{skip, take, take_u8, take_u16};
use crate::packets::Packet;

/// LINKTYPE_IEEE802_15_4_WITHFCS.
pub const WITH_FCS: u16 = 195;
/// LINKTYPE_IEEE802_15_4_NOFCS.
pub const WITHOUT_FCS: u16 = 230;
/// LINKTYPE_IEEE802_15_4_TAP.
pub const TAP: u16 = 283;

/// Bytes of the FCS of the 2.4 GHz O-QPSK PHY.
const FCS: usize = 2;
/// Duration of a byte of the 2.4 GHz O-QPSK PHY at 250 kbit/s, ns (section 12.2).
const BYTE_NS: u32 = 32_000;
/// Preamble, start-of-frame delimiter and PHY header, bytes (section 12.1).
const SYNCHRONISATION: u32 = 4 + 1 + 1;

/// Type of a frame (section 7.2.2.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Acknowledgement, immediate or enhanced.
    Ack,
    /// Data.
    Data,
    /// Beacon, command, and every other type.
    Other,
}

/// Address of a device.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Address {
    /// Short address.
    Short(u16),
    /// Extended address, EUI-64.
    Extended(u64),
}

impl Address {
    /// Whether it is the broadcast address.
    #[must_use]
    pub fn is_broadcast(self) -> bool {
        self == Self::Short(0xFFFF)
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Short(address) => write!(f, "0x{address:04x}"),
            Self::Extended(address) => write!(f, "{address:016x}"),
        }
    }
}

/// A frame of the MAC.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mpdu {
    /// Type.
    pub kind: Kind,
    /// Whether the sender requests an acknowledgement.
    pub wants_ack: bool,
    /// Sequence number. `None` if it is suppressed.
    pub sequence: Option<u8>,
    /// Source.
    pub source: Option<Address>,
    /// Destination.
    pub destination: Option<Address>,
    /// Checksum of the frame without its FCS: equal for a retransmission.
    pub digest: u32,
    /// Whether the frame is complete and not marked as erroneous. If the FCS was recorded, it is
    /// also correct.
    pub is_intact: bool,
    /// Channel, where recorded.
    pub channel: Option<u16>,
    /// Time on the air at 250 kbit/s including the preamble, ns.
    pub airtime_ns: u32,
}

impl Mpdu {
    /// Decodes a packet. `None` if its headers are incomplete.
    #[must_use]
    pub fn of(packet: &Packet<'_>) -> Option<Self> {
        let mut bytes = packet.bytes;
        let tap = match packet.link_type {
            TAP => tap_header(&mut bytes)?,
            WITHOUT_FCS => Tap { fcs: 0, channel: None },
            _ => Tap { fcs: FCS, channel: None },
        };
        let frame = bytes.get(..bytes.len().checked_sub(tap.fcs)?)?;
        let is_right = match bytes[frame.len()..] {
            [low, high] => u16::from_le_bytes([low, high]) == fcs(frame),
            // No FCS, or an FCS of 32 bits, which this PHY does not use.
            _ => true,
        };
        let mut rest = frame;
        let control = take_u16(&mut rest)?;
        let [to, from] = [control >> 10 & 3, control >> 14];
        let version = control >> 12 & 3;
        let is_suppressed = version == 2 && control & 1 << 8 != 0;
        let sequence = if is_suppressed { None } else { Some(take_u8(&mut rest)?) };
        let [has_to_pan, has_from_pan] = pans(version, to, from, control & 1 << 6 != 0);
        skip(&mut rest, if has_to_pan { 2 } else { 0 })?;
        let destination = address(&mut rest, to)?;
        skip(&mut rest, if has_from_pan { 2 } else { 0 })?;
        let source = address(&mut rest, from)?;
        Some(Self {
            kind: match control & 7 {
                1 => Kind::Data,
                2 => Kind::Ack,
                _ => Kind::Other,
            },
            wants_ack: control & 1 << 5 != 0,
            sequence,
            source,
            destination,
            digest: crc32fast::hash(frame),
            is_intact: is_right && !packet.is_cut && !packet.is_damaged,
            channel: tap.channel,
            airtime_ns: (SYNCHRONISATION + (frame.len() + FCS) as u32) * BYTE_NS,
        })
    }
}

/// Fields of a TAP header.
struct Tap {
    /// Bytes of the FCS.
    fcs: usize,
    channel: Option<u16>,
}

fn tap_header(bytes: &mut &[u8]) -> Option<Tap> {
    const FCS_TYPE: u16 = 0;
    const CHANNEL: u16 = 3;
    let whole = *bytes;
    skip(bytes, 2)?;
    let length = usize::from(take_u16(bytes)?);
    let mut fields = whole.get(4..length)?;
    *bytes = &whole[length..];
    // Without the field, there is no FCS.
    let mut tap = Tap { fcs: 0, channel: None };
    while !fields.is_empty() {
        let [kind, length] = [take_u16(&mut fields)?, take_u16(&mut fields)?];
        let mut value = fields.get(..usize::from(length))?;
        match kind {
            FCS_TYPE => tap.fcs = [0, 2, 4][usize::from(take_u8(&mut value)?.min(2))],
            CHANNEL => tap.channel = Some(take_u16(&mut value)?),
            _ => {}
        }
        // The last field may lack its padding.
        fields = fields.get(usize::from(length).next_multiple_of(4)..).unwrap_or_default();
    }
    Some(tap)
}

/// Whether the PAN IDs of the destination and of the source are present, by version, addressing
/// modes and PAN ID compression (tables 7-2 and 7-6).
const fn pans(version: u16, to: u16, from: u16, is_compressed: bool) -> [bool; 2] {
    const EXTENDED: u16 = 3;
    let [has_to, has_from] = [to != 0, from != 0];
    if version < 2 {
        return [has_to, has_from && !is_compressed];
    }
    match (has_to, has_from) {
        (false, false) => [is_compressed, false],
        (true, false) => [!is_compressed, false],
        (false, true) => [false, !is_compressed],
        (true, true) if to == EXTENDED && from == EXTENDED => [!is_compressed, false],
        (true, true) => [true, !is_compressed],
    }
}

/// An address of this mode: 0 for none, 2 for short, 3 for extended.
fn address(rest: &mut &[u8], mode: u16) -> Option<Option<Address>> {
    match mode {
        0 => Some(None),
        2 => take_u16(rest).map(|address| Some(Address::Short(address))),
        3 => take(rest).map(|bytes| Some(Address::Extended(u64::from_le_bytes(bytes)))),
        _ => None,
    }
}

/// FCS of a frame: x^16 + x^12 + x^5 + 1 from 0, least significant bit first (section 7.2.11).
fn fcs(frame: &[u8]) -> u16 {
    frame.iter().fold(0, |crc, &byte| {
        (0..8)
            .fold(crc ^ u16::from(byte), |crc, _| crc >> 1 ^ if crc & 1 == 0 { 0 } else { 0x8408 })
    })
}

#[cfg(test)]
mod tests;
