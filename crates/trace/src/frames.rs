//! Link-layer frames of radios, decoded from the packets of a sniffer.
//!
//! | radio | link types, with the number at tcpdump.org and the header before each frame |
//! |---|---|
//! | [Bluetooth LE](bluetooth_le) | 251 (no header), 256 (pseudo header), 272 (header of the nRF Sniffer) |
//! | [IEEE 802.15.4](ieee802154) | 195 (no header, with FCS), 230 (no header, without FCS), 283 (TAP header) |
//! | [IEEE 802.11](ieee80211) | 105 (no header), 127 (radiotap header) |
//!
//! Only the fields that identify a frame, its retransmissions and its acknowledgement are decoded. Payloads
//! are reduced to a checksum, because they are only compared.

pub mod bluetooth_le;
mod bytes;
pub mod ieee80211;
pub mod ieee802154;

use crate::packets::Packet;

/// Kind of radio.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Radio {
    /// Bluetooth LE.
    BluetoothLe,
    /// IEEE 802.15.4.
    Ieee802154,
    /// IEEE 802.11.
    Ieee80211,
}

impl Radio {
    /// The radio of a link type. `None` if it is not supported.
    #[must_use]
    pub const fn of(link_type: u16) -> Option<Self> {
        match link_type {
            bluetooth_le::PLAIN | bluetooth_le::WITH_HEADER | bluetooth_le::NORDIC => {
                Some(Self::BluetoothLe)
            }
            ieee802154::WITH_FCS | ieee802154::WITHOUT_FCS | ieee802154::TAP => {
                Some(Self::Ieee802154)
            }
            ieee80211::PLAIN | ieee80211::RADIOTAP => Some(Self::Ieee80211),
            _ => None,
        }
    }
}

/// A decoded frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Frame {
    /// A frame of Bluetooth LE.
    BluetoothLe(bluetooth_le::Pdu),
    /// A frame of IEEE 802.15.4.
    Ieee802154(ieee802154::Mpdu),
    /// A frame of IEEE 802.11.
    Ieee80211(ieee80211::Mpdu),
}

impl Frame {
    /// Decodes a packet. `None` if its link type is not supported, or if its headers are incomplete.
    #[must_use]
    pub fn of(packet: &Packet<'_>) -> Option<Self> {
        match Radio::of(packet.link_type)? {
            Radio::BluetoothLe => bluetooth_le::Pdu::of(packet).map(Self::BluetoothLe),
            Radio::Ieee802154 => ieee802154::Mpdu::of(packet).map(Self::Ieee802154),
            Radio::Ieee80211 => ieee80211::Mpdu::of(packet).map(Self::Ieee80211),
        }
    }
}
