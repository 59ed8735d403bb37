//! Bluetooth LE in a capture file: LINKTYPE_BLUETOOTH_LE_LL_WITH_PHDR (tcpdump.org), a header of
//! ten bytes followed by the packet without its preamble.
//!
//! ```text
//!  RF channel 1 | signal 1 | noise 1 | offences 1 | access address 4 | flags 2 | packet
//!  packet: access address 4 | coding indicator 1, of a coded PHY only | PDU | CRC 3
//! ```
//!
//! No byte of a packet identifies which end of a connection sent the packet. If the sniffer
//! observed the CONNECT_IND of a connection, the sender of the CONNECT_IND is the central. For a
//! connection made before the sniffer was attached, the sniffer waits for the first packet on a
//! different channel than the packet before it. This first packet on a new channel begins a
//! connection event, so its sender is the central. Until the central of a connection is known, the
//! sniffer records the direction of packets as unspecified.

use std::cell::RefCell;
use std::collections::BTreeMap;

use super::Encapsulation;
use super::standard::centre_mhz;
use crate::frame::Frame;
use crate::medium::NodeId;

const DEWHITENED: u16 = 1 << 0;
const REFERENCE_ADDRESS_VALID: u16 = 1 << 4;
/// PDU types: data, by sender.
const CENTRAL_TO_PERIPHERAL: u16 = 2 << 7;
const PERIPHERAL_TO_CENTRAL: u16 = 3 << 7;
const CRC_CHECKED: u16 = 1 << 10;
const CRC_VALID: u16 = 1 << 11;

/// Access address of the advertising channels, PDU type of a CONNECT_IND, and byte offset at which
/// a CONNECT_IND contains the access address of the new connection. Source: Bluetooth Core
/// Specification 5.4, volume 6, part B, 2.1.2 and 2.3.
const ADVERTISING: [u8; 4] = 0x8E89_BED6_u32.to_le_bytes();
const CONNECT_IND: u8 = 0x05;
const NEW_ADDRESS_AT: usize = 18;

/// Connections observed by a sniffer.
#[derive(Debug, Default)]
pub struct BluetoothLe {
    /// Connections by access address.
    connections: RefCell<BTreeMap<[u8; 4], Connection>>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Connection {
    central: Option<NodeId>,
    /// RF channel of the last packet.
    channel: Option<u8>,
}

impl Encapsulation for BluetoothLe {
    fn link_type(&self) -> u16 {
        256
    }

    fn description(&self) -> &'static str {
        "Bluetooth LE link layer, as sent, dewhitened, with CRC"
    }

    fn wrap(&self, frame: &Frame, intact: bool, data: &mut Vec<u8>, _: &mut String) {
        // Core specification 5.4, volume 6, part A, 2: RF channel k at 2402 + 2 k MHz.
        let channel = (centre_mhz(frame.band).saturating_sub(2_402) / 2) as u8;
        let rate = Rate::of(frame);
        let mut flags = DEWHITENED | CRC_CHECKED | rate.flag();
        if intact {
            flags |= CRC_VALID;
        }
        // The packet has no signal power, no noise power, and no wrong bit in the access address.
        data.extend([channel, 0, 0, 0]);
        let Some((address, rest)) = frame.bytes.split_first_chunk::<4>() else {
            data.extend([0; 4]);
            data.extend(flags.to_le_bytes());
            data.extend_from_slice(&frame.bytes);
            return;
        };
        flags |= REFERENCE_ADDRESS_VALID | self.direction(*address, channel, frame);
        data.extend(address);
        data.extend(flags.to_le_bytes());
        data.extend(address);
        data.extend(rate.coding_indicator());
        data.extend_from_slice(rest);
    }
}

impl BluetoothLe {
    /// Direction of a packet, as far as known.
    fn direction(&self, address: [u8; 4], channel: u8, frame: &Frame) -> u16 {
        let mut connections = self.connections.borrow_mut();
        if address == ADVERTISING {
            let kind = frame.bytes.get(4).map(|header| header & 0x0F);
            let new = frame.bytes.get(NEW_ADDRESS_AT..).and_then(<[u8]>::first_chunk::<4>);
            if let (Some(CONNECT_IND), Some(new)) = (kind, new) {
                let connection = Connection { central: Some(frame.from), channel: None };
                connections.insert(*new, connection);
            }
            return 0;
        }
        let known = connections.entry(address).or_default();
        let hopped = known.channel.replace(channel).is_some_and(|last| last != channel);
        if known.central.is_none() && hopped {
            known.central = Some(frame.from);
        }
        match known.central {
            None => 0,
            Some(central) if central == frame.from => CENTRAL_TO_PERIPHERAL,
            Some(_) => PERIPHERAL_TO_CENTRAL,
        }
    }
}

/// Modulation and coding of a packet, which follow from its duration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rate {
    Le1M,
    Le2M,
    CodedS2,
    CodedS8,
}

impl Rate {
    fn of(frame: &Frame) -> Self {
        let bytes = frame.bytes.len() as u64;
        let lasts_ns = frame.end.since(frame.begin).as_ns();
        // Volume 6, part B, 2.2: preamble 80 us, access address 256, coding indicator 16 and first
        // terminator 24; then bytes and a second terminator of three bits at the rate of S.
        let coded_ns =
            |bit_ns: u64| bytes.checked_sub(4).map(|rest| 376_000 + rest * 8 * bit_ns + 3 * bit_ns);
        // 2.1: two bytes of preamble at 4 us per byte; otherwise one byte of preamble at 8 us per
        // byte.
        if lasts_ns == (bytes + 2) * 4_000 {
            Self::Le2M
        } else if coded_ns(2_000) == Some(lasts_ns) {
            Self::CodedS2
        } else if coded_ns(8_000) == Some(lasts_ns) {
            Self::CodedS8
        } else {
            Self::Le1M
        }
    }

    const fn flag(self) -> u16 {
        match self {
            Self::Le1M => 0,
            Self::Le2M => 1 << 14,
            Self::CodedS2 | Self::CodedS8 => 2 << 14,
        }
    }

    fn coding_indicator(self) -> Option<u8> {
        match self {
            Self::Le1M | Self::Le2M => None,
            Self::CodedS8 => Some(0),
            Self::CodedS2 => Some(1),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use airlag_sim::Instant;

    use super::*;
    use crate::frame::{Band, FrameId, Modulation};

    const DATA: [u8; 9] = [0x2D, 0xAF, 0xEE, 0x21, 1, 0, 1, 2, 3];

    fn wrapped(
        by: &BluetoothLe,
        from: u32,
        centre_mhz: u32,
        lasts_ns: u64,
        bytes: &[u8],
    ) -> Vec<u8> {
        let frame = Frame {
            id: FrameId(0),
            from: NodeId(from),
            band: Band::around(centre_mhz * 1_000, 2_000),
            modulation: Modulation { family: "ble", setting: 0 },
            begin: Instant::START,
            end: Instant::from_ns(lasts_ns),
            bytes: Rc::from(bytes),
        };
        let (mut data, mut comment) = (Vec::new(), String::new());
        by.wrap(&frame, true, &mut data, &mut comment);
        assert!(comment.is_empty(), "{comment}");
        data
    }

    #[test]
    fn there_are_channel_address_and_phy() {
        let bytes = [0xD6, 0xBE, 0x89, 0x8E, 0, 0, 1, 2, 3];
        let by = BluetoothLe::default();
        let at_1m = wrapped(&by, 0, 2_426, 80_000, &bytes);
        assert_eq!(at_1m[..10], [12, 0, 0, 0, 0xD6, 0xBE, 0x89, 0x8E, 0x11, 0x0C]);
        assert_eq!(at_1m[10..], bytes);
        let at_2m = wrapped(&by, 0, 2_480, 44_000, &bytes);
        assert_eq!(at_2m[..10], [39, 0, 0, 0, 0xD6, 0xBE, 0x89, 0x8E, 0x11, 0x4C]);
        assert_eq!(wrapped(&by, 0, 2_402, 8_000, &[1]).len(), 11);
    }

    #[test]
    fn a_coded_packet_has_its_indicator_behind_the_address() {
        // Five bytes follow the address: 40 bits and three bits of terminator, at 8 and at 2 us per
        // bit.
        for (lasts_us, indicator) in [(376 + 43 * 8, 0), (376 + 43 * 2, 1)] {
            let data = wrapped(&BluetoothLe::default(), 0, 2_402, lasts_us * 1_000, &DATA);
            assert_eq!(data[9] >> 6, 2);
            assert_eq!(data[10..], [&DATA[..4], &[indicator], &DATA[4..]].concat());
        }
    }

    fn direction(data: &[u8]) -> u16 {
        u16::from_le_bytes([data[8], data[9]]) >> 7 & 7
    }

    #[test]
    fn who_sends_first_on_another_channel_is_the_central() {
        let by = BluetoothLe::default();
        let heard = [(2, 2_404), (1, 2_430), (2, 2_430), (1, 2_456), (2, 2_456), (2, 2_404)];
        let directions =
            heard.map(|(from, mhz)| direction(&wrapped(&by, from, mhz, 80_000, &DATA)));
        assert_eq!(directions, [0, 2, 3, 2, 3, 3]);
    }

    #[test]
    fn who_asks_for_a_connection_is_its_central() {
        let by = BluetoothLe::default();
        let mut ask = vec![0xD6, 0xBE, 0x89, 0x8E, CONNECT_IND, 34];
        ask.extend([0; 12]);
        ask.extend(&DATA[..4]);
        ask.extend([0; 21]);
        assert_eq!(direction(&wrapped(&by, 1, 2_402, 0, &ask)), 0);
        let directions = [1, 2].map(|from| direction(&wrapped(&by, from, 2_404, 80_000, &DATA)));
        assert_eq!(directions, [2, 3]);
    }
}
