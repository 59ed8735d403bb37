//! Bluetooth LE packets of a sniffer.
//!
//! ```text
//! 251  packet, dewhitened
//! 256  RF channel 1 | signal 1 | noise 1 | offences 1 | access address 4 | flags 2 | packet
//! 272  board 1 | lengths 2 | version 1 | counter 2 | kind 1 | length 1 = 10 | flags 1 | channel 1 | RSSI 1 |
//!      event counter 2 | time 4 | packet, of versions 1 to 3
//!
//! packet: access address 4 | coding indicator 1, of a coded PHY only | header 2 or 3 | payload | CRC 3
//! header of a data PDU: LLID:2 NESN:1 SN:1 MD:1 CP:1 | length 1 | CTEInfo 1, only with CP
//! ```
//!
//! Link types of tcpdump.org; nRF Sniffer for Bluetooth LE, protocol versions 1 to 3. Bluetooth Core
//! Specification 5.4, volume 6, part B, sections 2.1 to 2.5.

use super::bytes::{skip, take, take_u8, take_u16, take_u32};
use crate::packets::Packet;

/// LINKTYPE_BLUETOOTH_LE_LL.
pub const PLAIN: u16 = 251;
/// LINKTYPE_BLUETOOTH_LE_LL_WITH_PHDR.
pub const WITH_HEADER: u16 = 256;
/// LINKTYPE_NORDIC_BLE.
pub const NORDIC: u16 = 272;

/// Access address of advertising channels (section 2.1.2).
pub const ADVERTISING: u32 = 0x8E89_BED6;

/// Flags of the pseudo header.
mod flag {
    pub(super) const DEWHITENED: u16 = 1 << 0;
    pub(super) const CRC_CHECKED: u16 = 1 << 10;
    pub(super) const CRC_VALID: u16 = 1 << 11;
}

/// PDU type of a CONNECT_IND (section 2.3).
const CONNECT_IND: u8 = 5;
/// Unit of a connection interval, ns (section 2.3.3.1).
const INTERVAL_UNIT_NS: i64 = 1_250_000;

/// Bytes of CRC.
const CRC: usize = 3;

/// Sender of a data PDU.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Sender {
    /// The central.
    Central,
    /// The peripheral.
    Peripheral,
}

impl Sender {
    /// The other end of the connection.
    #[must_use]
    pub const fn peer(self) -> Self {
        match self {
            Self::Central => Self::Peripheral,
            Self::Peripheral => Self::Central,
        }
    }
}

/// Physical layer of a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phy {
    Le1M,
    Le2M,
    Coded { bit_ns: u32 },
}

impl Phy {
    /// Duration of a packet with `bytes` after the access address, without a coding indicator, ns (sections
    /// 2.1 and 2.2).
    const fn airtime_ns(self, bytes: u32) -> u32 {
        match self {
            // Preamble 1 byte, access address 4, 8 us a byte.
            Self::Le1M => (1 + 4 + bytes) * 8_000,
            Self::Le2M => (2 + 4 + bytes) * 4_000,
            // Preamble 80 us, access address 256, coding indicator 16, terminator 24, and a terminator of
            // three bits at the rate of the PDU.
            Self::Coded { bit_ns } => 376_000 + (8 * bytes + 3) * bit_ns,
        }
    }
}

/// Parameters in a CONNECT_IND.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Connect {
    /// Access address of the new connection.
    pub access_address: u32,
    /// Connection interval, ns.
    pub interval_ns: i64,
}

/// A packet of the link layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pdu {
    /// Access address.
    pub access_address: u32,
    /// Channel, in the numbering of the file. `None` if not recorded.
    pub channel: Option<u8>,
    /// Sender, if the file contains it.
    pub sender: Option<Sender>,
    /// First byte of the header.
    pub header: u8,
    /// Payload, bytes. It includes the MIC of an encrypted PDU.
    pub length: u8,
    /// Checksum of LLID and payload: equal for a retransmission.
    pub digest: u32,
    /// Whether the bytes are complete and no CRC error is recorded.
    pub is_intact: bool,
    /// Whether the PDU belongs to a connection or to advertising, and not to an isochronous or periodic
    /// stream.
    pub is_acl_or_advertising: bool,
    /// Whether the PHY is coded.
    pub is_coded: bool,
    /// Time on the air including the preamble, ns.
    pub airtime_ns: u32,
    /// Parameters of the new connection, if this packet is a CONNECT_IND.
    pub connect: Option<Connect>,
}

/// Fields before a packet.
struct Before {
    channel: Option<u8>,
    sender: Option<Sender>,
    phy: u8,
    is_valid: bool,
    is_acl_or_advertising: bool,
}

impl Pdu {
    /// Decodes a packet. `None` if the packet is incomplete or whitened, or was not received over
    /// the air.
    #[must_use]
    pub fn of(packet: &Packet<'_>) -> Option<Self> {
        let mut bytes = packet.bytes;
        let before = match packet.link_type {
            WITH_HEADER => pseudo_header(&mut bytes)?,
            NORDIC => nordic_header(&mut bytes)?,
            _ => Before {
                channel: None,
                sender: None,
                phy: 0,
                is_valid: true,
                is_acl_or_advertising: true,
            },
        };
        let access_address = take_u32(&mut bytes)?;
        let phy = match before.phy {
            0 => Phy::Le1M,
            1 => Phy::Le2M,
            // Coding indicator: 0 for eight symbols a bit, 1 for two.
            _ => Phy::Coded { bit_ns: if take_u8(&mut bytes)? & 3 == 0 { 8_000 } else { 2_000 } },
        };
        let pdu = bytes;
        let [header, length] = take(&mut bytes)?;
        let is_data = access_address != ADVERTISING;
        let mut tone_ns = 0;
        if is_data && header & CTE_PRESENT != 0 {
            // Constant tone extension, in units of 8 us (section 2.5.2).
            tone_ns = u32::from(take_u8(&mut bytes)? & 0x1F) * 8_000;
        }
        let header_bytes = pdu.len() - bytes.len();
        let payload = bytes.get(..usize::from(length));
        let mut check = crc32fast::Hasher::new();
        check.update(&[header & LLID]);
        check.update(payload.unwrap_or(bytes));
        let on_air = (header_bytes + usize::from(length) + CRC) as u32;
        Some(Self {
            access_address,
            channel: before.channel,
            sender: before.sender,
            header,
            length,
            digest: check.finalize(),
            is_intact: before.is_valid && !packet.is_damaged && payload.is_some(),
            is_acl_or_advertising: before.is_acl_or_advertising,
            is_coded: matches!(phy, Phy::Coded { .. }),
            airtime_ns: phy.airtime_ns(on_air) + tone_ns,
            connect: payload.filter(|_| !is_data).and_then(|data| connect(header, data)),
        })
    }

    /// Kind of a data PDU: 1 for a continuation or an empty PDU, 2 for the start of an L2CAP frame, 3 for
    /// control.
    #[must_use]
    pub const fn llid(&self) -> u8 {
        self.header & LLID
    }

    /// Sequence number of a data PDU.
    #[must_use]
    pub const fn sn(&self) -> bool {
        self.header & 1 << 3 != 0
    }

    /// Next expected sequence number of a data PDU.
    #[must_use]
    pub const fn nesn(&self) -> bool {
        self.header & 1 << 2 != 0
    }
}

const LLID: u8 = 3;
const CTE_PRESENT: u8 = 1 << 5;

fn pseudo_header(bytes: &mut &[u8]) -> Option<Before> {
    let [channel, ..] = take::<8>(bytes)?;
    let flags = take_u16(bytes)?;
    if flags & flag::DEWHITENED == 0 {
        return None;
    }
    let kind = flags >> 7 & 7;
    Some(Before {
        channel: Some(channel),
        sender: match kind {
            2 => Some(Sender::Central),
            3 => Some(Sender::Peripheral),
            _ => None,
        },
        phy: (flags >> 14) as u8,
        is_valid: flags & flag::CRC_CHECKED == 0 || flags & flag::CRC_VALID != 0,
        // 1 is auxiliary advertising, and above 3 are isochronous streams.
        is_acl_or_advertising: matches!(kind, 0 | 2 | 3),
    })
}

fn nordic_header(bytes: &mut &[u8]) -> Option<Before> {
    const ADVERTISING_PACKET: u8 = 2;
    const PACKET: u8 = 6;
    // Board and lengths.
    skip(bytes, 3)?;
    let version = take_u8(bytes)?;
    // Packet counter.
    skip(bytes, 2)?;
    let kind = take_u8(bytes)?;
    if !(1..=3).contains(&version) || !matches!(kind, ADVERTISING_PACKET | PACKET) {
        return None;
    }
    let header_bytes = usize::from(take_u8(bytes)?);
    let [flags, channel] = take(bytes)?;
    // RSSI, event counter and time.
    skip(bytes, header_bytes.checked_sub(3)?)?;
    let is_advertising = bytes.first_chunk().copied().map(u32::from_le_bytes) == Some(ADVERTISING);
    let sender = if flags & 2 != 0 { Sender::Central } else { Sender::Peripheral };
    Some(Before {
        channel: Some(channel),
        sender: (!is_advertising && kind == PACKET).then_some(sender),
        phy: flags >> 4 & 7,
        is_valid: flags & 1 != 0,
        is_acl_or_advertising: is_advertising || kind == PACKET,
    })
}

/// Parameters in a CONNECT_IND with this payload (section 2.3.3.1).
fn connect(header: u8, mut payload: &[u8]) -> Option<Connect> {
    if header & 0x0F != CONNECT_IND {
        return None;
    }
    // Addresses of initiator and advertiser.
    skip(&mut payload, 12)?;
    let access_address = take_u32(&mut payload)?;
    // CRC preset, window size and window offset.
    skip(&mut payload, 3 + 1 + 2)?;
    let interval_ns = i64::from(take_u16(&mut payload)?) * INTERVAL_UNIT_NS;
    Some(Connect { access_address, interval_ns })
}

#[cfg(test)]
mod tests;
