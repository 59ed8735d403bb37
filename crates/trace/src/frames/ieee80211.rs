//! IEEE 802.11 frames of a sniffer.
//!
//! ```text
//! 105  frame, usually without FCS
//! 127  radiotap: version 1 | 0 | header length 2 | presence words 4 | fields by their bits, aligned | frame
//!
//! frame: control 2 | duration 2 | address 1 | address 2 | address 3 | sequence control 2 | address 4, with both
//!        DS bits | QoS control 2, of QoS data | body | FCS
//! ACK: control 2 | duration 2 | receiver;  BlockAck: ... | transmitter | control 2 | start 2 | bitmap
//! ```
//!
//! Link types of tcpdump.org; radiotap.org. IEEE 802.11-2020, sections 9.2 and 9.3.

use std::fmt;

use super::bytes::{skip, take, take_u16, take_u32};
use crate::packets::Packet;

/// LINKTYPE_IEEE802_11.
pub const PLAIN: u16 = 105;
/// LINKTYPE_IEEE802_11_RADIOTAP.
pub const RADIOTAP: u16 = 127;

/// Types of a frame, and subtypes of control and management frames (table 9-1).
mod code {
    pub(super) const MANAGEMENT: u8 = 0;
    pub(super) const CONTROL: u8 = 1;
    pub(super) const DATA: u8 = 2;
    pub(super) const BLOCK_ACK: u8 = 9;
    pub(super) const ACK: u8 = 13;
    pub(super) const ACTION: u8 = 13;
}

/// MAC address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Address(pub [u8; 6]);

impl Address {
    /// Whether this is a group address. Frames to a group address are not acknowledged.
    #[must_use]
    pub const fn is_group(self) -> bool {
        self.0[0] & 1 != 0
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [first, rest @ ..] = self.0;
        write!(f, "{first:02x}")?;
        rest.iter().try_for_each(|byte| write!(f, ":{byte:02x}"))
    }
}

/// A data or management frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Numbered {
    /// Transmitter.
    pub transmitter: Address,
    /// Traffic identifier of QoS data, whose sequence numbers are counted separately.
    pub tid: Option<u8>,
    /// Sequence number.
    pub sequence: u16,
    /// Fragment number.
    pub fragment: u8,
    /// Whether the sender marks it as a retransmission.
    pub is_retry: bool,
    /// Whether the frame carries data. This is the case for a data frame with a body, and for an
    /// action frame, which ESP-NOW uses.
    pub carries_data: bool,
    /// Whether the receiver acknowledges the frame: its address is individual, and its policy does
    /// not exclude an acknowledgement.
    pub wants_ack: bool,
}

/// A BlockAck of one traffic identifier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockAck {
    /// Transmitter, which received the frames.
    pub transmitter: Address,
    /// Traffic identifier of the frames.
    pub tid: u8,
    /// Sequence number of the first bit.
    pub start: u16,
    /// Received frames, least significant bit first.
    pub received: [u64; 4],
}

impl BlockAck {
    /// Whether it acknowledges a sequence number.
    #[must_use]
    pub fn acknowledges(&self, sequence: u16) -> bool {
        let nth = usize::from(sequence.wrapping_sub(self.start) & 0x0FFF);
        self.received.get(nth / 64).is_some_and(|word| word >> (nth % 64) & 1 != 0)
    }
}

/// Type of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Data or management.
    Numbered(Numbered),
    /// Acknowledgement.
    Ack,
    /// Acknowledgement of several frames.
    BlockAck(BlockAck),
    /// Other control frames.
    Other,
}

/// A frame of the MAC.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mpdu {
    /// Type.
    pub kind: Kind,
    /// Receiver.
    pub receiver: Address,
    /// Whether it is complete and no error is recorded.
    pub is_intact: bool,
    /// Channel frequency, MHz, where recorded.
    pub frequency_mhz: Option<u16>,
}

impl Mpdu {
    /// Decodes a packet. `None` if its headers are incomplete.
    #[must_use]
    pub fn of(packet: &Packet<'_>) -> Option<Self> {
        let mut bytes = packet.bytes;
        let radio = match packet.link_type {
            RADIOTAP => radiotap(&mut bytes)?,
            _ => Radiotap::default(),
        };
        let frame = bytes.get(..bytes.len().checked_sub(if radio.has_fcs { 4 } else { 0 })?)?;
        let mut rest = frame;
        let [first, second] = take(&mut rest)?;
        skip(&mut rest, 2)?;
        let receiver = Address(take(&mut rest)?);
        let subtype = first >> 4;
        let kind = match (first >> 2 & 3, subtype) {
            (code::CONTROL, code::ACK) => Kind::Ack,
            (code::CONTROL, code::BLOCK_ACK) => {
                block_ack(&mut rest).map_or(Kind::Other, Kind::BlockAck)
            }
            (of @ (code::MANAGEMENT | code::DATA), _) => {
                let data = (of == code::DATA).then_some(subtype);
                let is_action = of == code::MANAGEMENT && subtype == code::ACTION;
                Kind::Numbered(numbered(&mut rest, receiver, second, data, is_action)?)
            }
            _ => Kind::Other,
        };
        Some(Self {
            kind,
            receiver,
            is_intact: !radio.is_wrong && !packet.is_damaged,
            frequency_mhz: radio.frequency_mhz,
        })
    }
}

/// Fields after the receiver. `data` is the subtype of a data frame, `is_action` whether it is an action
/// frame.
fn numbered(
    rest: &mut &[u8],
    receiver: Address,
    flags: u8,
    data: Option<u8>,
    is_action: bool,
) -> Option<Numbered> {
    const RETRY: u8 = 1 << 3;
    const BOTH_DS: u8 = 3;
    const QOS: u8 = 1 << 3;
    const NULL: u8 = 1 << 2;
    let transmitter = Address(take(rest)?);
    skip(rest, 6)?;
    let control = take_u16(rest)?;
    let mut qos = None;
    if let Some(subtype) = data {
        skip(rest, if flags & BOTH_DS == BOTH_DS { 6 } else { 0 })?;
        if subtype & QOS != 0 {
            qos = Some(take_u16(rest)?);
        }
    }
    // Ack policy 1 of QoS control: no acknowledgement (9.2.4.5.4).
    let is_silent = qos.is_some_and(|qos| qos >> 5 & 3 == 1);
    Some(Numbered {
        transmitter,
        tid: qos.map(|qos| (qos & 0x0F) as u8),
        sequence: control >> 4,
        fragment: (control & 0x0F) as u8,
        is_retry: flags & RETRY != 0,
        carries_data: data.map_or(is_action, |subtype| subtype & NULL == 0),
        wants_ack: !receiver.is_group() && !is_silent,
    })
}

/// Decodes a compressed BlockAck (9.3.1.8.2). Other variants acknowledge several traffic
/// identifiers or stations.
fn block_ack(rest: &mut &[u8]) -> Option<BlockAck> {
    const COMPRESSED: u16 = 2;
    let transmitter = Address(take(rest)?);
    let control = take_u16(rest)?;
    if control >> 1 & 0x0F != COMPRESSED {
        return None;
    }
    let start = take_u16(rest)? >> 4;
    let mut received = [0; 4];
    for word in &mut received {
        let Some(bits) = take(rest) else { break };
        *word = u64::from_le_bytes(bits);
    }
    Some(BlockAck { transmitter, tid: (control >> 12) as u8, start, received })
}

#[derive(Default)]
struct Radiotap {
    has_fcs: bool,
    is_wrong: bool,
    frequency_mhz: Option<u16>,
}

fn radiotap(bytes: &mut &[u8]) -> Option<Radiotap> {
    // Presence bits of the fields read here, and of those before them.
    const TIME: u32 = 0;
    const FLAGS: u32 = 1;
    const RATE: u32 = 2;
    const CHANNEL: u32 = 3;
    const MORE: u32 = 1 << 31;
    const HAS_FCS: u8 = 0x10;
    const WRONG_FCS: u8 = 0x40;
    let whole = *bytes;
    skip(bytes, 2)?;
    let length = usize::from(take_u16(bytes)?);
    let header = whole.get(..length)?;
    let mut words = header.get(4..)?;
    let present = take_u32(&mut words)?;
    let mut last = present;
    while last & MORE != 0 {
        last = take_u32(&mut words)?;
    }
    let mut at = length - words.len();
    let is_there = |bit: u32| present & 1 << bit != 0;
    let mut found = Radiotap::default();
    if is_there(TIME) {
        // Eight bytes. Fields are aligned to their size from the start of the header.
        at = at.next_multiple_of(8) + 8;
    }
    if is_there(FLAGS) {
        let flags = *header.get(at)?;
        (found.has_fcs, found.is_wrong) = (flags & HAS_FCS != 0, flags & WRONG_FCS != 0);
        at += 1;
    }
    if is_there(RATE) {
        at += 1;
    }
    if is_there(CHANNEL) {
        let mut field = header.get(at.next_multiple_of(2)..)?;
        found.frequency_mhz = Some(take_u16(&mut field)?);
    }
    *bytes = &whole[length..];
    Some(found)
}

#[cfg(test)]
mod tests;
